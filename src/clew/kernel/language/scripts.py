"""Ways of writing, as far as a rule outside the packs has to know: whether a character is a whole syllable.

Where it is, two characters are already the stem of a word and spaces are left out freely. A language written so needs
no rule of its own for this.
"""

from __future__ import annotations

import re

# Whole syllables, and the single letters that they are made of, typed alone to laugh or to cry.
_SYLLABLE = re.compile("[\uac00-\ud7a3]")
_EITHER = re.compile("[\u3131-\u318e\uac00-\ud7a3]")
_RUN = re.compile("[\uac00-\ud7a3]+|[\u3131-\u318e]+")


def opens_in_syllables(word: str) -> bool:
    """Does it begin with a character that is a whole syllable?"""
    return _SYLLABLE.match(word) is not None


def in_syllables(text: str) -> bool:
    """Is there anything in it that is written in syllables, or in their letters?"""
    return not text.isascii() and _EITHER.search(text) is not None


def syllables(text: str) -> int:
    """How many whole syllables are written in it."""
    return 0 if text.isascii() else len(_SYLLABLE.findall(text))


def syllable_runs(token: str) -> list[str]:
    """The stretches of a token that are written so; what stands between them is left out."""
    return _RUN.findall(token)


def alphabetic(char: str) -> bool:
    """A letter of an alphabet; signs that stand for a syllable or a word are none."""
    return char.isalpha() and not "\u1100" <= char <= "\ud7a3"
