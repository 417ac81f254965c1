"""Candidates by column: a long list is read and indexed without making ten thousand objects first."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, overload

from clew.kernel.ground.phrases import Tokens, split
from clew.kernel.text.normalize import normalize, without_punctuation
from clew.model.evidence import DISAMBIGUATORS, Candidate
from clew.model.fields import is_text

# Stands between texts that are normalised in one go; no text holds it.
_BETWEEN = "\ue000"
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
        columns = tuple(tuple(getattr(c, name) for c in made) for name in _COLUMNS)
        return Pool(columns, made)

    @staticmethod
    def read(items: Sequence[Any]) -> Pool | None:
        """Plain objects with plain texts; None when a single item needs a closer look."""
        if not all(type(item) is dict for item in items):
            return None
        columns = tuple([item.get(name) for item in items] for name in _COLUMNS)
        for i, column in enumerate(columns):
            kinds = set(map(type, column))
            texts = column if kinds == {str} else [t for t in column if t is not None]
            allowed = {str} if i < 2 else {str, type(None)}
            if not kinds <= allowed or (texts and not is_text("".join(texts))):
                return None
        return None if "" in columns[0] else Pool(columns)

    @property
    def ids(self) -> Sequence[str]:
        return self.columns[0]

    @property
    def labels(self) -> Sequence[str]:
        return self.columns[1]

    @cached_property
    def words(self) -> tuple[Tokens, ...]:
        return split_all(self.labels)

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
            self._made[place] = Candidate(*(column[place] for column in self.columns))
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
        rows = [f'{{"id":{one},"labelNormalized":{_quoted("".join(w))}' for one, w in zip(ids, self.words, strict=True)]
        for name in _SORTED:
            column = self.column(name)
            if any(v is not None for v in column):
                rows = [r if v is None else f'{r},"{name}":{_quoted(v)}' for r, v in zip(rows, column, strict=True)]
        return ",".join([ids[i] for i in self.order]), ",".join([f"{rows[i]}}}" for i in self.order])

    def signatures(self) -> list[Mapping[str, str]]:
        """What fingerprints are made of, sorted by id and label, each with its names in order."""
        extra = [(name, self.column(name)) for name in _SORTED]
        ids, words = self.ids, self.words
        out: list[Mapping[str, str]] = []
        for i in self.order:
            row = {"id": ids[i], "labelNormalized": "".join(words[i])}
            for name, column in extra:
                if (value := column[i]) is not None:
                    row[name] = value
            out.append(row)
        return out


def split_all(texts: Sequence[str]) -> tuple[Tokens, ...]:
    """The words of each text, as `split` gives them, normalised together."""
    joined = "\n".join(texts)
    if joined.count("\n") != len(texts) - 1 or _BETWEEN in joined:
        return tuple(map(split, texts))
    if joined.isascii() and "\r" not in joined and "`" not in joined:
        lines = _without_marks(joined.lower()).split("\n")
    else:
        spaced = normalize(f" {_BETWEEN} ".join(texts))
        lines = without_punctuation(spaced).split(_BETWEEN)
    if len(lines) != len(texts):
        return tuple(map(split, texts))
    if joined.isascii() and "'" not in joined:
        return tuple([tuple(line.split()) for line in lines])
    return tuple(tuple(t for w in line.split() if (t := w.strip("'"))) for line in lines)


_MARKS = dict.fromkeys(map(ord, '!"#$%&()*+,-./:;<=>?@[\\]^_{|}~'), " ")


def _without_marks(text: str) -> str:
    """Punctuation of plain ASCII becomes a space; line ends stay."""
    return text.translate(_MARKS)
