"""Finding a sentence's act by the named shapes of its language: the first shape that matches tells."""

from __future__ import annotations

import re
from functools import lru_cache

from clew.model.utterance import Act
from clew.policy import Policy
from clew.programs import program


@lru_cache(maxsize=16)
def _rows(code: str, policy: Policy) -> tuple[tuple[Act, re.Pattern[str], float], ...]:
    words = policy.language.languages.get(code)
    acts = words.acts.values() if words else ()
    return tuple((row.act, program(row.pattern, re.I), row.asked_from) for row in acts)


# What a sentence does shows at its two ends; a longer one is looked at there only.
_ENDS = 240


def act_by_shape(code: str, sentence: str, policy: Policy, asked: float = 0.0) -> Act | None:
    """asked: the chance that something is asked for, where it is known; some shapes hold only from one on."""
    if len(sentence) > 2 * _ENDS:
        sentence = f"{sentence[:_ENDS]} {sentence[-_ENDS:]}"
    return next((act for act, shape, least in _rows(code, policy) if asked >= least and shape.search(sentence)), None)
