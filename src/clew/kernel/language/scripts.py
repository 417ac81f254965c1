"""Ways of writing, as far as a rule outside the packs has to know: whether a character is a whole syllable.

Where it is, two characters are already the stem of a word and spaces are left out freely. A language written so needs
no rule of its own for this.
"""

from __future__ import annotations

import re
from enum import Enum

import regex

from clew.policy.text import TextPolicy

# Whole syllables, as a part of a pattern, and the single letters that they are made of, typed alone to laugh or to cry.
SYLLABLE = "[\uac00-\ud7a3]"
_SYLLABLE = re.compile(SYLLABLE)
TYPED_LETTER = "[\u3131-\u318e]"
_EITHER = re.compile("[\u3131-\u318e\uac00-\ud7a3]")
_LETTERS = re.compile("[\uac00-\ud7a3\u3131-\u318e\u1100-\u11ff]")
_HANGING = re.compile("(?<=[\uac00-\ud7a3])(?=[\u3131-\u318e\u1100-\u11ff])")
_LATIN = regex.compile(r"\p{Latin}")
_RUN = re.compile("[\uac00-\ud7a3]+|[\u3131-\u318e]+")

# Single letters as they are typed: folding a text (NFKC) turns them into letters of another block.
# Put back after it, so that the user's own words are shown as they wrote them.
AS_TYPED = str.maketrans(
    {0x1100 + i: c for i, c in enumerate("ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ")}
    | {0x1161 + i: c for i, c in enumerate("ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ")}
)


def letters_apart(text: str) -> str:
    """Letters that are typed alone behind a syllable are no part of its word: 무궁화ㅋㅋ."""
    return text if text.isascii() else _HANGING.sub(" ", text)


def only_letters(word: str) -> bool:
    """Typed to laugh, to weep or to agree: ㅋㅋ, ㅠㅠ, ㅇㅇ."""
    return not word.isascii() and all(_LETTERS.match(c) is not None and not _SYLLABLE.match(c) for c in word)


def opens_in_syllables(word: str) -> bool:
    """Does it begin with a character that is a whole syllable?"""
    return _SYLLABLE.match(word) is not None


def in_syllables(text: str) -> bool:
    """Is there anything in it that is written in syllables, or in their letters?"""
    return not text.isascii() and _EITHER.search(text) is not None


def has_syllables(text: str) -> bool:
    """Is there a whole syllable in it?"""
    return not text.isascii() and _SYLLABLE.search(text) is not None


def syllables(text: str) -> int:
    """How many whole syllables are written in it."""
    return 0 if text.isascii() else len(_SYLLABLE.findall(text))


def syllable_runs(token: str) -> list[str]:
    """The stretches of a token that are written so; what stands between them is left out."""
    return _RUN.findall(token)


def mostly_syllables(text: str, policy: TextPolicy) -> bool:
    """Is it written so? A syllable carries more than a Latin letter, so a third of the letters is enough."""
    if text.isascii():
        return False
    found = len(_LETTERS.findall(text))
    if not found:
        return False
    share = policy.hangul_dominant
    if found * share.denominator >= len(text) * share.numerator:
        return True  # enough of all characters is enough of the letters
    letters = found + len(_LATIN.findall(text))
    return found * share.denominator >= letters * share.numerator


class Writing(Enum):
    SPACED = "spaced"  # words of letters, with spaces between them
    SYLLABLES = "syllables"  # words of whole syllables, with spaces between them
    UNSPACED = "unspaced"  # no spaces between words


_WRITTEN = regex.compile(
    r"(?P<syllables>\p{Hangul}+)"
    r"|(?P<unspaced>[\p{Han}\p{Hiragana}\p{Katakana}ー]+|[\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]+)"
    r"|(?P<spaced>[^\p{Hangul}\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]+)"
)


def written(word: str) -> list[tuple[str, Writing]]:
    """The word in stretches of one way of writing each."""
    if word.isascii():
        return [(word, Writing.SPACED)] if word else []
    return [(m.group(), Writing(m.lastgroup)) for m in _WRITTEN.finditer(word)]


_MEANS = regex.compile(r"[^\p{ASCII}\p{Latin}\p{M}\p{P}]")


def has_signs(text: str) -> bool:
    """Is there a character in it that means something by itself: a syllable, a letter typed alone, an emoji?"""
    return not text.isascii() and _MEANS.search(text) is not None


def is_spaced(text: str) -> bool:
    """Is all of it written in letters, with spaces between the words?"""
    return text.isascii() or all(way is Writing.SPACED for _, way in written(text))


def alphabetic(char: str) -> bool:
    """A letter of an alphabet; signs that stand for a syllable or a word are none."""
    return char.isalpha() and not "\u1100" <= char <= "\ud7a3"
