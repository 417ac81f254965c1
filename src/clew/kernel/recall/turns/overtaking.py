"""How likely a later statement tells anew what an earlier one told, in whatever words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import exp

import numpy as np

from clew.kernel.read.telling import Telling
from clew.kernel.recall.turns.entries import Floats
from clew.kernel.recall.turns.vocabulary import rarity
from clew.policy import Policy


@dataclass(frozen=True, eq=False)
class Nearby:
    """Vectors of length 1: of the question, and of the first turns found; `toward` is where its answers lie."""

    question: Floats
    turns: Mapping[int, Floats]
    toward: Floats | None = None

    def alike(self, one: int, other: int) -> float:
        return float(self._likeness[self._row[one], self._row[other]])

    def asked(self, turn: int) -> float:
        return float(np.dot(self.question, self.turns[turn]))

    def closest(self, turn: int) -> float:
        """How alike it is to the turn that is most alike to it."""
        row = self._row[turn]
        others = np.delete(self._likeness[row], row)
        return float(others.max(initial=0.0))

    def behind(self, turn: int) -> float:
        """How much less it answers than the turn that answers most; 0: it is that one."""
        return float(self._answers[self._row[turn]] - self._answers.max())

    @cached_property
    def _row(self) -> dict[int, int]:
        return {turn: row for row, turn in enumerate(self.turns)}

    @cached_property
    def _rows(self) -> Floats:
        return np.stack(list(self.turns.values()))

    @cached_property
    def _likeness(self) -> Floats:
        out: Floats = self._rows @ self._rows.T
        return out

    @cached_property
    def _answers(self) -> Floats:
        out: Floats = self._rows @ (self.question if self.toward is None else self.toward)
        return out


@dataclass(frozen=True, slots=True)
class PlacedTurn:
    """A turn among the first found, in its place there, and what it tells."""

    turn: int
    place: float  # 0 is the first, 1 the end of the pool
    told: Telling


def chance(
    older: PlacedTurn, newer: PlacedTurn, wanted: frozenset[str], nearby: Nearby | None, policy: Policy
) -> float:
    """`wanted` are the terms of the question. Without vectors nothing is said of words that differ."""
    if nearby is None:
        return 0.0
    w = policy.recall.overtaking
    both = older.told.terms & newer.told.terms
    alike = nearby.alike(older.turn, newer.turn)
    score = (
        w.bias
        + w.alike * alike
        + w.closest * (alike - nearby.closest(older.turn))
        + w.behind * nearby.behind(newer.turn)
        + w.asked * nearby.asked(older.turn)
        + w.rare * _rarity(both - wanted, policy)
        + w.shared * _rarity(both & wanted, policy)
        + w.kind * bool(_kinds(older.told) & _kinds(newer.told))
        + w.place * newer.place
        + w.anchor * older.place
        + w.covers * len(older.told.terms & wanted) / max(len(wanted), 1)
        + w.length * min(len(newer.told.terms), w.words_most) / w.words_most
    )
    return 1 / (1 + exp(-score))


def _rarity(terms: frozenset[str], policy: Policy) -> float:
    most = policy.recall.overtaking.rare_most
    return min(sum(rarity(term, policy) for term in sorted(terms)), most) * 2 / most


def _kinds(told: Telling) -> frozenset[str]:
    return frozenset(one.value for one in told.said if one.value)
