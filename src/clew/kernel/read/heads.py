"""Small heads on the default embedder's vector (general ruling 2; weights are policy)."""

from __future__ import annotations

import math
from base64 import b85decode
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from operator import mul
from typing import Any

from clew.errors import InvalidInput
from clew.kernel.language.scripts import is_spaced, syllable_runs
from clew.kernel.text.exact import on_grid
from clew.policy.listen import Head

_ENDING = "~"
# The grid of the default embedder's numbers.
_GRID = 1 << 14
# The vectors have length one; what is far beyond must not run over.
_LIMIT = 1024.0


@lru_cache(maxsize=64)
def _weights(head: Head) -> tuple[int, ...]:
    return tuple(byte - 256 if byte > 127 else byte for byte in b85decode(head.weights))


def size(head: Head) -> int:
    return len(_weights(head)) // max(1, len(head.unit_weights))


@lru_cache(maxsize=64)
def _row(head: Head) -> Any:
    import numpy as np

    return np.array(_weights(head), dtype=np.float64)


@lru_cache(maxsize=8)
def _rows(head: Head) -> Any:
    return _row(head).reshape(len(head.unit_weights), -1)


def _units(head: Head, vector: Sequence[float]) -> float:
    """Whole numbers add up to the same in any order, whatever library adds them."""
    # Only here, where a vector is at hand, and with it what made it: reading words alone loads no arrays.
    import numpy as np

    held = np.clip(np.asarray(vector, dtype=np.float64), -_LIMIT, _LIMIT)
    # Whole numbers in floats: far below where a float would round them.
    reached: list[float] = (_rows(head) @ np.rint(held * _GRID)).tolist()
    return head.bias + math.fsum(
        weight * up
        for n, bias, weight in zip(reached, head.unit_bias, head.unit_weights, strict=True)
        if (up := bias + head.scale * (n / _GRID)) > 0
    )


def score(head: Head, vector: Sequence[float]) -> float:
    """Log-odds. The sum is exact, so that the order of adding can not change an answer."""
    if head.unit_weights:
        return _units(head, vector)
    held = on_grid(vector)
    if held is None:
        return head.bias + head.scale * math.fsum(map(mul, _weights(head), vector))
    return head.bias + head.scale * float(_row(head) @ held)


@lru_cache(maxsize=64)
def _stems(head: Head) -> tuple[dict[str, float], int]:
    # Quarter points add up exactly in any order.
    table = {w: int(q) / 4 for q, words in head.stems.items() for w in words.split()}
    return table, max(map(len, table), default=0)


def stem_score(head: Head, marked: Iterable[str], insult: float) -> float:
    """The same log-odds from the beginnings and endings of Hangul words; a stem counts once.

    One word speaks only if it begins like an insult: 신기하네 ends like a sneer and sneers at nobody.
    """
    found: dict[str, float] = {}
    speaking = 0
    for token in marked:
        if not is_spaced(token):
            stems = _stems_in(token, head)
            found.update(stems)
            speaking += any(value > 0 for value in stems.values())
    if speaking == 1 and not any(value >= insult and stem[0] != _ENDING for stem, value in found.items()):
        found = {stem: value for stem, value in found.items() if value < 0}
    return head.stem_bias + sum(found.values())


@lru_cache(maxsize=64)
def loaded(head: Head, worth: float, common: tuple[str, ...]) -> frozenset[str]:
    """The words without which a head of words has nothing to say: one look instead of a sum."""
    words = frozenset(stem for stem, value in _stems(head)[0].items() if value >= worth and "_" not in stem)
    return words - frozenset(common)


def word_score(head: Head, folded: str) -> float:
    """The same from folded words and neighbours; of a Hangul word its beginnings count."""
    table, _ = _stems(head)
    words = folded.split()
    found = set(words)
    if not is_spaced(folded):
        found.update(word[:end] for word in words if not is_spaced(word) for end in (2, 3, 4))
        words = [word if is_spaced(word) else word[:2] for word in words]
    found.update(map("_".join, pairwise(words)))
    # Quarter points add up exactly: the order of a set changes nothing.
    return head.stem_bias + sum(filter(None, map(table.get, found)))


@lru_cache(maxsize=8192)
def _stems_in(token: str, head: Head) -> dict[str, float]:
    table, longest = _stems(head)
    found: dict[str, float] = {}
    for word in syllable_runs(token):
        size = len(word)
        stems = [word[:end] for end in range(1 if size == 1 else 2, min(size, longest) + 1)]
        if size > 2:
            stems.append(_ENDING + word[-2:])
        found |= {stem: table[stem] for stem in stems if stem in table}
    return found


def checked(
    vector: Sequence[float] | None, heads: Mapping[str, Head], pointer: str = "/vector"
) -> Sequence[float] | None:
    """A vector of the embedder the heads were trained for, or none; nothing said is nothing known."""
    if vector is None or not heads or not any(vector):
        return None
    wanted = size(next(iter(heads.values())))
    if len(vector) != wanted:
        raise InvalidInput(f"vector must have {wanted} numbers, has {len(vector)}", pointer=pointer)
    return vector
