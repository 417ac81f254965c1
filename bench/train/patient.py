"""The network of the statement reader, taught patiently: by messages that people marked and lines that a large reader marked.

    python bench/train/patient.py OUT.npz [--steps N] [--cores N]
    python bench/train/patient.py OUT.npz --limit 400 --steps 20 --size 64     (a trial on plain cores)

Needs torch, and a graphics card to end in minutes: 418,000 messages are held there twice, as they are and with values exchanged,
in arrays of a fixed shape, and batches are put together on the card, at times two messages in one. On two plain cores the same
steps would take more than a day. Then `reader.py --only statements --trained OUT.npz` packs what is written. Printed at the end: what the network finds
by itself in the tenth of our messages that is never read, and in later_*.jsonl.
"""

from __future__ import annotations

import argparse
import math
import mmap
import multiprocessing
import os
import random
import sys
import time
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

sys.path.insert(0, str(Path(__file__).resolve().parent))

import lines
import network as N
import reader

from clew.adapters.embeddings.use import default as embedder

# Steps of so many messages: sixteen times over all of them, those marked by people twice as often.
STEPS, SIZE, SEED, RATE, TUNING, MEAN = 6476, 1024, 7, 8e-4, 3.44e-4, 0.999
# How many steps the pace takes to rise, and how slow it ends; between, it falls as a cosine does.
RISE, SLOWEST = 300, 0.01
# How often a message stands beside another.
BESIDE = 0.3
# What fits in the arrays: tokens of a message, pieces of a word, values, words for somebody, names of a value.
TOKENS, PIECES, VALUES, PEOPLE, SOFT = 56, 32, 8, 6, 4
CHUNK = 400

Row = dict[str, Any]
Arrays = dict[str, np.ndarray]


def shapes(signs: int) -> dict[str, tuple[tuple[int, ...], Any]]:
    return {
        "ids": ((TOKENS,), np.int32), "signs": ((TOKENS, signs), np.uint8), "bio": ((TOKENS,), np.int8), "length": ((), np.int16),
        "pieces": ((TOKENS, PIECES), np.int16), "many": ((TOKENS,), np.int8), "vector": ((512,), np.int8), "lang": ((), np.int8),
        "told": ((), np.float32), "why": ((), np.int16), "values": ((), np.int8), "value": ((VALUES, 5), np.int16),
        "name": ((VALUES, SOFT), np.int16), "share": ((VALUES, SOFT), np.float32),
        "people": ((), np.int8), "person": ((PEOPLE, 2), np.int16), "right": ((VALUES, 1 + PEOPLE), np.bool_),
    }  # fmt: skip


def shared(count: int, signs: int) -> Arrays:
    """Arrays that processes which are started later fill together."""
    out = {}
    for key, (shape, kind) in shapes(signs).items():
        size = count * math.prod(shape) * np.dtype(kind).itemsize
        out[key] = np.frombuffer(mmap.mmap(-1, size), dtype=kind).reshape(count, *shape)
    return out


def put(to: Arrays, k: int, row: Row, made: tuple[Any, ...], whys: list[str], named: set[int]) -> None:
    """One message into its place."""
    ids, words, marks, found, spoken = made
    n = min(len(ids), TOKENS)
    to["ids"][k, :n], to["signs"][k, :n], to["length"][k] = ids[:n], marks[:n], n
    for j, word in enumerate(words[:n]):
        some = word[:PIECES]
        to["pieces"][k, j, : len(some)], to["many"][k, j] = some, len(some)
    found = [f for f in found if f[1] <= n]
    for s, e, *_ in sorted(found, key=lambda f: f[0] - f[1]):
        to["bio"][k, s], to["bio"][k, s + 1 : e] = 1, 2
    found = found[:VALUES]
    called = [(f[0], f[1], f[6]) for f in found if f[2] in named and f[6] not in ("self", "?")]
    people = [*(p for p in spoken if p[1] <= n), *called][:PEOPLE]
    to["values"][k], to["people"][k] = len(found), len(people)
    for j, (s, e, _) in enumerate(people):
        to["person"][k, j] = s, e
    for i, (s, e, attribute, kind, status, stance, subject, soft) in enumerate(found):
        to["value"][k, i] = s, e, kind, status, stance
        for j, (name, share) in enumerate((soft or ((attribute, 1.0),))[:SOFT]):
            to["name"][k, i, j], to["share"][k, i, j] = name, share
        if subject == "self":
            to["right"][k, i, 0] = True
            continue
        others = [j for j, p in enumerate(people) if p[:2] != (s, e)]
        same = [j for j in others if people[j][2] == subject]
        for j in same or [j for j in others if N.alike(people[j][2]) == N.alike(subject)]:
            to["right"][k, i, 1 + j] = True
    by_people = row["told"] is None
    to["told"][k] = float(bool(found)) if by_people else row["told"]
    to["why"][k] = (0 if found else 1 + whys.index(row["why"]) if row["why"] else -100) if by_people else -100
    to["vector"][k], to["lang"][k] = row["vector"], row["lang"] == "ko"


class Work:
    """What the processes beside this one see: they are forked, nothing is sent to them."""

    rows: list[Row]
    names: list[str]
    whys: list[str]
    values: N.Values
    to: Arrays


def seen(data: list[Row]) -> list[Row]:
    return reader.examples(data, Work.names)


def fill(part: range) -> None:
    """The first half of the arrays holds each message as it is, the second one spelling of it with other values."""
    by, named, count = random.Random(part.start), N.people_named(Work.names), len(Work.rows)
    for k in part:
        row = Work.rows[k % count]
        if k < count:
            ids, words, marks, found, _, spoken = row["spellings"][0]
            made = ids, words, marks, found, spoken
        else:
            made = Work.values.put(by.choice(row["spellings"]), row["lang"], by)
        put(Work.to, k, row, made, Work.whys, named)


def examples(data: list[Row], cores: int) -> list[Row]:
    parts = [data[i : i + CHUNK] for i in range(0, len(data), CHUNK)]
    out: list[Row] = []
    with multiprocessing.get_context("fork").Pool(cores) as pool:
        for k, made in enumerate(pool.imap(seen, parts), start=1):
            out += made
            if k % 100 == 0:
                print(f"{len(out):,} of {len(data):,} read", flush=True)
    return out


class Held:
    """All messages on the card, and batches made of them there."""

    def __init__(self, arrays: Arrays, table: np.ndarray, attributes: int, device: str) -> None:
        self.all = {key: torch.from_numpy(value).to(device) for key, value in arrays.items()}
        self.table, self.attributes = torch.tensor(table, device=device), attributes

    def batch(self, first: Tensor, other: Tensor, both: Tensor) -> tuple[Any, Tensor]:
        """These messages, where `both` says so with the other one behind; and why nothing is told."""
        a, device = self.all, self.table.device
        n1 = a["length"][first].long()
        n2 = a["length"][other].long() * both
        b = N.Batch.__new__(N.Batch)
        b.table, b.lens = self.table, n1 + n2
        place = torch.arange(int(b.lens.max()), device=device)[None].expand(len(first), -1)
        behind, here = place >= n1[:, None], place < b.lens[:, None]
        row = torch.where(behind, other[:, None], first[:, None])
        at = torch.where(behind, place - n1[:, None], place).clamp(max=TOKENS - 1)
        b.ids, b.signs = a["ids"][row, at].long() * here, a["signs"][row, at].float() * here[..., None]
        b.bio = a["bio"][row, at].long().masked_fill(~here, -100)
        many = a["many"][row, at].long()[here].clamp(min=1)
        b.pieces = a["pieces"][row, at].long()[here][
            torch.arange(PIECES, device=device)[None] < many[:, None]
        ]
        b.offsets, b.shares = many.cumsum(0) - many, many.float().rsqrt().repeat_interleave(many)
        v1, v2 = (a["vector"][i].float() / reader.VECTOR * N.SENTENCE for i in (first, other))
        mean = F.normalize(v1 * n1[:, None] + v2 * n2[:, None], dim=1) * N.SENTENCE
        b.vectors = torch.where(both[:, None], mean, v1)
        t1, t2 = a["told"][first], a["told"][other]
        b.told = torch.where(both, 1 - (1 - t1) * (1 - t2), t1)
        sides = ((first, torch.zeros_like(n1), torch.ones_like(both)), (other, n1, both))
        numbers = self.people(b, sides)
        spans, named, right = [], [], []
        for (rows, shift, on), number in zip(sides, numbers, strict=True):
            m, i = (
                (torch.arange(VALUES, device=device)[None] < a["values"][rows][:, None]) & on[:, None]
            ).nonzero(as_tuple=True)
            value = a["value"][rows[m], i].long()
            spans.append(
                torch.cat(
                    [
                        m[:, None],
                        value[:, :2] + shift[m][:, None],
                        torch.zeros_like(m)[:, None],
                        value[:, 2:],
                    ],
                    1,
                )
            )
            share = torch.zeros(len(m), self.attributes, device=device)
            share.scatter_add_(1, a["name"][rows[m], i].long(), a["share"][rows[m], i])
            named.append(share / share.sum(1, keepdim=True).clamp(min=1e-6))
            marked = a["right"][rows[m], i]
            whose = torch.zeros(len(m), 1 + len(b.people), dtype=torch.bool, device=device)
            whose[:, 0] = marked[:, 0]
            x, y = marked[:, 1:].nonzero(as_tuple=True)
            whose[x, 1 + number[m[x], y]] = True
            right.append(whose)
        b.spans, b.named, b.right = torch.cat(spans), torch.cat(named), torch.cat(right)
        return b, a["why"][first].long().masked_fill(both, -100)

    def people(self, b: Any, sides: tuple[tuple[Tensor, Tensor, Tensor], ...]) -> list[Tensor]:
        """The words for somebody in all messages of a batch, and which number each has there."""
        a, device = self.all, self.table.device
        people, numbers, count = [], [], 0
        for rows, shift, on in sides:
            m, i = (
                (torch.arange(PEOPLE, device=device)[None] < a["people"][rows][:, None]) & on[:, None]
            ).nonzero(as_tuple=True)
            people.append(torch.cat([m[:, None], a["person"][rows[m], i].long() + shift[m][:, None]], 1))
            number = torch.zeros(len(rows), PEOPLE, dtype=torch.long, device=device)
            number[m, i] = torch.arange(len(m), device=device) + count
            numbers.append(number)
            count += len(m)
        b.people = torch.cat(people)
        return numbers


def fit(net: N.Network, held: Held, people_marked: Tensor, steps: int, size: int, seed: int) -> N.Network:
    """Every step a batch by chance; messages that people marked come twice as often."""
    device = held.table.device
    windows = {id(p) for p in net.windows.parameters()}
    groups = [
        {"params": [p for p in net.parameters() if id(p) not in windows]},
        {"params": list(net.windows.parameters())},
    ]
    optimizer = torch.optim.AdamW(groups, weight_decay=N.DECAY, fused=device.type == "cuda")
    mean = torch.optim.swa_utils.AveragedModel(
        net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(MEAN)
    )
    by = torch.Generator(device=device)
    by.manual_seed(seed)
    pool = torch.cat([torch.arange(len(people_marked), device=device), people_marked.nonzero()[:, 0]])
    lang = held.all["lang"]
    of = [pool[lang[pool] == k] for k in (0, 1)]

    def some(rows: Tensor) -> Tensor:
        return rows[torch.randint(len(rows), (size,), device=device, generator=by)]

    net.train()
    began, total, rise = time.monotonic(), torch.zeros((), device=device), min(RISE, 1 + steps // 10)
    for k in range(1, steps + 1):
        pace = min(1, k / rise) * max(SLOWEST, 0.5 * (1 + math.cos(math.pi * k / steps)))
        for group, rate in zip(optimizer.param_groups, (RATE, TUNING), strict=True):
            group["lr"] = rate * pace
        first = some(pool)
        other = torch.where(lang[first] == 0, some(of[0]), some(of[1]))
        both = torch.rand(size, device=device, generator=by) < BESIDE
        batch, why = held.batch(first, other, both)
        with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
            loss = N.loss_of(net, batch, why)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        optimizer.step()
        mean.update_parameters(net)
        total += loss.detach()
        if k % 500 == 0 or k == steps:
            print(
                f"{k} of {steps}: loss {float(total) / ((k - 1) % 500 + 1):.3f}, {time.monotonic() - began:.0f} s",
                flush=True,
            )
            total.zero_()
    made: N.Network = mean.module
    return made.eval()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--size", type=int, default=SIZE)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--cores", type=int, default=os.cpu_count() or 1)
    parser.add_argument(
        "--limit", type=int, help="take only so many messages, so many lines and so many to measure on"
    )
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    torch.set_float32_matmul_precision("high")
    device = "cuda" if torch.cuda.is_available() else "cpu"

    def few(data: list[Row]) -> list[Row]:
        return data[:: max(1, len(data) // args.limit)] if args.limit else data

    messages = reader.rows()
    own = [row for row in messages if reader.tenth(row["text"]) != 0]
    tests = {
        "tenth": [row for row in messages if reader.tenth(row["text"]) == 0],
        "later": reader.rows("later_*.jsonl"),
    }
    Work.names = sorted({m["attribute"] for row in own for m in row["memories"]})
    Work.whys = sorted({row["why"] for row in own if row.get("why")})
    embedder().matrix(["once, before the others are started"])
    Work.rows = examples([*few(own), *few(list(lines.marked()))], args.cores)
    measured = {name: examples(few(rows), args.cores) for name, rows in tests.items()}
    every = [row for rows in (Work.rows, *measured.values()) for row in rows]
    ids = sorted({i for row in every for e in row["spellings"] for i in e[0]})
    number = {token: k for k, token in enumerate(ids)}
    for row in every:
        row["spellings"] = [([number[i] for i in e[0]], *e[1:]) for e in row["spellings"]]
    count = 2 * len(Work.rows)
    Work.values, Work.to = N.Values(Work.rows), shared(count, reader.SIGNS)
    with multiprocessing.get_context("fork").Pool(args.cores) as pool:
        pool.map(fill, [range(i, min(i + 2000, count)) for i in range(0, count, 2000)])
    print(f"{len(Work.rows):,} messages, held twice", flush=True)
    table = N.rows_of(reader.bytes_of(np.array(ids)))
    held = Held(Work.to, table, len(Work.names), device)
    marked = torch.tensor([row["told"] is None for row in Work.rows] * 2, device=device)
    net = N.Network(reader.windows(), reader.BUCKETS, reader.SIGNS, len(Work.names), len(Work.whys)).to(
        device
    )
    net = fit(net, held, marked, args.steps, args.size, args.seed)
    N.save(net, Work.names, args.out)
    for name, rows in measured.items():
        for row in rows:
            row["vector"] = torch.tensor(row["vector"].astype(np.float32) / reader.VECTOR) * N.SENTENCE
        print(name)
        N.figures(net, {"table": table, "names": Work.names}, rows)


if __name__ == "__main__":
    main()
