"""A memory that was read from the user's words and answers the question is told; the words need no quoting."""

from __future__ import annotations

import re
from collections.abc import Sequence

from clew.kernel.keep.keys import attribute_for, bare_value, row_of
from clew.kernel.recall.answers import HISTORY, WHEN, WHO, Moment, finding_of, meant_by, tellable
from clew.kernel.recall.kinds_asked import holds_kind, kinds_asked
from clew.kernel.recall.narrowing import held as terms_held
from clew.model.memory import SELF, MemoryRecord
from clew.model.plan import MAYBE, Finding
from clew.model.utterance import Ask
from clew.policy import Policy

_QUOTED = "turn"
_QUOTES = "“"
# A sentence kept as it stands, or whole in its value, says no more when told than when quoted.
_AS_SAID = ("note", "code")
_WHO_KIND = "who"
# Told to the user, words may be a little longer than they were.
_LONGER = 12
# Which of these a pastime is told under is chance.
_PASTIMES = frozenset({"hobby", "sport", "game"})
# What these ask for may stand beside what was read: since when, how many, where, with whom.
_BESIDE = ("when", "much", "where", "who", "why", "with_whom")


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
        and _of_the_side(m, asks, policy)
        and _holds_its_kind(told[m.memory_id].told, question, moment.language, policy)
    ]
    return fits[0] if len(fits) == 1 else found


def of_the_thing(
    found: Sequence[Finding],
    records: Sequence[MemoryRecord],
    own: frozenset[str],
    question: str,
    policy: Policy,
    moment: Moment,
) -> tuple[Finding, ...]:
    """ "Where's my shop?": the one thing held that the question names, where what was found holds no word of it.

    own: the words of the question that are no name for a side of a life.
    """
    if not own or not found or any(own & terms_held(f"{f.told} {f.value}", policy) for f in found):
        return tuple(found)
    sure = [f for f in found if f.named != MAYBE]
    if any(f.source != _QUOTED and row_of(f.attribute, policy).many for f in sure):
        return tuple(found)  # one of many may be the very thing by another name
    quoted = any(f.source == _QUOTED for f in sure)
    held = [m for m in records if m.subject == SELF and tellable(m, past=False)]
    # More is told than that there is such a thing.
    held = [m for m in held if attribute_for(m, policy) not in _AS_SAID]
    fits = [m for m in held if own < terms_held(bare_value(m.memory_value).replace("_", " "), policy)]
    told = [finding_of(m, 1.0, policy, moment) for m in fits]
    if quoted:  # likely words give way only to what tells a time to "when", a number to "how many"
        kinds = kinds_asked(question, moment.language, policy)
        told = [f for f in told if all(holds_kind(kind, f.told, moment.language, policy) for kind in kinds)]
    return tuple(told) if len(told) == 1 else tuple(found)


def _of_the_side(record: MemoryRecord, asks: Sequence[Ask], policy: Policy) -> bool:
    """The side of the life that is asked for; for what was before, what happened."""
    attribute = attribute_for(record, policy)
    if any(a.attribute == HISTORY for a in asks):
        return attribute == "event" and record.subject == SELF
    sides = [a for a in asks if a.attribute != WHEN and a.certainty >= policy.recall.answers_asked_plainly]
    asked = {a.attribute for a in sides[:1]}
    near = asked | (_PASTIMES if asked & _PASTIMES else frozenset())
    plainly = attribute in near and attribute in (*policy.recall.answers_plainly, *_PASTIMES)
    return plainly and any(record.subject in meant_by(a.subject, policy) for a in sides[:1])


def _holds_its_kind(told: str, question: str, language: str, policy: Policy) -> bool:
    words = policy.checks.languages.get(language)
    if words is None:
        return False
    kinds = [kind for kind, shape in words.question_kinds.items() if re.search(shape.pattern, question, re.I)]
    if _WHO_KIND in kinds:
        return False  # who or what it is called is in the words; what was read of them may leave it out
    shown = words.told_kinds
    return all(
        kind in shown and re.search(shown[kind].pattern, told, re.I) is not None
        for kind in kinds
        if kind in shown or kind in _BESIDE
    )
