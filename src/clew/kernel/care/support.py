"""What is said to someone hurting: what is taken up, and one question, by the kind of pain (ruling S5)."""

from __future__ import annotations

import re
from functools import lru_cache

from clew.policy import Policy
from clew.policy.care import CareWords, Danger


def pain_of(text: str, language: str, policy: Policy) -> Danger | None:
    """The first kind of pain of the table that the text names; None where it names none."""
    words = policy.care.languages.get(language)
    if words is None:
        return None
    name = next((name for name, shape in _shapes(words) if shape.search(text)), None)
    return words.support[name] if name else None


@lru_cache(maxsize=8)
def _shapes(words: CareWords) -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((name, re.compile(row.pattern, re.I)) for name, row in words.support.items() if row.pattern)
