"""Words of change in a sentence, in any language: that something ended, stands instead, or stands beside."""

from __future__ import annotations

import re
from functools import lru_cache

from clew.policy import Policy
from clew.programs import program


@lru_cache(maxsize=1024)
def says(text: str, kind: str, policy: Policy) -> bool:
    """`kind` names a row of shapes of the checks: ended, instead, beside, switched, …"""
    return any(p.search(text) for p in _shapes(kind, policy))


@lru_cache(maxsize=32)
def _shapes(kind: str, policy: Policy) -> tuple[re.Pattern[str], ...]:
    return tuple(
        program(shape.pattern, re.I)
        for words in policy.checks.languages.values()
        for shape in getattr(words, kind).values()
    )


def clauses(text: str, policy: Policy) -> list[str]:
    """Cut where a language's words or marks part what is told."""
    cut = _breaks(tuple(w.clause_breaks for w in policy.checks.languages.values() if w.clause_breaks))
    return [c for part in cut.split(text) if part and (c := part.strip(" .,!?;"))]


@lru_cache(maxsize=4)
def _breaks(patterns: tuple[str, ...]) -> re.Pattern[str]:
    return program("|".join(patterns) or "(?!)", re.I)
