"""The promise of a search index: which turns of one conversation are nearest to a vector, or hold these terms.

It stands beside a turn index, for a conversation too long to be opened whole. It names positions and nothing else:
what is at a position is read from the turn index, and weighed by the same rules as a short conversation. All of it
is derived and can be made again from the runs of the turn index. Every call names its conversation.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from clew.frozen import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Point:
    """One turn: a vector of length 1 for each of its passages, and what each of its terms says of it."""

    position: int
    speaker: int
    at: float | None  # seconds since 1970
    vectors: Sequence[Sequence[float]]
    terms: Mapping[int, float]


@dataclass(frozen=True, slots=True)
class Near:
    position: int
    score: float


@dataclass(frozen=True, slots=True)
class Narrow:
    """Only turns of these speakers, and said in this span; a turn without a time is in no span."""

    speakers: frozenset[int] | None = None
    since: float | None = None
    until: float | None = None


EVERYTHING = Narrow()


class SearchIndex(Protocol):
    @property
    def name(self) -> str:
        """What it is, in a word or two, for `clew doctor`."""
        ...

    @property
    def kept_elsewhere(self) -> tuple[str, ...]:
        """Where what was dropped may still be, in sentences; for the receipt of an erasure."""
        ...

    def last(self, conversation: str, made: str) -> int:
        """Up to which position there are points that were made in this way; -1: none."""
        ...

    def put(self, conversation: str, made: str, points: Sequence[Point]) -> None:
        """A position that is there is replaced. What was made in another way goes first: two are never mixed."""
        ...

    def nearest(
        self, conversation: str, vector: Sequence[float], most: int, only: Narrow = EVERYTHING
    ) -> list[Near]:
        """The turns with the best passage by cosine, best first, each position once."""
        ...

    def holding(
        self, conversation: str, terms: Mapping[int, float], most: int, only: Narrow = EVERYTHING
    ) -> list[Near]:
        """By the sum, over these terms, of the weight asked with and what the term says of the turn; best first."""
        ...

    def frequencies(self, conversation: str, terms: Collection[int]) -> dict[int, int]:
        """In how many turns each of these terms stands; those that stand in none may be left out."""
        ...

    def drop(self, conversation: str) -> int:
        """Everything of a conversation; how many turns had points."""
        ...
