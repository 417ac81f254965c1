"""What the user cannot bear, spoken of as what they love: "how about your favourite walnut cake?" (ruling S9)."""

from __future__ import annotations

import re
from functools import lru_cache

from clew.kernel.gate.claims import playing
from clew.kernel.gate.grounded import held_words, people_in
from clew.model.plan import Frame
from clew.pattern_table import PatternTable
from clew.policy import Policy
from clew.policy.gate import GateWords


def against_taste(sentence: str, frame: Frame, policy: Policy) -> bool:
    """It calls something liked of which a memory says that the user avoids it, and of which they say nothing now."""
    words = policy.gate.languages[frame.language]
    liking, averse = _shapes(words)
    liked = [_named(m) for shape in liking for m in shape.finditer(sentence)]
    said = (frame.user_text, *frame.previous)
    if not liked or frame.reviewed or playing(said, words):
        return False
    avoided = [k for k in frame.known or () if averse.any(k) and not people_in(k, policy)]
    common = held_words((*words.grammar, *said), policy)
    return bool((held_words(liked, policy) & held_words(avoided, policy)) - common)


def _named(found: re.Match[str]) -> str:
    return next((words for words in found.groupdict().values() if words), found[0])


@lru_cache(maxsize=8)
def _shapes(words: GateWords) -> tuple[PatternTable, PatternTable]:
    return tuple(PatternTable([s.pattern for s in row.values()]) for row in (words.liking, words.averse))  # type: ignore[return-value]
