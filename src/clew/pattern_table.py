"""Patterns of one table, of which a text is shown only to those that can match it.

A table has a hundred rows and an ordinary message fits none of them. Each pattern needs some piece of text
(`required.py`); all pieces of a table are looked for in one pass, and most rows need no look. What is found is what
trying every row in its order would find.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count

from ahocorasick_rs import AhoCorasick

from clew.programs import program, table
from clew.required import lowered, required

# Rows that lately met texts may match, by table and text; let go of when somebody is erased.
_LOOKED: dict[tuple[int, str], tuple[int, ...]] = {}
_LOOKED_MOST = 2048
_numbers = count()
# So few are sooner tried than looked through.
_FEW = 4


class PatternTable:
    """Rows are known by their place. Patterns are made when a text first needs them."""

    def __init__(self, patterns: Sequence[str], flags: int = re.I) -> None:
        self._texts, self._flags = tuple(map(str, patterns)), int(flags)
        self._made: list[re.Pattern[str] | None] = [None] * len(self._texts)
        few = len(self._texts) <= _FEW
        needs = [None] * len(self._texts) if few else table("required", (self._texts, self._flags), self._needs)
        rows_of: dict[str, list[int]] = {}
        for place, pieces in enumerate(needs):
            for piece in pieces or ():
                rows_of.setdefault(piece, []).append(place)
        self._always = tuple(n for n, pieces in enumerate(needs) if pieces is None)
        self._rows = tuple(map(tuple, rows_of.values()))
        self._search = AhoCorasick(list(rows_of)) if rows_of else None
        self._number = next(_numbers)

    def __len__(self) -> int:
        return len(self._texts)

    def __iter__(self) -> Iterator[re.Pattern[str]]:
        return map(self.pattern, range(len(self._texts)))

    def pattern(self, place: int) -> re.Pattern[str]:
        made = self._made[place]
        if made is None:
            made = self._made[place] = program(self._texts[place], self._flags)
        return made

    def rows(self, text: str) -> tuple[int, ...]:
        """Places of the patterns that may match somewhere in the text, in their order; no others can."""
        if self._search is None:
            return self._always
        if (known := _LOOKED.get((self._number, text))) is not None:
            return known
        seen = self._search.find_matches_as_indexes(lowered(text), overlapping=True)
        rows = {place for number, _, _ in seen for place in self._rows[number]}
        found = tuple(sorted(rows.union(self._always))) if rows else self._always
        if len(_LOOKED) >= _LOOKED_MOST:
            _LOOKED.clear()
        _LOOKED[self._number, text] = found
        return found

    def matches(self, text: str) -> Iterator[tuple[int, re.Match[str]]]:
        """Each row that matches, with what it found first."""
        for place in self.rows(text):
            if found := self.pattern(place).search(text):
                yield place, found

    def any(self, text: str) -> bool:
        return any(self.pattern(place).search(text) for place in self.rows(text))

    def opening(self, text: str) -> re.Match[str] | None:
        """What the first row finds that matches from the beginning on."""
        return next((m for place in self.rows(text) if (m := self.pattern(place).match(text))), None)

    def first(self, text: str) -> int | None:
        """The place of the first row that matches."""
        return next((place for place in self.rows(text) if self.pattern(place).search(text)), None)

    def _needs(self) -> list[tuple[str, ...] | None]:
        return [required(text, self._flags) for text in self._texts]


class NamedPatterns(PatternTable):
    """The same with a name for each row."""

    def __init__(self, patterns: Mapping[str, str], flags: int = re.I) -> None:
        super().__init__(tuple(patterns.values()), flags)
        self._names = tuple(patterns)
        self._by_name = {name: place for place, name in enumerate(self._names)}

    def names(self, text: str) -> Iterator[str]:
        """Of the rows that match, in their order."""
        return (self._names[place] for place, _ in self.matches(text))

    def has(self, name: str, text: str) -> bool:
        """Whether there is such a row, and it matches."""
        place = self._by_name.get(name)
        return place is not None and bool(self.pattern(place).search(text))


class PatternGroups:
    """Several named lists of patterns over the same texts, looked through together."""

    def __init__(self, groups: Mapping[str, Iterable[str]], flags: int = re.I) -> None:
        lists = {name: tuple(map(str, patterns)) for name, patterns in groups.items()}
        places = {text: place for place, text in enumerate(dict.fromkeys(t for own in lists.values() for t in own))}
        self._table = PatternTable(tuple(places), flags)
        self._places = {name: tuple(places[text] for text in own) for name, own in lists.items()}
        self._own = {name: frozenset(own) for name, own in self._places.items()}

    def __getitem__(self, name: str) -> Iterator[re.Pattern[str]]:
        return map(self._table.pattern, self._places[name])

    def any(self, name: str, text: str) -> bool:
        own = self._own[name]
        return any(place in own and self._table.pattern(place).search(text) for place in self._table.rows(text))
