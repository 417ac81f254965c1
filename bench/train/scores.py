"""Fitting the small scores of kernel/read/hashed.py: shared by need.py and drafts.py.

One fit of words, vector and units over the vector together, one of the words alone, quantised to signed bytes.
Every seed is fixed and one thread is used: the same sentences and library versions give the same bytes.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

from clew.adapters.embeddings.use import default as embedder
from clew.kernel.read.gist import gist
from clew.kernel.read.hashed import buckets

BUCKETS = 1 << 17
# How loud words and vector are beside one another; how the joint fit walks.
WORDS, LOUD = 4.0, 12.0
EPOCHS, DRAW, RATE, FAST, DECAY, SMALL_WORDS = 12, 512, 3e-3, 5, 1e-2, 6e-7
DROP_WORDS, DROP_VECTOR, DROP_UNITS = 0.1, 0.1, 0.4
# How often a text is read without its gist, as where no tokens are at hand; the encoder's own vector comes first.
DROP_GIST, WIDTH = 0.15, 512
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


def gists(texts: list[str]) -> np.ndarray:
    found = np.zeros((len(texts), WIDTH), dtype=np.float32)
    for row, text in zip(found, texts, strict=True):
        if (made := gist(embedder().tokens(text))) is not None:
            row[:] = made
    return found


def hashed(rows: list[list[str]]) -> csr_matrix:
    found = [buckets(words, BUCKETS) for words in rows]
    counts = np.array([len(f) for f in found])
    places = np.concatenate([np.array(f, dtype=np.int64) for f in found])
    values = np.repeat(1 / np.sqrt(counts), counts).astype(np.float32)
    return csr_matrix((values, places, np.concatenate([[0], np.cumsum(counts)])), shape=(len(rows), BUCKETS))


@dataclass(frozen=True)
class Joint:
    """What one fit found for several scores: for each a column of words, of the vector and of the units' weights."""

    words: np.ndarray
    vector: np.ndarray
    units: np.ndarray
    unit_bias: np.ndarray
    unit_weights: np.ndarray
    bias: np.ndarray


def fit(
    names: list[str], words: csr_matrix, vector: np.ndarray, y: np.ndarray, weight: np.ndarray, *, units: int
) -> list[dict[str, object]]:
    """The tables of several scores, fitted together; the bytes of each are written beside the other weights.

    y: a column for each score, -1 where a text teaches nothing about it. The scores share their units: what tells pain
    from small talk helps to tell danger, too. What the words say alone, for readings without a vector, is fitted apart
    and brought to the scale of the whole.
    """
    found = _joint(words, vector, y, weight, units)
    rows, unit_scale = _quantised(found.units.ravel())
    whole = words @ found.words + vector @ found.vector + found.bias
    whole += np.maximum(vector @ found.units.T + found.unit_bias, 0) @ found.unit_weights
    out = []
    for k, name in enumerate(names):
        use = np.where(y[:, k] >= 0)[0]
        alone = _linear((words[use] * WORDS).tocsr(), y[use, k], weight[use], 1.0)
        coefficients = alone.coef_[0] * WORDS
        gain = float(whole[use, k].std() / (words[use] @ coefficients).std())
        said, words_scale = _quantised(found.words[:, k])
        lone, alone_scale = _quantised(coefficients * gain)
        felt, vector_scale = _quantised(found.vector[:, k])
        data = said + lone + felt + rows
        WEIGHTS.mkdir(exist_ok=True)
        (WEIGHTS / f"{name}.bin").write_bytes(data)
        out.append({
            "file": f"{name}.bin", "buckets": BUCKETS, "vector_size": vector.shape[1], "bias": _short(found.bias[k]), "words_scale": words_scale,
            "vector_scale": vector_scale, "alone_bias": _short(alone.intercept_[0] * gain), "alone_scale": alone_scale,
            "unit_scale": unit_scale, "unit_bias": [_short(b) for b in found.unit_bias],
            "unit_weights": [_short(w) for w in found.unit_weights[:, k]], "unit_bias_out": 0.0,
            "sha256": hashlib.sha256(data).hexdigest(),
        })  # fmt: skip
    return out


def _joint(words: csr_matrix, vector: np.ndarray, y: np.ndarray, weight: np.ndarray, units: int) -> Joint:
    """Words, vector and units over the vector in one model, by steps over small draws of the texts (Adam)."""
    rng = np.random.default_rng(0)
    z = vector * LOUD
    count, width = len(y), y.shape[1]
    seen = (y >= 0) * weight[:, None]
    p = {
        "words": np.zeros((BUCKETS, width), np.float32),
        "vector": np.zeros((z.shape[1], width), np.float32),
        "units": rng.uniform(-1, 1, (z.shape[1], units)).astype(np.float32) / np.sqrt(z.shape[1]),
        "unit_bias": np.zeros(units, np.float32),
        "out": rng.uniform(-1, 1, (units, width)).astype(np.float32) / np.sqrt(units),
        "bias": np.zeros(width, np.float32),
    }
    first, second = ({k: np.zeros_like(v) for k, v in p.items()} for _ in range(2))
    steps, step = EPOCHS * -(-count // DRAW), 0
    for _ in range(EPOCHS):
        order = rng.permutation(count)
        for at in range(0, count, DRAW):
            pick = order[at : at + DRAW]
            rate = RATE * 0.5 * (1 + np.cos(np.pi * step / steps))
            step += 1
            said = words[pick].astype(np.float32)
            said.data = _dropped(rng, said.data, DROP_WORDS)
            felt = _dropped(rng, z[pick], DROP_VECTOR)
            felt[:, WIDTH:] *= rng.random((len(pick), 1), dtype=np.float32) >= DROP_GIST
            up = np.maximum(felt @ p["units"] + p["unit_bias"], 0)
            kept = _dropped(rng, np.ones_like(up), DROP_UNITS)
            odds = WORDS * (said @ p["words"]) + felt @ p["vector"] + (up * kept) @ p["out"] + p["bias"]
            off = (seen[pick] * (1 / (1 + np.exp(-odds)) - (y[pick] > 0)) / len(pick)).astype(np.float32)
            back = (off @ p["out"].T) * kept * (up > 0)
            slope = {
                "words": WORDS * (said.T @ off) + SMALL_WORDS * p["words"],
                "vector": felt.T @ off,
                "units": felt.T @ back,
                "unit_bias": back.sum(axis=0),
                "out": (up * kept).T @ off,
                "bias": off.sum(axis=0),
            }
            for k, g in slope.items():
                first[k] += (1 - 0.9) * (g - first[k])
                second[k] += (1 - 0.999) * (g * g - second[k])
                reach = np.sqrt(second[k] / (1 - 0.999**step)) + 1e-8
                speed = rate * (FAST if k == "words" else 1)
                if k != "words":
                    p[k] *= 1 - speed * DECAY
                p[k] -= speed * (first[k] / (1 - 0.9**step)) / reach
    return Joint(
        p["words"] * WORDS, p["vector"] * LOUD, (p["units"] * LOUD).T, p["unit_bias"], p["out"], p["bias"]
    )


def _dropped(rng: np.random.Generator, values: np.ndarray, share: float) -> np.ndarray:
    return values * (rng.random(values.shape, dtype=np.float32) >= share) / np.float32(1 - share)


def _linear(x: csr_matrix, y: np.ndarray, weight: np.ndarray, strength: float) -> LogisticRegression:
    model = LogisticRegression(C=strength, max_iter=200, solver="liblinear", tol=1e-3, random_state=0)
    return model.fit(x, y, sample_weight=weight)


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
