"""A plan or an event that was read as a bare verb, with the words that go on with it: "starting" a night class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from clew.kernel.statements.patterns import one
from clew.model.utterance import Statement
from clew.policy.checks import CheckWords

_DEEDS = ("plan", "event")


def whole_deeds(text: str, told: Sequence[Statement], words: CheckWords) -> list[Statement]:
    """Each as a whole; what is told within it of the same kind is a part of it."""
    grown = [_grown(text, s, words) for s in told]
    return [s for s in grown if not any(_within(s, t) for t in grown if t is not s)]


def _grown(text: str, told: Statement, words: CheckWords) -> Statement:
    if told.attribute not in _DEEDS or text[told.start : told.end] != told.value:
        return told
    more = one(words.deed_goes_on).match(text, told.end) if one(words.bare_deed).search(told.value) else None
    return told if more is None else replace(told, value=text[told.start : more.end()], end=more.end())


def _within(part: Statement, whole: Statement) -> bool:
    alike = part.attribute in _DEEDS and whole.attribute == part.attribute and whole.subject == part.subject
    inside = whole.start <= part.start and part.end <= whole.end
    return alike and inside and (part.end - part.start) < (whole.end - whole.start)
