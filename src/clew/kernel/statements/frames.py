"""Words that open what is not the user's own life: a story, a game, a song, a text handed in, a stranger's words."""

from __future__ import annotations

from functools import lru_cache

from clew.kernel.statements.patterns import compiled
from clew.policy import Policy


@lru_cache(maxsize=128)
def framed_from(text: str, policy: Policy) -> int:
    """Where the first such words stand; the length of the text where there are none."""
    shapes = [shape for words in policy.checks.languages.values() for shape in compiled(tuple(words.framed.values()))]
    return min((m.start() for shape in shapes if (m := shape.search(text))), default=len(text))
