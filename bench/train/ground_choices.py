"""Train the chooser of candidates (kernel/ground/chooser.py).

    python bench/train/ground_choices.py [--data DIR] [--check] [--held] [--out FILE]

Learns which candidate a message takes, or that it takes none, from data/acts.jsonl, data/acts_more.jsonl,
data/acts_third.jsonl, from data/acts_own.jsonl set beside lists, and from messages that have nothing to do with any
list: requests of clinc/oos-eval (CC BY 3.0), comments of GoEmotions (Apache-2.0) and Korean chat of
songys/Chatbot_data (MIT), each beside a list, read from --data and skipped with a word when absent. It does not learn
from service dialogues: there any praise takes the offer, and then talk about anything else does too. Only every other
of those messages is learned from; bench/grounding.py measures with the rest. `--check` prints what leaving out a fifth of the assistant's messages
at a time gives, beside a chooser of plain words on the same split. `--held` learns only from what bench/grounding.py
does not hold back.
No randomness: the same files give the same weights.
"""

from __future__ import annotations

import argparse
import base64
import sys
import zlib
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from ground_acts import filled, learned_rows, lines, number, strays

from clew.kernel.ground.acts import read_act
from clew.kernel.ground.chooser import features
from clew.kernel.ground.options import OptionSet
from clew.kernel.ground.point import point
from clew.kernel.ground.reader import features as heard_as
from clew.kernel.ground.rules import by_rules
from clew.kernel.ground.turn import Turn
from clew.model.continuity import ContinuityState, Scope
from clew.model.evidence import Candidate
from clew.model.fields import Fields
from clew.policy import default
from grounding import TAKING, held_back, unrelated

HERE = Path(__file__).resolve().parent
SHIPPED = HERE.parents[1] / "src/clew/policy/data/ground.chooser.toml"
SCOPE = Scope("chat", "bench")
BUCKETS = 1 << 16
SCENES = 2
STEPS = 100
RATE = 0.06
RIDGE = 3e-4
SCALE = 48.0
# What a message that has nothing to do with the list weighs.
STRAY = 0.15
STRAYS = 2400

Row = dict[str, Any]
# Per candidate its buckets, and whether the message takes it.
Example = tuple[list[np.ndarray], list[bool], float]


def gold(row: Row) -> set[str]:
    return {i for a in row["acts"] if a["act"] in TAKING for i in a["ids"]}


def beside(own: list[Row], rows: list[Row], scenes: int = SCENES) -> Iterator[Row]:
    """General messages after a few lists; what they take is the offer, or the one they name."""
    for row in own:
        takes = [a for a in row["acts"] if a in TAKING]
        named = "{x}" in row["user"]
        if takes and "choose" in takes and not named:
            # "the cheapest": which one it is depends on the list.
            continue
        for offered in {"yes": (True,), "no": (False,), "any": (True, False)}[row["offer"]]:
            fitting = [r for r in rows if r["lang"] == row["lang"] and (r["offered"] is not None) == offered]
            for k in range(scenes):
                pick = number(f"{row['user']}{k}{offered}")
                scene = fitting[pick % len(fitting)]
                user = filled(row["user"], scene, pick // 1000)
                if user is None:
                    continue
                others = [c["id"] for c in scene["candidates"] if c["id"] != scene["offered"]]
                x = [others[pick // 1000 % len(others)]] if others else []
                acts = [
                    {"act": a, "ids": [scene["offered"]] if a == "accept" else x if a in TAKING else []}
                    for a in row["acts"]
                ]
                yield {**scene, "user": user, "acts": acts, "weight": 1 / scenes}


def example(row: Row) -> Example:
    """Every fourth message is read without the assistant's words, as some callers do not give them."""
    policy = default().ground
    heard = row["assistant"] if number(f"{row['user']}{row['assistant']}") % 4 > 0 else None
    options = OptionSet(tuple(Candidate.read(Fields(c)) for c in row["candidates"]))
    offered = options.position.get(row["offered"]) if row["offered"] else None
    state = ContinuityState(option_set_id="set", scope=SCOPE)
    turn = Turn(
        row["user"],
        options,
        state,
        SCOPE,
        "set",
        offered=(row["offered"],) if row["offered"] else (),
        last_assistant_text=heard,
        nothing_offered=row["offered"] is None,
    )
    pointed = point(row["user"], options, offered, policy, heard)
    names = heard_as(row["user"], options, offered, heard, pointed, read_act(row["user"], policy), policy)
    rows = features(row["user"], options, offered, names, pointed, by_rules(turn, policy), policy)
    meant = gold(row)
    return (
        [np.array(sorted(b)) for _, b in rows],
        [options.candidates[p].id in meant for p, _ in rows],
        row.get("weight", 1.0),
    )


def fit(examples: list[Example]) -> np.ndarray:
    """Softmax over the candidates and taking none, with Adam over all messages at once."""
    flat = [b for buckets, _, _ in examples for b in buckets]
    used, at = np.unique(np.concatenate(flat), return_inverse=True)
    sizes = np.array([len(b) for b in flat])
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    counts = np.array([len(b) for b, _, _ in examples])
    firsts = np.concatenate([[0], np.cumsum(counts)[:-1]])
    owner = np.repeat(np.arange(len(examples)), counts)
    meant = np.array([m for _, marks, _ in examples for m in marks], dtype=np.float32)
    none = np.array([not any(marks) for _, marks, _ in examples], dtype=np.float32)
    weight = np.array([w for _, _, w in examples], dtype=np.float32)
    weight /= weight.sum()
    order = np.argsort(at, kind="stable")
    of = np.repeat(np.arange(len(flat)), sizes)[order]
    begins = np.searchsorted(at[order], np.arange(len(used)))
    w = np.zeros(len(used), dtype=np.float32)
    m, v = np.zeros_like(w), np.zeros_like(w)
    for step in range(1, STEPS + 1):
        z = np.add.reduceat(w[at], starts)
        top = np.maximum(np.maximum.reduceat(z, firsts), 0)
        e, e0 = np.exp(z - top[owner]), np.exp(-top)
        total = np.add.reduceat(e, firsts) + e0
        p = e / total[owner]
        right = np.add.reduceat(e * meant, firsts) + e0 * none
        q = e * meant / np.maximum(right, 1e-9)[owner]
        grad = np.add.reduceat(((p - q) * weight[owner])[of], begins) + RIDGE * w / 10
        m, v = 0.9 * m + 0.1 * grad, 0.999 * v + 0.001 * grad**2
        w -= RATE * (step**-0.3) * (m / (1 - 0.9**step)) / (np.sqrt(v / (1 - 0.999**step)) + 1e-8)
    out = np.zeros(BUCKETS, dtype=np.float32)
    out[used] = w
    return np.clip(np.round(out * SCALE), -127, 127).astype(np.int8)


def pack(table: np.ndarray) -> str:
    return base64.b85encode(zlib.compress(table.tobytes(), 9)).decode()


def plain(row: Row) -> Example:
    """The mark to beat: words of the message, whether a candidate is on offer, and words that it shares."""
    words = row["user"].lower().split()
    out = []
    for c in row["candidates"]:
        own = f"{c['label']} {c.get('sublabel')}".lower().split()
        shared = sum(any(w.strip(".,!?") in o or o in w for o in own if len(o) > 1) for w in words)
        role = f"{c['id'] == row['offered']}{min(2, shared)}"
        names = [
            f"{role}{n}" for n in ("", *words, *(f"{a} {b}" for a, b in pairwise(words)))
        ]
        out.append(np.array(sorted({zlib.crc32(n.encode()) % BUCKETS for n in names})))
    meant = gold(row)
    return out, [c["id"] in meant for c in row["candidates"]], row.get("weight", 1.0)


def judged(found: Example, table: np.ndarray) -> tuple[int, bool, bool]:
    """By how much the best candidate leads, whether it is meant, and whether any was."""
    scores = [int(table[b].astype(int).sum()) for b in found[0]]
    best = max(range(len(scores)), key=lambda i: (scores[i], -i))
    meant = [i for i, m in enumerate(found[1]) if m]
    same = meant if best in meant else [best]
    others = [s for i, s in enumerate(scores) if i not in same]
    return scores[best] - max((0, *others)), found[1][best], bool(meant)


def check(rows: list[Row], own: list[Row], texts: list[tuple[str, str]]) -> None:
    folds = [number(r["assistant"]) // 10 % 5 for r in rows]
    for name, make in (("plain words", plain), ("chooser", example)):
        told = {id(r): make(r) for r in rows}
        out: dict[str, list[tuple[int, bool, bool]]] = {"en": [], "ko": []}
        for fold in range(5):
            kept = [r for r, f in zip(rows, folds, strict=True) if f != fold]
            more = [make(r) for r in (*beside(own, kept), *strays(texts, kept, STRAY))]
            table = fit([told[id(r)] for r in kept] + more)
            for row, f in zip(rows, folds, strict=True):
                if f == fold:
                    out[row["lang"]].append(judged(told[id(row)], table))
        for lang, marks in out.items():
            several = max(1, sum(meant for _, _, meant in marks))
            print(f"{name}, left out, {lang}: {len(marks)} messages, {several} take something")
            for need in (0, 40, 80, 120, 160, 200):
                taken = sum(lead >= need and right for lead, right, _ in marks)
                wrong = sum(lead >= need and not right for lead, right, _ in marks)
                print(
                    f"    lead {need:4}: taken {100 * taken / several:5.1f} %, wrong {100 * wrong / len(marks):5.2f} %"
                )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--data", type=Path, default=HERE.parents[2] / "shared" / "data")
    parser.add_argument("--out", type=Path, default=SHIPPED)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--held", action="store_true")
    args = parser.parse_args()
    rows, own = learned_rows(("old", "third")), lines("acts_own.jsonl")
    texts = unrelated(args.data, learned=True)[:STRAYS]
    if not texts:
        print(f"nothing unrelated to learn from under {args.data.name}")
    if args.check:
        check(rows, own, texts)
    if args.held:
        rows = [r for r in rows if not held_back(r)]
    everything = [*rows, *beside(own, rows), *strays(texts, rows, STRAY)]
    table = fit([example(r) for r in everything])
    args.out.write_text(
        "# The chooser of candidates; written by bench/train/ground_choices.py, which names its sources.\n"
        f"buckets = {BUCKETS}\nweights = '''{pack(table)}'''\n",
        encoding="utf-8",
    )
    print(f"{len(everything)} messages, {args.out.stat().st_size // 1024} KB")


if __name__ == "__main__":
    main()
