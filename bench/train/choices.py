"""Learning to choose one of several, or none: softmax over sums of hashed features, as small whole numbers."""

from __future__ import annotations

import numpy as np

BUCKETS = 1 << 16
# Per candidate its buckets, whether it is the right one, and the weight of the whole.
Example = tuple[list[np.ndarray], list[bool], float]


def fit(examples: list[Example], steps: int, rate: float, ridge: float, scale: float) -> np.ndarray:
    """Softmax over the candidates and none of them, with Adam over all examples at once."""
    examples = [e for e in examples if e[0]]
    flat = [b for buckets, _, _ in examples for b in buckets]
    used, at = np.unique(np.concatenate(flat), return_inverse=True)
    sizes = np.array([len(b) for b in flat])
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    counts = np.array([len(b) for b, _, _ in examples])
    firsts = np.concatenate([[0], np.cumsum(counts)[:-1]])
    owner = np.repeat(np.arange(len(examples)), counts)
    meant = np.array([m for _, marks, _ in examples for m in marks], dtype=np.float32)
    none = np.array([not any(marks) for _, marks, _ in examples], dtype=np.float32)
    weight = np.array([w for _, _, w in examples], dtype=np.float32)
    weight /= weight.sum()
    order = np.argsort(at, kind="stable")
    of = np.repeat(np.arange(len(flat)), sizes)[order]
    begins = np.searchsorted(at[order], np.arange(len(used)))
    w = np.zeros(len(used), dtype=np.float32)
    m, v = np.zeros_like(w), np.zeros_like(w)
    for step in range(1, steps + 1):
        z = np.add.reduceat(w[at], starts)
        top = np.maximum(np.maximum.reduceat(z, firsts), 0)
        e, e0 = np.exp(z - top[owner]), np.exp(-top)
        total = np.add.reduceat(e, firsts) + e0
        p = e / total[owner]
        right = np.add.reduceat(e * meant, firsts) + e0 * none
        q = e * meant / np.maximum(right, 1e-9)[owner]
        grad = np.add.reduceat(((p - q) * weight[owner])[of], begins) + ridge * w / 10
        m, v = 0.9 * m + 0.1 * grad, 0.999 * v + 0.001 * grad**2
        w -= rate * (step**-0.3) * (m / (1 - 0.9**step)) / (np.sqrt(v / (1 - 0.999**step)) + 1e-8)
    out = np.zeros(BUCKETS, dtype=np.float32)
    out[used] = w
    return np.clip(np.round(out * scale), -127, 127).astype(np.int8)
