"""A small learned score of a text: hashed words and runs of letters, and the text's vector where there is one.

Sums of whole numbers: the same on every machine and in every order. Weights are policy (policy/weights.py).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any
from zlib import crc32

from clew.kernel.language.scripts import opens_in_syllables
from clew.policy.weights import Scorer, table

_GRID = 1 << 14
_LIMIT = 4.0
_WORDS_MOST = 160
_DECIMALS = 4
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|[?!]")
_LETTERS = (16, (4, 5))
_SYLLABLES = (12, (2, 3, 4))


def words_of(text: str) -> list[str]:
    return [w.lower().replace("’", "'") for w in _WORD.findall(text)[:_WORDS_MOST]]


def buckets(words: Sequence[str], size: int) -> tuple[int, ...]:
    """Places of the words, their pairs and triples, and the runs of letters inside them; each once."""
    return _buckets(tuple(words), size)


@lru_cache(maxsize=512)
def _buckets(words: tuple[str, ...], size: int) -> tuple[int, ...]:
    """Several scorers look at the same words."""
    return tuple(sorted({place % size for place in _places(["^", *words, "$"])}))


def _places(words: Sequence[str]) -> Iterator[int]:
    for i, word in enumerate(words):
        if i:
            yield _place(f"{words[i - 1]}_{word}")
        if i > 1:
            yield _place(f"{words[i - 2]}_{words[i - 1]}_{word}")
        yield from _of_word(word)


@lru_cache(maxsize=8192)
def _of_word(word: str) -> tuple[int, ...]:
    """Of the word, and of the runs of letters inside it."""
    if word in ("^", "$"):
        return (_place("=" + word),)
    most, sizes = _SYLLABLES if opens_in_syllables(word) else _LETTERS
    edged = f"<{word[:most]}>"
    runs = (edged[k : k + n] for n in sizes for k in range(len(edged) - n + 1))
    return tuple(map(_place, ("=" + word, *runs)))


def _place(piece: str) -> int:
    return crc32(piece.encode("utf-8", "replace"))


def odds(
    scorer: Scorer, words: Sequence[str], vector: Sequence[float] | None, gist: Sequence[float] | None = None
) -> float:
    """Log-odds of what the scorer was fitted to tell; without a vector, from the words alone.

    gist: what the tokens mean together (kernel/read/gist.py), where they are at hand.
    """
    rows = table(scorer)
    size = len(rows.words)
    found = buckets(words, size)
    if vector is None:
        total = sum(map(rows.alone.__getitem__, found)) * scorer.alone_scale
        return round(scorer.alone_bias + total / math.sqrt(len(found)), _DECIMALS)
    total = sum(map(rows.words.__getitem__, found)) * scorer.words_scale
    return round(scorer.bias + total / math.sqrt(len(found)) + _felt(scorer, vector, gist), _DECIMALS)


def _felt(scorer: Scorer, vector: Sequence[float], gist: Sequence[float] | None) -> float:
    # Only here, where a vector is at hand, and with it what made it: reading words alone loads no arrays.
    import numpy as np

    plain, units = _arrays(scorer)
    both = np.zeros(max(len(plain), len(vector)))
    both[: len(vector)] = vector
    if gist is not None and len(vector) + len(gist) == len(plain):
        both[len(vector) :] = gist
    held = np.rint(np.clip(both, -_LIMIT, _LIMIT) * _GRID)
    if len(vector) not in (len(plain), len(plain) // 2):
        return 0.0
    total = scorer.vector_scale * (float(plain @ held) / _GRID)
    if scorer.unit_weights:
        reached: list[float] = (units @ held).tolist()
        total += scorer.unit_bias_out + math.fsum(
            weight * up
            for n, bias, weight in zip(reached, scorer.unit_bias, scorer.unit_weights, strict=True)
            if (up := bias + scorer.unit_scale * (n / _GRID)) > 0
        )
    return total


@lru_cache(maxsize=16)
def _arrays(scorer: Scorer) -> tuple[Any, Any]:
    import numpy as np

    rows = table(scorer)
    # Whole numbers in floats: far below where a float would round them.
    plain = np.array(rows.vector, dtype=np.float64)
    return plain, np.array(rows.units, dtype=np.float64).reshape(-1, len(plain))
