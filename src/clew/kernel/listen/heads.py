"""Linear heads on the default embedder's vector (general ruling 2; weights are policy)."""

from __future__ import annotations

import math
import re
from base64 import b85decode
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from operator import mul

from clew.errors import InvalidInput
from clew.policy.listen import Head

_ENDING = "~"
_HANGUL = re.compile("[\uac00-\ud7a3]+|[\u3131-\u318e]+")


@lru_cache(maxsize=64)
def _weights(head: Head) -> tuple[int, ...]:
    return tuple(byte - 256 if byte > 127 else byte for byte in b85decode(head.weights))


def size(head: Head) -> int:
    return len(_weights(head))


def score(head: Head, vector: Sequence[float]) -> float:
    """Log-odds. `fsum` is exact, so that the order of adding can not change an answer."""
    return head.bias + head.scale * math.fsum(map(mul, _weights(head), vector))


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
        if not token.isascii():
            stems = _stems_in(token, head)
            found.update(stems)
            speaking += any(value > 0 for value in stems.values())
    if speaking == 1 and not any(value >= insult and stem[0] != _ENDING for stem, value in found.items()):
        found = {stem: value for stem, value in found.items() if value < 0}
    return head.stem_bias + sum(found.values())


@lru_cache(maxsize=8192)
def _stems_in(token: str, head: Head) -> dict[str, float]:
    table, longest = _stems(head)
    found: dict[str, float] = {}
    for word in _HANGUL.findall(token):
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
