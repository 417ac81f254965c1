"""A memory that was read from the user's words and answers the question is told; the words need no quoting."""

from __future__ import annotations

import re
from collections.abc import Sequence

from clew.kernel.keep.keys import attribute_for, bare_value
from clew.kernel.recall.answers import HISTORY, WHEN, WHO, Moment, finding_of, meant_by
from clew.kernel.recall.narrowing import held as terms_held
from clew.model.memory import SELF, MemoryRecord
from clew.model.plan import Finding
from clew.model.utterance import Ask
from clew.policy import Policy

_QUOTED = "turn"
_QUOTES = "“"
# A sentence kept as it stands, or whole in its value, says no more when told than when quoted.
_AS_SAID = ("note", "code")
# Told to the user, words may be a little longer than they were.
_LONGER = 12
# Who somebody is answers nothing else that is asked of them.
_WHO_IT_IS = ("name", "called", "exists")


def told_plainly(
    found: Finding,
    records: Sequence[MemoryRecord],
    asks: Sequence[Ask],
    question: str,
    policy: Policy,
    moment: Moment,
) -> Finding:
    """The finding, or what is held of its words where that is the answer: "You lived in Utrecht".

    records: what is held. What is told must be of whom the question asks, hold what its kind of question asks to be
    told (a time, a number, a place), and be the one thing of these words that does.
    """
    if found.source != _QUOTED or found.past or any(a.attribute == WHO for a in asks):
        return found
    told = {
        m.memory_id: finding_of(m, found.named, policy, moment)
        for m in records
        if found.id in m.source_message_ids and attribute_for(m, policy) not in _AS_SAID
    }
    fits = [
        told[m.memory_id]
        for m in records
        if m.memory_id in told
        and _QUOTES not in told[m.memory_id].told
        # What was left out of the quotation is not told after all.
        and len(told[m.memory_id].told) <= len(found.told) + _LONGER
        and _asked_for(m, asks, question, policy)
        and _holds_its_kind(told[m.memory_id].told, question, moment.language, policy)
    ]
    return fits[0] if len(fits) == 1 else found


def _asked_for(record: MemoryRecord, asks: Sequence[Ask], question: str, policy: Policy) -> bool:
    """The side of the life that is asked for; for what was before, what happened; else what the question names."""
    attribute = attribute_for(record, policy)
    if any(a.attribute == HISTORY for a in asks):
        return attribute == "event" and record.subject == SELF
    sides = [a for a in asks if a.attribute not in (WHO, WHEN)]
    asked = {(subject, a.attribute) for a in sides[:1] for subject in meant_by(a.subject, policy)}
    if (record.subject, attribute) in asked:
        return True
    if attribute in _WHO_IT_IS:
        return False
    named = terms_held(question, policy) & terms_held(bare_value(record.memory_value), policy)
    return bool(named) and (record.subject == SELF or any(a.subject == record.subject for a in asks))


def _holds_its_kind(told: str, question: str, language: str, policy: Policy) -> bool:
    words = policy.checks.languages.get(language)
    if words is None:
        return False
    kinds = [kind for kind, shape in words.question_kinds.items() if re.search(shape.pattern, question, re.I)]
    return all(re.search(words.told_kinds[kind].pattern, told, re.I) for kind in kinds if kind in words.told_kinds)
