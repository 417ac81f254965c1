"""Train the odds of candidates (kernel/ground/odds.py).

    python bench/train/ground_odds.py [--data DIR] [--left-out HAND …] [--held] [--out FILE]

Learns which candidate a message takes, or that it takes none, from the same messages as the reader of acts
(bench/train/ground_acts.py, which names them). The reader's own scores are among its signs. A reader knows the messages
it was fitted on better than anybody else's, so the odds are learned with the scores of readers that were fitted without
the hand that wrote the message. At each step some kinds of signs are hidden from some messages: what a new hand writes
is seldom told by every sign at once. `--left-out` fits without the messages of these hands (old, third, fourth_en, fourth_ko, fifth), reader
included, and prints what they make of them. `--held` learns only from what bench/grounding.py does not hold
back. Chance comes from fixed seeds: the same files give the same weights.
"""

from __future__ import annotations

import argparse
import base64
import sys
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import ground_acts
from ground_acts import learned_rows, lines, number, strays
from ground_choices import beside, gold

from clew.kernel.ground.acts import read_act
from clew.kernel.ground.odds import signs_of
from clew.kernel.ground.options import OptionSet
from clew.kernel.ground.point import point
from clew.kernel.ground.pointed import Pointed
from clew.kernel.ground.reader import ACTS, buckets
from clew.kernel.ground.reader import features as heard_as
from clew.kernel.ground.resolution import Resolution
from clew.kernel.ground.rules import by_rules
from clew.kernel.ground.saying import spoken
from clew.kernel.ground.signs import BLOCKS
from clew.kernel.ground.turn import Turn
from clew.model.continuity import ContinuityState, Scope
from clew.model.evidence import Candidate
from clew.model.fields import Fields
from clew.policy import default
from grounding import held_back, unrelated

HERE = Path(__file__).resolve().parent
SHIPPED = HERE.parents[1] / "src/clew/policy/data/ground.odds.toml"
SCOPE = Scope("chat", "bench")
SCENES = 1
UNITS = 20
SEEDS = (7, 8)
STEPS = 600
RATE = 0.02
RIDGE = 3e-4
SCALE = 2048.0
# So many messages are looked at in one step, and so often a kind of sign or a unit is hidden.
PART = 0.3
HIDDEN = 0.2
SILENT = 0.2
# What the messages of a hand weigh.
WEIGHTS = {"old": 0.7, "third": 0.7, "fourth_en": 8.0, "fourth_ko": 8.0, "fifth": 6.0, "own": 0.3, "stray": 0.1}
STRAYS = 1200

Row = dict[str, Any]


@dataclass(slots=True)
class Message:
    """A message with all that does not depend on any weights, and what the readers and the chooser see of it."""

    row: Row
    hand: str
    options: OptionSet
    offered: int | None
    heard: str | None
    pointed: Pointed
    found: Resolution
    # Buckets of the reader, for the whole message and for each clause.
    buckets: list[np.ndarray]
    meant: list[bool]
    signs: np.ndarray = field(default_factory=lambda: np.zeros(0))

    @property
    def act(self) -> int:
        return [a.value for a in ACTS].index(self.row["acts"][0]["act"])


def prepared(row: Row, hand: str, *, whole: bool = False) -> Message:
    """Every fourth message is read without the assistant's words, as some callers do not give them."""
    policy = default().ground
    told = whole or number(f"{row['user']}{row['assistant']}") % 4 > 0
    heard, user = row["assistant"] if told else None, row["user"]
    options = OptionSet(tuple(Candidate.read(Fields(c)) for c in row["candidates"]))
    offered = options.position.get(row["offered"]) if row["offered"] else None
    turn = Turn(
        user,
        options,
        ContinuityState(option_set_id="set", scope=SCOPE),
        SCOPE,
        "set",
        offered=(row["offered"],) if row["offered"] else (),
        last_assistant_text=heard,
        nothing_offered=row["offered"] is None,
    )

    def seen(text: str) -> tuple[Pointed, np.ndarray]:
        at = point(text, options, offered, policy, heard)
        names = heard_as(text, options, offered, heard, at, read_act(text, policy), policy)
        return at, np.array(sorted(buckets(names, ground_acts.BUCKETS)))

    pointed, all_of_it = seen(user)
    parts = spoken(user, policy).clauses
    each = [all_of_it] if len(parts) == 1 else [seen(c.text)[1] for c in parts]
    meant = gold(row)
    marks = [c["id"] in meant for c in row["candidates"]]
    return Message(
        row, hand, options, offered, heard, pointed, by_rules(turn, policy), [all_of_it, *each], marks
    )


def reader(messages: list[Message]) -> np.ndarray:
    """A reader of first acts, fitted on these."""
    weight = np.array([ground_acts.weight(m.row, m.hand) for m in messages], dtype=np.float32)
    table = ground_acts.fit([m.buckets[0] for m in messages], np.array([m.act for m in messages]), len(ACTS), weight)
    return np.clip(np.round(table * ground_acts.SCALE), -127, 127).astype(int)


def see(messages: list[Message], table: np.ndarray) -> None:
    """The signs of each message, with the scores of this reader."""
    policy = default().ground
    for m in messages:
        read = np.array([table[b].sum(axis=0) for b in m.buckets], dtype=np.float64)
        every = tuple(range(len(m.options.candidates)))
        m.signs = signs_of(
            m.row["user"], m.options, every, m.offered, m.heard, m.pointed, read, m.found, policy
        ).astype(np.float32)


def fold(message: Message) -> str:
    """A hand; two small ones together, and likewise all that is set beside the lists of others."""
    return {"third": "third and fifth", "fifth": "third and fifth", "stray": "own"}.get(message.hand, message.hand)


def out_of_hand(messages: list[Message]) -> None:
    for part in dict.fromkeys(map(fold, messages)):
        see([m for m in messages if fold(m) == part], reader([m for m in messages if fold(m) != part]))
        print(f"read without {part}", flush=True)


Net = list[np.ndarray]


def fit(messages: list[Message]) -> Net:
    """Several small networks beside one another, as one: each has its share in the score."""
    nets = [fit_one(messages, seed) for seed in SEEDS]
    return [
        np.hstack([n[0] for n in nets]),
        np.concatenate([n[1] for n in nets]),
        np.concatenate([n[2] for n in nets]) / len(nets),
        np.mean([n[3] for n in nets], axis=0),
    ]


def fit_one(messages: list[Message], seed: int) -> Net:
    """Softmax over the candidates and taking none, with Adam over a part of the messages at a time."""
    x = np.vstack([m.signs for m in messages])
    meant = np.array([k for m in messages for k in m.meant], dtype=np.float32)
    weight = np.array([WEIGHTS[m.hand] for m in messages], dtype=np.float32)
    sizes = np.array([len(m.meant) for m in messages])
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    chance = np.random.RandomState(seed)
    count = x.shape[1]
    net = [
        chance.randn(count, UNITS) / np.sqrt(count),
        np.zeros(UNITS),
        chance.randn(UNITS) / np.sqrt(UNITS) / 2,
        np.zeros(count),
    ]
    net = [p.astype(np.float32) for p in net]
    shown = [np.array([i not in block for i in range(count)], dtype=np.float32) for block in BLOCKS]
    m, v = [np.zeros_like(p) for p in net], [np.zeros_like(p) for p in net]
    for step in range(1, STEPS + 1):
        pick = np.flatnonzero(chance.rand(len(messages)) < PART)
        rows = np.concatenate([np.arange(starts[i], starts[i] + sizes[i]) for i in pick])
        of = np.repeat(np.arange(len(pick)), sizes[pick])
        firsts = np.concatenate([[0], np.cumsum(sizes[pick])[:-1]])
        now, right = x[rows], meant[rows]
        for block in shown:
            now[(chance.rand(len(pick)) < HIDDEN)[of]] *= block
        share = weight[pick] / weight[pick].sum()
        none = (np.add.reduceat(right, firsts) == 0).astype(np.float32)
        before = now @ net[0] + net[1]
        speaking = (chance.rand(UNITS) >= SILENT).astype(np.float32) / (1 - SILENT)
        units = np.maximum(before, 0) * speaking
        z = units @ net[2] + now @ net[3]
        top = np.maximum(np.maximum.reduceat(z, firsts), 0)
        e, e0 = np.exp(z - top[of]), np.exp(-top)
        p = e / (np.add.reduceat(e, firsts) + e0)[of]
        q = e * right / np.maximum(np.add.reduceat(e * right, firsts) + e0 * none, 1e-9)[of]
        slope = (p - q) * share[of]
        inner = slope[:, None] * (net[2] * speaking) * (before > 0)
        grads = [
            now.T @ inner + RIDGE * net[0],
            inner.sum(axis=0),
            units.T @ slope + RIDGE * net[2],
            now.T @ slope + RIDGE * net[3],
        ]
        rate = RATE * min(1, step / 20) * ((1 + np.cos(np.pi * step / STEPS)) / 2 + 0.02)
        for i, grad in enumerate(grads):
            m[i], v[i] = 0.9 * m[i] + 0.1 * grad, 0.999 * v[i] + 0.001 * grad**2
            net[i] -= rate * (m[i] / (1 - 0.9**step)) / (np.sqrt(v[i] / (1 - 0.999**step)) + 1e-8)
    return net


def pack(net: Net) -> str:
    flat = np.concatenate([p.ravel() for p in net])
    raw = np.clip(np.round(flat * SCALE), -32767, 32767).astype("<i2").tobytes()
    return base64.b85encode(zlib.compress(raw, 9)).decode()


def judged(message: Message, net: Net) -> tuple[float, bool, bool]:
    """The chance of the best candidate, whether it is meant, and whether any was."""
    scores = np.maximum(message.signs @ net[0] + net[1], 0) @ net[2] + message.signs @ net[3]
    best = int(scores.argmax())
    together = message.pointed.positions if message.pointed.several else ()
    same = [i for i in range(len(scores)) if i == best or (best in together and i in together)]
    raised = np.exp(scores)
    return float(raised[same].sum() / (1 + raised.sum())), message.meant[best], any(message.meant)


def told(name: str, found: list[tuple[float, bool, bool]]) -> None:
    takes = max(1, sum(any_of for _, _, any_of in found))
    print(f"{name}: {len(found)} messages, {takes} take something")
    for mark in (0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95):
        taken = sum(chance >= mark and right for chance, right, _ in found)
        wrong = sum(chance >= mark and not right for chance, right, _ in found)
        print(f"    {mark:4}: taken {100 * taken / takes:5.1f} %, wrong {100 * wrong / len(found):5.2f} %", flush=True)


def gathered(data: Path, *, held: bool = False) -> list[Message]:
    rows, own = learned_rows(), lines("acts_own.jsonl")
    texts = unrelated(data, learned=True)[:STRAYS]
    if not texts:
        print(f"nothing unrelated to learn from under {data.name}")
    if held:
        rows = [r for r in rows if not held_back(r)]
    hands = [(r, r["hand"]) for r in rows]
    hands += [(r, "own") for r in beside(own, rows, SCENES)] + [(r, "stray") for r in strays(texts, rows, 1.0)]
    return [prepared(r, hand) for r, hand in hands]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--data", type=Path, default=HERE.parents[2] / "shared" / "data")
    parser.add_argument("--out", type=Path, default=SHIPPED)
    parser.add_argument("--left-out", nargs="*", default=[], choices=tuple(WEIGHTS))
    parser.add_argument("--held", action="store_true")
    args = parser.parse_args()
    messages = gathered(args.data, held=args.held)
    print(f"{len(messages)} messages", flush=True)
    for hand in args.left_out:
        kept, out = [m for m in messages if m.hand != hand], [m for m in messages if m.hand == hand]
        out_of_hand(kept)
        see(out, reader(kept))
        net = fit(kept)
        for lang in ("en", "ko"):
            told(f"without {hand}, {lang}", [judged(m, net) for m in out if m.row["lang"] == lang])
    if args.left_out:
        return
    out_of_hand(messages)
    net = fit(messages)
    args.out.write_text(
        "# The odds of candidates; written by bench/train/ground_odds.py, which names its sources.\n"
        f"units = {UNITS * len(SEEDS)}\nscale = {SCALE}\nweights = '''{pack(net)}'''\n",
        encoding="utf-8",
    )
    print(f"{len(messages)} messages, {args.out.stat().st_size // 1024} KB")


if __name__ == "__main__":
    main()
