"""How a draft speaks to the message it answers: numbers for the learned reading (kernel/gate/judging.py).

Coldness is seldom in one word: it is in the tone, and in what is not taken up.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from clew.kernel.text.passage import Passage
from clew.policy.gate import GateWords

# In this order, so that a weight always meets the same number.
_DRAFT = ("addresses", "asks", "exclaims", "opens", "informs", "dismisses", "belittles", "urges", "formal", "polite")
_USER = ("asks", "exclaims", "formal", "polite")
_TAKEN_MOST = 4


def manner(
    draft: Passage, user: Passage, taken: int, words: GateWords, language: str, languages: Sequence[str]
) -> tuple[float, ...]:
    """`taken`: how many words of the draft take up the message's own. `languages`: those the weights were fitted on."""
    shapes = _shapes(words)
    own = {name: _has(shapes, name, draft) for name in _DRAFT}
    asked = {name: _has(shapes, name, user) for name in _USER}
    warm = _has(shapes, "warm", draft)
    casual = float(not asked["formal"] and not asked["polite"])
    return (
        *(float(language == name) for name in languages),
        *own.values(),
        warm,
        *asked.values(),
        own["formal"] * casual,
        own["informs"] * (1 - warm),
        own["dismisses"] * (1 - warm),
        min(taken, _TAKEN_MOST) / 2,
        float(taken == 0),
    )


def _has(shapes: Mapping[str, tuple[re.Pattern[str], ...]], name: str, said: Passage) -> float:
    return float(any(s.search(said.text) for s in shapes.get(name, ())))


@lru_cache(maxsize=8)
def _shapes(words: GateWords) -> Mapping[str, tuple[re.Pattern[str], ...]]:
    rows = {name: (re.compile(shape.pattern, re.I),) for name, shape in words.manner.items()}
    return {**rows, "warm": tuple(re.compile(s.pattern, re.I) for s in words.warm.values())}
