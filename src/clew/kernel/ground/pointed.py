"""What a message was found to point at."""

from __future__ import annotations

from dataclasses import dataclass

from clew.kernel.ground.options import Positions


@dataclass(frozen=True, slots=True)
class Pointed:
    """`positions` are all meant when `several`; otherwise one is meant, and more than one is a question."""

    positions: Positions = ()
    several: bool = False
    how: str = "nothing"
    # Words that fit something on the list, and words that fit nothing.
    fitting: int = 0
    foreign: tuple[str, ...] = ()
    excluded: Positions = ()
    # A word that fits nothing stands beside one that fits, as in one name: "sample2 backup".
    compound: bool = False
    # What is said without the clauses that only say why; empty when that is all of it.
    chosen: str = ""
    # How well the words fit, at best: a name, something told, or nearly.
    strength: int = 0

    @property
    def winner(self) -> int | None:
        return self.positions[0] if len(self.positions) == 1 else None
