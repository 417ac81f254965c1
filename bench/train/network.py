"""The small network of the statement reader, forwards and backwards (kernel/statements/tagger.py runs it).

Tokens of a batch stand one after another; a window never reaches into the next message. No layer norms, only sums,
products and cuts at zero, so that the reader can run it on whole numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix

DILATIONS = (1, 2, 4)
EMBEDDING, SENTENCE = 1.4, 16.0
Arrays = dict[str, np.ndarray]


@dataclass
class Batch:
    ids: np.ndarray
    starts: np.ndarray
    lens: np.ndarray
    signs: np.ndarray
    bag: csr_matrix
    vectors: np.ndarray
    told: np.ndarray
    bio: np.ndarray
    spans: np.ndarray


def begin(rng: np.random.Generator, sizes: dict[str, int]) -> Arrays:
    d, g, signs = sizes["width"], sizes["gram"], sizes["signs"]

    def dense(rows: int, cols: int, gain: float = 1.0) -> np.ndarray:
        return (rng.standard_normal((rows, cols)) * gain / np.sqrt(rows)).astype(np.float32)

    p: Arrays = {
        "in": dense(512, d), "sign": dense(signs, d), "sent": dense(512, d), "gram": dense(g, d), "in_b": np.zeros(d),
        "bag": (rng.standard_normal((sizes["buckets"], g)) * 0.5).astype(np.float32),
        "bio": dense(d, 3), "bio_b": np.zeros(3), "told": dense(2 * d + 512, 1), "told_b": np.zeros(1),
        "span": dense(3 * d + 512, d, 1.4), "span_b": np.zeros(d),
    }  # fmt: skip
    for n in range(len(DILATIONS)):
        p[f"conv{n}"], p[f"conv{n}_b"] = dense(3 * d, d, 1.2), np.zeros(d)
    for head in ("attribute", "kind", "status", "stance"):
        p[head], p[head + "_b"] = dense(d, sizes[head]), np.zeros(sizes[head])
    return {k: v.astype(np.float32) for k, v in p.items()}


def windows(starts: np.ndarray, lens: np.ndarray, dilation: int) -> tuple[np.ndarray, np.ndarray]:
    """Indices of the token `dilation` before and after each; the row past the end stands for none."""
    n = int(lens.sum())
    at = np.arange(n)
    first = np.repeat(starts, lens)
    last = first + np.repeat(lens, lens)
    before, after = at - dilation, at + dilation
    return np.where(before >= first, before, n), np.where(after < last, after, n)


def _drop(rng: np.random.Generator | None, shape: tuple[int, ...], rate: float) -> np.ndarray | float:
    if rng is None or not rate:
        return 1.0
    return (rng.random(shape, dtype=np.float32) >= rate).astype(np.float32) / np.float32(1 - rate)


def softmax(x: np.ndarray) -> np.ndarray:
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def forward(p: Arrays, table: np.ndarray, b: Batch, rng: np.random.Generator | None = None, rate: float = 0.0) -> Any:
    """Everything that is needed to go back again; `out` has the heads' sums."""
    c: dict[str, Any] = {}
    unique, c["where"] = np.unique(b.ids, return_inverse=True)
    c["rows"] = table[unique] * np.float32(EMBEDDING)
    c["vec"] = b.vectors * np.float32(SENTENCE)
    owner = np.repeat(np.arange(len(b.lens)), b.lens)
    c["owner"] = owner
    c["word"] = b.bag @ p["bag"]
    c["word_drop"] = _drop(rng, c["word"].shape, rate)
    x = (c["rows"] @ p["in"])[c["where"]] + b.signs @ p["sign"] + (c["vec"] @ p["sent"])[owner]
    x += (c["word"] * c["word_drop"]) @ p["gram"] + p["in_b"]
    x = np.maximum(x, 0)
    c["x0"] = x
    n = len(x)
    c["layers"] = []
    for layer, dilation in enumerate(DILATIONS):
        drop = _drop(rng, x.shape, rate)
        padded = np.zeros((n + 1, x.shape[1]), np.float32)
        padded[:n] = x * drop
        before, after = windows(b.starts, b.lens, dilation)
        seen = np.concatenate([padded[before], padded[:n], padded[after]], axis=1)
        y = np.maximum(seen @ p[f"conv{layer}"] + p[f"conv{layer}_b"], 0)
        c["layers"].append((seen, y, drop, before, after))
        x = x + y
    c["drop"] = _drop(rng, x.shape, rate)
    h = x * c["drop"]
    c["h"] = h
    out = {"bio": h @ p["bio"] + p["bio_b"]}
    top = np.maximum.reduceat(h, b.starts, axis=0)
    mean = np.add.reduceat(h, b.starts, axis=0) / b.lens[:, None].astype(np.float32)
    c["top"], c["pooled"] = top, np.concatenate([top, mean, c["vec"]], axis=1)
    out["told"] = (c["pooled"] @ p["told"] + p["told_b"])[:, 0]
    if len(b.spans):
        spans(p, b, c, out)
    c["out"] = out
    return c


def spans(p: Arrays, b: Batch, c: Any, out: dict[str, np.ndarray]) -> None:
    """Spans are rows of message, first token, past the last token (both within the batch)."""
    h = c["h"]
    total = np.concatenate([np.zeros((1, h.shape[1]), np.float64), np.cumsum(h, axis=0, dtype=np.float64)])
    m, s, e = b.spans[:, 0], b.spans[:, 1], b.spans[:, 2]
    inside = ((total[e] - total[s]) / (e - s)[:, None]).astype(np.float32)
    before = np.maximum(s - 1, b.starts[m])
    c["before"] = before
    c["span_in"] = np.concatenate([inside, c["top"][m], h[before], c["vec"][m]], axis=1)
    c["span"] = np.maximum(c["span_in"] @ p["span"] + p["span_b"], 0)
    for head in ("attribute", "kind", "status", "stance"):
        out[head] = c["span"] @ p[head] + p[head + "_b"]


WEIGHTS = {"attribute": 1.0, "kind": 0.5, "status": 0.5, "stance": 0.3}


def backward(p: Arrays, b: Batch, c: Any) -> tuple[Arrays, tuple[np.ndarray, np.ndarray], float]:
    """Gradients of all but the bag, the bag's by touched row, and the loss."""
    out, h, g = c["out"], c["h"], {}
    d = h.shape[1]
    loss = 0.0
    # Values by token.
    q = softmax(out["bio"])
    at = np.arange(len(q))
    loss += -3 * np.log(q[at, b.bio] + 1e-9).mean()
    q[at, b.bio] -= 1
    q *= 3 / len(q)
    g["bio"], g["bio_b"] = h.T @ q, q.sum(0)
    dh = q @ p["bio"].T
    # Told or not.
    t = 1 / (1 + np.exp(-out["told"]))
    loss += -np.log(np.where(b.told > 0, t, 1 - t) + 1e-9).mean()
    dt = ((t - b.told) / len(t)).astype(np.float32)[:, None]
    g["told"], g["told_b"] = c["pooled"].T @ dt, dt.sum(0)
    dp = dt @ p["told"].T
    dtop, dmean = dp[:, :d].copy(), dp[:, d : 2 * d]
    # Spans.
    if len(b.spans):
        m, s, e = b.spans[:, 0], b.spans[:, 1], b.spans[:, 2]
        dspan = np.zeros_like(c["span"])
        for n, (head, weight) in enumerate(WEIGHTS.items()):
            q = softmax(out[head])
            gold = b.spans[:, 3 + n]
            at = np.arange(len(q))
            loss += -weight * np.log(q[at, gold] + 1e-9).mean()
            q[at, gold] -= 1
            q *= weight / len(q)
            g[head], g[head + "_b"] = c["span"].T @ q, q.sum(0)
            dspan += q @ p[head].T
        dspan *= c["span"] > 0
        g["span"], g["span_b"] = c["span_in"].T @ dspan, dspan.sum(0)
        di = dspan @ p["span"].T
        inside = di[:, :d] / (e - s)[:, None]
        for k in range(len(s)):
            dh[s[k] : e[k]] += inside[k]
            dtop[m[k]] += di[k, d : 2 * d]
            dh[c["before"][k]] += di[k, 2 * d : 3 * d]
    dh += (dmean / b.lens[:, None].astype(np.float32))[c["owner"]]
    best = h == c["top"][c["owner"]]
    share = np.add.reduceat(best.astype(np.float32), b.starts, axis=0)
    dh += best * (dtop / share)[c["owner"]]
    dx = dh * c["drop"]
    n = len(dx)
    for layer in reversed(range(len(DILATIONS))):
        seen, y, drop, before, after = c["layers"][layer]
        dy = dx * (y > 0)
        g[f"conv{layer}"], g[f"conv{layer}_b"] = seen.T @ dy, dy.sum(0)
        ds = dy @ p[f"conv{layer}"].T
        back = np.zeros((n + 1, d), np.float32)
        back[:n] = ds[:, d : 2 * d]
        back[before] += np.where((before < n)[:, None], ds[:, :d], 0)
        back[after] += np.where((after < n)[:, None], ds[:, 2 * d :], 0)
        dx = dx + back[:n] * drop
    dx = dx * (c["x0"] > 0)
    g["in_b"] = dx.sum(0)
    per_row = csr_matrix((np.ones(n, np.float32), (c["where"], np.arange(n))), shape=(len(c["rows"]), n)) @ dx
    g["in"] = c["rows"].T @ per_row
    g["sign"] = b.signs.T @ dx
    g["sent"] = c["vec"].T @ np.add.reduceat(dx, b.starts, axis=0)
    g["gram"] = (c["word"] * c["word_drop"]).T @ dx
    dword = (dx @ p["gram"].T) * c["word_drop"]
    touched, columns = np.unique(b.bag.indices, return_inverse=True)
    small = csr_matrix((b.bag.data, columns, b.bag.indptr), shape=(b.bag.shape[0], len(touched)))
    return g, (touched, small.T @ dword), float(loss)


class Adam:
    """Adam with decay of the dense matrices; the bag's rows are stepped only where touched."""

    def __init__(self, p: Arrays, rate: float, decay: float) -> None:
        self.p, self.rate, self.decay, self.step = p, rate, decay, 0
        self.m = {k: np.zeros_like(v) for k, v in p.items()}
        self.v = {k: np.zeros_like(v) for k, v in p.items()}

    def __call__(self, g: Arrays, bag: tuple[np.ndarray, np.ndarray], share: float) -> None:
        self.step += 1
        norm = np.sqrt(sum(float((x * x).sum()) for x in g.values()) + float((bag[1] ** 2).sum()))
        cut = min(1.0, 2.0 / (norm + 1e-9))
        rate = self.rate * share * np.sqrt(1 - 0.999**self.step) / (1 - 0.9**self.step)
        for k, x in g.items():
            x = x * np.float32(cut)
            self.m[k] = 0.9 * self.m[k] + 0.1 * x
            self.v[k] = 0.999 * self.v[k] + 0.001 * x * x
            if self.p[k].ndim > 1:
                self.p[k] *= 1 - self.rate * share * self.decay
            self.p[k] -= (rate * self.m[k] / (np.sqrt(self.v[k]) + 1e-8)).astype(np.float32)
        rows, x = bag[0], bag[1] * np.float32(cut)
        m, v = self.m["bag"], self.v["bag"]
        m[rows] = 0.9 * m[rows] + 0.1 * x
        v[rows] = 0.999 * v[rows] + 0.001 * x * x
        self.p["bag"][rows] -= (rate * m[rows] / (np.sqrt(v[rows]) + 1e-8)).astype(np.float32)
