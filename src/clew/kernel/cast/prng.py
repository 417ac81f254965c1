"""Mulberry32: one 32-bit seed gives one sequence, in any language.

Draws stay 32-bit integers; `u < p` and `floor(u * n)` are computed exactly on them.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeVar

T = TypeVar("T")
_MASK = 0xFFFFFFFF
_STEP = 0x6D2B79F5
_SPAN = 1 << 32


class Mulberry32:
    __slots__ = ("_state",)

    def __init__(self, seed: int) -> None:
        self._state = seed & _MASK

    def draw(self) -> int:
        """The next number in [0, 2^32); divided by 2^32 it is the usual float."""
        self._state = a = (self._state + _STEP) & _MASK
        t = ((a ^ (a >> 15)) * (a | 1)) & _MASK
        t ^= (t + (((t ^ (t >> 7)) * (t | 61)) & _MASK)) & _MASK
        return t ^ (t >> 14)

    def under(self, chance: Fraction) -> bool:
        return self.draw() * chance.denominator < chance.numerator * _SPAN

    def pick(self, options: Sequence[T]) -> T:
        return options[self.draw() * len(options) >> 32]

    def pick_other(self, options: Sequence[T], than: T) -> T:
        """Any option but one; the excluded one is removed before the draw."""
        return self.pick([o for o in options if o != than])

    def shuffled(self, options: Sequence[T]) -> list[T]:
        """Fisher–Yates from the end."""
        out = list(options)
        for i in range(len(out) - 1, 0, -1):
            j = self.draw() * (i + 1) >> 32
            out[i], out[j] = out[j], out[i]
        return out
