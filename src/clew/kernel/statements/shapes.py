"""Shapes of the policy, compiled once."""

from __future__ import annotations

import re
from functools import lru_cache

from clew.policy.language import Shape
from clew.programs import program


@lru_cache(maxsize=64)
def compiled(shapes: tuple[Shape, ...]) -> tuple[re.Pattern[str], ...]:
    return tuple(program(shape.pattern, re.I) for shape in shapes)


@lru_cache(maxsize=64)
def one(pattern: str) -> re.Pattern[str]:
    return program(pattern, re.I)
