"""The small network that reads a message's tokens, run in whole numbers (weights are policy; bench/train trains it)."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Any

from clew.kernel.read.exact import GRID, Weights, beside, linear, normed, softmax, whole

# The encoder's windows: how many tokens each sees, and how many of them before.
ORDERS = ((2, 0), (3, 1), (5, 2))
HEADS = 4
_SENTENCE = 16.0


def sentence(vector: Sequence[float]) -> Any:
    import numpy as np

    return whole(np.asarray(vector, dtype=np.float64) * _SENTENCE)


def states(w: Weights, matrix: Any, bags: Sequence[Sequence[int]], signs: Any, vec: Any) -> Any:
    """One row of numbers for each token of one part, with what stands around it.

    matrix: the encoder's rows. bags, signs: pieces of the token's word, and plain marks of it. vec: `sentence(…)`.
    """
    import numpy as np

    table = w["bag"]
    sizes = np.array([len(bag) for bag in bags])
    rows = table[[piece for bag in bags for piece in bag]]
    whole_sums = np.add.reduceat(rows, np.cumsum(sizes) - sizes, axis=0, dtype=np.int64)
    grams = whole_sums / np.sqrt(sizes)[:, None]
    x = linear(w, "token", whole(_windows(w, np.asarray(matrix, dtype=np.float64))))
    x = x + linear(w, "sign", np.asarray(signs, dtype=np.float64) * GRID)
    x = x + linear(w, "gram", whole(grams * w["bag_s"])) + linear(w, "sentence", vec)
    x = np.maximum(x, 0) + w["place"][np.minimum(np.arange(len(x)), len(w["place"]) - 1)] * w["place_s"]
    x = x + np.maximum(linear(w, "beside", beside(whole(x), 3, 1)), 0)
    for layer in range(w["layers"]):
        x = x + _looked(w, f"l{layer}_", x)
        wide = np.maximum(linear(w, f"l{layer}_wide", whole(normed(w, f"l{layer}_norm2", x, 1e-5))), 0)
        x = x + linear(w, f"l{layer}_narrow", whole(wide))
    return x


def _windows(w: Weights, rows: Any) -> Any:
    """What the encoder itself makes of a token and its neighbours."""
    import numpy as np

    eps = float(w["eps"])
    near = normed(w, "w_near", linear(w, "w_proj", whole(rows)), eps)
    out = [rows]
    for i, (size, left) in enumerate(ORDERS):
        z = near[:, i * 256 : (i + 1) * 256]
        for layer in ("w_one", "w_two"):
            z = np.maximum(linear(w, f"{layer}{size}", beside(whole(z), size, left)), 0) + z
        out.append(z)
    return normed(w, "w_far", np.concatenate(out, axis=1), eps)


def _looked(w: Weights, layer: str, x: Any) -> Any:
    """What each token takes from the others."""

    n, d = x.shape
    asked = whole(linear(w, layer + "asked", whole(normed(w, layer + "norm1", x, 1e-5))))
    q, k, v = asked.reshape(n, 3, HEADS, d // HEADS).transpose(1, 2, 0, 3)
    fit = softmax((q @ k.transpose(0, 2, 1)) / (GRID * GRID * sqrt(d // HEADS)))
    seen = whole(fit) @ v / (GRID * GRID)
    return linear(w, layer + "told", whole(seen.transpose(1, 0, 2).reshape(n, d)))
