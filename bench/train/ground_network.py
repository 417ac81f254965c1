"""Train the network of follow-ups (kernel/ground/network.py runs it in whole numbers).

    python bench/train/ground_pack.py PACK
    python bench/train/ground_network.py fit PACK FOLDER [--seconds N] [--nets N] [--without HAND …] [--also PACK …]
    python bench/train/ground_network.py ship STATE

`fit` needs torch and numpy alone, so that it can be done on a machine with a graphics card: everything is held there in
arrays of a fixed shape, and each time a message is read it looks a little different (`vary`). The pace falls as a cosine
over the seconds that are given, and what is kept is the average of the weights. data/follow/*_test.jsonl are of two
hands that are never learned from: `fit` tells what it makes of them, and of hands that are left out. `ship` writes the
weights. How many steps fit into the seconds depends on the machine, so that new weights will be like the shipped ones
and not the same.
"""

from __future__ import annotations

import argparse
import lzma
import math
import pickle
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

ACTS = ("accept", "choose", "reject", "ask", "more", "new", "close", "correct", "unclear")
SIGNS, GIST = 9, 8.0
SIZE, NEAR, RATE, SLOWEST, RISE, MEAN = 512, 8, 2.5e-3, 0.01, 100, 0.998
DROP_TABLE, HIDE, SWAP, SWAPPED, UNHEARD = 0.1, 0.15, 0.3, 0.7, 0.1
# Kinds of signs that tell the same in different words: one is hidden at a time.
BLOCKS = [range(1, 12), range(12, 15), range(15, 21), range(21, 26), range(59, 71), range(83, 93)]
# Of what is near to other messages or about nothing a share is read in each pass, and weighs as much more.
SHARE = {"own": 0.3, "stray": 0.3}
HEAVY = {"own": 1.33, "stray": 1.2, "old": 0.8, "third": 1.0, "fourth_en": 2.0, "fourth_ko": 2.0, "fifth": 2.0}
# A message beside another list: how often it stands for itself, and what it weighs.
VARIED = 0.5
MARKS = (0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95)


@dataclass(frozen=True)
class Plan:
    """How one of the networks is trained that are averaged."""

    seed: int
    width: int = 96
    hidden: int = 160
    decay: float = 0.1
    smooth: float = 0.03
    drop: float = 0.4
    # How often a number of the texts' vectors is hidden, and how often a word's meaning.
    drop_gist: float = 0.2
    drop_word: float = 0.05
    match: int = 48
    kind: int = 32


PLANS = (Plan(11), Plan(10, hidden=128, decay=0.05, smooth=0.05), Plan(12, drop=0.5), Plan(13, smooth=0.05, drop=0.45))


class Network(nn.Module):
    """Every word is read beside every candidate, then every candidate beside the others."""

    def __init__(self, own: int, shared: int, plan: Plan) -> None:
        super().__init__()
        d, hidden, match, kind = plan.width, plan.hidden, plan.match, plan.kind
        self.drop_gist, self.drop_word = plan.drop_gist, plan.drop_word
        self.token, self.side = nn.Linear(512, d), nn.Embedding(2, d)
        self.match, self.kind = nn.Linear(512, match, bias=False), nn.Linear(512, kind)
        self.sign = nn.Linear(SIGNS + 3, d, bias=False)
        self.near = nn.ModuleList([nn.Linear(3 * d, d) for _ in range(2)])
        self.norm = nn.ModuleList([nn.LayerNorm(d) for _ in range(2)])
        self.gist, self.alike = nn.Linear(512, kind), nn.Linear(512, kind, bias=False)
        self.one = nn.Linear(3 * d + 3 * kind + own + shared, hidden)
        self.two = nn.Linear(3 * hidden, hidden)
        self.score, self.member = nn.Linear(hidden, 1), nn.Linear(hidden, 1)
        self.acts = nn.Linear(2 * hidden, 2 * len(ACTS) + 1)
        self.drop = nn.Dropout(plan.drop)

    def forward(self, b: dict[str, Tensor]) -> tuple[Tensor, Tensor, Tensor]:
        (n, length), c = b["ids"].shape, b["known"].shape[1]
        here = b["mask"]
        # One mask for a whole message: a word looks the same on both sides.
        kept = F.dropout(torch.ones(n, 1, 512, device=here.device), DROP_TABLE, self.training)
        heard = F.dropout(torch.ones(n, length, 1, device=here.device), self.drop_word, self.training).gt(0)
        rows = b["table"][b["ids"]] * kept * heard
        x = self.token(rows) + self.side(b["side"])
        shown = b["table"][b["shown"]] * kept[:, None]
        a, k = F.normalize(self.match(rows), dim=-1), F.normalize(self.match(shown), dim=-1)
        fit = torch.einsum("nld,ncjd->ncjl", a, k).masked_fill(b["shown_mask"][..., None] == 0, -1.0).max(2)[0]
        fit = fit.masked_fill(b["known"][..., None] == 0, -1.0)
        top, at = fit.max(1, keepdim=True)
        others = fit.scatter(1, at, -1.0).max(1, keepdim=True)[0]
        lead = torch.where(fit == top, fit - others, fit - top)
        offered = b["own"][..., :1].expand(n, c, length)
        signs = torch.cat([b["signs"], fit[..., None], lead[..., None], offered[..., None]], -1)
        h = F.relu(x[:, None] + self.sign(signs)) * here[:, None]
        for near, norm in zip(self.near, self.norm, strict=True):
            seen_by = self.drop(torch.ones(n, 1, 1, h.shape[-1], device=here.device))
            padded = F.pad(norm(h) * seen_by * here[:, None], (0, 0, 1, 1))
            seen = torch.cat([padded[:, :, i : i + length] for i in range(3)], -1)
            h = (h + F.relu(near(seen))) * here[:, None]
        mine = here[:, None] * (b["side"] == 0)[:, None, :, None]
        other = here[:, None] * (b["side"] == 1)[:, None, :, None]
        pooled = [(h - 1e4 * (1 - mine)).max(2)[0], (h * mine).sum(2) / mine.sum(2).clamp(min=1), (h * other).max(2)[0]]
        kind = (F.relu(self.kind(shown)) * b["shown_mask"][..., None]).max(2)[0]
        shared = b["shared"][:, None].expand(n, c, -1)
        part = F.dropout(torch.ones(n, 512, device=here.device), self.drop_gist, self.training)
        gist = F.relu(self.gist(b["gist"] * part))[:, None].expand(n, c, -1)
        alike = self.alike(b["gist"] * part)[:, None] * self.alike(b["gists"])
        seen = torch.cat([*pooled, kind, gist, alike, b["own"], shared], -1)
        z = self.drop(F.relu(self.one(seen))) * b["known"][..., None]
        mean = z.sum(1, keepdim=True) / b["known"].sum(1)[:, None, None]
        most = z.max(1, keepdim=True)[0]
        z = F.relu(self.two(torch.cat([z, mean.expand_as(z), most.expand_as(z)], -1)))
        z = self.drop(z) * b["known"][..., None]
        scores = self.score(z)[..., 0].masked_fill(b["known"] == 0, -1e4)
        acts = self.acts(torch.cat([z.max(1)[0], z.sum(1) / b["known"].sum(1, keepdim=True)], -1))
        return scores, self.member(z)[..., 0], acts


class Held:
    """All messages on one machine's card, and batches made of them there."""

    def __init__(self, packs: list[dict[str, Any]], device: str) -> None:
        tables = [unrounded(p["table"]) for p in packs]
        vectors = [unrounded(p["vectors"]) for p in packs]
        self.table = torch.tensor(np.concatenate(tables), device=device)
        self.vectors = torch.tensor(np.concatenate(vectors), device=device) * GIST
        arrays, tokens, texts = [], 0, 0
        for p, t, v in zip(packs, tables, vectors, strict=True):
            arrays.append(padded(p, tokens, texts))
            tokens, texts = tokens + len(t), texts + len(v)
        names = [np.array(p["hands"])[p["hand"]] for p in packs]
        self.hand, self.lang = np.concatenate(names), np.concatenate([p["lang"] for p in packs])
        self.kind = np.concatenate([p["kind"] for p in packs])
        joined = {k: joint([a[k] for a in arrays]) for k in arrays[0]}
        self.count, self.length = joined["count"].astype(int), joined["length"].astype(int)
        weight = joined["weight"] * np.array([HEAVY.get(h, 2.0) for h in self.hand]) * np.where(self.kind > 0, VARIED, 1.0)
        joined["weight"] = weight.astype(np.float32)
        self.all = {k: torch.from_numpy(v).to(device) for k, v in joined.items()}
        self.device = device

    def batch(self, rows: np.ndarray, vary: bool) -> dict[str, Tensor]:
        at = torch.from_numpy(rows).to(self.device)
        c, length = int(self.count[rows].max()), int(self.length[rows].max())
        a = self.all
        ids, heard = a["ids"][at, :length].long(), a["heard"][at].long()
        place = torch.arange(length, device=self.device)
        side = place < heard[:, None]
        mask = place < a["length"][at].long()[:, None]
        known = torch.arange(c, device=self.device) < a["count"][at].long()[:, None]
        signs = a["signs"][at, :c, :length].float() / a["scale"]
        shown, sizes = a["shown"][at, :c].long(), a["sizes"][at, :c].long()
        shown_mask = torch.arange(shown.shape[2], device=self.device) < sizes[..., None]
        own, shared = a["own"][at, :c].float() / a["scale"], a["shared"][at].float() / a["scale"]
        b = {"ids": ids, "mask": mask, "signs": signs, "shown": shown, "shown_mask": shown_mask, "own": own, "shared": shared}
        if vary:
            b |= varied(b, side, len(self.table))
        return {
            **b, "side": side.long(), "mask": b["mask"][..., None].float(), "shown_mask": shown_mask.float(), "known": known.float(),
            "meant": a["meant"][at, :c].float(), "first": a["first"][at].long(), "second": a["second"][at].long(),
            "weight": a["weight"][at], "gist": self.vectors[a["gist"][at].long()], "gists": self.vectors[a["gists"][at, :c].long()],
            "table": self.table,
        }  # fmt: skip


def varied(b: dict[str, Tensor], side: Tensor, tokens: int) -> dict[str, Tensor]:
    """As if it were another list, no words of the assistant's, fewer signs: a little different each time."""
    n, device = len(side), side.device

    def some(share: float) -> Tensor:
        return torch.rand(n, device=device) < share

    mask = b["mask"] & ~(some(UNHEARD)[:, None] & side)
    # What things are called does not matter: a name of the list becomes another word, wherever it stands.
    named = (b["signs"][..., 2:4] > 0).any(-1).any(1) & b["mask"]
    flat = b["shown"].flatten(1)
    same = (b["ids"][:, :, None] == flat[:, None]) & named[:, :, None] & b["shown_mask"].flatten(1)[:, None]
    salt = torch.randint(1, 1 << 30, (n, 1), device=device)
    swaps = some(SWAP)[:, None]

    def other(ids: Tensor, held: Tensor) -> Tensor:
        mixed = (ids * 2654435761 + salt * 40503) % 2147483647
        mixed = (mixed * 48271 + salt) % 2147483647
        chosen = (mixed // 7 % 1000) < SWAPPED * 1000
        return torch.where(held & swaps & chosen, mixed % tokens, ids)

    ids, shown = other(b["ids"], same.any(2)), other(flat, same.any(1)).view_as(b["shown"])
    signs = b["signs"].clone()
    signs[..., : SIGNS - 1] *= ~some(HIDE)[:, None, None, None]
    own, shared = b["own"].clone(), b["shared"].clone()
    for part in BLOCKS:
        own[..., part.start : part.stop] *= ~some(HIDE)[:, None, None]
    shared[:, 7:] *= ~some(HIDE)[:, None]
    return {"mask": mask, "ids": ids, "shown": shown, "signs": signs, "own": own, "shared": shared}


def unrounded(held: dict[str, Any]) -> np.ndarray:
    return (held["parts"].T.astype(np.float32) * held["step"]) @ held["base"].astype(np.float32).T


def padded(p: dict[str, Any], tokens: int, texts: int) -> dict[str, np.ndarray]:
    """One row for a message, each of as many places as the longest needs."""
    said, heard, count = (p[k].astype(np.int64) for k in ("said", "heard", "count"))
    length, n = said + heard, len(said)
    most, longest, widest = int(count.max()), int(length.max()), int(p["shown"].max())
    row_of, place = spread(length)
    out = {"ids": np.zeros((n, longest), np.int32), "signs": np.zeros((n, most, longest, SIGNS), np.int8)}
    out["ids"][row_of, place] = p["ids"].astype(np.int32) + tokens
    # Signs are written message by message: first the assistant's tokens, then the message's, each beside every candidate.
    signs = np.ascontiguousarray(p["signs"].T)
    many = np.repeat(count, length)
    token_of, which = spread(many)
    out["signs"][row_of[token_of], which, place[token_of]] = signs
    owner, which = spread(count)
    sizes = p["shown"].astype(np.int64)
    of, at = spread(sizes)
    for key, shape, kind in (("sizes", (), np.uint8), ("shown", (widest,), np.int32), ("own", (p["own"].shape[0],), np.int16),
                             ("meant", (), np.bool_), ("gists", (), np.int32)):  # fmt: skip
        out[key] = np.zeros((n, most, *shape), kind)
    out["sizes"][owner, which], out["meant"][owner, which] = sizes, p["meant"]
    out["own"][owner, which] = np.ascontiguousarray(p["own"].T)
    out["gists"][owner, which] = p["gists"].astype(np.int32) + texts
    out["shown"][owner[of], which[of], at] = p["shown_ids"].astype(np.int32) + tokens
    return {
        **out, "heard": heard, "length": length, "count": count, "shared": np.ascontiguousarray(p["shared"].T),
        "first": p["first"], "second": p["second"], "weight": p["weight"].astype(np.float32),
        "gist": p["gist"].astype(np.int32) + texts, "scale": np.array(p["sign"], np.float32),
    }  # fmt: skip


def spread(counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """For each thing: whose it is, and the how manieth of those."""
    owner = np.repeat(np.arange(len(counts)), counts)
    return owner, np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts, counts)


def joint(arrays: list[np.ndarray]) -> np.ndarray:
    if not arrays[0].ndim:
        return arrays[0]
    shape = np.max([a.shape[1:] for a in arrays], axis=0) if arrays[0].ndim > 1 else ()
    return np.concatenate([np.pad(a, [(0, 0), *((0, int(m - s)) for m, s in zip(shape, a.shape[1:], strict=True))]) for a in arrays])


def loss_of(net: Network, b: dict[str, Tensor], smooth: float) -> Tensor:
    scores, member, acts = net(b)
    every = torch.cat([torch.zeros_like(scores[:, :1]), scores], 1).float().log_softmax(1)
    none = (b["meant"].sum(1, keepdim=True) == 0).float()
    gold = torch.cat([none, b["meant"]], 1)
    w = b["weight"] / b["weight"].sum()
    loss = -((every.masked_fill(gold == 0, -1e9)).logsumexp(1) * w).sum()
    here = torch.cat([torch.ones_like(b["known"][:, :1]), b["known"]], 1)
    loss = loss - smooth * ((every * here).sum(1) / here.sum(1) * w).sum()
    each = F.binary_cross_entropy_with_logits(member.float(), b["meant"], reduction="none") * b["known"]
    loss = loss + 0.5 * (each.sum(1) * w).sum()
    k, acts = len(ACTS), acts.float()
    loss = loss + 0.5 * (F.cross_entropy(acts[:, :k], b["first"], reduction="none", ignore_index=-100) * w).sum()
    return loss + 0.3 * (F.cross_entropy(acts[:, k:], b["second"], reduction="none", ignore_index=-100) * w).sum()


def batches(held: Held, rows: np.ndarray, by: np.random.Generator, size: int) -> list[np.ndarray]:
    """One pass in batches, each of messages beside about as many words and candidates: less of a batch is empty."""
    share = np.array([SHARE.get(h, 1.0) for h in held.hand[rows]])
    some = by.permutation(rows[by.random(len(rows)) < share])
    out = []
    for i in range(0, len(some), NEAR * size):
        part = some[i : i + NEAR * size]
        part = part[np.argsort(held.count[part] * held.length[part], kind="stable")]
        out += [part[k : k + size] for k in range(0, len(part), size)]
    return [out[i] for i in by.permutation(len(out))]


def fit(held: Held, rows: np.ndarray, plan: Plan, seconds: float, size: int, rate: float, keep: Any) -> Network:
    torch.manual_seed(plan.seed)
    by = np.random.default_rng(plan.seed)
    net = Network(held.all["own"].shape[2], held.all["shared"].shape[1], plan).to(held.device)
    optimizer = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=plan.decay)
    mean = torch.optim.swa_utils.AveragedModel(net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(MEAN))
    began = saved = time.monotonic()
    step = passes = 0
    while (spent := time.monotonic() - began) < seconds:
        net.train()
        total = torch.zeros((), device=held.device)
        some = batches(held, rows, by, size)
        for part in some:
            done = min(1.0, (time.monotonic() - began) / seconds)
            pace = min(1.0, (step + 1) / RISE) * max(SLOWEST, 0.5 + 0.5 * math.cos(math.pi * done))
            for group in optimizer.param_groups:
                group["lr"] = rate * pace
            b = held.batch(part, True)
            with torch.autocast(held.device, torch.bfloat16):
                loss = loss_of(net, b, plan.smooth)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 2.0)
            optimizer.step()
            mean.update_parameters(net)
            total += loss.detach()
            step += 1
            if done >= 1.0:
                break
        passes += 1
        if passes % 10 == 1:
            print(f"pass {passes}, step {step}: {float(total) / len(some):.3f}, {spent:.0f} s", flush=True)
        if time.monotonic() - saved > 60:
            keep(mean.module)
            saved = time.monotonic()
    print(f"{passes} passes, {step} steps, {time.monotonic() - began:.0f} s", flush=True)
    return mean.module.eval()


def judged(nets: list[Network], held: Held, rows: np.ndarray) -> list[tuple[float, bool, bool, bool]]:
    """The chance of the best set, whether it is meant, whether any was, and whether the first act is right."""
    out = []
    with torch.no_grad():
        for i in range(0, len(rows), 256):
            part = rows[i : i + 256]
            b = held.batch(part, False)
            made = [net.eval()(b) for net in nets]
            chances = sum(torch.cat([torch.zeros_like(s[:, :1]), s], 1).softmax(1) for s, _, _ in made) / len(made)
            member = sum(m.sigmoid() for _, m, _ in made) / len(made)
            acts = sum(a[:, : len(ACTS)].softmax(1) for _, _, a in made) / len(made)
            for k, p, m, a, meant, first in zip(part, *(t.tolist() for t in (chances, member, acts, b["meant"], b["first"])), strict=True):
                own = p[1 : 1 + held.count[k]]
                best = max(range(len(own)), key=lambda q: own[q])
                several = [q for q in range(len(own)) if m[q] > 0.5]
                takes = several if len(several) > 1 and best in several else [best]
                out.append((sum(own[q] for q in takes), meant[best] > 0, any(meant), max(range(len(ACTS)), key=lambda q: a[q]) == first))
    return out


def told(name: str, found: list[tuple[float, bool, bool, bool]]) -> None:
    takes = max(1, sum(f[2] for f in found))
    line = []
    for mark in MARKS:
        taken = sum(f[0] >= mark and f[1] for f in found)
        wrong = sum(f[0] >= mark and not f[1] for f in found)
        line.append(f"{mark}: {100 * taken / takes:.1f}/{100 * wrong / len(found):.2f}")
    first = 100 * sum(f[1] for f in found) / takes
    acts = 100 * sum(f[3] for f in found) / max(1, len(found))
    # What is taken where so few are wrong in a hundred, whatever the mark.
    at = []
    for least in (0.5, 1.0, 2.0):
        best = wrong = taken = 0
        for _, right, _, _ in sorted(found, key=lambda f: -f[0]):
            wrong, taken = wrong + (not right), taken + right
            if 100 * wrong / len(found) > least:
                break
            best = taken
        at.append(f"{100 * best / takes:.1f} at {least}")
    print(f"{name} ({len(found)}, {takes} take): first {first:.1f}, acts {acts:.1f}; {', '.join(at)}; " + "  ".join(line), flush=True)


def tell(nets: list[Network], held: Held, hands: list[str]) -> None:
    plain = held.kind == 0
    for lang, name in ((False, "en"), (True, "ko")):
        every = plain & (held.lang == lang) & np.isin(held.hand, hands)
        for hand in hands:
            some = np.flatnonzero(every & (held.hand == hand))
            if len(some):
                told(hand, judged(nets, held, some))
        some = np.flatnonzero(every & ~np.char.endswith(held.hand.astype(str), "_test"))
        if len(some):
            told(f"left out, {name}", judged(nets, held, some))


def ship(states: list[dict[str, Any]]) -> None:
    import shipped

    out = {"nets": np.array(float(len(states)))}
    for n, state in enumerate(states):
        out |= shipped.arrays(state, f"{n}_", ("side",))
    shipped.ship(out, "follow.npz", "ground.network.toml", "The network of follow-ups; written by bench/train/ground_network.py.")


def plans(count: int, given: list[str]) -> list[Plan]:
    """`--plan hidden=200 drop=0.3` is one plan, as often as it is given; else the first ones of PLANS."""
    if not given:
        return list(PLANS[:count])
    kinds = {"seed": int, "width": int, "hidden": int, "match": int, "kind": int}
    made = [{k: kinds.get(k, float)(v) for k, v in (part.split("=") for part in g.split(","))} for g in given]
    return [Plan(**{"seed": 11 + i, **m}) for i, m in enumerate(made)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("fit", "ship"))
    parser.add_argument("file", type=Path)
    parser.add_argument("out", type=Path, nargs="?")
    parser.add_argument("--also", nargs="*", type=Path, default=[], help="more packs")
    parser.add_argument("--without", nargs="*", default=[], help="hands")
    parser.add_argument("--seconds", type=float, default=120, help="for all networks together")
    parser.add_argument("--nets", type=int, default=2)
    parser.add_argument("--plan", nargs="*", default=[], help="as seed=1,width=96,hidden=160,drop=0.4")
    parser.add_argument("--size", type=int, default=SIZE)
    parser.add_argument("--rate", type=float, default=RATE)
    parser.add_argument("--plain", action="store_true", help="without other lists, to compare")
    parser.add_argument("--name", default="state")
    args = parser.parse_args()
    if args.what == "ship":
        ship(torch.load(args.file, map_location="cpu"))
        return
    packs = []
    for file in (args.file, *args.also):
        with lzma.open(file, "rb") as stream:
            packs.append(pickle.load(stream))
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.backends.cuda.matmul.allow_tf32 = True
    held = Held(packs, device)
    tests = sorted({str(h) for h in held.hand if str(h).endswith("_test")})
    learned = ~np.isin(held.hand, [*args.without, *tests])
    if args.plain:
        learned &= held.kind == 0
    rows = np.flatnonzero(learned)
    print(f"{len(rows):,} of {len(held.hand):,} messages, {len(held.table):,} tokens, {device}", flush=True)
    args.out.mkdir(parents=True, exist_ok=True)
    nets: list[Network] = []

    def keep(now: Network) -> None:
        states = [{k: v.half() for k, v in n.state_dict().items()} for n in (*nets, now)]
        torch.save(states, args.out / f"{args.name}.pt")

    chosen = plans(args.nets, args.plan)
    for plan in chosen:
        print(plan, flush=True)
        made = fit(held, rows, plan, args.seconds / len(chosen), args.size, args.rate, keep)
        keep(made)
        nets.append(made)
        tell(nets[-1:], held, [*args.without, *tests])
    if len(nets) > 1:
        print("together", flush=True)
        tell(nets, held, [*args.without, *tests])


if __name__ == "__main__":
    main()
