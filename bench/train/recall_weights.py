"""The weights of recall between people (policy recall.people), fitted from questions whose turns are known.

    python bench/train/recall_weights.py --data DIR

A softmax over the turns of a history; the loss is half that of finding any of the gold turns, half that of finding
them all. Weights stay near those that stand in the policy by a quadratic penalty, and keep their sign. Fitted on: our
own histories friends_harbour and friends_orchard, both also with the wrong one of two people named, and our questions
on MemoryBank (MIT). Not fitted on, only reported: friends_lantern, friends_hangang, the other half of MemoryBank.
With FriendsQA's files (--friends, --test; emorynlp, Apache-2.0) the first is fitted on too, the second reported.
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
PENALTY = 4e-3
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


def standing() -> np.ndarray:
    return np.array([0.0 if n in UNUSED else getattr(policies.default().recall.people, n) for n in NAMES])


def fit(questions: list[Question], steps: int = 150, rate: float = 0.05) -> np.ndarray:
    """Adam with the signs held; a few hundred questions need nothing finer."""
    prior = standing()
    known = [q for q in questions if q[1].any()]
    whole = sum(q[2] for q in known)
    low = np.array([-np.inf if n in NEGATIVE else 0.0 for n in NAMES])
    high = np.array([0.0 if n in NEGATIVE or n in UNUSED else np.inf for n in NAMES])
    weights, mean, square = prior.copy(), np.zeros(len(NAMES)), np.zeros(len(NAMES))
    for step in range(1, steps + 1):
        slope = 2 * PENALTY * (weights - prior)
        for rows, gold, count in known:
            scores = weights @ rows
            share = np.exp(scores - scores.max())
            share /= share.sum()
            any_of = np.where(gold, share / (share[gold].sum() + 1e-12), 0) - share
            all_of = gold / gold.sum() - share
            slope -= count / whole * (rows @ ((any_of + all_of) / 2))
        mean = 0.9 * mean + 0.1 * slope
        square = 0.999 * square + 0.001 * slope * slope
        move = mean / (1 - 0.9**step) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
        weights = np.clip(weights - rate * move, low, high)
    return weights


def found(questions: list[Question], weights: np.ndarray, k: int = 10) -> float:
    hits = [gold[np.argsort(-(weights @ rows), kind="stable")[:k]].any() for rows, gold, _ in questions]
    return float(np.mean(hits))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="folder with memorybank")
    parser.add_argument("--friends", type=Path, help="friendsqa_dev.json")
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
        "harbour, wrong person": ([histories.mistaken(histories.ours(own, "friends_harbour"))], 1.0),
        "orchard, wrong person": ([histories.mistaken(histories.ours(own, "friends_orchard"))], 1.0),
        "memorybank, dev": ([bank[0]], 4.0),
    }
    if options.friends:
        fitted["FriendsQA dev"] = (list(histories.friends(options.friends)), 0.5)
    aside = {
        "friends_lantern": ([histories.ours(own, "friends_lantern")], 1.0),
        "friends_hangang": ([histories.ours(own, "friends_hangang")], 1.0),
        "memorybank, aside": ([bank[1]], 1.0),
    }
    if options.test:
        aside["FriendsQA test"] = (list(histories.friends(options.test)), 1.0)
    sets = {n: [q for h in hs for q in read(h, w, policy)] for n, (hs, w) in {**fitted, **aside}.items()}
    weights = np.round(fit([q for name in fitted for q in sets[name]]), 2)
    before = standing()
    print("| questions | standing any@10 | fitted any@10 | |\n|---|---:|---:|---|")
    for name, rows in sets.items():
        role = "fitted on" if name in fitted else "aside"
        print(f"| {name} | {found(rows, before):.3f} | {found(rows, weights):.3f} | {role} |")
    print()
    for name, value in asdict(RecallWeights(**dict(zip(NAMES, weights.tolist(), strict=True)))).items():
        print(f"        {name}={value},")


if __name__ == "__main__":
    main()
