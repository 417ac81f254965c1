"""Logistic regressions over vector and words, one for each name (kernel/read/linear.py runs them)."""

from __future__ import annotations

import io

import numpy as np
from scipy.sparse import csr_matrix, hstack
from sklearn.linear_model import LogisticRegression

from clew.kernel.read.linear import BUCKETS, pieces

VECTOR, WORDS = 3.0, 4.0


def features(texts: list[str], vectors: np.ndarray) -> csr_matrix:
    return weighted([dict.fromkeys(pieces(text), 1) for text in texts], vectors)


def weighted(rows: list[dict[int, int]], vectors: np.ndarray) -> csr_matrix:
    counts = np.array([len(r) for r in rows])
    lengths = [max(1.0, np.sqrt(sum(n * n for n in r.values()))) for r in rows]
    data = np.concatenate([np.array(list(r.values()), np.float64) / n for r, n in zip(rows, lengths, strict=True)])
    places = np.concatenate([np.array(list(r), dtype=np.int64) for r in rows])
    words = csr_matrix((data, places, np.concatenate([[0], np.cumsum(counts)])), shape=(len(rows), BUCKETS))
    return hstack([csr_matrix(vectors * VECTOR), words * WORDS]).tocsr()


def column(x: csr_matrix, y: np.ndarray, weight: np.ndarray, strength: float) -> tuple[np.ndarray, float]:
    """Rows without weight are left out."""
    use = np.where(weight > 0)[0]
    model = LogisticRegression(C=strength, max_iter=300, tol=0.01, solver="liblinear", random_state=0)
    model.fit(x[use], y[use], sample_weight=weight[use])
    return model.coef_[0], float(model.intercept_[0])


def packed(names: list[str], columns: list[tuple[np.ndarray, float]]) -> bytes:
    """Eight bits a weight, one scale a column."""
    w = np.stack([c[0] for c in columns], axis=1)
    arrays = {"names": np.array(names), "bias": np.array([c[1] for c in columns], np.float32)}
    for key, part, gain in (("vector", w[:512], VECTOR), ("words", w[512:], WORDS)):
        scale = np.maximum(np.abs(part).max(axis=0), 1e-6) / 127
        made = np.clip(np.rint(part / scale), -127, 127).astype(np.int8)
        # A single step tells nothing, and noughts pack well.
        arrays[key] = np.where(np.abs(made) <= 1, 0, made).astype(np.int8) if key == "words" else made
        arrays[key + "_s"] = (scale * gain).astype(np.float32)
    out = io.BytesIO()
    np.savez(out, **arrays)
    return out.getvalue()
