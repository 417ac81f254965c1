"""A linear reader over a text's vector and the pieces of its words (weights are policy)."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from math import exp, sqrt
from types import MappingProxyType
from typing import Any
from zlib import crc32

from clew.policy.reader import weights

BUCKETS = 1 << 15
_WORDS_MAX = 200
_GRID = 1 << 14
_LIMIT = 4.0
_DECIMALS = 6
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|[^\w\s]")


@lru_cache(maxsize=512)
def pieces(text: str) -> tuple[int, ...]:
    """Buckets of the words, their pairs and triples, and of runs of letters; each once."""
    words = [w.lower().replace("’", "'") for w in _WORD.findall(text)][:_WORDS_MAX]
    return tuple(dict.fromkeys(_buckets(["^", *words, "$"])))


def bucket(piece: str) -> int:
    return crc32(piece.encode("utf-8", "replace")) % BUCKETS


def _buckets(words: Sequence[str]) -> Iterator[int]:
    for i, word in enumerate(words):
        whole, *runs = word_buckets(word)
        yield whole
        if i:
            yield bucket(f"{words[i - 1]}_{word}")
        if i > 1:
            yield bucket(f"{words[i - 2]}_{words[i - 1]}_{word}")
        yield from runs


@lru_cache(maxsize=16384)
def word_buckets(word: str, mark: str = "") -> tuple[int, ...]:
    """Of a word, then of its runs of two to four letters with its edges shown; `mark` stands before each piece."""
    edged = f"<{word[:24]}>"
    runs = (edged[k : k + size] for size in (2, 3, 4) for k in range(len(edged) - size + 1))
    return tuple(bucket(mark + piece) for piece in ("=" + word, *runs))


@lru_cache(maxsize=16)
def _loaded(name: str, sha256: str) -> Mapping[str, Any] | None:
    import numpy as np

    arrays = weights(name, sha256)
    if arrays is None:
        return None
    keep = ("names", "words")
    return {key: value if key in keep else value.astype(np.float64) for key, value in arrays.items()}


def sums(text: str, vector: Sequence[float], name: str, sha256: str) -> dict[str, float]:
    """Log-odds by name; "" stands for whether there is anything at all. Whole numbers add up in any order."""
    w = _loaded(name, sha256)
    if w is None:
        return {}
    found = pieces(text)
    return _totals(w, w["words"][list(found)], sqrt(max(1, len(found))), vector)


def chance(text: str, vector: Sequence[float], name: str, sha256: str) -> float:
    """Of the one thing that these weights know; nought where there are none."""
    return _chance(text, array("d", vector).tobytes(), name, sha256)


@lru_cache(maxsize=1024)
def _chance(text: str, vector: bytes, name: str, sha256: str) -> float:
    """What is held is weighed again with every question."""
    total = sums(text, array("d", vector), name, sha256).get("")
    return 0.0 if total is None else round(1 / (1 + exp(-max(-30.0, total))), 3)


def weighted_sums(found: Mapping[int, int], vector: Sequence[float], name: str, sha256: str) -> dict[str, float]:
    """The same from buckets with whole weights."""
    import numpy as np

    w = _loaded(name, sha256)
    if w is None:
        return {}
    times = np.array(list(found.values()), dtype=np.int64)
    rows = w["words"][list(found)] * times[:, None]
    return _totals(w, rows, sqrt(max(1, int(times @ times))), vector)


def _totals(w: Mapping[str, Any], rows: Any, length: float, vector: Sequence[float]) -> dict[str, float]:
    import numpy as np

    held = np.rint(np.clip(np.asarray(vector, dtype=np.float64), -_LIMIT, _LIMIT) * _GRID)
    said = rows.sum(axis=0, dtype=np.int64) * (w["words_s"] / length)
    total = (held @ w["vector"]) * (w["vector_s"] / _GRID) + said + w["bias"]
    return dict(zip(w["names"].tolist(), np.round(total, _DECIMALS).tolist(), strict=True))


def shares(text: str, vector: Sequence[float], name: str, sha256: str) -> Mapping[str, float]:
    """Chances of kinds that exclude each other, by the vector, and by pieces of words where the weights hold any."""
    import numpy as np

    return _shares(text, np.asarray(vector, dtype=np.float64).tobytes(), name, sha256)


# A reply asks for the shares of one message many times; of the message before it never again.
@lru_cache(maxsize=8)
def _shares(text: str, vector: bytes, name: str, sha256: str) -> Mapping[str, float]:
    import numpy as np

    w = _loaded(name, sha256)
    if w is None:
        return {}
    held = np.rint(np.clip(np.frombuffer(vector), -_LIMIT, _LIMIT) * _GRID)
    total = (held @ w["vector"]) * (w["vector_s"] / _GRID) + w["bias"]
    if "words" in w:
        places = sorted({piece % len(w["words"]) for piece in pieces(text)})
        total = total + w["words"][places].sum(axis=0, dtype=np.int64) * (w["words_s"] / sqrt(max(1, len(places))))
    sums = np.round(total, _DECIMALS).tolist()
    most = max(sums)
    parts = [exp(one - most) for one in sums]
    whole = sum(parts)
    made = {kind: round(part / whole, _DECIMALS) for kind, part in zip(w["names"].tolist(), parts, strict=True)}
    return MappingProxyType(made)
