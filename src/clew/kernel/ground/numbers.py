"""Numbers that were said beside numbers that are listed: who has this one, who is enough for it, who stays within it.

"Six of us" beside rooms for four and eight, "I only have five minutes" beside a film of four: nothing says which way
the comparison goes, so both ways are told and the chooser weighs them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from clew.kernel.ground.cards import Card
from clew.kernel.language.measures import Measure, agree

_BARE = "number"
_COUNT = "count"
# Kinds that lie on a line: more and less of them can be said.
_LINES = frozenset(
    {"money", "clock", "duration", "distance", "size", "weight", "area", "volume", "rating", _COUNT, _BARE}
)


@dataclass(frozen=True, slots=True)
class Compared:
    """Positions with exactly what was said; nearest above and below it; the only one above or below it."""

    same: frozenset[int] = frozenset()
    above: frozenset[int] = frozenset()
    below: frozenset[int] = frozenset()
    only_above: frozenset[int] = frozenset()
    only_below: frozenset[int] = frozenset()


def compared(told: Sequence[Measure], cards: Sequence[Card]) -> Compared:
    typed = {m.value for m in told if m.kind != _BARE}
    same: set[int] = set()
    above: set[int] = set()
    below: set[int] = set()
    only_above: set[int] = set()
    only_below: set[int] = set()
    for heard in told:
        if heard.kind == _BARE and heard.value in typed:
            continue
        having = {p for p, own in enumerate(cards) if any(agree(heard, o) for o in own.measures)}
        if having and len(having) < len(cards):
            same |= having
        if heard.kind not in _LINES:
            continue
        values = {p: v for p, own in enumerate(cards) if (v := _value(heard, own)) is not None}
        if len(values) < min(2, len(cards)):
            continue
        over = {p for p, v in values.items() if v >= heard.value}
        under = {p for p, v in values.items() if v <= heard.value}
        if over and len(over) < len(cards):
            above |= {p for p in over if values[p] == min(values[q] for q in over)}
            only_above |= over if len(over) == 1 else set()
        if under and len(under) < len(cards):
            below |= {p for p in under if values[p] == max(values[q] for q in under)}
            only_below |= under if len(under) == 1 else set()
    return Compared(*map(frozenset, (same, above, below, only_above, only_below)))


def _value(heard: Measure, own: Card) -> float | None:
    """What this candidate has of that kind; a bare number is compared with counts and bare numbers."""
    if heard.kind != _BARE:
        return next((m.value for m in own.measures if m.kind == heard.kind), None)
    counts = [m.value for m in own.measures if m.kind == _COUNT]
    typed = {m.value for m in own.measures if m.kind not in (_BARE, _COUNT)}
    bare = [m.value for m in own.measures if m.kind == _BARE and m.value not in typed]
    return next(iter((*counts, *bare)), None)
