"""Does an English message ask, without a question mark? By its first words (rulings P1, P14)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from clew.policy.listen import ListenPolicy

# How many words behind a wide starter may still hold its auxiliary.
_REACH = 6


@lru_cache(maxsize=8)
def _sets(policy: ListenPolicy) -> dict[str, frozenset[str]]:
    return {
        name: frozenset(getattr(policy, name))
        for name in (
            "auxiliaries", "subjects", "open_starters", "narrow_starters", "wide_starters",
            "starter_contractions", "not_after_wide", "question_openers", "behind_named",
        )
    }


def asks(tokens: Sequence[str], text: str, policy: ListenPolicy) -> bool:
    sets = _sets(policy)
    opened = next((i for i, word in enumerate(tokens) if word not in sets["question_openers"]), 0)
    if _begins(tokens[opened:], sets, policy):
        return True
    first = tokens[0]
    second = tokens[1] if len(tokens) > 1 else ""
    # "So am I" asks nothing: a bare auxiliary stands at the very beginning.
    if first in sets["auxiliaries"] and first != "to":
        return second in sets["subjects"] or (second != "" and not sets["behind_named"].isdisjoint(tokens[2:3]))
    return "how do i" in text and f" {text} ".find(" how do i ") >= 0


def _begins(tokens: Sequence[str], sets: Mapping[str, frozenset[str]], policy: ListenPolicy) -> bool:
    """A word that asks stands first, with what such a word needs behind it."""
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
    return False
