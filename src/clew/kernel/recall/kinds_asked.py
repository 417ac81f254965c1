"""What kind of thing a question asks to be told: a time, an amount, a place, a reason, a companion.

Whatever takes the place of an answer on its way to the reply must still hold that: "60만 원" is not told by a sentence
that was cut before it, and why somebody eats no chicken is not told by "you eat no chicken".
"""

from __future__ import annotations

import re

from clew.policy import Policy

# A place is told by nearly any noun: that none is marked says nothing.
_UNMARKED = ("where",)


def kinds_asked(question: str, language: str, policy: Policy) -> tuple[str, ...]:
    """Of the kinds that a language can tell in a sentence."""
    words = policy.checks.languages.get(language)
    if words is None:
        return ()
    asked = (kind for kind, shape in words.question_kinds.items() if re.search(shape.pattern, question, re.I))
    return tuple(kind for kind in asked if kind in words.told_kinds and kind not in _UNMARKED)


def holds_kind(kind: str, told: str, language: str, policy: Policy) -> bool:
    return re.search(policy.checks.languages[language].told_kinds[kind].pattern, told, re.I) is not None


def loses_kind(question: str, before: str, after: str, language: str, policy: Policy) -> bool:
    """Something that the question asks for stands in the one and not in the other."""
    return any(
        holds_kind(kind, before, language, policy) and not holds_kind(kind, after, language, policy)
        for kind in kinds_asked(question, language, policy)
    )
