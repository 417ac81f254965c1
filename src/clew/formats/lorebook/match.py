"""Which entries a talk calls up: the same talk always calls up the same ones, and no card can hang it.

Expressions come from strangers. One is refused, and then matches nothing, when it could take more than
a bounded number of steps: a repetition inside a repetition, a reference back, a look around, or more
than two open repetitions. Only the newest so many characters are looked at.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

from clew.formats.lorebook.book import Entry, Lorebook

MOST_CHARACTERS = 4_000
MOST_PATTERN = 300
MOST_OPEN = 2
MOST_ROUNDS = 4
_OPEN_FROM = 64


@dataclass(frozen=True, slots=True)
class Called:
    entry: Entry
    by: str


def match(
    book: Lorebook,
    messages: Sequence[str],
    *,
    tokens: Callable[[str], int] | None = None,
    scan_depth: int = 20,
) -> list[Called]:
    """Newest message last. In order of insertion; over the budget the least important go first."""
    depth = book.scan_depth if book.scan_depth is not None else scan_depth
    text = "\n".join(messages[-depth:] if depth else ())[-MOST_CHARACTERS:]
    found: dict[str, Called] = {}
    told = text
    for _ in range(MOST_ROUNDS if book.recursive else 1):
        new = [c for e in book.entries if e.id not in found and (c := _called(e, told, len(messages)))]
        found.update((c.entry.id, c) for c in new)
        if not new:
            break
        told = "\n".join(c.entry.content for c in new)[-MOST_CHARACTERS:]
    once = {c.entry.content: c for c in reversed(list(found.values()))}
    kept = sorted(once.values(), key=lambda c: (c.entry.order, c.entry.id))
    return _within(kept, book.token_budget, tokens)


def _called(entry: Entry, text: str, turns: int) -> Called | None:
    marks = dict(entry.decorators)
    if not entry.enabled or "dont_activate" in marks:
        return None
    if marks.get("activate_only_after", "0").isdigit() and turns < int(marks.get("activate_only_after", "0")):
        return None
    excluded = [k.strip() for k in marks.get("exclude_keys", "").split(",") if k.strip()]
    if any(_hit(k, entry, text) for k in excluded):
        return None
    if entry.constant or "activate" in marks:
        return Called(entry, "constant")
    more = [k.strip() for k in marks.get("additional_keys", "").split(",") if k.strip()]
    key = next((k for k in entry.keys if _hit(k, entry, text)), None)
    if key is None or not all(_hit(k, entry, text) for k in more):
        return None
    if entry.selective and entry.secondary and not any(_hit(k, entry, text) for k in entry.secondary):
        return None
    return Called(entry, key)


def _hit(key: str, entry: Entry, text: str) -> bool:
    if not entry.use_regex:
        return key in text if entry.case_sensitive else key.casefold() in text.casefold()
    found = _expression(key, entry.case_sensitive)
    return found is not None and found.search(text) is not None


@lru_cache(maxsize=1024)
def _expression(pattern: str, case_sensitive: bool) -> re.Pattern[str] | None:
    """None for one that is wrong or could run away."""
    if len(pattern) > MOST_PATTERN:
        return None
    try:
        tree = parser.parse(pattern)
        if not _bounded(tree):
            return None
        return re.compile(pattern, 0 if case_sensitive else re.IGNORECASE)
    except (re.error, RecursionError, OverflowError, ValueError):
        return None


def _bounded(tree: Any) -> bool:
    count = [0]
    return _walk(tree, count, False) and count[0] <= MOST_OPEN


def _walk(tree: Any, count: list[int], inside: bool) -> bool:
    for code, value in tree:
        if code in (codes.GROUPREF, codes.GROUPREF_EXISTS, codes.ASSERT, codes.ASSERT_NOT):
            return False
        if code in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
            _, most, body = value
            wide = most > _OPEN_FROM
            if inside:
                return False
            count[0] += wide
            if not _walk(body, count, inside=most > 1):
                return False
        elif code is codes.BRANCH:
            if not all(_walk(branch, count, inside) for branch in value[1]):
                return False
        elif code is codes.SUBPATTERN:
            if not _walk(value[3], count, inside):
                return False
        elif code is codes.ATOMIC_GROUP and not _walk(value, count, inside):
            return False
    return True


def _within(kept: list[Called], budget: int | None, tokens: Callable[[str], int] | None) -> list[Called]:
    if budget is None:
        return kept
    cost = tokens or (lambda text: (len(text) + 3) // 4)

    def weight(called: Called) -> tuple[int, int]:
        entry = called.entry
        return (entry.priority if entry.priority is not None else entry.order, entry.order)

    left = list(kept)
    while left and sum(cost(c.entry.content) for c in left) > budget:
        left.remove(min(left, key=weight))
    return left
