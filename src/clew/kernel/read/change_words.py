"""Words of change in a sentence, in any language: that something ended, stands instead, or stands beside."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from clew.kernel.language.scripts import has_syllables
from clew.kernel.text.tokens import words
from clew.pattern_table import PatternTable
from clew.policy import Policy
from clew.programs import program


# What was said before is looked at again with every question.
@lru_cache(maxsize=8192)
def says(text: str, kind: str, policy: Policy) -> bool:
    """`kind` names a row of shapes of the checks: ended, instead, beside, switched, …"""
    return _shapes(kind, policy).any(text)


def named_by(text: str, kind: str, policy: Policy) -> list[str]:
    """Whom the shapes of a row name in their group `who`."""
    return [found["who"] for _, found in _shapes(kind, policy).matches(text)]


@lru_cache(maxsize=64)
def _shapes(kind: str, policy: Policy) -> PatternTable:
    spoken = policy.checks.languages.values()
    return PatternTable([shape.pattern for words in spoken for shape in getattr(words, kind).values()])


def clauses(text: str, policy: Policy) -> list[str]:
    """The clauses of a message, cut at the marks and joining words of its language."""
    cut = _breaks(tuple(w.clause_breaks for w in policy.checks.languages.values() if w.clause_breaks))
    return [c for part in cut.split(text) if part and (c := part.strip(" .,!?;"))]


@lru_cache(maxsize=4)
def _breaks(patterns: tuple[str, ...]) -> re.Pattern[str]:
    return program("|".join(patterns) or "(?!)", re.I)


def says_change(text: str, policy: Policy) -> bool:
    """Some word says that one thing stands instead of another, or that it is over."""
    return says(text, "instead", policy) or says(text, "switched", policy) or says_over(text, policy)


def tells_change(text: str, policy: Policy) -> bool:
    """A mere "didn't say a word" ends nothing that is not named."""
    return any(says(text, kind, policy) for kind in ("instead", "ended", "switched", "swap", "corrected"))


def says_over(text: str, policy: Policy) -> bool:
    return any(says(text, kind, policy) for kind in ("ended", "swap", "negation", "corrected"))


def says_leaving(text: str, policy: Policy) -> bool:
    """A job was left: "handed my notice in", 사표 냈어."""
    said = f" {' '.join(words(text.lower()))} "
    listed = (w for spoken in policy.checks.languages.values() for w in spoken.left)
    return any(w in said if has_syllables(w) else f" {w} " in said for w in listed)


def without_common(said: str, common: Sequence[str]) -> str:
    """Days are common to what has nothing in common."""
    return " ".join(w for w in said.replace("_", " ").lower().split() if w.strip(".,!?") not in common)
