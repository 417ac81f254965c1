"""How likely a later statement tells anew what an earlier one told (policy recall.overtaking): twelve numbers.

    python bench/train/recall_fresh.py [--cases 400]

Each case of bench/train/data/reader/changes_w1.jsonl and changes_w3.jsonl (what was held, a later message, a question;
replaced, ended, both hold, or nothing changes; two hands) becomes a talk of 62 turns: the two among sixty statements of
other people. The question is asked, and each of the first three turns found is paired with every later one among the
first twenty. A logistic regression tells the pairs that are a change apart from all others. Printed: what is learned
from one hand and what it does on the other's cases, in each language, and the fit over all cases.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression

from clew import policy as policies
from clew.adapters.embeddings import use
from clew.adapters.index.sql import SqlTurnIndex
from clew.adapters.store.sql import open_store
from clew.engine.histories import ingest, load
from clew.kernel.recall.turns import fresh, overtaking
from clew.model.transcript import Line

READER = Path(__file__).parent / "data" / "reader"
FILLED = {"en": ("en_a", "en_b", "en_c", "en_n"), "ko": ("ko_a", "ko_b", "ko_d", "ko_n")}
NAMES = ("alike", "asked", "rare", "shared", "kind", "place", "covers", "length", "closest", "behind", "anchor")
HANDS = ("changes_w1", "changes_w3")
CHANGED = ("replaces", "ends")
MOST, ANCHORS, FIRST = 20, 3, 10
START = datetime(2024, 1, 5, tzinfo=UTC)


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (READER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


class Watch:
    """Keeps what freshness is asked to order, and changes nothing."""

    nearby: Any = None

    def order(
        self, ranked: Any, scores: Any, index: Any, lines: Any, ask: Any, policy: Any, *rest: Any, again: Any = ()
    ) -> Any:
        self.ranked, self.lines, self.ask, self.nearby = list(ranked), lines, ask, rest[1]
        return list(ranked), {}


def numbers(older: Any, newer: Any, wanted: frozenset[str], nearby: Any, policy: Any) -> list[float]:
    """The parts of `overtaking.chance`, each with the weight 1."""
    w = policy.recall.overtaking
    both = older.told.terms & newer.told.terms
    return [
        nearby.alike(older.turn, newer.turn),
        nearby.asked(older.turn),
        overtaking._rarity(both - wanted, policy),
        overtaking._rarity(both & wanted, policy),
        float(bool(overtaking._kinds(older.told) & overtaking._kinds(newer.told))),
        newer.place,
        len(older.told.terms & wanted) / max(len(wanted), 1),
        min(len(newer.told.terms), w.words_most) / w.words_most,
        nearby.alike(older.turn, newer.turn) - nearby.closest(older.turn),
        nearby.behind(newer.turn),
        older.place,
    ]


def cases(language: str, hand: str, most: int, policy: Any, watch: Watch) -> list[dict[str, Any]]:
    rng = random.Random(5)
    told = [r for r in rows(hand) if r["lang"] == language and r.get("question")]
    rng.shuffle(told)
    others = [r["text"] for name in FILLED[language] for r in rows(name)]
    out = []
    for case in told[:most]:
        said = rng.sample(others, 60)
        first, second = rng.randrange(0, 20), rng.randrange(36, 61)
        said.insert(first, case["held"])
        said.insert(second, case["message"])
        lines = [Line(i, "user", text, START + timedelta(days=i), f"t{i}") for i, text in enumerate(said)]
        watch.nearby = None
        with tempfile.TemporaryDirectory() as folder:
            index = SqlTurnIndex(open_store(f"sqlite:///{folder}/clew.db", durable=False))
            ingest(index, "c", lines, policy, use.default())
            load(index, "c", policy, use.default()).recall(f"{case['question'].rstrip('?')}?", FIRST)
        if watch.nearby is None:
            continue  # read as a question for what happened once
        pool = watch.ranked[:MOST]
        wanted = frozenset(term for term, _ in watch.ask.terms)
        seen = [
            overtaking.Candidate(turn, place / MOST, fresh.telling(watch.lines[turn].text, policy))
            for place, turn in enumerate(pool)
        ]
        pairs = [
            (a.turn, b.turn, numbers(a, b, wanted, watch.nearby, policy))
            for i, a in enumerate(seen[:ANCHORS])
            for b in seen[i + 1 :]
            if b.turn > a.turn
        ]
        out.append(
            {"old": first, "new": second, "label": case["label"], "pool": pool, "pairs": pairs, "of": (hand, language)}
        )
    return out


def fitted(some: list[dict[str, Any]]) -> LogisticRegression:
    told = [(numbers, (a, b) == (c["old"], c["new"]) and c["label"] in CHANGED) for c in some for a, b, numbers in c["pairs"]]
    return LogisticRegression(C=1, max_iter=500).fit([n for n, _ in told], [y for _, y in told])


def judged(model: LogisticRegression, some: list[dict[str, Any]], at: float, rise: int) -> Counter[str]:
    out: Counter[str] = Counter()
    for case in some:
        order = list(case["pool"])
        chance = model.predict_proba([n for *_, n in case["pairs"]])[:, 1] if case["pairs"] else ()
        sure = [(p, a, b) for p, (a, b, _) in zip(chance, case["pairs"], strict=True) if p >= at]
        for anchor in case["pool"][:ANCHORS]:
            better = sorted((p, b) for p, a, b in sure if a == anchor and b in order[order.index(anchor) :])[-rise:]
            turns = sorted((b for _, b in better), reverse=True)
            order = [t for t in order if t not in turns]
            order[order.index(anchor) : order.index(anchor)] = turns
        kind = "changed" if case["label"] in CHANGED else case["label"]
        old, new = (order.index(case[n]) if case[n] in order else MOST for n in ("old", "new"))
        out[kind] += 1
        out[f"{kind}, both among the first ten"] += max(old, new) < FIRST
        out[f"{kind}, both, the new one first"] += new < old < FIRST
        out[f"{kind}, the new one first of all"] += order[0] == case["new"]
        out[f"{kind}, another one first"] += order[0] not in (case["old"], case["new"])
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=400, help="of each language")
    options = parser.parse_args()
    policy, watch = policies.default(), Watch()
    fresh.order = watch.order  # type: ignore[assignment]
    found = [c for lang in FILLED for hand in HANDS for c in cases(lang, hand, options.cases, policy, watch)]
    at, rise = policy.recall.overtaking.rises_at, policy.recall.fresh_rise
    for hand in HANDS:
        learned = fitted([c for c in found if c["of"][0] != hand])
        for lang in FILLED:
            there = [c for c in found if c["of"] == (hand, lang)]
            print(hand, lang, dict(sorted(judged(learned, there, at, rise).items())))
    model = fitted(found)
    print({"bias": round(float(model.intercept_[0]), 2)} | dict(zip(NAMES, np.round(model.coef_[0], 2).tolist(), strict=True)))


if __name__ == "__main__":
    main()
