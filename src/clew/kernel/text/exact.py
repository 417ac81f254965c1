"""Sums of products of vectors, correctly rounded: the order of adding changes nothing.

The default embedder's numbers stand on a grid, so that their sums are exact in floats and an array library may
add them; any others are added one by one.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import lru_cache
from math import fsum
from operator import mul
from typing import Any

# The grid of the default embedder's numbers. Products of two such numbers, a thousand of them, fit a float.
_GRID = float(1 << 14)
_LIMIT = 128.0
_SIZE = 1024


def on_grid(vector: Sequence[float]) -> Any:
    """The numbers as an array where every one stands on the grid, else None."""
    import numpy as np

    if isinstance(vector, array) and vector.typecode == "d":
        return _looked_at(vector.tobytes())
    return _checked(np.asarray(vector, dtype=np.float64))


@lru_cache(maxsize=512)
def _looked_at(vector: bytes) -> Any:
    """Many heads look at the same vector, and a held one is compared turn after turn."""
    import numpy as np

    return _checked(np.frombuffer(vector, dtype=np.float64))


def _checked(held: Any) -> Any:
    import numpy as np

    if not 0 < held.size <= _SIZE or held.ndim != 1:
        return None
    scaled = held * _GRID
    # Also refuses what is no number at all.
    if not (np.abs(held).max() <= _LIMIT and (np.rint(scaled) == scaled).all()):
        return None
    return held


def products(a: Sequence[float], b: Sequence[float]) -> tuple[float, float, float]:
    """a·b, a·a and b·b."""
    if len(a) != len(b):
        raise ValueError(f"vectors of {len(a)} and {len(b)} numbers")
    x, y = on_grid(a), on_grid(b)
    if x is None or y is None:
        return fsum(map(mul, a, b)), fsum(map(mul, a, a)), fsum(map(mul, b, b))
    return float(x @ y), float(x @ x), float(y @ y)
