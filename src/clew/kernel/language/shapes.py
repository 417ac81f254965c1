"""Finding a sentence's act by the named shapes of its language: the first shape that matches tells."""

from __future__ import annotations

from functools import lru_cache

from clew.model.utterance import Act
from clew.pattern_table import PatternTable
from clew.policy import Policy


@lru_cache(maxsize=16)
def _rows(code: str, policy: Policy) -> tuple[PatternTable, tuple[tuple[Act, float], ...]]:
    words = policy.language.languages.get(code)
    acts = words.acts.values() if words else ()
    return PatternTable([row.pattern for row in acts]), tuple((row.act, row.asked_from) for row in acts)


# What a sentence does shows at its two ends; a longer one is looked at there only.
_ENDS = 240


def act_by_shape(code: str, sentence: str, policy: Policy, asked: float = 0.0) -> Act | None:
    """asked: the chance that something is asked for, where it is known; some shapes hold only from one on."""
    if len(sentence) > 2 * _ENDS:
        sentence = f"{sentence[:_ENDS]} {sentence[-_ENDS:]}"
    shapes, acts = _rows(code, policy)
    return next((acts[place][0] for place, _ in shapes.matches(sentence) if asked >= acts[place][1]), None)
