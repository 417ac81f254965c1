"""Tokens and counts (rulings P15, T8, N8, C10)."""

from __future__ import annotations

import re
from fractions import Fraction

import regex

from clew.kernel.language.scripts import syllables
from clew.kernel.text.normalize import normal, normalize
from clew.policy.text import TextPolicy

_HANGUL = re.compile("[\uac00-\ud7a3\u3131-\u318e\u1100-\u11ff]")
_LATIN = regex.compile(r"\p{Latin}")
_LETTER = regex.compile(r"\p{L}")
_WORD = regex.compile(r"[\p{L}\p{N}\p{M}]+(?:'[\p{L}\p{N}\p{M}]+)*")
_WIDE = regex.compile(r"[\p{Hangul}\p{Han}\p{Hiragana}\p{Katakana}]")
_POSSESSIVE = re.compile(r"'s$")


def tokens(text: str) -> tuple[str, ...]:
    """Whitespace tokens of the punctuation-free form."""
    return tuple(normal(text).no_punct.split())


def token_estimate(norm: str, policy: TextPolicy) -> int:
    rate = policy.token_estimate_per_word
    return -(-len(norm.split()) * rate.numerator // rate.denominator)


def words(text: str) -> tuple[str, ...]:
    """Unicode words, normalized, in order; an inner apostrophe stays inside its word."""
    return tuple(_WORD.findall(normalize(text).casefold()))


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


def is_hangul_dominant(text: str, policy: TextPolicy) -> bool:
    """A Hangul syllable carries more than a Latin letter, so a third of the letters is enough."""
    if text.isascii():
        return False
    hangul = len(_HANGUL.findall(text))
    if not hangul:
        return False
    share = policy.hangul_dominant
    if hangul * share.denominator >= len(text) * share.numerator:
        return True  # enough of all characters is enough of the letters
    letters = hangul + len(_LATIN.findall(text))
    return hangul * share.denominator >= letters * share.numerator


def effective_count(text: str, policy: TextPolicy) -> int:
    """Whitespace tokens, or what as many syllables would be in words (ruling P15)."""
    count = len(tokens(text))
    if not is_hangul_dominant(text, policy):
        return count
    return max(count, _ceil(syllables(text) / policy.syllables_per_word))


def _ceil(value: Fraction | int) -> int:
    return -(-value.numerator // value.denominator)


def spoken_words(text: str, policy: TextPolicy) -> int:
    """Words of a text; what is written in syllables with few spaces counts effective words (ruling P15)."""
    total = sum(1 for t in text.split() if any(c.isalnum() for c in t))
    if is_hangul_dominant(text, policy):
        total = max(total, effective_count("".join(c for c in text if c.isalnum()), policy))
    return total
