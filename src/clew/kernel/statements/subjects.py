"""Whose a value is: the user's own, unless one of their people or pets is named before it with no "I" between."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from clew.kernel.statements.features import Mention
from clew.policy.reader import ReaderPolicy

SELF = "self"


@lru_cache(maxsize=8)
def _words(words: tuple[str, ...]) -> re.Pattern[str]:
    listed = "|".join(map(re.escape, sorted(words, key=len, reverse=True))) or "(?!)"
    return re.compile(rf"(?<![\w'’])(?:{listed})(?!\w)", re.IGNORECASE)


def speaks(text: str, start: int, end: int, policy: ReaderPolicy) -> bool:
    """Between the two places the user speaks of themself: I, we, 나는."""
    return _words(policy.speakers).search(text, start, end) is not None


def subject_of(
    text: str,
    start: int,
    end: int,
    sentence: tuple[int, int],
    found: Sequence[Mention],
    guess: tuple[str, float],
    policy: ReaderPolicy,
) -> str | None:
    """`guess` is the tagger's kind with its chance. None: told of somebody who is not related to the user here."""
    kind, chance = guess
    if chance >= policy.kind_sure:
        theirs = _words(policy.they).search(text, sentence[0], start) is not None
        of_kind = [m for m in found if m.subject.startswith(kind)]
        sure = SELF if kind == SELF else _nearest(of_kind, start, sentence, theirs)
        if sure:
            return sure
    own = _words(policy.speakers)
    here = [m for m in found if sentence[0] <= m.start < end]
    if here:
        last = here[-1]
        if last.end > start or not own.search(text, last.end, start):
            return last.subject
        return SELF
    before = [m for m in found if m.start < sentence[0]]
    told = text[sentence[0] : start]
    if before and not own.search(told) and _words(policy.they).search(text[sentence[0] : sentence[1]]):
        return before[-1].subject
    if kind == SELF or chance < policy.kind_at or own.search(text, sentence[0], sentence[1]):
        return SELF
    near = [m for m in found if m.subject.startswith(kind)]
    return near[0].subject if near else None


def _nearest(found: Sequence[Mention], start: int, sentence: tuple[int, int], theirs: bool) -> str | None:
    """The last one named before the value in its sentence, else one named after it there, else the last before.

    theirs: "she" stands before the value; that is whoever was named before, not who is named after it.
    """
    inside = [m for m in found if sentence[0] <= m.start < sentence[1]]
    before = [m for m in inside or found if m.start < start] or [m for m in found if theirs and m.start < start]
    chosen = before[-1:] or inside[:1]
    return chosen[0].subject if chosen else None
