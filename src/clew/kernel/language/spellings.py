"""A message as the standard language writes it: rules and learned readers know that spelling best.

Every letter keeps its place, so that what is found there is found in the user's own words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from clew.model.utterance import Sentence, Statement
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


def own_sentences(found: Sequence[Sentence], text: str) -> tuple[Sentence, ...]:
    """The sentences in the user's own spelling. text: the message as it was written."""
    return tuple(replace(s, text=text[s.start : s.end]) for s in found)


def own_words(told: Sequence[Statement], read: str, text: str) -> tuple[Statement, ...]:
    """What was read of the standard spelling `read`, beside the sentence as the user wrote it."""
    out = []
    for s in told:
        at = read.find(s.sentence)
        out.append(replace(s, sentence=text[at : at + len(s.sentence)]) if at >= 0 else s)
    return tuple(out)
