"""Patterns and shapes of the policy, compiled once."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from clew.pattern_table import PatternTable
from clew.policy import Policy
from clew.policy.language import Shape
from clew.programs import program


@lru_cache(maxsize=256)
def pattern(name: str, policy: Policy) -> re.Pattern[str]:
    return program(policy.remember.patterns[name], re.I)


@lru_cache(maxsize=8)
def openings(policy: Policy) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """What opens a fact, by the reader that judges its value."""
    return tuple((name, program(text, re.I)) for name, text in policy.remember.openings.items())


def alternatives(phrases: Iterable[str]) -> str:
    """A part of a pattern that any of these phrases matches, the longest first."""
    return "|".join(
        re.escape(p).replace(r"\ ", r"\s") for p in sorted(set(phrases), key=lambda p: (-len(p), p))
    )


@lru_cache(maxsize=256)
def compiled(shapes: tuple[Shape, ...]) -> PatternTable:
    return PatternTable([shape.pattern for shape in shapes])


@lru_cache(maxsize=256)
def one(text: str) -> re.Pattern[str]:
    """A pattern that stands by itself in a table."""
    return program(text, re.I)
