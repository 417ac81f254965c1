"""Fit the weights of `similar` as memory.

Pairs: our own (memory_pairs.py and the dev halves of tests/vectors/memory_pairs*.json), the even rows of
songys/Question_pair (MIT; 0 = same), and weak pairs of songys/Chatbot_data (MIT): neighbouring questions with one
answer, against questions that only begin alike. No sentence of the odd rows is used. Prints the lines for
policy/remember.py; with --common the file policy/data/remember.common.toml: how little a frequent word tells, counted
in Chatbot_data and PersonaMem (MIT).

    python bench/train/memory_likeness.py --data DIR [--common]
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path

import numpy as np
from memory_pairs import pairs

from clew.adapters.embeddings import use
from clew.kernel.compare.likeness import features, memory_veto, shares_enough, tells_of_others
from clew.kernel.read.comparable import saying
from clew.policy import default

POLICY = default()
# The cut: this precision on the real questions.
PRECISION = 0.975
# At most this share is merged of real sentences that only begin alike, and of our near misses about somebody.
ALIKE, MERGED = {"words_only": 0.018, "with_vectors": 0.025}, 0.02
WEIGHTS = {"questions": 1.0, "written": 0.5, "made": 0.1, "weak": 0.3}
# A word of every twelve-hundredth sentence counts in full; none counts less than the floor. PersonaMem speaks of few
# topics at length, so only its most frequent words are listed.
RARE, FLOOR, LISTED_KO, LISTED_EN = 1 / 1200, 0.15, 0.95, 0.60
Pair = tuple[str, str, int]
HEADER = (
    "# How much of its weight a frequent word keeps, in hundredths (bench/train/memory_likeness.py --common)."
)


def all_questions(data: Path) -> list[Pair]:
    path = data / "korean_dedup_dev" / "question_pair-validation.0same_1different.txt"
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()[1:]]
    return [(r[0], r[1], int(r[2] == "0")) for r in rows if len(r) >= 3]


def written() -> list[Pair]:
    folder = Path(__file__).resolve().parents[2] / "tests" / "vectors"
    rows = [r for f in sorted(folder.glob("memory_pairs*.json")) for r in json.loads(f.read_text("utf-8"))]
    return [(r["a"], r["b"], int(r["same"])) for r in rows if r["split"] == "dev"]


def chatbot(data: Path) -> list[tuple[str, str]]:
    with (data / "korean_chatbot" / "ChatbotData.csv").open(encoding="utf-8") as file:
        return [(r[0], r[1].strip()) for r in list(csv.reader(file))[1:]]


def weak(data: Path, barred: set[str]) -> list[Pair]:
    rows = chatbot(data)
    by: dict[str, list[int]] = defaultdict(list)
    for i, (_, answer) in enumerate(rows):
        by[answer].append(i)
    out = [
        (rows[j][0], rows[i][0], 1)
        for group in by.values()
        if len(group) <= 4
        for n, i in enumerate(group)
        for j in group[:n]
        if i - j <= 3
    ]
    order = sorted(range(len(rows)), key=lambda i: rows[i][0])
    alike = [(order[k], order[k + 3]) for k in range(0, len(order) - 3, 6)]
    alike += [(k, k + 6) for k in range(0, len(rows) - 6, 10)]
    out += [(rows[i][0], rows[j][0], 0) for i, j in alike if rows[i][1] != rows[j][1] and abs(i - j) > 5]
    return [p for p in out if p[0] != p[1] and not {p[0], p[1]} & barred]


def common(data: Path) -> None:
    with gzip.open(data / "personamem_dev" / "events.jsonl.gz", "rt", encoding="utf-8") as file:
        told = [json.loads(line).get("Conversation") or "" for line in file]
    english = [
        s
        for text in told
        for line in text.split("\n")
        if line.startswith("User:")
        for s in re.split(r"(?<=[.!?])\s+", line[5:].strip())
    ]
    print(HEADER)
    korean = [t for row in chatbot(data) for t in row]
    for sentences, listed in ((korean, LISTED_KO), (english, LISTED_EN)):
        seen: Counter[str] = Counter()
        for text in sentences:
            seen.update({w.bare for w in saying(text, POLICY).words})
        for word, count in sorted(seen.items()):
            kept = max(FLOOR, math.log(len(sentences) / count) / math.log(1 / RARE))
            if kept <= listed:
                print(f"{json.dumps(word, ensure_ascii=False)} = {round(100 * kept)}")


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


def least(score: np.ndarray, y: np.ndarray) -> float:
    """The lowest score from which on the precision is kept."""
    order = np.argsort(-score, kind="stable")
    good = np.cumsum(y[order])
    ok = np.flatnonzero(good / np.arange(1, len(good) + 1) >= PRECISION)
    return float(score[order][ok[-1]])


def highest(score: np.ndarray, share: float) -> float:
    """The score that only this share exceeds."""
    return float(np.sort(score)[::-1][int(share * len(score))])


def columns(rows: Iterable[Pair]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rows = list(rows)
    texts = sorted({t for a, b, _ in rows for t in (a, b)})
    vectors = dict(zip(texts, np.asarray(use.default().matrix(texts)), strict=True))
    near = [float(vectors[a] @ vectors[b]) for a, b, _ in rows]
    values = [features(a, b, POLICY) for a, b, _ in rows]
    x = np.array([[*map(float, v), c] for v, c in zip(values, near, strict=True)])
    free = np.array(
        [
            memory_veto(a, b, POLICY, Fraction(c)) is None and shares_enough(a, b, v, POLICY)
            for (a, b, _), v, c in zip(rows, values, near, strict=True)
        ]
    )
    others = np.array([tells_of_others(saying(a, POLICY), saying(b, POLICY)) for a, b, _ in rows])
    return x, free, others


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, default=Path(__file__).resolve().parents[3] / "shared" / "data")
    parser.add_argument("--common", action="store_true")
    args = parser.parse_args()
    if args.common:
        common(args.data)
        return
    asked = all_questions(args.data)
    odd = {t for a, b, _ in asked[1::2] for t in (a, b)}
    sets = {"questions": asked[::2], "written": written(), "made": pairs(), "weak": weak(args.data, odd)}
    rows = [p for part in sets.values() for p in part]
    kind = np.array([name for name, part in sets.items() for _ in part])
    x, free, others = columns(rows)
    y = np.array([r[2] for r in rows], dtype=float)
    w = np.array([WEIGHTS[k] for k in kind])
    for name, part in (("words_only", x[:, :-1]), ("with_vectors", x)):
        beta = fit(part[free], y[free], w[free])
        score = part @ beta[:-1]
        cut = least(score[free & (kind == "questions")], y[free & (kind == "questions")])
        cut = max(cut, highest(np.where(free, score, -np.inf)[(kind == "weak") & (y == 0)], ALIKE[name]))
        near_miss = (kind == "made") & (y == 0) & others & (x[:, 4] > 0)
        strict = highest(np.where(free, score, -np.inf)[near_miss], MERGED)
        weights = ", ".join(f"Fraction({round(b * 100)}, 100)" for b in beta[:-1])
        print(f"    {name}: tuple[Fraction, ...] = ({weights})")
        print(f"    {name}_least: Fraction = Fraction({round(cut * 100)}, 100)")
        print(f"    {name}_strict: Fraction = Fraction({round(max(cut, strict) * 100)}, 100)")
        kept = free & (score >= np.where(others & (x[:, 4] > 0), max(cut, strict), cut))
        for k in sets:
            at = kind == k
            print(
                f"    # {k}: recall {kept[at & (y == 1)].mean():.3f} precision {y[at & kept].mean():.3f} "
                f"false merges {kept[at & (y == 0)].mean():.3f} of {at.sum()}"
            )
        print(f"    # even odds at {-beta[-1]:.2f}")


if __name__ == "__main__":
    main()
