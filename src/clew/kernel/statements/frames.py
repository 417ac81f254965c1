"""Words that open what is not the user's own life: a story, a game, a song, a text handed in, a stranger's words."""

from __future__ import annotations

from functools import lru_cache

from clew.kernel.statements.patterns import compiled
from clew.policy import Policy


@lru_cache(maxsize=128)
def framed_from(text: str, policy: Policy) -> int:
    """Where the first such words stand; the length of the text where there are none."""
    spoken = policy.checks.languages.values()
    found = (m.start() for words in spoken for _, m in compiled(tuple(words.framed.values())).matches(text))
    return min(found, default=len(text))
