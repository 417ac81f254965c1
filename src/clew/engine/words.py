"""Vectors of words: each is embedded once. Common words are shared by all conversations, the others are not."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from clew.engine.vectors import held_vector, hold_vector
from clew.errors import InvalidInput
from clew.kernel.recall.turns.entries import eighths, term_number
from clew.kernel.recall.turns.vocabulary import basis, common
from clew.policy import Policy
from clew.ports.embeddings import Embedder
from clew.ports.index import TurnIndex

# (place, space) -> number of a common term -> its packed vector, as far as this process has met it.
_SHARED: dict[tuple[str, str], dict[int, bytes]] = {}
# (space, word) -> packed vector, of words met lately: in memory only, they belong to whoever said them.
_MET: OrderedDict[tuple[str, str], bytes] = OrderedDict()
_MOST = 50_000
# When so many are missing, reading all is quicker than asking for each.
_MANY = 4_000


class Words:
    """The words of one conversation in one space."""

    def __init__(
        self,
        index: TurnIndex,
        conversation: str,
        policy: Policy,
        embedder: Embedder | None,
        *,
        whole: bool = True,
    ) -> None:
        """`whole`: all words of the conversation are read together, the first time that any is needed."""
        self._index, self._name, self._policy, self._embedder = index, conversation, policy, embedder
        self._own: dict[int, bytes] | None = None if whole else {}
        # Where few are read at a time, and many of them again and again: numbers in order, rows and scales.
        self._laid: tuple[Any, Any, Any] | None = None
        self._whole = whole
        space = embedder.space if embedder is not None else ""
        self._shared = _SHARED.setdefault((index.place, space), {})
        self._common = common(policy)
        self._basis = basis(policy, space, embedder.dimensions) if embedder is not None else None

    def made(
        self, texts: Sequence[str], words: Mapping[int, tuple[str, str]]
    ) -> tuple[Any, dict[int, bytes], dict[int, bytes]]:
        """(vectors of the texts, new common words, new words of this conversation), all embedded together."""
        assert self._embedder is not None
        least, space = self._policy.recall.word_min_length, self._embedder.space
        useful = {n: w for n, (_, w) in words.items() if len(w) >= least and not w.isdigit()}
        shared = {n: self._common[n][0] for n in useful if n in self._common}
        own = {n: w for n, w in useful.items() if n not in self._common}
        self._fetch(shared)
        shared = {n: w for n, w in shared.items() if n not in self._shared}
        stored = self._index.words(self._name, space, own) if self._own is None else self._own
        own = {n: w for n, w in own.items() if n not in stored}
        lacking = [w for w in dict.fromkeys([*shared.values(), *own.values()]) if (space, w) not in _MET]
        known = {t: v for t in texts if (v := held_vector(space, t)) is not None}
        unread = [t for t in dict.fromkeys(texts) if t not in known]
        rows = matrix(self._embedder, [*unread, *lacking])
        self._meet(lacking, rows[len(unread) :])
        known |= zip(unread, rows, strict=False)
        for text in unread:  # a friend says "Mm." more than once
            hold_vector(space, text, known[text])
        whole = np.zeros((len(texts), self._embedder.dimensions), np.float32)
        for place, text in enumerate(texts):
            whole[place] = known[text]
        packed = {w: _MET[space, w] for w in [*shared.values(), *own.values()]}
        new_shared = {n: packed[w] for n, w in shared.items()}
        new_own = {n: packed[w] for n, w in own.items()}
        self._shared.update(new_shared)
        if self._own is not None:
            self._own.update(new_own)
        while len(_MET) > _MOST:
            _MET.popitem(last=False)
        return whole, new_shared, new_own

    def of(self, numbers: Any) -> Any:
        """(one row per term, the scale of each); zeros for a term without a vector."""
        if self._whole:
            return self._read(numbers)
        if self._laid is None:
            rows, scale = self._unpacked([])
            self._laid = numbers[:0], rows.astype(np.int8), scale
        known, rows, scale = self._laid
        new = np.setdiff1d(numbers, known)
        if len(new):
            more, sizes = self._read(new)
            known = np.concatenate([known, new])
            order = np.argsort(known)
            known, rows = known[order], np.concatenate([rows, more.astype(np.int8)])[order]
            scale = np.concatenate([scale, sizes])[order]
            self._laid = known, rows, scale
        place = np.searchsorted(known, numbers)
        return rows.take(place, axis=0).astype(np.float32), scale[place]

    def _read(self, numbers: Any) -> Any:
        assert self._embedder is not None
        wanted = numbers.tolist()
        self._fetch([n for n in wanted if n in self._common])
        if self._own is None:
            self._own = dict(self._index.words(self._name, self._embedder.space, None))
        elif lacking := [n for n in wanted if n not in self._shared and n not in self._own]:
            self._own.update(self._index.words(self._name, self._embedder.space, lacking))
        return self._unpacked([self._shared.get(n) or self._own.get(n) for n in wanted])

    def asked(
        self, text: str, vector: Sequence[float] | None, terms: Sequence[tuple[str, str]]
    ) -> tuple[Any, Any]:
        """The vector of a question, and one row for each of its terms."""
        assert self._embedder is not None
        space = self._embedder.space
        numbers = [term_number(term) for term, _ in terms]
        self._fetch([n for n in numbers if n in self._common])
        stand = [
            self._common[n][0] if n in self._common else w for n, (_, w) in zip(numbers, terms, strict=True)
        ]
        own = self._own or {}
        held = [
            self._shared.get(n) or own.get(n) or _MET.get((space, w))
            for n, w in zip(numbers, stand, strict=True)
        ]
        lacking = list(dict.fromkeys(w for w, found in zip(stand, held, strict=True) if found is None))
        new = matrix(self._embedder, [*([] if vector is not None else [text]), *lacking])
        question = np.asarray(vector, np.float32) if vector is not None else new[0]
        self._meet(lacking, new[len(new) - len(lacking) :])
        rows = [found or _MET[space, w] for w, found in zip(stand, held, strict=True)]
        return question, self._unpacked(rows) if rows else None

    def _fetch(self, numbers: Collection[int]) -> None:
        """Common words that this process has not met yet."""
        missing = [n for n in numbers if n not in self._shared]
        if missing and self._embedder is not None:
            some = missing if len(missing) < _MANY else None
            self._shared.update(self._index.words(None, self._embedder.space, some))

    def _meet(self, words: Sequence[str], rows: Any) -> None:
        assert self._embedder is not None
        if not len(words):
            return
        grid, scale = eighths(rows if self._basis is None else rows @ self._basis)
        for word, row, size in zip(words, grid, scale, strict=True):
            _MET[self._embedder.space, word] = row.tobytes() + size.tobytes()

    def _unpacked(self, rows: Sequence[bytes | None]) -> Any:
        assert self._embedder is not None
        width = self._embedder.dimensions if self._basis is None else self._basis.shape[1]
        empty = bytes(width + 4)
        whole = np.frombuffer(b"".join([row or empty for row in rows]), np.int8).reshape(len(rows), width + 4)
        scale = np.ascontiguousarray(whole[:, width:]).view("<f4")[:, 0]
        return whole[:, :width].astype(np.float32), scale


def matrix(embedder: Embedder, texts: Sequence[str]) -> Any:
    """float32 rows, each different text embedded once."""
    if not texts:
        return np.zeros((0, embedder.dimensions), np.float32)
    whole = getattr(embedder, "matrix", None)
    once = {text: row for row, text in enumerate(dict.fromkeys(texts))}
    unique = list(once)
    rows = np.asarray(whole(unique) if whole is not None else embedder.embed(unique), np.float32)
    if rows.shape != (len(unique), embedder.dimensions):
        raise InvalidInput(
            f"the embedder gave {rows.shape} for {len(unique)} texts of {embedder.dimensions} dimensions",
            pointer="/vectors",
        )
    return rows[[once[text] for text in texts]]
