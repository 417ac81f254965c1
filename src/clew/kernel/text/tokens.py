"""Tokens and counts (rulings P15, T8, N8, C10)."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache

import regex

from clew.kernel.language.scripts import is_spaced, mostly_syllables, syllables
from clew.kernel.text.normalize import normal, normalize, without_punctuation
from clew.policy.text import TextPolicy

_LETTER = regex.compile(r"\p{L}")
_WORD = regex.compile(r"[\p{L}\p{N}\p{M}]+(?:'[\p{L}\p{N}\p{M}]+)*")
_WIDE = regex.compile(r"[\p{Hangul}\p{Han}\p{Hiragana}\p{Katakana}]")
_POSSESSIVE = re.compile(r"'s$")
_DIGITS = re.compile(r"\d+")
_FIGURE = re.compile(r"\d[\d.,:]*\d")
# So many letters of a spaced script, and so many characters of any other, are enough to know a word by.
_BEGINS, _WITHIN = 3, 2
_NAME = re.compile(r"(?<![.!?]\s)(?<!^)\b[A-ZÀ-Þ][\w'’-]+")


def tokens(text: str) -> tuple[str, ...]:
    """Whitespace tokens of the punctuation-free form."""
    return tuple(normal(text).no_punct.split())


def token_estimate(norm: str, policy: TextPolicy) -> int:
    rate = policy.token_estimate_per_word
    return -(-len(norm.split()) * rate.numerator // rate.denominator)


def split(text: str) -> tuple[str, ...]:
    """The same with no apostrophe at either end of a word."""
    spaced = without_punctuation(normalize(text))
    if "'" not in spaced:
        return tuple(spaced.split())
    return tuple(t for t in (w.strip("'") for w in spaced.split()) if t)


def first_words(text: str, budget: int, policy: TextPolicy) -> str:
    """As many whole words from the beginning as the budget of tokens allows."""
    spaced = text.split()
    low, high = 0, len(spaced)
    while low < high:
        middle = (low + high + 1) // 2
        if token_estimate(" ".join(spaced[:middle]), policy) <= budget:
            low = middle
        else:
            high = middle - 1
    return " ".join(spaced[:low])


def words(text: str) -> tuple[str, ...]:
    """Unicode words, normalized, in order; an inner apostrophe stays inside its word."""
    return tuple(_WORD.findall(normalize(text).casefold()))


@lru_cache(maxsize=1024)
def digits(text: str) -> frozenset[str]:
    """The numbers that are written in digits."""
    return frozenset(_DIGITS.findall(normal(text).norm))


def figures(text: str) -> frozenset[str]:
    """Numbers of two digits and more as they are written, with the marks inside: 9:30, 1,200."""
    return frozenset(_FIGURE.findall(text))


@lru_cache(maxsize=1024)
def capitalised(text: str) -> frozenset[str]:
    """Words with a capital letter that do not begin a sentence."""
    return frozenset(_NAME.findall(text))


def content_sequence(text: str, *, min_latin: int = 2) -> tuple[str, ...]:
    """Possessives dropped, short Latin words dropped, any CJK kept; in order (ruling T8)."""
    return tuple(
        w
        for w in (_POSSESSIVE.sub("", w).replace("'", "") for w in words(text))
        if len(w) >= min_latin or (w and _WIDE.match(w))
    )


def content_words(text: str, *, min_latin: int = 2) -> frozenset[str]:
    """The same as a set for comparison."""
    return frozenset(content_sequence(text, min_latin=min_latin))


def holds_piece(text: str, piece: str) -> bool:
    """Does the piece begin a word of the text, or stand anywhere in it where words run on without spaces?

    So short a piece that it begins any word stands nowhere.
    """
    wanted = normalize(piece).casefold()
    spaced = is_spaced(wanted)
    if len(wanted) < (_BEGINS if spaced else _WITHIN):
        return False
    before = r"(?<![^\W_])" if spaced else ""
    return re.search(before + re.escape(wanted), normalize(text).casefold()) is not None


def overlap_words(text: str, policy: TextPolicy) -> frozenset[str]:
    """Those that tell something when two texts share them (ruling N8)."""
    return content_words(text, min_latin=policy.overlap_word_length)


def effective_count(text: str, policy: TextPolicy) -> int:
    """Whitespace tokens, or what as many syllables would be in words (ruling P15)."""
    count = len(tokens(text))
    if not mostly_syllables(text, policy):
        return count
    return max(count, _ceil(syllables(text) / policy.syllables_per_word))


def _ceil(value: Fraction | int) -> int:
    return -(-value.numerator // value.denominator)


def spoken_words(text: str, policy: TextPolicy) -> int:
    """Words of a text; what is written in syllables with few spaces counts effective words (ruling P15)."""
    total = sum(1 for t in text.split() if any(c.isalnum() for c in t))
    if mostly_syllables(text, policy):
        total = max(total, effective_count("".join(c for c in text if c.isalnum()), policy))
    return total
