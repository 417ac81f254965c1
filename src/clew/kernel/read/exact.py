"""Small networks run in whole numbers (weights are policy; bench/train trains them).

Everything that is added up stands on a grid, and sums of whole numbers are the same in any order, whatever library
adds them: the same message gives the same numbers on every machine.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from clew.frozen import dataclass
from clew.policy.reader import weights

Weights = Mapping[str, Any]
GRID = 1 << 10
_LIMIT = 64.0
_TABLES = ("bag", "names")
_READY = "ready"
# Rows of a slice of a large matrix. Whole numbers up to here are exact in short floats. Smaller ones are not worth it.
_SLICE = 32
_TOGETHER = (8, 5, 4, 3, 2, 1)
_EXACT = float(1 << 24)
_SMALL = 1 << 14
_KERNEL = 4


@lru_cache(maxsize=4)
def loaded(name: str, sha256: str) -> Weights | None:
    import numpy as np

    arrays = weights(name, sha256)
    if arrays is None:
        return None
    # The bag's table stays small; the rest is multiplied as exact whole numbers in floats.
    held = {
        key: value if key in _TABLES else _sliced(value) if _large(key, value) else value.astype(np.float64, order="C")
        for key, value in arrays.items()
    }
    return ready({**held, "layers": sum(key.endswith("_asked") for key in held)})


def ready(held: Weights) -> Weights:
    """With what `linear` needs: by key the matrix, what a sum is multiplied with to leave the grid, what is added."""
    made = {
        key: (value, held[key + "_s"] / GRID, held.get(key + "_b", 0.0))
        for key, value in held.items()
        if key + "_s" in held and key not in _TABLES
    }
    return {**held, _READY: made}


def _large(key: str, value: Any) -> bool:
    fits = value.ndim == 2 and value.dtype.name == "int8" and value.shape[0] % _SLICE == 0
    return fits and value.size >= _SMALL and key != "place"


@dataclass(frozen=True, slots=True)
class Sliced:
    """A large matrix as short floats, column by column, with the longest column of each run of rows.

    `runs`: rows of a run, the longest column of each such run, and of all of them; the longest run first.
    """

    columns: Any
    runs: tuple[tuple[int, Any, float], ...]


def _sliced(value: Any) -> Sliced:
    import numpy as np

    depth, width = value.shape
    matrix = value.astype(np.float32, order="C")
    slices = matrix.reshape(-1, _SLICE, width)
    # Squares of small whole numbers: their sums are exact in short floats too.
    squares = np.einsum("skm,skm->sm", slices, slices)
    runs = []
    for rows in _runs(depth):
        longest = squares.reshape(depth // rows, -1, width).sum(axis=1, dtype=np.float64).max(axis=1)
        runs.append((rows, np.sqrt(longest), math.sqrt(float(longest.max()))))
    # Few rows times a matrix: a column at a time the library needs a quarter to a third less.
    return Sliced(np.ascontiguousarray(matrix.T), tuple(runs))


def _runs(depth: int) -> list[int]:
    """All rows, then runs of fewer and fewer slices that divide them."""
    return [depth, *(n * _SLICE for n in _TOGETHER if depth % (n * _SLICE) == 0 and n * _SLICE < depth)]


def _product(given: Any, by: Sliced) -> Any:
    """`given @ matrix`, in whole numbers: by runs of rows, each so short that a short float holds every sum exactly.

    No sum over a run is larger than the length of the row times that of the column. Half the bytes are read and
    half the work is done of what long floats need; where a row is too long for that, long floats do it.
    """
    import numpy as np

    rows = given.reshape(-1, given.shape[-1])
    n, depth = rows.shape
    width = len(by.columns)
    long = _exact_run(rows, by)
    if not long:
        made = rows @ by.columns.T.astype(np.float64)
        return made.reshape(*given.shape[:-1], -1)
    # Empty rows behind: a number of rows that the library's kernels do not divide costs half as much again.
    padded = n if n == 1 else -(-n // _KERNEL) * _KERNEL
    short = np.zeros((padded, depth), dtype=np.float32)
    short[:n] = rows
    if long == depth:
        sums = by.columns @ short.T
    else:
        parts = by.columns.reshape(width, -1, long).transpose(1, 0, 2)
        sums = np.matmul(parts, short.reshape(padded, -1, long).transpose(1, 2, 0)).sum(axis=0, dtype=np.float64)
    made = sums.T[:n].astype(np.float64, order="C")
    return made.reshape(*given.shape[:-1], -1)


def _exact_run(rows: Any, by: Sliced) -> int:
    """How many rows of the matrix may be taken together: the most that are exact; 0 for none."""
    import numpy as np

    n, depth = rows.shape
    slices = rows.reshape(n, -1, _SLICE)
    squares = np.einsum("nsk,nsk->ns", slices, slices)
    # No row is longer in any slice than this; mostly that tells enough.
    worst = math.sqrt(float(squares.max(initial=0.0)) / _SLICE)
    for long, reach, most in by.runs:
        if worst * math.sqrt(long) * most < _EXACT:
            return long
        length = squares.reshape(n, depth // long, -1).sum(axis=2).max(axis=0, initial=0.0)
        if (np.sqrt(length) * reach).max() < _EXACT:
            return long
    return 0


def whole(x: Any) -> Any:
    """On the grid, as whole numbers in floats."""
    import numpy as np

    # Scaled first: the grid is a power of two, so that nothing is rounded by it.
    made = np.multiply(x, float(GRID))
    np.rint(made, out=made)
    np.minimum(made, _LIMIT * GRID, out=made)
    return np.maximum(made, -_LIMIT * GRID, out=made)


def linear(w: Weights, key: str, given: Any) -> Any:
    """`given` is whole; what comes out is not."""
    by, scale, bias = w[_READY][key]
    made = _product(given, by) if isinstance(by, Sliced) else given @ by
    made *= scale
    made += bias
    return made


def softmax(x: Any) -> Any:
    import numpy as np

    e = np.exp(x - x.max(axis=-1, keepdims=True))
    # Added in their order.
    return e / np.cumsum(e, axis=-1)[..., -1:]


def beside(given: Any, size: int, left: int) -> Any:
    """Each row with its neighbours; nothing stands before the first and after the last."""
    import numpy as np

    n = len(given)
    padded = np.zeros((n + size - 1, given.shape[1]))
    padded[left : left + n] = given
    return np.concatenate([padded[k : k + n] for k in range(size)], axis=1)


def normed(w: Weights, key: str, x: Any, eps: float) -> Any:
    """Each row at mean 0 and spread 1, then scaled; the two sums are whole."""
    import numpy as np

    x = whole(x)
    n = x.shape[1]
    mean = x.sum(axis=1, keepdims=True) / n
    spread = np.maximum(np.einsum("ij,ij->i", x, x)[:, None] / n - mean * mean, 0) / (GRID * GRID)
    made = np.subtract(x, mean, out=x)
    made /= GRID
    made /= np.sqrt(spread + eps)
    made *= w[key + "_g"]
    made += w[key + "_b"]
    return made
