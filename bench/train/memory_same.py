"""Fit the head that says whether two statements tell the same (`similar` as memory, with vectors).

Pairs: DATA/reader_dev/pairs.jsonl (two statements of one person: same, opposite, update, other), and the dev halves of
tests/vectors/memory_pairs*.json: in the first nearly all that is worded alike is an opposite, in the second much of it
is the same. The first are split by their first statement, because some recur: a tenth by hash is held out and only
reported, as are the other halves of the second. Beside them stand the pairs of bench/train/data/reader/changes_*.jsonl,
by other hands: what is held and a later message that replaces, ends, repeats or only resembles it. A head that has seen
one hand merges a quarter of what another one changed. Writes policy/data/remember.same.toml.

    python bench/train/memory_same.py --data DIR [--write]
"""

from __future__ import annotations

import argparse
import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np

from clew.adapters.embeddings import use
from clew.kernel.compare.likeness import features, memory_veto
from clew.kernel.compare.same_statement import plain_features
from clew.policy import default

POLICY = default()
FILE = Path(__file__).resolve().parents[2] / "src" / "clew" / "policy" / "data" / "remember.same.toml"
# At most this share of opposites may be merged, in each language, by pairs not fitted on.
OPPOSITES = 0.025
LOSS = {"same": 2.5, "opposite": 2.0, "update": 1.0, "other": 1.0, "ours same": 3.0, "ours other": 2.0}
LABELS = ("same", "opposite", "update", "other")
SHRINK, STEPS, PACE, SCALE = 0.05, 150, 0.5, 0.3
Rows = list[dict[str, Any]]


def ours() -> tuple[Rows, Rows]:
    """Pairs of our own: those to fit on, and those only reported."""
    folder = Path(__file__).resolve().parents[2] / "tests" / "vectors"
    rows = [r for f in sorted(folder.glob("memory_pairs*.json")) for r in json.loads(f.read_text("utf-8"))]
    told = [{**r, "label": "ours same" if r["same"] else "ours other", "lang": ""} for r in rows]
    return [r for r in told if r["split"] == "dev"], [r for r in told if r["split"] != "dev"]


# What becomes of what is held, as a label of the pair.
_BECOMES = {
    "replaces": "update", "ends": "update", "coexists": "other", "other": "other", "none": "other",
    "same": "same", "denies": "opposite",
}  # fmt: skip


def changes() -> Rows:
    """Pairs by other hands: what is held, and a message about it."""
    folder = Path(__file__).resolve().parent / "data" / "reader"
    lines = [x for f in sorted(folder.glob("changes_*.jsonl")) for x in f.read_text("utf-8").splitlines()]
    read = [json.loads(line) for line in lines]
    return [{"a": r["held"], "b": r["message"], "lang": r["lang"], "label": _BECOMES[r["label"]]} for r in read]


def part(row: dict[str, Any]) -> int:
    return int(hashlib.sha256(row["a"].encode()).hexdigest(), 16) % 10


def design(rows: Rows) -> Any:
    texts = sorted({r[side] for r in rows for side in "ab"})
    found = dict(zip(texts, use.default().matrix(texts), strict=True))
    a = np.array([found[r["a"]] for r in rows], dtype=float)
    b = np.array([found[r["b"]] for r in rows], dtype=float)
    a /= np.linalg.norm(a, axis=1, keepdims=True)
    b /= np.linalg.norm(b, axis=1, keepdims=True)
    near = (a * b).sum(1)
    plain = np.array(
        [
            plain_features(r["a"], r["b"], n, features(r["a"], r["b"], POLICY), POLICY)
            for r, n in zip(rows, near, strict=True)
        ]
    )
    return np.hstack([plain, np.abs(a - b), a * b]), plain.shape[1], a.shape[1]


def fit(x: Any, rows: Rows) -> tuple[Any, float]:
    """Logistic regression on scaled features by plain descent: the same numbers on every run."""
    y = np.array([r["label"].endswith("same") for r in rows], dtype=float)
    weight = np.array([LOSS[r["label"]] for r in rows])
    mean, spread = x.mean(0), x.std(0) + 1e-6
    z = (x - mean) / spread * SCALE
    w, bias, speed, push = np.zeros(z.shape[1]), 0.0, np.zeros(z.shape[1]), 0.0
    for _ in range(STEPS):
        error = (1 / (1 + np.exp(-(z @ w + bias))) - y) * weight
        speed = 0.9 * speed - PACE * (z.T @ error / len(y) + SHRINK * w)
        push = 0.9 * push - PACE * error.mean()
        w, bias = w + speed, bias + push
    true = w * SCALE / spread
    return true, float(bias - true @ mean)


def cut(scores: Any, rows: Rows, free: Any, language: str) -> float:
    mine = np.array([r["lang"] == language and r["label"] == "opposite" for r in rows])
    opposite = np.sort(np.where(free, scores, -np.inf)[mine])[::-1]
    return float(opposite[int(OPPOSITES * len(opposite))]) + 1e-6


def report(name: str, merged: Any, rows: Rows) -> None:
    for language in ("en", "ko"):
        shares = {}
        for label in LABELS:
            mine = np.array([r["lang"] == language and r["label"] == label for r in rows])
            shares[label] = f"{merged[mine].mean():.3f} of {mine.sum()}"
        print(f"# {name} {language}: merged {shares}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    path = options.data / "reader_dev" / "pairs.jsonl"
    rows: Rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    rows += changes()
    beside, after = ours()
    x, plain, size = design(rows + beside + after)
    x, more, last = np.split(x, (len(rows), len(rows) + len(beside)))
    free = np.array([memory_veto(r["a"], r["b"], POLICY) is None for r in rows])
    parts = np.array([part(r) for r in rows])
    seen = parts != 0
    mine = [r for r, s in zip(rows, seen, strict=True) if s]
    scores = np.zeros(len(mine))
    for fold in range(1, 10):  # each score by a head that did not see the statement
        test = parts[seen] == fold
        shown = [r for r, t in zip(mine, test, strict=True) if not t]
        w, bias = fit(np.vstack([x[seen][~test], more]), shown + beside)
        scores[test] = x[seen][test] @ w + bias
    least = {language: cut(scores, mine, free[seen], language) for language in ("en", "ko")}
    limits = np.array([least[r["lang"]] for r in rows])
    report("across folds", free[seen] & (scores >= limits[seen]), mine)
    w, bias = fit(np.vstack([x[seen], more]), mine + beside)
    held = [r for r, s in zip(rows, seen, strict=True) if not s]
    report("held out", free[~seen] & (x[~seen] @ w + bias >= limits[~seen]), held)

    ahead = last @ w + bias
    for label in ("ours same", "ours other"):
        told = np.array([r["label"] == label for r in after])
        shares = [float((ahead[told] >= cut_).mean()) for cut_ in (min(least.values()), -0.5, -1.0)]
        print(f"# {label}, not fitted on: above the lower cut, above -0.5, above -1: {shares}")

    def line(name: str, values: Any) -> str:
        return f"{name} = [{', '.join(f'{v:.4f}' for v in values)}]"

    text = "\n".join(
        (
            "# Do two statements tell the same? Fitted by bench/train/memory_same.py on pairs written for it.",
            f"bias = {bias:.4f}",
            f"least = {least['en']:.4f}",
            f"least_in = {{ ko = {least['ko']:.4f} }}",
            line("plain", w[:plain]),
            line("apart", w[plain : plain + size]),
            line("together", w[plain + size :]),
            "",
        )
    )
    if options.write:
        FILE.write_text(text, encoding="utf-8")
    else:
        print(text)


if __name__ == "__main__":
    main()
