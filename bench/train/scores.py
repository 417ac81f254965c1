"""Fitting the small scores of kernel/read/hashed.py: shared by need.py and drafts.py.

Two linear fits (with the vector, and from words alone) and a few units over the vector, quantised to signed bytes.
Every seed is fixed and one thread is used: the same sentences and library versions give the same bytes.
"""

from __future__ import annotations

import hashlib
import json
import warnings
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix, hstack
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.neural_network import MLPClassifier

from clew.adapters.embeddings.use import default as embedder
from clew.kernel.read.hashed import buckets

BUCKETS = 1 << 17
WORDS, VECTOR = 4.0, 3.0
WEIGHTS = Path(__file__).parents[2] / "src" / "clew" / "policy" / "weights"


def held_back(text: str) -> bool:
    """A tenth, chosen by hash, that no fit sees."""
    return int(hashlib.sha256(("split" + text).encode()).hexdigest()[:8], 16) % 10 == 0


def vectors(texts: list[str], cache: Path | None) -> np.ndarray:
    """`cache` only saves time between runs."""
    kept: dict[str, np.ndarray] = {}
    if cache and cache.exists():
        with np.load(cache, allow_pickle=True) as file:
            kept = dict(zip(file["texts"].tolist(), file["vectors"], strict=True))
    missing = sorted({t for t in texts if t not in kept}, key=len)
    for i in range(0, len(missing), 64):
        part = missing[i : i + 64]
        kept.update(zip(part, np.array(embedder().embed(part), dtype=np.float32), strict=True))
    if cache and missing:
        np.savez(cache, texts=np.array(list(kept), dtype=object), vectors=np.array(list(kept.values())))
    return np.array([kept[t] for t in texts], dtype=np.float32)


def hashed(rows: list[list[str]]) -> csr_matrix:
    found = [buckets(words, BUCKETS) for words in rows]
    counts = np.array([len(f) for f in found])
    places = np.concatenate([np.array(f, dtype=np.int64) for f in found])
    values = np.repeat(1 / np.sqrt(counts), counts).astype(np.float32)
    return csr_matrix((values, places, np.concatenate([[0], np.cumsum(counts)])), shape=(len(rows), BUCKETS))


def fit(
    name: str, words: csr_matrix, vector: np.ndarray, y: np.ndarray, weight: np.ndarray,
    *, strength: float = 4.0, units: int = 0, nets: int = 1, unit_share: float = 0.5, alone_share: float = 0.0,
    alone_gain: float = 1.0, sample: int = 20_000,
) -> dict[str, object]:  # fmt: skip
    """The table of one score; its bytes are written beside the other weights.

    alone_share: how much the words alone say beside words and vector together. Both are sums over the same words, so
    they are added here and cost nothing where the score is read. alone_gain: brings the words alone, where there is no
    vector, to the scale of the whole.
    """
    both = hstack([csr_matrix(vector * VECTOR), words * WORDS]).tocsr()
    full = _linear(both, y, weight, strength)
    alone = _linear((words * WORDS).tocsr(), y, weight, strength)
    bytes_of: list[bytes] = []
    said, words_scale = _quantised((full.coef_[0][512:] + alone_share * alone.coef_[0]) * WORDS)
    lone, alone_scale = _quantised(alone.coef_[0] * WORDS * alone_gain)
    felt, vector_scale = _quantised(full.coef_[0][:512] * VECTOR)
    bytes_of += [said, lone, felt]
    table: dict[str, object] = {
        "file": f"{name}.bin", "buckets": BUCKETS, "bias": _short(full.intercept_[0] + alone_share * alone.intercept_[0]), "words_scale": words_scale,
        "vector_scale": vector_scale, "alone_bias": _short(alone.intercept_[0] * alone_gain), "alone_scale": alone_scale,
    }  # fmt: skip
    if units:
        # Several nets, each from a draw of its own, say less by chance than one.
        made = [_units(vector, y, weight, units, sample, seed) for seed in range(nets)]
        rows, scale = _quantised(np.concatenate([(n.coefs_[0] * VECTOR).T.ravel() for n in made]))
        bytes_of.append(rows)
        share = unit_share / nets
        table |= {
            "unit_scale": scale,
            "unit_bias": [_short(b) for n in made for b in n.intercepts_[0]],
            "unit_weights": [_short(w * share) for n in made for w in n.coefs_[1][:, 0]],
            "unit_bias_out": _short(sum(n.intercepts_[1][0] for n in made) * share),
        }
    data = b"".join(bytes_of)
    WEIGHTS.mkdir(exist_ok=True)
    (WEIGHTS / f"{name}.bin").write_bytes(data)
    return {**table, "sha256": hashlib.sha256(data).hexdigest()}


def _linear(x: csr_matrix, y: np.ndarray, weight: np.ndarray, strength: float) -> LogisticRegression:
    model = LogisticRegression(C=strength, max_iter=200, solver="liblinear", tol=1e-3, random_state=0)
    return model.fit(x, y, sample_weight=weight)


def _units(
    vector: np.ndarray, y: np.ndarray, weight: np.ndarray, units: int, sample: int, seed: int
) -> MLPClassifier:
    """Weights become frequencies: the network takes none of its own."""
    rng = np.random.default_rng(seed)
    drawn = rng.choice(len(y), size=sample, p=weight / weight.sum())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        net = MLPClassifier((units,), alpha=3e-3, max_iter=14, random_state=seed, learning_rate_init=3e-3)
        return net.fit(vector[drawn] * VECTOR, y[drawn])


def _quantised(values: np.ndarray) -> tuple[bytes, float]:
    scale = float(np.abs(values).max()) / 127 or 1.0
    scale = _short(scale, 8)
    return np.clip(np.rint(values / scale), -127, 127).astype(np.int8).tobytes(), scale


def _short(value: float, places: int = 5) -> float:
    return round(float(value), places)


def write_tables(path: Path, head: str, tables: dict[str, dict[str, object]]) -> None:
    lines = [f"# {line}" for line in head.splitlines()]
    for name, table in tables.items():
        lines += ["", f"[{name}]", *(f"{key} = {json.dumps(value)}" for key, value in table.items())]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def by_mark(scores: np.ndarray, ordinary: np.ndarray, share: float) -> float:
    """The mark that so large a share of ordinary texts reaches."""
    return float(np.quantile(scores[ordinary], 1 - share))
