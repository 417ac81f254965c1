"""Whose a value is: the user, or the person or pet named nearest before it."""

from __future__ import annotations

from collections.abc import Sequence

from clew.kernel.statements.features import Mention

SELF = "self"


def subject_of(kind: str, start: int, end: int, sentence: tuple[int, int], found: Sequence[Mention]) -> str | None:
    """The subject of a value from `start` to `end`; None when nobody of the user's is named."""
    if kind == SELF:
        return SELF
    own = [m for m in found if m.subject.startswith(kind)]
    if not own:
        return None
    here = [m for m in own if sentence[0] <= m.start < sentence[1]]
    before = [m for m in here if m.start <= start] or [m for m in own if m.start <= start]
    if before:
        return before[-1].subject
    inside = [m for m in own if m.start < end]
    return (inside or here or own)[0].subject
