"""The category of a liked thing (ruling P79): known items by their longest known ending, activities as hobbies."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from clew.kernel.compare.wording import noun_of
from clew.kernel.language.packs import writer
from clew.kernel.read.heads import score
from clew.kernel.text.normalize import normal
from clew.policy import Policy
from clew.policy.remember import ItemPolicy

_LONGEST = 4


@lru_cache(maxsize=8)
def _known(items: ItemPolicy) -> dict[str, str]:
    """The first category that lists an item owns it, in the order of the table."""
    table: dict[str, str] = {}
    for category, names in items.categories.items():
        for name in names:
            for spelling in (normal(name).no_punct, normal(name).joined):
                table.setdefault(spelling, category)
    return table


@lru_cache(maxsize=8)
def kinds(items: ItemPolicy) -> dict[str, str]:
    return {name: category for category, names in items.kinds.items() for name in names}


def category_of(item: str, policy: Policy) -> str | None:
    """None when neither the item nor the activity is known: then it is not stored."""
    table = _known(policy.remember.items)
    words = normal(item).no_punct.split()
    if not words:
        return None
    whole = " ".join(words)
    if whole in table:
        return table[whole]
    activity = gerund(words[0], policy)
    if activity and words[0] in table and len(words) == 1:
        return table[words[0]]
    if activity:
        return "study_style" if words[0] == "studying" else "hobby"
    head = _before_of(words)
    for size in range(min(_LONGEST, len(head)), 0, -1):
        tail = " ".join(head[-size:])
        for form in (tail, noun_of(tail, policy), _singular(tail)):
            if form in table:
                return table[form]
    return None


def category_by_vector(vector: Sequence[float], policy: Policy) -> str | None:
    """The head that is clearly first, or None; `none` is a head of its own."""
    heads = policy.remember.heads
    scored = sorted(((score(head, vector), name) for name, head in heads.items()), reverse=True)
    if len(scored) < 2 or scored[0][1] == "none":
        return None
    return scored[0][1] if scored[0][0] - scored[1][0] >= policy.remember.category_margin else None


def is_known(item: str, policy: Policy) -> bool:
    """Exactly an item of the table."""
    return item in _known(policy.remember.items)


def gerund(word: str, policy: Policy) -> bool:
    """The name of something done that can be a pastime: cooking."""
    return writer(word).names_doing(word) and word not in policy.remember.say.not_activities


def _before_of(words: list[str]) -> list[str]:
    for small in ("of", "from", "in", "about", "by", "with"):
        if small in words[1:]:
            return words[: words.index(small, 1)]
    return words


def _singular(text: str) -> str:
    return text[:-1] if text.endswith("s") and not text.endswith("ss") else f"{text}s"
