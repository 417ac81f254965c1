"""The reader of asks (kernel/read/asks.py): one logistic regression for each attribute, over vector and words.

Called by reader.py. What a message asks for is in asks*.jsonl; statements and ordinary talk ask nothing.
"""

from __future__ import annotations

import io

import numpy as np
from scipy.sparse import csr_matrix, hstack
from sklearn.linear_model import LogisticRegression

from clew.adapters.embeddings.use import default as embedder
from clew.kernel.read.asks import BUCKETS, pieces

VECTOR, STRENGTH = 3.0, 6.0
# These may well need a memory though their sentences were not marked for it.
UNSURE = ("question", "request", "meta")


def features(texts: list[str], vectors: np.ndarray) -> csr_matrix:
    rows = [pieces(text) for text in texts]
    counts = np.array([len(r) for r in rows])
    words = csr_matrix(
        (np.repeat((1 / np.sqrt(np.maximum(counts, 1))).astype(np.float32), counts),
         np.concatenate([np.array(r, dtype=np.int64) for r in rows]), np.concatenate([[0], np.cumsum(counts)])),
        shape=(len(rows), BUCKETS),
    )  # fmt: skip
    return hstack([csr_matrix(vectors * VECTOR), words * 4.0]).tocsr()


def fit(asks: list[dict], talk: list[dict]) -> bytes:
    """`talk`: messages of the statement reader's sentences, which ask for nothing."""
    talk = [row for row in talk if row["why"] not in UNSURE]
    texts = [row["text"] for row in asks] + [row["text"] for row in talk]
    x = features(texts, embedder().matrix(texts))
    names = ["", *sorted({a["attribute"] for row in asks for a in row["asks"]})]
    told = [{a["attribute"] for a in row["asks"]} for row in asks] + [set()] * len(talk)
    asked = np.array([bool(t) for t in told])
    weight = np.array([1.0] * len(asks) + [0.4] * len(talk))
    columns, bias = [], []
    for name in names:
        if not name:
            y, use, strength = asked, np.ones(len(texts), bool), STRENGTH
        else:
            # Which attribute is asked for is learned where something is asked.
            y, use, strength = np.array([name in t for t in told]), asked, STRENGTH * 2
        model = LogisticRegression(C=strength, max_iter=400, solver="liblinear", random_state=0)
        model.fit(x[np.where(use)[0]], y[use], sample_weight=weight[use])
        columns.append(model.coef_[0])
        bias.append(model.intercept_[0])
    w = np.stack(columns, axis=1)
    arrays = {"names": np.array(names), "bias": np.array(bias, np.float32)}
    for key, part, gain in (("vector", w[:512], VECTOR), ("words", w[512:], 4.0)):
        scale = np.maximum(np.abs(part).max(axis=0), 1e-6) / 127
        arrays[key] = np.clip(np.rint(part / scale), -127, 127).astype(np.int8)
        arrays[key + "_s"] = (scale * gain).astype(np.float32)
    out = io.BytesIO()
    np.savez(out, **arrays)
    return out.getvalue()
