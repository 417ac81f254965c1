"""Train the judge of replies (kernel/compose/judging.py): is a reply off, flat or apt to a message?

    OMP_NUM_THREADS=1 python bench/train/judge.py [--check]

Learns from bench/train/data/replies_<language>.jsonl: a message, what stood before it, and replies that could have been
said, each read by a person as 0 off, 1 flat, 2 apt. Every row holds what its plan is made of, so the signs are those of
today's readers. Of all words of the tables it ships how often they were found off and apt: by themselves, with their row
and their reader as what is expected before, and as words of the same meaning were. `--check` leaves out one sheet after
another, each read by another hand, and prints what would be said of what was read: by the rules, by the judge, at best.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from shipped import ship
from sklearn.linear_model import Ridge

from clew.adapters.embeddings.use import default as embedder
from clew.kernel.compose.amid import occasion_chances
from clew.kernel.compose.choosing import levelled
from clew.kernel.compose.compose import choice_for
from clew.kernel.compose.everyday import situation_chances
from clew.kernel.compose.judging import signs, way_key
from clew.kernel.compose.proposing import (
    AMID,
    DEED,
    EVERYDAY,
    OCCASION,
    PLAIN,
    SCENE,
    TOLD,
    TOPIC,
    WIDE,
    Offer,
    offers,
)
from clew.kernel.plan.outline import outline
from clew.kernel.read.utterance import read
from clew.model.memory import Candidate
from clew.model.plan import Focus, PlanAsk, ResponsePlan
from clew.model.turn import Pipeline
from clew.model.utterance import Need
from clew.model.verdict import Reason
from clew.policy import default as policy

HERE = Path(__file__).resolve().parent
HIDDEN = 40
ROUNDS, BATCH, RATE, DECAY, DROP, SEEDS = 12, 128, 2e-3, 5e-2, 0.25, 2
# How many replies what is expected of a reader, a row and a way is worth; how strongly meanings are held back.
BY_READER, BY_ROW, BY_WAY, HELD_BACK, FOLDS = 20.0, 4.0, 4.0, 3.0, 5
OFF, APT = 0, 2
LAST = 4
Entry = tuple[str, str, str, str]
_EITHER, _GAP = re.compile(r"<([^<>|]*)\|[^<>]*>"), re.compile(r"\s*\{[^}]*\}[:,]?")


@dataclass
class Row:
    """One message: its plan, its vector, what could be said to it, how each was read, and which the rules chose."""

    language: str
    hand: str
    plan: ResponsePlan
    given: list[Offer]
    marks: np.ndarray
    rule: int
    vector: Any = None
    own: Any = None


def bare(way: str) -> str:
    """The words of a way as the encoder reads them: plain speech, the first of two, nothing in its gaps."""
    return _GAP.sub(" ", _EITHER.sub(r"\1", levelled(way, polite=False))).strip(" ,.:") or way


def plan_of(row: dict[str, Any], vector: Any) -> ResponsePlan:
    """The plan as it stood, from what was kept of it."""
    from dataclasses import replace
    from decimal import Decimal

    from clew.model.memory import MemoryType

    heard = read(row["text"], policy(), vector=vector, previous=tuple(row["previous"]))
    reasons = tuple(Reason(rule, detail) for rule, detail in row["need_reasons"])
    heard = replace(heard, signals=replace(heard.signals, need=Need(row["need"]), need_reasons=reasons))
    told = tuple(
        Candidate(MemoryType(kind), key, value, Decimal("0.9"), subject=subject, attribute=attribute, when_text=when)
        for kind, key, value, subject, attribute, when in row["told"]
    )
    ask = PlanAsk(
        text=row["text"], signals=heard.signals, utterance=heard, pipeline=Pipeline.FRIEND_CHAT, told=told,
        previous=tuple(row["previous"]), recent_replies=tuple(row["replies"]), message_id=row["id"],
    )  # fmt: skip
    return replace(outline(ask, policy()), focus=Focus(positive=row["glad"], negative=row["low"]))


def rows() -> Iterator[Row]:
    held = [json.loads(line) for file in sorted((HERE / "data").glob("replies_??.jsonl")) for line in file.open()]
    vectors = _vectors([one["text"] for one in held])
    for one, vector in zip(held, vectors, strict=True):
        plan = plan_of(one, vector.tolist())
        words = policy().compose.languages[one["lang"]]
        ranks = {(o.reader, o.row): o.rank for o in offers(plan, words, choice_for(plan, policy()), policy())}
        given = [offer_of(said, plan, ranks) for said in one["said"]]
        marks = np.array([said["mark"] for said in one["said"]])
        made = Row(one["lang"], one["hand"], plan, given, marks, one["rule"], vector)
        made.own = signs(given, (made.rule, 0) if made.rule >= 0 else None, plan, words, policy())
        yield made


def offer_of(said: dict[str, Any], plan: ResponsePlan, ranks: dict[tuple[str, str], int]) -> Offer:
    """Its chance is what the reader of today makes of the message; a row that nobody offers any more stands last."""
    read_as = {EVERYDAY: situation_chances, OCCASION: occasion_chances}.get(said["reader"])
    chance = read_as(plan, policy()).get(said["row"], 0.0) if read_as else 1.0
    if said["reader"] == TOPIC:
        held = situation_chances(plan, policy())
        chance = sum(held.get(name, 0.0) for name in policy().everyday.topics[said["row"]])
    return Offer(said["reader"], said["row"], (said["way"],), said["mood"], chance, rank=ranks.get((said["reader"], said["row"]), LAST))


def _vectors(texts: list[str]) -> np.ndarray:
    return np.concatenate([embedder().matrix(texts[i : i + 512]) for i in range(0, len(texts), 512)])


def entries() -> list[Entry]:
    """All that can be said: its language, reader, row and words."""
    out: dict[Entry, None] = {}
    for language in ("en", "ko"):
        words, everyday = policy().compose.languages[language], policy().everyday.languages[language]
        tables: list[tuple[str, str, tuple[str, ...]]] = [(TOLD, name, ways) for name, ways in words.told.items()]
        tables += [(PLAIN, name, ways) for name, ways in words.plain.items()]
        tables += [(AMID, name, row.replies) for name, row in words.amid.items()]
        tables += [(DEED, name, (*row.replies, *row.hard)) for name, row in words.deeds.items()]
        tables += [(SCENE, name, (*row.good, *row.bad, *row.any)) for name, row in words.scenes.items()]
        tables += [(EVERYDAY, name, row.says) for name, row in everyday.situations.items()]
        tables += [(TOPIC, name, ways) for name, ways in everyday.topics.items()]
        for name, met in policy().occasions.languages[language].met.items():
            tables += [(OCCASION, name, (*met.heard, *met.asks)), (WIDE, name, (*met.heard, *met.asks))]
        out.update(dict.fromkeys((language, reader, name, way) for reader, name, ways in tables for way in ways))
    return list(out)


@dataclass
class Table:
    """A row for each reply that was read: which entry it is (the last stands for none), its signs, its mark."""

    entry: np.ndarray
    own: np.ndarray
    marks: np.ndarray
    of: np.ndarray


def table_of(held: list[Row], known: list[Entry]) -> Table:
    places = {entry: i for i, entry in enumerate(known)}
    each = [(i, row, k) for i, row in enumerate(held) for k in range(len(row.given))]

    def entry(row: Row, k: int) -> int:
        one = row.given[k]
        return places.get((row.language, one.reader, one.row, one.ways[0]), len(known))

    return Table(
        entry=np.array([entry(row, k) for _, row, k in each]),
        own=np.array([row.own[k] for _, row, k in each]),
        marks=np.array([row.marks[k] for _, row, k in each]),
        of=np.array([i for i, _, _ in each]),
    )


class Rates:
    """How often each entry was found off and apt, beside what its row and its reader let expect."""

    def __init__(self, t: Table, known: list[Entry], vectors: np.ndarray) -> None:
        self.t, count = t, len(known) + 1
        self.groups = [
            _numbered([entry[:2] for entry in known]),
            _numbered([entry[:3] for entry in known]),
            np.arange(count),
        ]
        self.means = {mark: float((t.marks == mark).mean()) for mark in (OFF, APT)}
        self.sums = {
            mark: [np.bincount(g[t.entry], t.marks == mark, g.max() + 1) for g in self.groups] for mark in (OFF, APT)
        }
        self.counts = [np.bincount(g[t.entry], None, g.max() + 1) for g in self.groups]
        self.meant = {mark: _meant(t, mark, vectors) for mark in (OFF, APT)}

    def of(self, entry: np.ndarray, marks: np.ndarray | None = None) -> np.ndarray:
        """With `marks`, of replies that were counted: each without itself."""
        out = []
        for mark in (OFF, APT):
            own = 0.0 if marks is None else (marks == mark).astype(float)
            one = 0.0 if marks is None else 1.0
            rate = np.full(len(entry), self.means[mark])
            rates = []
            for group, sums, counts, worth in zip(
                self.groups, self.sums[mark], self.counts, (BY_READER, BY_ROW, BY_WAY), strict=True
            ):
                rate = (sums[group[entry]] - own + worth * rate) / (counts[group[entry]] - one + worth)
                rates.append(rate)
            out += [*rates[1:], self.meant[mark][entry]]
        return np.array(out).T


def _numbered(names: list[tuple[str, ...]]) -> np.ndarray:
    found: dict[tuple[str, ...], int] = {}
    return np.array([found.setdefault(name, len(found)) for name in names] + [len(set(names))])


def _meant(t: Table, mark: int, vectors: np.ndarray) -> np.ndarray:
    """What words of the same meaning were found to be; of each entry by what was learned from others."""
    fold = np.random.default_rng(0).integers(0, FOLDS, len(vectors))
    out, wanted = np.zeros(len(vectors)), (t.marks == mark).astype(float)
    for one in range(FOLDS):
        use = fold[t.entry] != one
        out[fold == one] = Ridge(HELD_BACK).fit(vectors[t.entry[use]], wanted[use]).predict(vectors[fold == one])
    return out


def net_of(own: int) -> torch.nn.Sequential:
    one, two = torch.nn.Linear(7 + own, HIDDEN), torch.nn.Linear(HIDDEN, 3)
    return torch.nn.Sequential(one, torch.nn.ReLU(), torch.nn.Dropout(DROP), two)


@dataclass
class Judge:
    nets: list[torch.nn.Sequential]
    rates: Rates
    mean: np.ndarray
    spread: np.ndarray
    own_mean: np.ndarray
    own_spread: np.ndarray

    def chances(self, t: Table) -> np.ndarray:
        x = torch.tensor(_seen(self, t, None), dtype=torch.float32)
        with torch.no_grad():
            return np.mean([torch.softmax(net(x), dim=1).numpy() for net in self.nets], axis=0)


def _seen(judge: Judge, t: Table, marks: np.ndarray | None) -> np.ndarray:
    known = (t.entry < len(judge.rates.groups[2]) - 1).astype(float)[:, None]
    rates = (judge.rates.of(t.entry, marks) - judge.mean) / judge.spread
    return np.hstack([rates * known, known, (t.own - judge.own_mean) / judge.own_spread])


def fitted(t: Table, known: list[Entry], vectors: np.ndarray, seeds: int) -> Judge:
    rates = Rates(t, known, vectors)
    seen = rates.of(t.entry, t.marks)
    spread = np.maximum(t.own.std(axis=0), 1e-2) * 1.5
    judge = Judge([], rates, seen.mean(axis=0), seen.std(axis=0), t.own.mean(axis=0), spread)
    x, marks = torch.tensor(_seen(judge, t, t.marks), dtype=torch.float32), torch.tensor(t.marks)
    torch.set_num_threads(1)
    for seed in range(seeds):
        torch.manual_seed(seed)
        net, order = net_of(t.own.shape[1]), np.random.default_rng(seed)
        how = torch.optim.AdamW(net.parameters(), lr=RATE, weight_decay=DECAY)
        parts = len(marks) // BATCH + 1
        paced = torch.optim.lr_scheduler.OneCycleLR(how, RATE, total_steps=ROUNDS * parts)
        net.train()
        for _ in range(ROUNDS):
            for part in np.array_split(order.permutation(len(marks)), parts):
                loss = torch.nn.functional.cross_entropy(net(x[part]), marks[part], label_smoothing=0.05)
                how.zero_grad()
                loss.backward()
                how.step()
                paced.step()
        judge.nets.append(net.eval())
    return judge


def shares(marks: list[int]) -> str:
    n = max(1, len(marks))
    return "off {:.1%} flat {:.1%} apt {:.1%}".format(*(sum(m == k for m in marks) / n for k in range(3)))


def check(held: list[Row], known: list[Entry], vectors: np.ndarray) -> None:
    everything: dict[tuple[str, str], list[int]] = {}
    for hand in sorted({row.hand for row in held}):
        asked = [row for row in held if row.hand == hand and row.rule >= 0]
        language, x = asked[0].language, table_of(asked, known)
        made = fitted(table_of([row for row in held if row.hand != hand], known), known, vectors, SEEDS).chances(x)
        print(f"{hand}: {len(asked)} messages, {(made.argmax(1) == x.marks).mean():.3f} of marks as read")
        said = {"by rules": [int(row.marks[row.rule]) for row in asked]}
        for ahead in (0.0, 0.1, 0.2):
            worth = made[:, 2] - made[:, 0]
            worth[[np.flatnonzero(x.of == i)[row.rule] for i, row in enumerate(asked)]] += ahead
            said[f"judge +{ahead}"] = [int(row.marks[worth[x.of == i].argmax()]) for i, row in enumerate(asked)]
        said["at best"] = [int(row.marks.max()) for row in asked]
        for name, marks in said.items():
            everything.setdefault((language, name), []).extend(marks)
    for (language, name), marks in sorted(everything.items()):
        print(f"{language} {name:10} {shares(marks)} of {len(marks)}")


def packed(judge: Judge, known: list[Entry]) -> dict[str, np.ndarray]:
    out: dict[str, np.ndarray] = {"own_mean": judge.own_mean, "own_spread": judge.own_spread}
    for name, layer in (("one", judge.nets[0][0]), ("two", judge.nets[0][3])):
        table = layer.weight.detach().numpy().T
        scale = np.maximum(np.abs(table).max(axis=0), 1e-6) / 127
        out[name] = np.clip(np.rint(table / scale), -127, 127).astype(np.int8)
        out[f"{name}_s"], out[f"{name}_b"] = scale, layer.bias.detach().numpy()
    rates = (judge.rates.of(np.arange(len(known))) - judge.mean) / judge.spread
    by_key = {way_key(reader, row, way): rate for (_, reader, row, way), rate in zip(known, rates, strict=True)}
    keys = sorted(by_key)
    made = np.array([by_key[key] for key in keys])
    scale = np.maximum(np.abs(made).max(axis=0), 1e-6) / 127
    out |= {"ways": np.clip(np.rint(made / scale), -127, 127).astype(np.int8), "ways_s": scale}
    small = {name: part if part.dtype == np.int8 else part.astype(np.float32) for name, part in out.items()}
    return {**small, "keys": np.array(keys, dtype=np.uint32)}


def main() -> None:
    asked = argparse.ArgumentParser()
    asked.add_argument("--check", action="store_true")
    checks = asked.parse_args().check
    known, held = entries(), list(rows())
    vectors = np.vstack([_vectors([bare(way) for *_, way in known]), np.zeros((1, 512))])
    if checks:
        check(held, known, vectors)
        return
    t = table_of(held, known)
    print(f"{len(held)} messages, {len(t.marks)} replies, {len(known)} ways")
    out = packed(fitted(t, known, vectors, 1), known)
    ship(out, "judge.npz", "compose.judge.toml", "The judge of replies; written by bench/train/judge.py.")


if __name__ == "__main__":
    main()
