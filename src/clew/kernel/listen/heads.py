"""Linear heads on the default embedder's vector (general ruling 2; weights are policy)."""

from __future__ import annotations

import math
from base64 import b85decode
from collections.abc import Mapping, Sequence
from functools import lru_cache
from operator import mul

from clew.errors import InvalidInput
from clew.policy.listen import Head


@lru_cache(maxsize=64)
def _weights(head: Head) -> tuple[int, ...]:
    return tuple(byte - 256 if byte > 127 else byte for byte in b85decode(head.weights))


def score(head: Head, vector: Sequence[float]) -> float:
    """Log-odds. `fsum` is exact, so that the order of adding can not change an answer."""
    return head.bias + head.scale * math.fsum(map(mul, _weights(head), vector))


def checked(
    vector: Sequence[float] | None, heads: Mapping[str, Head], pointer: str = "/vector"
) -> Sequence[float] | None:
    """A vector of the embedder the heads were trained for, or none; nothing said is nothing known."""
    if vector is None or not heads or not any(vector):
        return None
    size = len(_weights(next(iter(heads.values()))))
    if len(vector) != size:
        raise InvalidInput(f"vector must have {size} numbers, has {len(vector)}", pointer=pointer)
    return vector
