"""A held fact told plainly in place of a quotation of the very words it was read from (ruling M10)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from clew.kernel.keep.keys import attribute_for
from clew.kernel.recall.answers import Moment, finding_of, meant_by
from clew.model.memory import MemoryRecord, MemoryStatus
from clew.model.plan import MAYBE, Finding
from clew.model.utterance import Ask
from clew.policy import Policy

_OPEN = "“"
# Which of these a pastime is told under is chance.
_PASTIMES = frozenset({"hobby", "sport", "game"})
# What these ask for may stand beside what was read: since when, how many, where, with whom.
_MORE = ("when", "much", "where", "who")


def in_plain_words(
    found: tuple[Finding, ...],
    asks: Sequence[Ask],
    records: Sequence[MemoryRecord],
    question: str,
    moment: Moment,
    policy: Policy,
) -> tuple[Finding, ...]:
    """The findings, where a lone quotation gives way to the one fact read from it that is near what is asked for."""
    if len(found) != 1 or found[0].source != "turn" or found[0].named == MAYBE or not asks:
        return found
    spoken = policy.checks.languages.get(moment.language)
    shapes = [spoken.question_kinds[k] for k in _MORE if k in spoken.question_kinds] if spoken else []
    if any(re.search(shape.pattern, question, re.I) for shape in shapes):
        return found
    asked = {a.attribute for a in asks}
    near = asked | (_PASTIMES if asked & _PASTIMES else frozenset())
    whose = {s for a in asks for s in meant_by(a.subject, policy)}
    read = [
        r
        for r in records
        if r.status is MemoryStatus.ACTIVE and found[0].id in r.source_message_ids and r.subject in whose
    ]
    fitting = [r for r in read if attribute_for(r, policy) in near]
    if len(fitting) != 1:
        return found
    plain = finding_of(fitting[0], found[0].named, policy, moment)
    return found if _OPEN in plain.told else (plain,)
