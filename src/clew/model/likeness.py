"""How alike two texts are, and what forbids calling them one."""

from __future__ import annotations

from fractions import Fraction

from clew.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Likeness:
    similarity: Fraction
    close: bool
    guard: str | None
    rule: str

    @property
    def duplicate(self) -> bool:
        return self.close and self.guard is None
