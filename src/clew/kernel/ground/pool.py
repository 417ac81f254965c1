"""Candidates by column: a long list is read and indexed without making ten thousand objects first."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import accumulate
from operator import itemgetter
from typing import Any, overload

from clew.kernel.ground.phrases import Tokens
from clew.kernel.text.word_lines import word_lines
from clew.model.evidence import DISAMBIGUATORS, TYPED, Candidate, told_fields
from clew.model.fields import is_text

_SORTED = tuple(sorted(DISAMBIGUATORS))
_quoted = json.encoder.encode_basestring
_COLUMNS = ("id", "label", *DISAMBIGUATORS)


class Pool(Sequence[Candidate]):
    """A sequence of candidates that are made when they are looked at."""

    __slots__ = ("__dict__", "_made", "columns")

    def __init__(self, columns: tuple[Sequence[Any], ...], made: Sequence[Candidate] | None = None) -> None:
        self.columns = columns
        self._made: dict[int, Candidate] = dict(enumerate(made)) if made is not None else {}

    @staticmethod
    def of(candidates: Iterable[Candidate]) -> Pool:
        made = tuple(candidates)
        columns = tuple(tuple(getattr(c, name) for c in made) for name in (*_COLUMNS, "fields"))
        return Pool(columns, made)

    @staticmethod
    def read(items: Sequence[Any]) -> Pool | None:
        """Plain objects with plain texts; None when a single item needs a closer look."""
        if items and set(map(type, items)) != {dict}:
            return None
        there = set().union(*items)
        none = [None] * len(items)
        columns = tuple(_fetch(items, n) if n in there else none for n in _COLUMNS)
        for i, column in enumerate(columns):
            if column is none and i > 1:
                continue
            kinds = set(map(type, column))
            texts = [t for t in column if isinstance(t, str)]
            allowed = {str} if i < 2 else {str, type(None)}
            if not kinds <= allowed or (texts and not is_text("".join(texts))):
                return None
        known: list[Any] = [{}] * len(items)
        for name in TYPED:
            if name not in there:
                continue
            given = [{} if f is None else f for f in _fetch(items, name)]
            if set(map(type, given)) != {dict}:
                return None
            known = [{**more, **own} if own else more for own, more in zip(known, given, strict=True)]
        return None if "" in columns[0] else Pool((*columns, known))

    @property
    def ids(self) -> Sequence[str]:
        return self.columns[0]

    @property
    def labels(self) -> Sequence[str]:
        return self.columns[1]

    @cached_property
    def spelled(self) -> Spelled:
        return Spelled(self.labels)

    @cached_property
    def told(self) -> tuple[Spelled, ...]:
        """Whatever else is told of each, column by column."""
        columns = [self.column(name) for name in DISAMBIGUATORS]
        return tuple(Spelled([text or "" for text in column]) for column in columns if any(column))

    def column(self, name: str) -> Sequence[str | None]:
        return self.columns[_COLUMNS.index(name)]

    def __len__(self) -> int:
        return len(self.columns[0])

    @overload
    def __getitem__(self, index: int) -> Candidate: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Candidate, ...]: ...
    def __getitem__(self, index: int | slice) -> Candidate | tuple[Candidate, ...]:
        if isinstance(index, slice):
            return tuple(self[i] for i in range(*index.indices(len(self))))
        place = index if index >= 0 else len(self) + index
        if not 0 <= place < len(self):
            raise IndexError(index)
        if place not in self._made:
            one, label, sublabel, path, kind, owner, known = (column[place] for column in self.columns)
            self._made[place] = Candidate(one, label, sublabel, path, kind, owner, told_fields(known))
        return self._made[place]

    @cached_property
    def order(self) -> list[int]:
        """By id and label: the order in which a list is fingerprinted."""
        ids, labels = self.ids, self.labels
        unique = len(set(ids)) == len(ids)
        return sorted(range(len(ids)), key=ids.__getitem__ if unique else lambda i: (ids[i], labels[i]))

    def written(self) -> tuple[str, str]:
        """Ids and signatures as canonical JSON: the bytes of `signatures`, without making a row of each."""
        ids = list(map(_quoted, self.ids))
        keys = map(_quoted, self.spelled.keys)
        rows = [f'{{"id":{one},"labelNormalized":{k}' for one, k in zip(ids, keys, strict=True)]
        for name in _SORTED:
            column = self.column(name)
            if any(v is not None for v in column):
                rows = [
                    r if v is None else f'{r},"{name}":{_quoted(v)}'
                    for r, v in zip(rows, column, strict=True)
                ]
        return ",".join([ids[i] for i in self.order]), ",".join([f"{rows[i]}}}" for i in self.order])

    def signatures(self) -> list[Mapping[str, str]]:
        """What fingerprints are made of, sorted by id and label, each with its names in order."""
        extra = [(name, self.column(name)) for name in _SORTED]
        ids, keys = self.ids, self.spelled.keys
        out: list[Mapping[str, str]] = []
        for i in self.order:
            row = {"id": ids[i], "labelNormalized": keys[i]}
            for name, column in extra:
                if (value := column[i]) is not None:
                    row[name] = value
            out.append(row)
        return out


def _fetch(items: Sequence[Any], name: str) -> list[Any]:
    try:
        return list(map(itemgetter(name), items))
    except KeyError:
        return [item.get(name) for item in items]


class Spelled(Sequence[Tokens]):
    """Texts as words, normalised together; what `split` gives for each, made when it is looked at."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.lines = word_lines(texts)

    def __len__(self) -> int:
        return len(self.lines)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return tuple(tuple(line.split()) for line in self.lines[index])
        return tuple(self.lines[index].split())

    @cached_property
    def keys(self) -> list[str]:
        """Without spaces: spacing does not tell labels apart."""
        return "\n".join(self.lines).replace(" ", "").split("\n") if self.lines else []

    @cached_property
    def _text(self) -> str:
        return " \n ".join(("", *self.lines, ""))

    @cached_property
    def _starts(self) -> list[int]:
        return list(accumulate((len(line) + 3 for line in self.lines), initial=0))

    def holding(self, word: str) -> list[int]:
        """The places in the list whose text holds the word.

        Searched in the joined text when asked, not indexed: most words of a long list are never asked for.
        """
        out: list[int] = []
        wanted, text = f" {word} ", self._text
        at = text.find(wanted)
        while at >= 0:
            place = bisect_right(self._starts, at) - 1
            if place < len(self.lines) and (not out or out[-1] != place):
                out.append(place)
            at = text.find(wanted, self._starts[place + 1] if place + 1 < len(self._starts) else at + 1)
        return out
