"""Train the reader of acts (kernel/ground/reader.py).

    python bench/train/ground_acts.py [--data DIR] [--check] [--held] [--out FILE]

Learns from data/acts.jsonl, data/acts_more.jsonl, data/acts_third.jsonl, data/acts_fourth.jsonl and
data/acts_fifth.jsonl (messages with the assistant's words, the candidates, the offer), from data/acts_own.jsonl (messages that can follow any list; each is set beside a few lists of
its language), and from messages that have nothing to do with any list: requests of clinc/oos-eval (CC BY 3.0), comments of GoEmotions
(Apache-2.0) and Korean chat of songys/Chatbot_data (MIT), each beside a list, where possible one that it shares a
word with. These are read from --data and skipped with a word when absent. Only every other of those messages is
learned from; bench/grounding.py measures with the rest, and with service dialogues that nothing learns from. `--check` first prints what leaving out a fifth of the assistant's messages
at a time gives. `--held` leaves out what bench/grounding.py holds back, to measure with it. No randomness: the same
files give the same weights.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from clew.kernel.ground.acts import read_act
from clew.kernel.ground.cards import forms, tokens
from clew.kernel.ground.options import OptionSet
from clew.kernel.ground.point import point
from clew.kernel.ground.reader import ACTS, buckets, features
from clew.kernel.ground.said import said
from clew.model.evidence import Candidate, Said
from clew.model.fields import Fields
from clew.policy import default
from grounding import held_back, unrelated

HERE = Path(__file__).resolve().parent
SHIPPED = HERE.parents[1] / "src/clew/policy/data/ground.reader.toml"
BUCKETS = 1 << 14
SCENES = 3
STEPS = 120
RATE = 0.08
RIDGE = 2e-4
SCALE = 64.0
# What a message that has nothing to do with the list weighs, and how many are learned from.
STRAY = 0.04
STRAYS = 2400


def lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (HERE / "data" / name).read_text(encoding="utf-8").splitlines()]


def number(text: str) -> int:
    return int(hashlib.sha256(text.encode()).hexdigest(), 16)


def beside(own: list[dict[str, Any]], rows: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Each general message after a few lists, with or without something on offer as it needs."""
    for row in own:
        for offered in {"yes": (True,), "no": (False,), "any": (True, False)}[row["offer"]]:
            fitting = [r for r in rows if r["lang"] == row["lang"] and (r["offered"] is not None) == offered]
            for k in range(SCENES):
                pick = number(f"{row['user']}{k}{offered}")
                scene = fitting[pick % len(fitting)]
                user = filled(row["user"], scene, pick // 1000)
                if user is not None:
                    acts = [{"act": a, "ids": []} for a in row["acts"]]
                    yield {**scene, "user": user, "acts": acts, "weight": 1 / SCENES, "hand": "own"}


def filled(user: str, scene: dict[str, Any], pick: int) -> str | None:
    """{o} is what is on offer; {x} and {y} are others of the list; by name or by the last word of it."""
    others = [c["label"] for c in scene["candidates"] if c["id"] != scene["offered"]]
    offer = next((c["label"] for c in scene["candidates"] if c["id"] == scene["offered"]), None)
    if (
        ("{o}" in user and offer is None)
        or ("{y}" in user and len(others) < 2)
        or ("{x}" in user and not others)
    ):
        return None
    x = others[pick % len(others)] if others else ""
    y = others[(pick + 1) % len(others)] if others else ""
    short = pick // 7 % 2
    for mark, label in (("{x}", x), ("{y}", y), ("{o}", offer or "")):
        words = label.split()
        user = user.replace(mark, words[-1] if short and len(words) > 1 and len(words[-1]) > 2 else label)
    return user


def strays(texts: list[tuple[str, str]], rows: list[dict[str, Any]], weight: float) -> Iterator[dict[str, Any]]:
    """Each beside a list that one of its words stands in by chance, or beside any."""
    policy = default().ground
    holding: dict[tuple[str, str], list[dict[str, Any]]] = {}
    scenes = list({r["assistant"]: r for r in rows}.values())
    for scene in scenes:
        for token in {t for c in scene["candidates"] for t in tokens(f"{c['label']} {c.get('sublabel') or ''}")}:
            holding.setdefault((scene["lang"], token), []).append(scene)
    for text, lang in texts:
        heard = [f for w in said(text, policy).words if w not in policy.pointing.empty for f in forms(w, policy.pointing)]
        near = [s for w in heard if len(w) > 1 for s in holding.get((lang, w), ())]
        fitting = near or [s for s in scenes if s["lang"] == lang]
        scene = fitting[number(text) // 7 % len(fitting)]
        yield {**scene, "user": text, "acts": [{"act": "new", "ids": []}], "weight": weight, "hand": "own"}


# Who wrote the messages of a file: what is learned from one hand is tried on another.
HANDS = {
    "acts.jsonl": "old",
    "acts_more.jsonl": "old",
    "acts_third.jsonl": "third",
    "acts_fourth.jsonl": "fourth",
    "acts_fifth.jsonl": "fifth",
}
# Few wrote as other people write, and they are the ones to learn from.
HEAVY = {"fourth_en": 3.0, "fourth_ko": 3.0, "fifth": 3.0, "stray": STRAY}


def learned_rows(hands: tuple[str, ...] = tuple(HANDS.values())) -> list[dict[str, Any]]:
    return [{**row, "hand": hand_of(hand, row)} for name, hand in HANDS.items() if hand in hands for row in lines(name)]


def hand_of(hand: str, row: dict[str, Any]) -> str:
    """The fourth file is of two hands, one for each language."""
    return f"fourth_{row['lang']}" if hand == "fourth" else hand


def weight(row: dict[str, Any], hand: str | None = None) -> float:
    own: float = row.get("weight", 1.0)
    return own * HEAVY.get(hand or row.get("hand", ""), 1.0)


def names_of(row: dict[str, Any]) -> list[str]:
    """Every fourth message is read without the assistant's words, as some callers do not give them."""
    heard = number(f"{row['user']}{row['assistant']}") % 4 > 0
    policy = default().ground
    options = OptionSet(tuple(Candidate.read(Fields(c)) for c in row["candidates"]))
    offered = options.position.get(row["offered"]) if row["offered"] else None
    assistant = row["assistant"] if heard else None
    found = point(row["user"], options, offered, policy, assistant)
    return features(row["user"], options, offered, assistant, found, read_act(row["user"], policy), policy)


def matrix(rows: list[dict[str, Any]]) -> list[np.ndarray]:
    return [np.array(sorted(buckets(names_of(r), BUCKETS))) for r in rows]


def labels(rows: list[dict[str, Any]]) -> tuple[np.ndarray, np.ndarray]:
    first = [ACTS.index(Said(r["acts"][0]["act"])) for r in rows]
    second = [1 + ACTS.index(Said(r["acts"][1]["act"])) if len(r["acts"]) > 1 else 0 for r in rows]
    return np.array(first), np.array(second)


def fit(x: list[np.ndarray], gold: np.ndarray, size: int, weight: np.ndarray) -> np.ndarray:
    """Softmax regression with Adam over all rows at once, over the buckets that occur."""
    used, flat = np.unique(np.concatenate(x), return_inverse=True)
    sizes = np.array([len(i) for i in x])
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    order = np.argsort(flat, kind="stable")
    row = np.repeat(np.arange(len(x)), sizes)[order]
    at = np.searchsorted(flat[order], np.arange(len(used)))
    target = np.eye(size, dtype=np.float32)[gold]
    share = (weight / weight.sum())[:, None]
    w = np.zeros((len(used), size), dtype=np.float32)
    m, v = np.zeros_like(w), np.zeros_like(w)
    for step in range(1, STEPS + 1):
        z = np.add.reduceat(w[flat], starts, axis=0)
        z -= z.max(axis=1, keepdims=True)
        p = np.exp(z)
        p /= p.sum(axis=1, keepdims=True)
        grad = np.add.reduceat(((p - target) * share)[row], at, axis=0) + RIDGE * w
        m, v = 0.9 * m + 0.1 * grad, 0.999 * v + 0.001 * grad**2
        w -= RATE * (step**-0.3) * (m / (1 - 0.9**step)) / (np.sqrt(v / (1 - 0.999**step)) + 1e-8)
    out = np.zeros((BUCKETS, size), dtype=np.float32)
    out[used] = w
    return out


def learn(rows: list[dict[str, Any]], x: list[np.ndarray]) -> np.ndarray:
    first, second = labels(rows)
    share = np.array([weight(r) for r in rows], dtype=np.float32)
    both = np.hstack([fit(x, first, len(ACTS), share), fit(x, second, len(ACTS) + 1, share)])
    return np.clip(np.round(both * SCALE), -127, 127).astype(np.int8)


def check(rows: list[dict[str, Any]], own: list[dict[str, Any]], texts: list[tuple[str, str]]) -> None:
    right: dict[str, list[bool]] = {}
    folds = [number(r["assistant"]) // 10 % 5 for r in rows]
    x = matrix(rows)
    for fold in range(5):
        kept = [r for r, f in zip(rows, folds, strict=True) if f != fold]
        more = [*beside(own, kept), *strays(texts, kept, STRAY)]
        table = learn(kept + more, [i for i, f in zip(x, folds, strict=True) if f != fold] + matrix(more))
        for row, i, f in zip(rows, x, folds, strict=True):
            if f == fold:
                total = table[i].astype(int).sum(axis=0)
                got = ACTS[int(total[: len(ACTS)].argmax())]
                right.setdefault(row["lang"], []).append(got == row["acts"][0]["act"])
    for lang, found in right.items():
        print(f"first act, left out, {lang}: {np.mean(found):.3f} of {len(found)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--data", type=Path, default=HERE.parents[2] / "shared" / "data")
    parser.add_argument("--out", type=Path, default=SHIPPED)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--held", action="store_true")
    args = parser.parse_args()
    rows, own = learned_rows(), lines("acts_own.jsonl")
    texts = unrelated(args.data, learned=True)[:STRAYS]
    if not texts:
        print(f"nothing unrelated to learn from under {args.data.name}")
    if args.check:
        check(rows, own, texts)
    if args.held:
        rows = [r for r in rows if not held_back(r)]
    everything = [*rows, *beside(own, rows), *strays(texts, rows, STRAY)]
    table = learn(everything, matrix(everything))
    packed = base64.b85encode(zlib.compress(table.tobytes(), 9)).decode()
    args.out.write_text(
        "# The reader of acts; written by bench/train/ground_acts.py from messages written for this project.\n"
        f"buckets = {BUCKETS}\nweights = '''{packed}'''\n",
        encoding="utf-8",
    )
    print(f"{len(everything)} messages, {args.out.stat().st_size // 1024} KB")


if __name__ == "__main__":
    main()
