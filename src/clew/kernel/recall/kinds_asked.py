"""What kind of thing a question asks to be told: a time, an amount, a place, a reason, a companion.

Whatever takes the place of an answer on its way to the reply must still hold that: "60만 원" is not told by a sentence
that was cut before it, and why somebody eats no chicken is not told by "you eat no chicken".
"""

from __future__ import annotations

import re

from clew.policy import Policy

# A place is told by nearly any noun: that none is marked says nothing.
_WHERE, _OF_TIME = "where", ("when", "much")
_UNMARKED = (_WHERE,)


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
    ) or _tells_when_for_where(question, before, after, language, policy)


def _tells_when_for_where(question: str, before: str, after: str, language: str, policy: Policy) -> bool:
    """ "Where's the gig?": "no wait, it's the 29th" says nothing of the place."""
    words = policy.checks.languages.get(language)
    if words is None or _WHERE not in words.told_kinds or _WHERE not in words.question_kinds:
        return False
    place = re.search(words.question_kinds[_WHERE].pattern, question, re.I) is not None
    place = place and holds_kind(_WHERE, before, language, policy) and not holds_kind(_WHERE, after, language, policy)
    return place and any(holds_kind(k, after, language, policy) for k in _OF_TIME if k in words.told_kinds)
