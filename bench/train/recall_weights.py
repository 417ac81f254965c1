"""The weights of recall between people (policy recall.people), fitted from questions whose turns are known.

    python bench/train/recall_weights.py --data DIR --friends friendsqa_dev.json

A softmax over the turns of a history; the loss is that of finding any of the gold turns. Weights stay near
the hand-set ones of talk with an assistant by a quadratic penalty, and keep their sign. Fitted on: our own
histories friends_harbour and friends_orchard, our questions on MemoryBank (MIT), FriendsQA dev (emorynlp,
Apache-2.0). Not fitted on, only reported: friends_lantern, friends_hangang, the other half of MemoryBank,
and FriendsQA's test file where --test names it.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from dataclasses import asdict, fields, replace
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "bench" / "peers"), str(ROOT / "src")]

import histories  # noqa: E402

from clew import policy as policies  # noqa: E402
from clew.adapters.embeddings import use  # noqa: E402
from clew.adapters.index.sql import SqlTurnIndex  # noqa: E402
from clew.adapters.store.sql import open_store  # noqa: E402
from clew.engine.histories import ingest, load  # noqa: E402
from clew.model.transcript import Line  # noqa: E402
from clew.policy.recall import RecallWeights  # noqa: E402

NAMES = [f.name for f in fields(RecallWeights)]
NEGATIVE = {"question", "addressed"}
# Between people a turn is one passage: this part says nothing new.
UNUSED = {"vector_turn"}
PENALTY = 2e-3
Question = tuple[np.ndarray, np.ndarray, float]  # parts x turns, gold turns, weight


def read(history: dict[str, Any], weight: float, policy: Any) -> list[Question]:
    """Every part of every question: with all weights at 1 none is left out."""
    lines = [
        Line(
            t["index"],
            t["speaker"],
            t["text"],
            datetime.fromisoformat(t["at"]) if t.get("at") else None,
            t["id"],
        )
        for t in history["turns"]
    ]
    with tempfile.TemporaryDirectory() as folder:
        index = SqlTurnIndex(open_store(f"sqlite:///{folder}/clew.db"))
        ingest(index, "history", lines, policy, use.default())
        loaded = load(index, "history", policy, use.default())
    ids = [str(line.id) for line in lines]
    out = []
    for question in history["questions"]:
        found = loaded.parts(question["query"])
        rows = np.stack([np.asarray(found.get(n, np.zeros(len(lines))), np.float64) for n in NAMES])
        out.append((rows, np.isin(ids, question["gold"]), weight))
    return out


def hand_set() -> np.ndarray:
    return np.array([0.0 if n in UNUSED else getattr(RecallWeights(), n) for n in NAMES])


def fit(questions: list[Question]) -> np.ndarray:
    prior = hand_set()
    known = [q for q in questions if q[1].any()]
    whole = sum(q[2] for q in known)

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        away = weights - prior
        value, slope = PENALTY * away @ away, 2 * PENALTY * away
        for rows, gold, count in known:
            scores = weights @ rows
            share = np.exp(scores - scores.max())
            share /= share.sum()
            right = share[gold].sum() + 1e-12
            value -= count / whole * np.log(right)
            slope -= count / whole * (rows @ (np.where(gold, share / right, 0) - share))
        return value, slope

    bounds = [(0, 0) if n in UNUSED else (None, 0) if n in NEGATIVE else (0, None) for n in NAMES]
    return minimize(loss, prior, jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": 200}).x


def found(questions: list[Question], weights: np.ndarray, k: int = 10) -> float:
    hits = [gold[np.argsort(-(weights @ rows), kind="stable")[:k]].any() for rows, gold, _ in questions]
    return float(np.mean(hits))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="folder with memorybank")
    parser.add_argument("--friends", type=Path, required=True, help="friendsqa_dev.json")
    parser.add_argument("--test", type=Path, help="friendsqa_tst.json")
    options = parser.parse_args()
    base = policies.default()
    everything = RecallWeights(**dict.fromkeys(NAMES, 1.0))
    policy = replace(base, recall=replace(base.recall, people=everything, weights=everything))
    own = ROOT / "bench" / "data" / "histories"
    bank = list(
        histories.memorybank(
            options.data / "memorybank" / "memory_bank_en.json",
            ROOT / "bench" / "data" / "memorybank_questions.json",
        )
    )
    fitted = {
        "friends_harbour": ([histories.ours(own, "friends_harbour")], 3.0),
        "friends_orchard": ([histories.ours(own, "friends_orchard")], 3.0),
        "memorybank, dev": ([bank[0]], 4.0),
        "FriendsQA dev": (list(histories.friends(options.friends)), 0.5),
    }
    aside = {
        "friends_lantern": ([histories.ours(own, "friends_lantern")], 1.0),
        "friends_hangang": ([histories.ours(own, "friends_hangang")], 1.0),
        "memorybank, aside": ([bank[1]], 1.0),
    }
    if options.test:
        aside["FriendsQA test"] = (list(histories.friends(options.test)), 1.0)
    sets = {n: [q for h in hs for q in read(h, w, policy)] for n, (hs, w) in {**fitted, **aside}.items()}
    weights = np.round(fit([q for name in fitted for q in sets[name]]), 2)
    before = hand_set()
    print("| questions | hand-set any@10 | fitted any@10 | |\n|---|---:|---:|---|")
    for name, rows in sets.items():
        role = "fitted on" if name in fitted else "aside"
        print(f"| {name} | {found(rows, before):.3f} | {found(rows, weights):.3f} | {role} |")
    print()
    for name, value in asdict(RecallWeights(**dict(zip(NAMES, weights.tolist(), strict=True)))).items():
        print(f"        {name}={value},")


if __name__ == "__main__":
    main()
