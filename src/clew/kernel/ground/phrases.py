"""Word sequences looked for at the head, at the tail, inside, or as the whole of a message."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from clew.kernel.text.tokens import split

Tokens = tuple[str, ...]


class Phrases:
    """Longest phrase first; a phrase also matches without its apostrophes."""

    __slots__ = ("_by_first", "_by_last", "longest", "whole")

    def __init__(self, phrases: Iterable[str]) -> None:
        found: dict[Tokens, None] = {}
        for phrase in phrases:
            tokens = split(phrase)
            found.setdefault(tokens)
            found.setdefault(tuple(t.replace("'", "") for t in tokens))
        found.pop((), None)
        self.whole = frozenset(found)
        self.longest = max(map(len, found), default=0)
        self._by_first: dict[str, list[Tokens]] = {}
        self._by_last: dict[str, list[Tokens]] = {}
        for tokens in sorted(found, key=len, reverse=True):
            self._by_first.setdefault(tokens[0], []).append(tokens)
            self._by_last.setdefault(tokens[-1], []).append(tokens)

    def head(self, tokens: Sequence[str]) -> int:
        """How many words the longest phrase at the head takes."""
        if not tokens:
            return 0
        for phrase in self._by_first.get(tokens[0], ()):
            if tuple(tokens[: len(phrase)]) == phrase:
                return len(phrase)
        return 0

    def tail(self, tokens: Sequence[str]) -> int:
        if not tokens:
            return 0
        for phrase in self._by_last.get(tokens[-1], ()):
            if tuple(tokens[-len(phrase) :]) == phrase:
                return len(phrase)
        return 0

    def at(self, tokens: Sequence[str]) -> tuple[int, int] | None:
        """The first place where a phrase stands, as (start, end)."""
        for start, token in enumerate(tokens):
            for phrase in self._by_first.get(token, ()):
                if tuple(tokens[start : start + len(phrase)]) == phrase:
                    return start, start + len(phrase)
        return None

    def inside(self, tokens: Sequence[str]) -> bool:
        return self.at(tokens) is not None

    def __contains__(self, tokens: object) -> bool:
        return tokens in self.whole
