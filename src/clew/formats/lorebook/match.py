"""Which entries a talk calls up: the same talk always calls up the same ones, and no card can hang it.

Keys that are expressions are run by `expression.py` within a counted number of steps for the whole lorebook. Only the
newest so many characters are looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from clew.formats.lorebook import expression
from clew.formats.lorebook.book import Entry, Lorebook

MOST_CHARACTERS = 4_000
MOST_ROUNDS = 4


@dataclass(frozen=True, slots=True)
class Called:
    entry: Entry
    by: str


@dataclass(slots=True)
class _Talk:
    """What is looked at, and how many steps expressions may still take in it."""

    text: str
    turns: int
    folded: str = field(init=False)
    steps: expression.Steps = field(default_factory=expression.Steps)

    def __post_init__(self) -> None:
        self.folded = self.text.casefold()

    def holds(self, key: str, entry: Entry) -> bool:
        if entry.use_regex:
            return expression.found(key, self.text, case_sensitive=entry.case_sensitive, steps=self.steps)
        return key in self.text if entry.case_sensitive else key.casefold() in self.folded


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
    talk = _Talk(text, len(messages))
    for _ in range(MOST_ROUNDS if book.recursive else 1):
        new = [c for e in book.entries if e.id not in found and (c := _called(e, talk))]
        found.update((c.entry.id, c) for c in new)
        if not new:
            break
        told = "\n".join(c.entry.content for c in new)[-MOST_CHARACTERS:]
        talk = _Talk(told, len(messages), steps=talk.steps)
    once = {c.entry.content: c for c in reversed(list(found.values()))}
    kept = sorted(once.values(), key=lambda c: (c.entry.order, c.entry.id))
    return _within(kept, book.token_budget, tokens)


def _called(entry: Entry, talk: _Talk) -> Called | None:
    marks = dict(entry.decorators)
    if not entry.enabled or "dont_activate" in marks:
        return None
    if talk.turns < _count(marks.get("activate_only_after", "")):
        return None
    excluded = [k.strip() for k in marks.get("exclude_keys", "").split(",") if k.strip()]
    if any(talk.holds(k, entry) for k in excluded):
        return None
    if entry.constant or "activate" in marks:
        return Called(entry, "constant")
    more = [k.strip() for k in marks.get("additional_keys", "").split(",") if k.strip()]
    key = next((k for k in entry.keys if talk.holds(k, entry)), None)
    if key is None or not all(talk.holds(k, entry) for k in more):
        return None
    if entry.selective and entry.secondary and not any(talk.holds(k, entry) for k in entry.secondary):
        return None
    return Called(entry, key)


def _count(given: str) -> int:
    return int(given[:9]) if given.isascii() and given.isdigit() else 0


def _within(kept: list[Called], budget: int | None, tokens: Callable[[str], int] | None) -> list[Called]:
    if budget is None:
        return kept
    cost = tokens or (lambda text: (len(text) + 3) // 4)

    def weight(called: Called) -> tuple[int, int]:
        entry = called.entry
        return (entry.priority if entry.priority is not None else entry.order, entry.order)

    left = sum(cost(called.entry.content) for called in kept)
    dropped: set[str] = set()
    for called in sorted(kept, key=weight):
        if left <= budget:
            break
        left -= cost(called.entry.content)
        dropped.add(called.entry.id)
    return [called for called in kept if called.entry.id not in dropped]
