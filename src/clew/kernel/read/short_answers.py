"""A short answer to a question of ours, read once: as it was given, without marks, and in small letters."""

from __future__ import annotations

import re

from clew.frozen import dataclass

_MARKS = re.compile(r"[\s.!?~,'\"“”’()]+")


@dataclass(frozen=True, slots=True)
class ShortAnswer:
    """`given`: as it was typed. `bare`: its words alone. `low`: the same in small letters."""

    given: str
    bare: str
    low: str


def short_answer(text: str) -> ShortAnswer:
    bare = _MARKS.sub(" ", text).strip()
    return ShortAnswer(text.strip(), bare, bare.lower())
