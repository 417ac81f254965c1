"""The words of a statement with the kind of value each is: money, a share, a plain number, or none."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import regex

from clew.kernel.read.signs import number_words
from clew.kernel.text.normalize import normalize
from clew.kernel.text.terms import word_terms
from clew.policy import Policy

_DIGIT = regex.compile(r"\p{N}")
_SIGN = "$€£¥₩"


@dataclass(frozen=True, slots=True)
class ToldWord:
    """A word, its terms, and the kind of value it is, if it is one."""

    text: str
    value: str
    terms: frozenset[str]


@dataclass(frozen=True, slots=True)
class Telling:
    said: tuple[ToldWord, ...]
    terms: frozenset[str]


@lru_cache(maxsize=8192)
def telling(text: str, policy: Policy) -> Telling:
    """Of a turn's beginning, as the policy has it; the same turn is asked for again and again."""
    token, money = _shapes(policy)
    numbers = number_words(policy)
    said = tuple(
        ToldWord(word, _value(word, money, numbers), frozenset(term for term, _ in word_terms(word, policy)))
        for word in token.findall(normalize(text[: policy.recall.statement_max]))
    )
    return Telling(said, frozenset().union(*(one.terms for one in said)))


def _value(word: str, money: regex.Pattern[str], numbers: frozenset[str]) -> str:
    """Money is not a count, a share is not a sum."""
    if not _DIGIT.search(word):
        return "plain" if word in numbers else ""
    if money.search(word):
        return "money"
    return "share" if word.endswith("%") else "plain"


@lru_cache(maxsize=4)
def _shapes(policy: Policy) -> tuple[regex.Pattern[str], regex.Pattern[str]]:
    units = [regex.escape(unit) for unit in policy.recall.said("money_units")]
    behind = "|".join(["%", "k", *units])
    token = rf"[{_SIGN}]?\p{{N}}+(?:[.,:]\p{{N}}+)*(?:{behind})?|[\p{{L}}\p{{M}}]+(?:'\p{{L}}+)*"
    money = "|".join([rf"^[{_SIGN}]", *(rf"{unit}$" for unit in units)])
    return regex.compile(token), regex.compile(money)
