"""The network of the statement reader, taught patiently: by messages that people marked and lines that a large reader marked.

    python bench/train/carried.py PACK
    python bench/train/patient.py PACK OUT.npz [--seconds N] [--width N] [--layers N] [--workers N]
    python bench/train/patient.py PACK OUT.npz --steps 20 --size 64     (a trial on plain cores)

Needs torch and numpy alone, and a graphics card to end in minutes: all messages are held there twice, as they are and with values
exchanged, in arrays of a fixed shape, and batches are put together on the card, at times two messages in one. Processes beside
the training exchange the values of the second half anew, all the time. The pace falls as a cosine does over the time that is
given. Every two minutes the averaged weights are written. Then `reader.py --only statements --trained OUT.npz` packs what is
written. Printed half way and at the end: what the network finds by itself in the tenth of our messages that is never read, and in
later_*.jsonl.
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
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

sys.path.insert(0, str(Path(__file__).resolve().parent))

import network as N
from carried import LATER, LINES, OWN, TENTH, Carried, vectors

# How long the training lasts, steps of so many messages; those marked by people come twice as often.
SECONDS, SIZE, SEED, RATE, TUNING, MEAN = 960, 1024, 7, 8e-4, 3.44e-4, 0.999
# How many steps the pace takes to rise, and how slow it ends; between, it falls as a cosine does.
RISE, SLOWEST = 300, 0.01
# How often a message stands beside another, and how long both may be.
BESIDE, BOTH = 0.3, 64
# What fits in the arrays: tokens of a message, pieces of a word, values, words for somebody, names of a value.
TOKENS, PIECES, VALUES, PEOPLE, SOFT = 56, 48, 8, 6, 4
# Seconds between two savings; rows that are exchanged anew at once.
SAVED, AGAIN = 120, 4096

Arrays = dict[str, np.ndarray]
SHAPES: dict[str, tuple[tuple[int, ...], Any]] = {
    "ids": ((TOKENS,), np.int32), "signs": ((TOKENS,), np.int16), "bio": ((TOKENS,), np.int8), "length": ((), np.int16),
    "pieces": ((TOKENS, PIECES), np.int16), "many": ((TOKENS,), np.int8), "lang": ((), np.int8),
    "told": ((), np.float32), "why": ((), np.int16), "values": ((), np.int8), "value": ((VALUES, 5), np.int16),
    "name": ((VALUES, SOFT), np.int16), "share": ((VALUES, SOFT), np.float32),
    "people": ((), np.int8), "person": ((PEOPLE, 2), np.int16), "right": ((VALUES, 1 + PEOPLE), np.bool_),
}  # fmt: skip


def shared(count: int) -> Arrays:
    """Arrays that processes which are started later fill together."""
    out = {}
    for key, (shape, kind) in SHAPES.items():
        size = count * math.prod(shape) * np.dtype(kind).itemsize
        out[key] = np.frombuffer(mmap.mmap(-1, size), dtype=kind).reshape(count, *shape)
    return out


class Donors(N.Values):
    """Values that may stand for others: only where each stands is held."""

    def __init__(self, carried: Carried, rows: list[int]) -> None:
        self.held, self.carried = {}, carried
        for row in rows:
            s = carried.first[row]
            found, whole, _ = carried.found[s]
            for (a, b, *rest), place in zip(found, whole, strict=True):
                sure = rest[5] is None or max(share for _, share in rest[5]) > N.SURE
                if place is not None and place[0] <= a and b <= place[1] and sure:
                    first, last, edges = place
                    key = ("ko" if carried.held["ko"][row] else "en", rest[0], rest[1], edges)
                    self.held.setdefault(key, []).append((s, first, last, a - first, b - first))

    def taken(self, value: tuple[Any, ...]) -> tuple[Any, ...]:
        s, first, last, a, b = value
        return (*self.carried.tokens(s, first, last), a, b)


class Work:
    """What the processes beside this one see: they are forked, nothing is sent to them."""

    carried: Carried
    rows: list[int]
    named: set[int]
    values: Donors
    to: Arrays


def put(k: int, row: int, made: tuple[Any, ...]) -> None:
    """One message into its place."""
    to, held = Work.to, Work.carried.held
    ids, words, marks, found, spoken = made
    n = min(len(ids), TOKENS)
    for key in ("bio", "pieces", "many", "values", "value", "name", "share", "people", "person", "right"):
        to[key][k] = 0
    to["ids"][k, :n], to["signs"][k, :n], to["length"][k] = ids[:n], marks[:n], n
    for j, word in enumerate(words[:n]):
        some = word[:PIECES]
        to["pieces"][k, j, : len(some)], to["many"][k, j] = some, len(some)
    found = [f for f in found if f[1] <= n]
    for s, e, *_ in sorted(found, key=lambda f: f[0] - f[1]):
        to["bio"][k, s], to["bio"][k, s + 1 : e] = 1, 2
    found = found[:VALUES]
    called = [(f[0], f[1], f[6]) for f in found if f[2] in Work.named and f[6] not in ("self", "?")]
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
    by_people = held["marked"][row]
    to["told"][k] = float(bool(found)) if by_people else held["told"][row]
    to["why"][k] = (0 if found else int(held["why"][row]) or -100) if by_people else -100
    to["lang"][k] = held["ko"][row]


def spelled(s: int) -> tuple[Any, ...]:
    ids, words, marks = Work.carried.tokens(s)
    found, whole, spoken = Work.carried.found[s]
    return ids, words, marks, found, whole, spoken


def fill(part: range, by: random.Random | None = None) -> None:
    """The first half of the arrays holds each message as it is, the second one spelling of it with other values."""
    by, count, carried = by or random.Random(part.start), len(Work.rows), Work.carried
    for k in part:
        row = Work.rows[k % count]
        if k < count:
            ids, words, marks, found, _, spoken = spelled(carried.first[row])
            made = ids, words, marks, found, spoken
        else:
            s = by.choice(range(carried.first[row], carried.first[row + 1]))
            made = Work.values.put(spelled(s), "ko" if carried.held["ko"][row] else "en", by)
        put(k, row, made)


def exchanging(number: int, workers: int, ready: Any, taken: Any) -> None:
    """The second half is exchanged anew, part after part; each part waits until it was taken."""
    by, count = random.Random(f"again {number}"), len(Work.rows)
    parts = [range(i, min(i + AGAIN, 2 * count)) for i in range(count, 2 * count, AGAIN)][number::workers]
    while parts:
        for part in parts:
            fill(part, by)
            ready.put((number, part.start, part.stop))
            taken.acquire()


class Held:
    """All messages on the card, and batches made of them there."""

    def __init__(self, arrays: Arrays, vector: np.ndarray, carried: Carried, device: str) -> None:
        self.shared = {key: torch.from_numpy(value) for key, value in arrays.items()}
        self.all = {key: value.to(device, copy=True) for key, value in self.shared.items()}
        self.table, self.attributes = torch.tensor(carried.table, device=device), len(carried.names)
        self.vector, self.unit = torch.tensor(vector, device=device), carried.unit
        self.bits = torch.arange(carried.signs, device=device)

    def renewed(self, start: int, stop: int) -> None:
        for key, value in self.shared.items():
            self.all[key][start:stop] = value[start:stop].to(self.table.device)

    def batch(self, first: Tensor, other: Tensor, both: Tensor) -> tuple[Any, Tensor]:
        """These messages, where `both` says so with the other one behind; and why nothing is told."""
        a, device = self.all, self.table.device
        n1, n2 = a["length"][first].long(), a["length"][other].long()
        both = both & (n1 + n2 <= BOTH)
        n2 = n2 * both
        b = N.Batch.__new__(N.Batch)
        b.table, b.lens = self.table, n1 + n2
        place = torch.arange(int(b.lens.max()), device=device)[None].expand(len(first), -1)
        behind, here = place >= n1[:, None], place < b.lens[:, None]
        b.flat = here.reshape(-1).nonzero()[:, 0]
        row = torch.where(behind, other[:, None], first[:, None])
        at = torch.where(behind, place - n1[:, None], place).clamp(max=TOKENS - 1)
        b.bio = a["bio"][row, at].long().masked_fill(~here, -100)
        row, at = row.reshape(-1)[b.flat], at.reshape(-1)[b.flat]
        b.message, b.place = b.flat // place.shape[1], b.flat % place.shape[1]
        b.ids = a["ids"][row, at].long()
        b.signs = (a["signs"][row, at].long()[:, None] >> self.bits & 1).float()
        many = a["many"][row, at].long().clamp(min=1)
        b.pieces = a["pieces"][row, at].long()[torch.arange(PIECES, device=device)[None] < many[:, None]]
        b.offsets, b.shares = many.cumsum(0) - many, many.float().rsqrt().repeat_interleave(many)
        v1, v2 = (self.vector[i % len(self.vector)].float() / self.unit * N.SENTENCE for i in (first, other))
        mean = F.normalize(v1 * n1[:, None] + v2 * n2[:, None], dim=1) * N.SENTENCE
        b.vectors = torch.where(both[:, None], mean, v1)
        t1, t2 = a["told"][first], a["told"][other]
        b.told = torch.where(both, 1 - (1 - t1) * (1 - t2), t1)
        sides = ((first, torch.zeros_like(n1), torch.ones_like(both)), (other, n1, both))
        numbers = self.people(b, sides)
        spans, named, right = [], [], []
        for (rows, shift, on), number in zip(sides, numbers, strict=True):
            some = (torch.arange(VALUES, device=device)[None] < a["values"][rows][:, None]) & on[:, None]
            m, i = some.nonzero(as_tuple=True)
            value = a["value"][rows[m], i].long()
            nothing = torch.zeros_like(m)[:, None]
            spans.append(torch.cat([m[:, None], value[:, :2] + shift[m][:, None], nothing, value[:, 2:]], 1))
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
            some = (torch.arange(PEOPLE, device=device)[None] < a["people"][rows][:, None]) & on[:, None]
            m, i = some.nonzero(as_tuple=True)
            people.append(torch.cat([m[:, None], a["person"][rows[m], i].long() + shift[m][:, None]], 1))
            number = torch.zeros(len(rows), PEOPLE, dtype=torch.long, device=device)
            number[m, i] = torch.arange(len(m), device=device) + count
            numbers.append(number)
            count += len(m)
        b.people = torch.cat(people)
        return numbers


class Flat(N.Network):
    """The same network over a batch whose tokens stand behind each other: nothing is reckoned where no token is."""

    def forward(self, b: Any) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
        if not hasattr(b, "flat"):
            return super().forward(b)
        count, length = b.bio.shape
        within = [(b.place + k >= 0) & (b.place + k < b.lens[b.message]) for k in range(-2, 3)]
        within = [one.float()[:, None] for one in within]

        def beside(z: Tensor, size: int, left: int) -> Tensor:
            padded = F.pad(z, (0, 0, 2, 2))
            shifts = range(-left, size - left)
            return torch.cat([padded[2 + k : 2 + k + len(z)] * within[k + 2].to(z.dtype) for k in shifts], -1)

        def apart(z: Tensor) -> Tensor:
            """Every message in a row of its own."""
            return z.new_zeros(count * length, z.shape[1]).index_copy(0, b.flat, z)

        known = self.sign(b.signs) + self.sentence(b.vectors).index_select(0, b.message)
        grams = self.bag(b.pieces, b.offsets, per_sample_weights=b.shares)
        known = known + self.gram(self.drop(grams))
        rows = F.dropout(b.table[b.ids], N.DROP_TABLE, self.training)
        x = F.relu(self.token(self.seen(rows, beside)) + known) + self.place(b.place.clamp(max=N.FAR - 1))
        x = x + F.relu(self.beside(beside(self.drop(x), 3, 1)))
        mask = torch.zeros(count * length, device=x.device).index_fill(0, b.flat, 1.0).view(count, length)
        for layer in self.layers:
            d = x.shape[1]
            asked = apart(layer.asked(layer.norm1(x))).view(count, length, 3, N.HEADS, d // N.HEADS)
            q, k, v = asked.permute(2, 0, 3, 1, 4)
            fit = (q @ k.transpose(-1, -2)) / math.sqrt(d // N.HEADS)
            fit = fit.masked_fill(mask[:, None, None] == 0, -1e4)
            met = (layer.drop(fit.softmax(-1)) @ v).transpose(1, 2).reshape(count * length, d)
            x = x + layer.drop(layer.told(met.index_select(0, b.flat)))
            x = x + layer.drop(layer.narrow(layer.drop(F.relu(layer.wide(layer.norm2(x))))))
        h = apart(self.drop(x)).view(count, length, -1)
        top = (h - 1e4 * (1 - mask[..., None])).max(1)[0]
        pooled = torch.cat([top, h.sum(1) / b.lens[:, None], b.vectors], 1)
        return h, top, self.bio(h), self.told(pooled)[:, 0], self.why(pooled)

    def seen(self, x: Tensor, beside: Callable[[Tensor, int, int], Tensor]) -> Tensor:
        """The encoder's own windows."""
        w = self.windows
        y = F.layer_norm(x @ w.held["proj"] + w.held["proj_b"], (768,), w.held["near_g"], w.held["near_b"], w.eps)
        out = [x]
        for i, (size, left) in enumerate(N.ORDERS):
            z = y[..., i * 256 : (i + 1) * 256]
            for layer in ("one", "two"):
                z = F.relu(beside(z, size, left) @ w.held[f"{layer}{size}"] + w.held[f"{layer}{size}_b"]) + z
                z = F.dropout(z, N.DROP_INSIDE, self.training) if layer == "one" else z
            out.append(z)
        return F.layer_norm(torch.cat(out, -1), (1280,), w.held["far_g"], w.held["far_b"], w.eps)


class Clock:
    """How far the training is, from 0 to 1: by steps where they are given, else by seconds."""

    def __init__(self, seconds: float, steps: int | None) -> None:
        self.seconds, self.steps, self.began = seconds, steps, time.monotonic()

    def passed(self) -> float:
        return time.monotonic() - self.began

    def at(self, step: int) -> float:
        return step / self.steps if self.steps else self.passed() / self.seconds


def fit(net: Flat, held: Held, marked: Tensor, size: int, seed: int, clock: Clock, renew: Callable[[], None],
        look: Callable[[Flat, str, bool], None]) -> Flat:  # fmt: skip
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
    pool = torch.cat([torch.arange(len(marked), device=device), marked.nonzero()[:, 0]])
    lang = held.all["lang"]
    of = [pool[lang[pool] == k] for k in (0, 1)]

    def some(rows: Tensor) -> Tensor:
        return rows[torch.randint(len(rows), (size,), device=device, generator=by)]

    net.train()
    step, total, since, saved, half = 0, torch.zeros((), device=device), 0, 0.0, False
    while (far := clock.at(step)) < 1:
        step, since = step + 1, since + 1
        pace = min(1, step / RISE, 10 * far + 0.01) * max(SLOWEST, 0.5 * (1 + math.cos(math.pi * far)))
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
        renew()
        if step == 50 or step % 1000 == 0:
            print(f"step {step}, {far:.1%}: loss {float(total) / since:.3f}, {clock.passed():.0f} s", flush=True)
            total.zero_()
            since = 0
        if clock.passed() - saved > SAVED:
            saved = clock.passed()
            look(mean.module, f"step {step}, {saved:.0f} s", far >= 0.5 and not half)
            half = half or far >= 0.5
    print(f"{step} steps: loss {float(total) / max(1, since):.3f}, {clock.passed():.0f} s", flush=True)
    look(mean.module, f"step {step}, the end", True)
    made: Flat = mean.module
    return made.eval()


def measured(carried: Carried, part: int, vector: np.ndarray, limit: int | None) -> list[dict[str, Any]]:
    out = []
    rows = carried.part(part)
    for row in rows[:: max(1, len(rows) // limit)] if limit else rows:
        ids, words, marks, found, whole, spoken = spelled(carried.first[row])
        signs = [[bits >> n & 1 for n in range(carried.signs)] for bits in marks]
        near = torch.tensor(vector[row].astype(np.float32) / carried.unit) * N.SENTENCE
        lang = "ko" if carried.held["ko"][row] else "en"
        out.append({"spellings": [(ids, words, signs, found, whole, spoken)], "vector": near, "lang": lang})
    return out


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("pack", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--steps", type=int, help="so many steps, however long they take")
    parser.add_argument("--size", type=int, default=SIZE)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--width", type=int, default=N.WIDTH)
    parser.add_argument("--layers", type=int, default=N.LAYERS)
    parser.add_argument("--cores", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--workers", type=int, default=4, help="how many exchange values during the training")
    parser.add_argument("--limit", type=int, help="measure on so many messages of each kind")
    args = parser.parse_args()
    began = time.monotonic()
    torch.manual_seed(args.seed)
    torch.set_float32_matmul_precision("high")
    Work.carried = carried = Carried(args.pack)
    Work.rows, Work.named = carried.part(OWN, LINES), N.people_named(carried.names)
    count = len(Work.rows)
    Work.values, Work.to = Donors(carried, Work.rows), shared(2 * count)
    print(f"{count:,} messages, opened after {time.monotonic() - began:.0f} s", flush=True)
    beside = multiprocessing.get_context("fork")
    with beside.Pool(args.cores) as pool:
        pool.map(fill, [range(i, min(i + 2000, 2 * count)) for i in range(0, 2 * count, 2000)])
    ready, taken = beside.Queue(), [beside.Semaphore(0) for _ in range(args.workers)]
    for number in range(args.workers):
        job = (number, args.workers, ready, taken[number])
        beside.Process(target=exchanging, args=job, daemon=True).start()
    print(f"held twice after {time.monotonic() - began:.0f} s", flush=True)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    vector = vectors(carried, device)
    held = Held(Work.to, vector[Work.rows], carried, device)
    marked = torch.tensor(carried.held["marked"][Work.rows].tolist() * 2, device=device) > 0
    windows = {k.removeprefix("window_"): v for k, v in carried.held.items() if k.startswith("window_")}
    shape = (carried.buckets, carried.signs, len(carried.names), len(carried.whys))
    net = Flat(windows, *shape, width=args.width, layers=args.layers).to(device)
    tests = {name: measured(carried, part, vector, args.limit) for name, part in (("tenth", TENTH), ("later", LATER))}
    print(f"begun after {time.monotonic() - began:.0f} s on {device}", flush=True)

    def renew() -> None:
        if not ready.empty():
            number, start, stop = ready.get()
            held.renewed(start, stop)
            taken[number].release()

    def look(net: Flat, when: str, figures: bool) -> None:
        begun = args.out.with_name(f".{args.out.name}")
        N.save(net, carried.names, begun, np.float16)
        begun.replace(args.out)
        print(f"{when}: written", flush=True)
        if figures:
            net.eval()
            for name, rows in tests.items():
                print(name)
                N.figures(net, {"table": carried.table, "names": carried.names}, rows)

    fit(net, held, marked, args.size, args.seed, Clock(args.seconds, args.steps), renew, look)


if __name__ == "__main__":
    main()
