"""Finding a sentence's act by the named shapes of its language: the first shape that matches tells."""

from __future__ import annotations

import re
from functools import lru_cache

from clew.model.utterance import Act
from clew.policy import Policy
from clew.programs import program


@lru_cache(maxsize=16)
def _rows(code: str, policy: Policy) -> tuple[tuple[Act, re.Pattern[str]], ...]:
    words = policy.language.languages.get(code)
    return tuple((row.act, program(row.pattern, re.I)) for row in words.acts.values()) if words else ()


# What a sentence does shows at its two ends; a longer one is looked at there only.
_ENDS = 240


def act_by_shape(code: str, sentence: str, policy: Policy) -> Act | None:
    if len(sentence) > 2 * _ENDS:
        sentence = f"{sentence[:_ENDS]} {sentence[-_ENDS:]}"
    return next((act for act, shape in _rows(code, policy) if shape.search(sentence)), None)
