"""Is this a question? (turn-pipeline §6.5, rulings P1, P14)"""

from __future__ import annotations

from functools import lru_cache

from clew.kernel.text.normalize import Normal
from clew.policy.listen import ListenPolicy

_REACH = 6


@lru_cache(maxsize=8)
def _sets(policy: ListenPolicy) -> dict[str, frozenset[str]]:
    return {
        name: frozenset(getattr(policy, name))
        for name in (
            "auxiliaries", "subjects", "open_starters", "narrow_starters", "wide_starters",
            "starter_contractions", "not_after_wide", "question_words_ko",
        )
    }


def is_question(text: Normal, policy: ListenPolicy) -> bool:
    if "?" in text.norm:
        return True
    tokens = text.no_punct.split()
    if not tokens:
        return False
    if not text.norm.isascii() and _asks_in_korean(tokens, policy):
        return True
    return _asks_in_english(tokens, text.no_punct, policy)


def _asks_in_english(tokens: list[str], text: str, policy: ListenPolicy) -> bool:
    sets = _sets(policy)
    first = tokens[0]
    second = tokens[1] if len(tokens) > 1 else ""
    if first in sets["open_starters"] or first in sets["starter_contractions"]:
        return True
    if first in sets["narrow_starters"]:
        return second in sets["auxiliaries"]
    if first in sets["wide_starters"]:
        if second in sets["auxiliaries"] or f"{first} {second}" in policy.question_phrases:
            return True
        ahead = tokens[2:_REACH]
        return second not in sets["not_after_wide"] and not sets["auxiliaries"].isdisjoint(ahead)
    if first in sets["auxiliaries"] and first != "to":
        return second in sets["subjects"]
    return "how do i" in text and f" {text} ".find(" how do i ") >= 0


def _asks_in_korean(tokens: list[str], policy: ListenPolicy) -> bool:
    last = tokens[-1]
    if last.endswith(policy.open_endings_ko):
        return True
    asks = any(t.startswith(policy.question_words_ko) for t in tokens)
    return asks and last.endswith(policy.question_endings_ko)
