"""Fit the weights of `similar` as memory.

Pairs: our own (memory_pairs.py) and the even rows of songys/Question_pair (MIT; 0 = same); the odd rows and the
other sets of the data folder are only measured by bench/memory_kernels.py. Prints the lines for policy/remember.py.

    python bench/train/memory_likeness.py --data DIR
"""

from __future__ import annotations

import argparse
from fractions import Fraction
from pathlib import Path

import numpy as np
from memory_pairs import pairs

from clew.adapters.embeddings import use
from clew.kernel.remember.likeness import features, memory_veto
from clew.policy import default

# The cut: this precision on real questions, and at most this share of our near misses merged.
PRECISION, MERGED = 0.975, 0.08
OURS, QUESTIONS = 0.35, 1.0


def questions(data: Path) -> list[tuple[str, str, int]]:
    path = data / "korean_dedup_dev" / "question_pair-validation.0same_1different.txt"
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()[1:]]
    return [(r[0], r[1], int(r[2] == "0")) for r in rows[::2] if len(r) >= 3]


def fit(x: np.ndarray, y: np.ndarray, w: np.ndarray) -> np.ndarray:
    """Logistic regression by Newton steps with a little ridge; deterministic."""
    design = np.hstack([x, np.ones((len(x), 1))])
    beta = np.zeros(design.shape[1])
    ridge = np.eye(len(beta)) * 1.0
    ridge[-1, -1] = 0
    for _ in range(60):
        p = 1 / (1 + np.exp(-design @ beta))
        hessian = design.T @ (design * (w * p * (1 - p))[:, None]) + ridge
        beta = beta - np.linalg.solve(hessian, design.T @ (w * (p - y)) + ridge @ beta)
    return beta


def least(score: np.ndarray, y: np.ndarray, real: np.ndarray, free: np.ndarray) -> float:
    """The lowest score that keeps both promises, after the guards."""
    order = np.argsort(-score[real & free], kind="stable")
    good = np.cumsum(y[real & free][order])
    ok = np.flatnonzero(good / np.arange(1, len(good) + 1) >= PRECISION)
    questions = float(score[real & free][order][ok[-1]])
    misses = np.sort(np.where(free, score, -np.inf)[~real & (y == 0)])[::-1]
    ours = float(misses[int(MERGED * len(misses))])
    print(f"    # cut by questions {questions:.2f}, by near misses {ours:.2f}")
    return max(questions, ours + 0.01)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, default=Path(__file__).resolve().parents[3] / "shared" / "data")
    data = parser.parse_args().data
    policy = default()
    rows = [(*p, OURS) for p in pairs()] + [(*p, QUESTIONS) for p in questions(data)]
    texts = sorted({t for a, b, *_ in rows for t in (a, b)})
    vectors = dict(zip(texts, np.asarray(use.default().matrix(texts)), strict=True))
    lexical = np.array([[float(v) for v in features(a, b, policy)] for a, b, *_ in rows])
    cosine = np.array([[float(vectors[a] @ vectors[b])] for a, b, *_ in rows])
    y = np.array([r[2] for r in rows], dtype=float)
    w = np.array([r[3] for r in rows])
    free = np.array([memory_veto(a, b, policy) is None for a, b, *_ in rows])
    for name, x in (("words_only", lexical), ("with_vectors", np.hstack([lexical, cosine]))):
        beta = fit(x[free], y[free], w[free])
        score = x @ beta[:-1]
        cut = least(score, y, w == QUESTIONS, free)
        kept = free & (score >= cut)
        weights = ", ".join(f"Fraction({round(b * 100)}, 100)" for b in beta[:-1])
        print(f"    {name}: tuple[Fraction, ...] = ({weights})")
        print(f"    {name}_least: Fraction = {Fraction(round(cut * 100), 100)!r}")
        print(
            f"    # recall {y[kept].sum() / y.sum():.3f} precision {y[kept].mean():.3f} on {len(rows)} pairs"
        )


if __name__ == "__main__":
    main()
