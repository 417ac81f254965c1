"""A message as the standard language writes it: rules and learned readers know that spelling best.

Every letter keeps its place, so that what is found there stands at the same place in the user's own words.
"""

from __future__ import annotations

import re
from functools import lru_cache

from clew.policy import Policy
from clew.programs import program


def standard(text: str, language: str, policy: Policy) -> str:
    """The text with the spellings of dialect and chat replaced, as long as before: 뭐여 is 뭐야, 했당 is 했다."""
    for shape, put in _rows(language, policy):
        changed = shape.sub(put, text)
        text = changed if len(changed) == len(text) else text
    return text


@lru_cache(maxsize=4)
def _rows(language: str, policy: Policy) -> tuple[tuple[re.Pattern[str], str], ...]:
    words = policy.language.languages.get(language)
    return tuple((program(row.pattern, re.I), row.put) for row in (words.spellings.values() if words else ()))
