"""Train the network of follow-ups (kernel/ground/network.py runs it in whole numbers).

    python bench/train/ground_network.py pack PACK
    python bench/train/ground_network.py fit PACK FITTED [--without HAND …]
    python bench/train/ground_network.py ship FITTED

`pack` reads the messages (bench/train/ground_acts.py names most of them; data/follow/ holds those of twelve more hands,
scene by scene) with everything that does not depend on weights; `fit` needs torch and numpy alone, so that it can be
done on another machine; `ship` writes the weights. data/follow/*_test.jsonl are of two hands that are never learned
from: `fit` tells what it makes of them, and of hands that are left out. Chance comes from fixed seeds; on another kind of
machine the sums of the training may differ in their last digits.
"""

from __future__ import annotations

import argparse
import gzip
import json
import pickle
import random
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parent))

import shipped

HERE = Path(__file__).resolve().parent
Row = dict[str, Any]
ACTS = ("accept", "choose", "reject", "ask", "more", "new", "close", "correct", "unclear")
TAKING = ("accept", "choose", "correct")
# So many tokens of the message, of the assistant's last words and of a candidate are read.
SAID, HEARD, SHOWN = 48, 28, 18


def pack(out: Path, beside_them: list[Path], data: Path) -> None:
    from ground_acts import learned_rows, lines, number, strays
    from ground_choices import beside

    from clew.adapters.embeddings.use import pieces_of
    from clew.engine.bootstrap import make_embedder
    from clew.kernel.ground.cards import card
    from clew.kernel.ground.options import OptionSet
    from clew.kernel.ground.point import point
    from clew.kernel.ground.rules import by_rules
    from clew.kernel.ground.traits import of_candidates, of_meaning, of_message, of_words, shown
    from clew.kernel.ground.turn import Turn
    from clew.kernel.read.follow_up import follow_up
    from clew.model.continuity import ContinuityState, Scope
    from clew.model.evidence import Candidate
    from clew.model.fields import Fields
    from clew.policy import default
    from grounding import unrelated

    scope, policy = Scope("chat", "bench"), default().ground
    embedder = make_embedder()
    model = embedder._load()._model
    vocabulary: dict[int, int] = {}
    kept: list[int] = []

    def tokens(text: str) -> tuple[list[tuple[int, int]], list[int]]:
        spans, ids = pieces_of(text, model.sp)
        for i in ids:
            if i not in vocabulary:
                vocabulary[i] = len(kept)
                kept.append(i)
        return list(spans), [vocabulary[i] for i in ids]

    gists: dict[str, int] = {}
    vectors: list[np.ndarray] = []

    def gist(text: str) -> int:
        if text not in gists:
            gists[text] = len(vectors)
            vectors.append(np.array(embedder.embed([text or " "])[0], dtype=np.float32))
        return gists[text]

    once: dict[str, np.ndarray] = {}

    def vector(text: str) -> np.ndarray:
        if text not in once:
            once[text] = np.array(embedder.embed([text or " "])[0])
        return once[text]

    def packed(row: Row, hand: str, weight: float) -> Row:
        # Every fifth message is read without the assistant's words, as some callers do not give them.
        told = hand.endswith("_test") or number(f"{row['user']}{row['assistant']}") % 5 > 0
        heard = row["assistant"] if told else None
        options = OptionSet(tuple(Candidate.read(Fields(c)) for c in row["candidates"]))
        every = tuple(range(len(options.candidates)))
        offered = options.position.get(row["offered"]) if row["offered"] else None
        turn = Turn(row["user"], options, ContinuityState(option_set_id="set", scope=scope), scope, "set",
                    offered=(row["offered"],) if row["offered"] else (), last_assistant_text=heard,
                    nothing_offered=row["offered"] is None)  # fmt: skip
        pointed = point(row["user"], options, offered, policy, heard)
        found = by_rules(turn, policy)
        cards = [card(c, policy.pointing) for c in options.candidates]
        spans, ids = tokens(row["user"])
        said = (ids[:SAID], of_words(follow_up(row["user"]).standing, spans[:SAID], cards, policy).astype(np.float16))
        spans, ids = tokens(heard or "")
        before = (ids[-HEARD:], of_words(follow_up(heard or "").standing, spans[-HEARD:], cards, policy).astype(np.float16))
        meant = {i for a in row["acts"] if a["act"] in TAKING for i in a["ids"]}
        seen = [shown(c) for c in options.candidates]
        meaning = of_meaning(
            np.array([vector(p) for p in follow_up(row["user"]).remarks]),
            np.array([vector(s) for s in seen]),
            np.array([vector(c.label) for c in options.candidates]),
        )
        plain = of_candidates(row["user"], options, every, offered, heard, pointed, found, policy)
        return {
            "gist": gist(row["user"]), "gists": [gist(s) for s in seen],
            "hand": hand, "lang": row["lang"], "weight": weight, "said": said, "heard": before,
            "shown": [tokens(shown(c))[1][:SHOWN] for c in options.candidates],
            "own": np.hstack([plain, meaning]).astype(np.float16),
            "shared": of_message(row["user"], options, offered, heard, pointed, found, policy).astype(np.float16),
            "meant": [c["id"] in meant for c in row["candidates"]],
            "acts": [ACTS.index(a["act"]) for a in row["acts"]][:2],
            "user": row["user"], "labels": [c["label"] for c in row["candidates"]], "offered": offered,
        }  # fmt: skip

    rows, own = learned_rows(), lines("acts_own.jsonl")
    hands: list[tuple[Row, str, float]] = [(r, r["hand"], 1.0) for r in rows]
    for file in sorted((HERE / "data" / "follow").glob("*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            scene = json.loads(line)
            lang = file.stem[:2]
            for each in scene["followups"]:
                row = {k: scene[k] for k in ("assistant", "candidates", "offered")}
                hands.append(({**row, **each, "lang": lang}, file.stem, 1.0))
    for file in beside_them:
        told = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
        hands += [({**row, "lang": file.stem[-2:]}, f"{file.stem}_test", 1.0) for row in told]
    hands += [(r, "own", r["weight"]) for r in beside(own, rows, 2)]
    texts = unrelated(data, learned=True)
    hands += [(r, "stray", 1.0) for r in strays(texts[:STRAYS], rows, 1.0)]
    made = []
    for n, (row, hand, weight) in enumerate(hands):
        made.append(packed(row, hand, weight))
        if n % 2000 == 0:
            print(n, "of", len(hands), flush=True)
    flat = np.array(kept)
    chunk = flat % model.scale.shape[0]
    table = model.table[flat].astype(np.float32) * model.scale[chunk, None] + model.lo[chunk, None]
    with gzip.open(out, "wb", compresslevel=3) as stream:
        pickle.dump({"rows": made, "table": table.astype(np.float16), "gists": np.array(vectors, np.float16)}, stream)
    print(f"{len(made)} messages, {len(kept)} tokens")



STRAYS = 3000
WIDTH, MATCH, KIND = 96, 48, 32
BATCH, NEAR, RATE, MEAN = 64, 16, 1.2e-3, 0.997
DROP, DROP_TABLE, HIDE, SWAP = 0.4, 0.1, 0.15, 0.3


@dataclass(frozen=True)
class Plan:
    """How one of the networks is trained that are averaged."""

    seed: int
    epochs: int
    hidden: int
    decay: float
    smooth: float


PLANS = (Plan(11, 14, 160, 0.1, 0.03), Plan(10, 20, 128, 0.02, 0.05))


def network(signs: int, own: int, shared: int, hidden: int) -> Any:
    import torch
    import torch.nn.functional as F
    from torch import nn

    class Network(nn.Module):
        """Every word is read beside every candidate, then every candidate beside the others."""

        def __init__(self) -> None:
            super().__init__()
            d = WIDTH
            self.token, self.side = nn.Linear(512, d), nn.Embedding(2, d)
            self.match, self.kind = nn.Linear(512, MATCH, bias=False), nn.Linear(512, KIND)
            self.sign = nn.Linear(signs + 3, d, bias=False)
            self.near = nn.ModuleList([nn.Linear(3 * d, d) for _ in range(2)])
            self.norm = nn.ModuleList([nn.LayerNorm(d) for _ in range(2)])
            self.gist, self.alike = nn.Linear(512, KIND), nn.Linear(512, KIND, bias=False)
            self.one = nn.Linear(3 * d + 3 * KIND + own + shared, hidden)
            self.two = nn.Linear(3 * hidden, hidden)
            self.score, self.member = nn.Linear(hidden, 1), nn.Linear(hidden, 1)
            self.acts = nn.Linear(2 * hidden, 2 * len(ACTS) + 1)
            self.drop = nn.Dropout(DROP)

        def forward(self, b: Any) -> tuple[Any, Any, Any]:
            n, c, length = len(b["ids"]), b["signs"].shape[1], b["ids"].shape[1]
            here = b["mask"]
            # One mask for a whole message: cheaper than one for each token, and a word looks the same on both sides.
            kept = F.dropout(torch.ones(n, 1, 512, device=here.device), DROP_TABLE, self.training)
            rows = b["table"][b["ids"]] * kept
            x = self.token(rows) + self.side(b["side"])
            shown = b["table"][b["shown"]] * kept[:, None]
            a = F.normalize(self.match(rows), dim=-1)
            k = F.normalize(self.match(shown), dim=-1)
            fit = torch.einsum("nld,ncjd->ncjl", a, k).masked_fill(b["shown_mask"][..., None] == 0, -1.0).max(2)[0]
            fit = fit.masked_fill(b["known"][..., None] == 0, -1.0)
            top, at = fit.max(1, keepdim=True)
            others = fit.scatter(1, at, -1.0).max(1, keepdim=True)[0]
            lead = torch.where(fit == top, fit - others, fit - top)
            offered = b["own"][..., :1].expand(n, c, length)
            signs = torch.cat([b["signs"], fit[..., None], lead[..., None], offered[..., None]], -1)
            h = F.relu(x[:, None] + self.sign(signs)) * here[:, None]
            for near, norm in zip(self.near, self.norm, strict=True):
                seen_by = self.drop(torch.ones(n, 1, 1, WIDTH, device=here.device))
                padded = F.pad(norm(h) * seen_by * here[:, None], (0, 0, 1, 1))
                seen = torch.cat([padded[:, :, i : i + length] for i in range(3)], -1)
                h = (h + F.relu(near(seen))) * here[:, None]
            mine = here[:, None] * (b["side"] == 0)[:, None, :, None]
            other = here[:, None] * (b["side"] == 1)[:, None, :, None]
            pooled = [(h - 1e4 * (1 - mine)).max(2)[0], (h * mine).sum(2) / mine.sum(2).clamp(min=1),
                      (h * other).max(2)[0]]  # fmt: skip
            kind = (F.relu(self.kind(shown)) * b["shown_mask"][..., None]).max(2)[0]
            shared = b["shared"][:, None].expand(n, c, -1)
            gist = F.relu(self.gist(b["gist"]))[:, None].expand(n, c, -1)
            alike = self.alike(b["gist"])[:, None] * self.alike(b["gists"])
            seen = torch.cat([*pooled, kind, gist, alike, b["own"], shared], -1)
            z = self.drop(F.relu(self.one(seen))) * b["known"][..., None]
            mean = z.sum(1, keepdim=True) / b["known"].sum(1)[:, None, None]
            most = z.max(1, keepdim=True)[0]
            z = F.relu(self.two(torch.cat([z, mean.expand_as(z), most.expand_as(z)], -1)))
            z = self.drop(z) * b["known"][..., None]
            scores = self.score(z)[..., 0].masked_fill(b["known"] == 0, -1e4)
            member = self.member(z)[..., 0]
            acts = self.acts(torch.cat([z.max(1)[0], z.sum(1) / b["known"].sum(1, keepdim=True)], -1))
            return scores, member, acts

    return Network()


def batch(rows: list[Row], table: Any, by: random.Random | None, hidden: list[range]) -> dict[str, Any]:
    import torch

    n, c = len(rows), max(len(r["meant"]) for r in rows)
    length = max(len(r["said"][0]) + len(r["heard"][0]) for r in rows)
    j = max(len(s) for r in rows for s in r["shown"])
    signs = rows[0]["said"][1].shape[2]
    b = {
        "ids": np.zeros((n, length), int), "side": np.zeros((n, length), int), "mask": np.zeros((n, length, 1), np.float32),
        "signs": np.zeros((n, c, length, signs), np.float32), "shown": np.zeros((n, c, j), int),
        "shown_mask": np.zeros((n, c, j), np.float32), "known": np.zeros((n, c), np.float32),
        "own": np.zeros((n, c, rows[0]["own"].shape[1]), np.float32),
        "shared": np.zeros((n, rows[0]["shared"].shape[0]), np.float32), "meant": np.zeros((n, c), np.float32),
        "gist": np.zeros(n, int), "gists": np.zeros((n, c), int),
        "first": np.zeros(n, int), "second": np.zeros(n, int), "weight": np.zeros(n, np.float32),
    }  # fmt: skip
    for i, r in enumerate(rows):
        (before, before_signs), (said, said_signs) = r["heard"], r["said"]
        # Without the assistant's words, at times.
        if by is not None and by.random() < 0.1:
            before, before_signs = [], before_signs[:0]
        m = len(before) + len(said)
        ids = np.array([*before, *said], int)
        shown = [np.array(s, int) for s in r["shown"]]
        marks = np.concatenate([before_signs, said_signs]).astype(np.float32)
        own, shared = r["own"].astype(np.float32), r["shared"].astype(np.float32)
        if by is not None:
            if by.random() < SWAP:
                # What things are called does not matter: a name of the list becomes another word, wherever it stands.
                named = {int(t) for t, s in zip(ids, marks, strict=True) if s[:, 2:4].any()}
                named &= {int(t) for s in shown for t in s}
                other = {t: by.randrange(len(table)) for t in named if by.random() < 0.7}
                ids = np.array([other.get(int(t), int(t)) for t in ids], int)
                shown = [np.array([other.get(int(t), int(t)) for t in s], int) for s in shown]
            if by.random() < HIDE:
                marks[:, :, : signs - 1] = 0
            for part in hidden:
                if by.random() < HIDE:
                    own[:, part] = 0
            if by.random() < HIDE:
                shared[7:] = 0
        b["ids"][i, :m], b["mask"][i, :m], b["side"][i, : len(before)] = ids, 1, 1
        k = len(shown)
        b["signs"][i, :k, :m] = marks.transpose(1, 0, 2)
        for q, s in enumerate(shown):
            b["shown"][i, q, : len(s)], b["shown_mask"][i, q, : len(s)] = s, 1
        b["known"][i, :k], b["own"][i, :k], b["shared"][i] = 1, own, shared
        b["meant"][i, :k] = r["meant"]
        b["gist"][i], b["gists"][i, :k] = r["gist"], r["gists"]
        b["first"][i], b["second"][i] = r["acts"][0], 1 + r["acts"][1] if len(r["acts"]) > 1 else 0
        b["weight"][i] = r["weight"]
    out = {key: torch.tensor(value).to(table.device) for key, value in b.items()}
    out["gist"], out["gists"] = GISTS["table"][out["gist"]], GISTS["table"][out["gists"]]
    return {**out, "table": table}


# The vectors of whole texts, as the encoder gives them.
GISTS: dict[str, Any] = {}


def loss_of(net: Any, b: dict[str, Any], smooth: float) -> Any:
    import torch
    import torch.nn.functional as F

    scores, member, acts = net(b)
    every = torch.cat([torch.zeros_like(scores[:, :1]), scores], 1).log_softmax(1)
    none = (b["meant"].sum(1, keepdim=True) == 0).float()
    gold = torch.cat([none, b["meant"]], 1)
    w = b["weight"] / b["weight"].sum()
    loss = -((every.masked_fill(gold == 0, -1e9)).logsumexp(1) * w).sum()
    here = torch.cat([torch.ones_like(b["known"][:, :1]), b["known"]], 1)
    loss = loss - smooth * ((every * here).sum(1) / here.sum(1) * w).sum()
    each = F.binary_cross_entropy_with_logits(member, b["meant"], reduction="none") * b["known"]
    loss = loss + 0.5 * (each.sum(1) * w).sum()
    k = len(ACTS)
    loss = loss + 0.5 * (F.cross_entropy(acts[:, :k], b["first"], reduction="none") * w).sum()
    return loss + 0.3 * (F.cross_entropy(acts[:, k:], b["second"], reduction="none") * w).sum()


# Kinds of signs that tell the same in different words: one is hidden at a time.
BLOCKS = [range(1, 12), range(12, 15), range(15, 21), range(21, 26), range(59, 71), range(83, 93)]
# Of what is near to other messages or about nothing a share is read in each epoch, and weighs as much more.
SHARE = {"own": 0.3, "stray": 0.3}
HEAVY = {"own": 1.33, "stray": 1.2, "old": 0.8, "third": 1.0, "fourth_en": 2.0, "fourth_ko": 2.0, "fifth": 2.0}


def batches(rows: list[Row], by: random.Random) -> list[list[Row]]:
    """One epoch in batches, each of messages beside about as many words and candidates: less of a batch is empty."""
    some = [r for r in rows if by.random() < SHARE.get(r["hand"], 1.0)]
    by.shuffle(some)
    out = []
    for i in range(0, len(some), NEAR * BATCH):
        part = sorted(some[i : i + NEAR * BATCH], key=lambda r: len(r["meant"]) * (len(r["said"][0]) + len(r["heard"][0])))
        out += [part[k : k + BATCH] for k in range(0, len(part), BATCH)]
    by.shuffle(out)
    return out


def fit(rows: list[Row], table: Any, plan: Plan) -> Any:
    import torch

    torch.manual_seed(plan.seed)
    by = random.Random(plan.seed)
    sizes = (rows[0]["said"][1].shape[2], rows[0]["own"].shape[1], rows[0]["shared"].shape[0])
    net = network(*sizes, plan.hidden).to(table.device)
    optimizer = torch.optim.AdamW(net.parameters(), lr=RATE, weight_decay=plan.decay)
    steps = plan.epochs * len(batches(rows, by))
    pace = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda k: min(1, (k + 1) / 100) * max(0.02, 1 - k / steps))
    mean = torch.optim.swa_utils.AveragedModel(net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(MEAN))
    began = time.monotonic()
    for epoch in range(plan.epochs):
        net.train()
        total, some = 0.0, batches(rows, by)
        for part in some:
            b = batch(part, table, by, BLOCKS)
            with torch.autocast(table.device.type, torch.bfloat16):
                loss = loss_of(net, b, plan.smooth)
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 2.0)
            optimizer.step()
            pace.step()
            mean.update_parameters(net)
            total += float(loss.detach())
        spent = time.monotonic() - began
        print(f"epoch {epoch + 1}: {total / len(some):.3f}, {spent:.0f} s", flush=True)
    return mean.module.eval()


def judged(nets: list[Any], rows: list[Row], table: Any) -> list[tuple[float, bool, bool, bool]]:
    """The chance of the best set, whether it is meant, whether any was, and whether the first act is right."""
    import torch

    out = []
    with torch.no_grad():
        for i in range(0, len(rows), 128):
            part = rows[i : i + 128]
            b = batch(part, table, None, [])
            made = [net(b) for net in nets]
            chances = sum(torch.cat([torch.zeros_like(s[:, :1]), s], 1).softmax(1) for s, _, _ in made) / len(made)
            member = sum(m.sigmoid() for _, m, _ in made) / len(made)
            acts = sum(a[:, : len(ACTS)].softmax(1) for _, _, a in made)
            for r, p, m, a in zip(part, chances.tolist(), member.tolist(), acts.tolist(), strict=True):
                own = p[1 : 1 + len(r["meant"])]
                best = max(range(len(own)), key=lambda q: own[q])
                several = [q for q in range(len(own)) if m[q] > 0.5]
                meant = several if len(several) > 1 and best in several else [best]
                right = r["meant"][best]
                out.append((sum(own[q] for q in meant), right, any(r["meant"]), max(range(9), key=lambda q: a[q]) == r["acts"][0]))
    return out


def told(name: str, found: list[tuple[float, bool, bool, bool]]) -> None:
    takes = max(1, sum(f[2] for f in found))
    line = []
    for mark in (0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95):
        taken = sum(f[0] >= mark and f[1] for f in found)
        wrong = sum(f[0] >= mark and not f[1] for f in found)
        line.append(f"{mark}: {100 * taken / takes:.1f}/{100 * wrong / len(found):.2f}")
    acts = 100 * sum(f[3] for f in found) / max(1, len(found))
    print(f"{name} ({len(found)}, {takes} take): acts {acts:.1f}; " + "  ".join(line), flush=True)


def ship(states: list[dict[str, Any]]) -> None:
    held = {"nets": np.array(float(len(states)))}
    for n, state in enumerate(states):
        held |= shipped.arrays(state, f"{n}_", ("side",))
    what = "The network of follow-ups; written by bench/train/ground_network.py."
    shipped.ship(held, "follow.npz", "ground.network.toml", what)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("pack", "fit", "ship"))
    parser.add_argument("file", type=Path)
    parser.add_argument("out", type=Path, nargs="?")
    parser.add_argument("--without", nargs="*", default=[])
    parser.add_argument("--data", type=Path, default=HERE.parents[2] / "shared" / "data", help="for unrelated remarks")
    parser.add_argument("--beside", nargs="*", type=Path, default=[], help="files to measure with, never learned from")
    args = parser.parse_args()
    if args.what == "pack":
        pack(args.file, args.beside, args.data)
        return
    import torch

    if args.what == "ship":
        ship(torch.load(args.file, map_location="cpu"))
        return
    with gzip.open(args.file, "rb") as stream:
        held = pickle.load(stream)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    table = torch.tensor(held["table"].astype(np.float32), device=device)
    GISTS["table"] = torch.tensor(held["gists"].astype(np.float32), device=device) * 8
    for r in held["rows"]:
        r["weight"] *= HEAVY.get(r["hand"], 2.0)
    tests = sorted({r["hand"] for r in held["rows"] if r["hand"].endswith("_test")})
    rows = [r for r in held["rows"] if r["hand"] not in {*args.without, *tests}]
    nets = [fit(rows, table, plan) for plan in PLANS]
    for hand in (*args.without, *tests):
        for lang in ("en", "ko"):
            some = [r for r in held["rows"] if r["hand"] == hand and r["lang"] == lang]
            if some:
                told(f"{hand} {lang}", judged(nets, some, table))
    torch.save([n.state_dict() for n in nets], args.out)


if __name__ == "__main__":
    main()
