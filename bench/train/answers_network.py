"""Train the network of answers (kernel/recall/network.py runs it in whole numbers).

    python bench/train/answers.py --cases CASES
    python bench/train/answers_network.py pack PACK CASES …
    python bench/train/answers_network.py fit PACK FITTED [--without TALKS …]
    python bench/train/answers_network.py ship FITTED

It learns from what bench/train/answers.py saw of the engine: a question, everything that might answer it, and what
does. `pack` adds what the trees make of it, each talk by trees that have not seen it; `fit` needs torch and numpy alone,
so that it can be done on another machine; `ship` writes the weights. Chance comes from fixed seeds; on another kind of
machine the sums of the training may differ in their last digits.
"""

from __future__ import annotations

import argparse
import gzip
import pickle
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
FOLDS = 5
# So many tokens of the question, of what may answer it and of what was said before that are read, and so many answers.
ASKED, TOLD, BEFORE, LOOKED_AT = 32, 40, 12, 20
# What a token of a candidate is.
WORD, VALUE, EARLIER, PAD = range(4)


def pack(out: Path, files: list[Path]) -> None:
    from answers import OWN_TREES, TREES, Case
    from trees import grown

    from clew import policy as policies
    from clew.adapters.embeddings.use import pieces_of
    from clew.engine.bootstrap import make_embedder
    from clew.kernel.read.trees import LEAF, Trees
    from clew.kernel.recall.chooser import features
    from clew.kernel.recall.network import parts_of

    policy = policies.default()
    sys.modules["__main__"].Case = Case  # type: ignore[attr-defined]
    cases, hands = [], []
    for file in files:
        found, _ = pickle.loads(file.read_bytes())
        start = 1 + max((c.talk for c in cases), default=-1)
        kept = [c._replace(talk=c.talk + start) for c in found if c.known]
        cases += kept
        hands += [file.stem] * len(kept)
    print(len(cases), "cases", flush=True)
    rows = [features(c.question, c.known, policy) for c in cases]
    sums: list[np.ndarray] = [np.zeros(0)] * len(cases)
    for language, shape in (("en", TREES), ("ko", OWN_TREES)):
        for fold in range(FOLDS):
            use = [i for i, c in enumerate(cases) if c.talk % FOLDS != fold and (language == "en" or c.language == language)]
            made = Trees(grown([rows[i] for i in use], [np.array(cases[i].right) for i in use], shape))
            for i, c in enumerate(cases):
                if c.talk % FOLDS == fold and c.language == language:
                    sums[i] = np.array(made.sums(rows[i])) / LEAF
        print(language, flush=True)
    model = make_embedder()._load()._model
    vocabulary: dict[int, int] = {}

    def number(ids: list[int]) -> list[int]:
        return [vocabulary.setdefault(i, len(vocabulary)) for i in ids]

    def tokens(text: str) -> tuple[Any, list[int]]:
        spans, ids = pieces_of(text, model.sp)
        return spans, number(list(ids))

    vectors: dict[bytes, int] = {}
    held: list[np.ndarray] = []

    def gist(vector: Any) -> int:
        short = np.zeros(512, np.float16) if vector is None else np.array(vector, np.float16)
        key = short.tobytes()
        if key not in vectors:
            vectors[key] = len(held)
            held.append(short)
        return vectors[key]

    packed = []
    for c, row, own, hand in zip(cases, rows, sums, hands, strict=True):
        order = sorted(range(len(own)), key=lambda i: (-own[i], i))[:LOOKED_AT]
        shown = []
        for i in order:
            early: list[tuple[int, int]] = []
            here: list[tuple[int, int]] = []
            for text, kind, value in parts_of(c.known[i]):
                spans, ids = tokens(text)
                for (a, b), t in zip(spans, ids, strict=True):
                    inside = value is not None and a < value[1] and b > value[0]
                    (early if kind == EARLIER else here).append((t, VALUE if inside else kind))
            shown.append(early[-BEFORE:] + here[:TOLD])
        packed.append({
            "hand": hand, "talk": c.talk, "lang": c.language, "kind": c.kind, "text": c.question.text,
            "asked": tokens(c.question.text)[1][:ASKED], "shown": shown, "gist": gist(c.question.vector),
            "gists": [gist(c.known[i].vector) for i in order], "own": row[order].astype(np.float32),
            "sums": own[order].astype(np.float32), "right": [c.right[i] for i in order], "any": any(c.right),
            "told": [c.known[i].words for i in order],
        })  # fmt: skip
    flat = np.array(list(vocabulary))
    chunk = flat % model.scale.shape[0]
    table = model.table[flat].astype(np.float32) * model.scale[chunk, None] + model.lo[chunk, None]
    with gzip.open(out, "wb", compresslevel=3) as stream:
        pickle.dump({"rows": packed, "table": table.astype(np.float16), "gists": np.array(held)}, stream)
    print(f"{len(packed)} questions, {len(flat)} tokens, {len(held)} texts")


WIDTH, MATCH, KIND, HIDDEN = 96, 48, 32, 128
BATCH, RATE, MEAN = 64, 1.2e-3, 0.997
DROP, DROP_TABLE, HIDE, SWAP, SMOOTH = 0.35, 0.1, 0.15, 0.3, 0.03


@dataclass(frozen=True)
class Plan:
    """How one of the networks is trained that are averaged."""

    seed: int = 1
    epochs: int = 12
    width: int = WIDTH
    hidden: int = HIDDEN
    decay: float = 0.05
    drop: float = DROP
    swap: float = SWAP
    hide: float = HIDE
    smooth: float = SMOOTH
    sums: bool = True


PLANS = (Plan(1), Plan(2))


def network(own: int, plan: Plan) -> Any:
    import torch
    import torch.nn.functional as F
    from torch import nn

    d = plan.width

    class Network(nn.Module):
        """Every word of a question beside every word of what may answer it, then every answer beside the others."""

        def __init__(self) -> None:
            super().__init__()
            self.token, self.mark = nn.Linear(512, d), nn.Embedding(5, d)
            self.match = nn.Linear(512, MATCH, bias=False)
            self.sign = nn.Linear(6, d, bias=False)
            self.near = nn.ModuleList([nn.Linear(3 * d, d) for _ in range(2)])
            self.norm = nn.ModuleList([nn.LayerNorm(d) for _ in range(3)])
            self.ask, self.tell = nn.Linear(d, MATCH), nn.Linear(d, MATCH)
            self.met = nn.Linear(3 * d, d)
            self.gist, self.alike = nn.Linear(512, KIND), nn.Linear(512, KIND, bias=False)
            self.one = nn.Linear(4 * d + 2 * KIND + own + 1, plan.hidden)
            self.two = nn.Linear(3 * plan.hidden, plan.hidden)
            self.score, self.member = nn.Linear(plan.hidden, 1), nn.Linear(plan.hidden, 1)
            self.drop = nn.Dropout(plan.drop)

        def around(self, h: Any, layer: int, mask: Any) -> Any:
            """h: [..., tokens, d]; each token with its neighbours."""
            padded = F.pad(self.drop(self.norm[layer](h)) * mask, (0, 0, 1, 1))
            length = h.shape[-2]
            seen = torch.cat([padded[..., i : i + length, :] for i in range(3)], -1)
            return (h + F.relu(self.near[layer](seen))) * mask

        def forward(self, b: Any) -> Any:
            table = b["table"]
            n, c, _ = b["shown"].shape
            q = F.dropout(table[b["asked"]], DROP_TABLE, self.training)
            t = F.dropout(table[b["shown"]], DROP_TABLE, self.training)
            qm, tm = b["asked_mask"], b["shown_mask"]
            a, k = F.normalize(self.match(q), dim=-1), F.normalize(self.match(t), dim=-1)
            fit = torch.einsum("nld,ncjd->nclj", a, k)
            pair = qm[:, None, :, None] * tm[:, :, None, :]
            fit = fit.masked_fill(pair == 0, -1.0)
            same = (b["asked"][:, None, :, None] == b["shown"][:, :, None, :]).float() * pair
            by_q, by_t = fit.max(3)[0], fit.max(2)[0]
            same_q, same_t = same.max(3)[0], same.max(2)[0]
            known = b["known"][..., None]
            best, at = by_q.masked_fill(known == 0, -1.0).max(1, keepdim=True)
            others = by_q.masked_fill(known == 0, -1.0).scatter(1, at, -1.0).max(1, keepdim=True)[0]
            lead = torch.where(by_q == best, by_q - others, by_q - best)
            many = (same_q * known).sum(1, keepdim=True) / known.sum(1, keepdim=True)
            zero = torch.zeros_like(by_q)
            sq = torch.stack([by_q, lead, same_q, same_q - many, zero, zero], -1)
            none = torch.zeros_like(by_t)
            st = torch.stack([none, none, none, none, by_t, same_t], -1)
            hq = F.relu((self.token(q) + self.mark.weight[4])[:, None] + self.sign(sq)) * qm[:, None, :, None]
            ht = F.relu(self.token(t) + self.mark(b["marks"]) + self.sign(st)) * tm[..., None]
            hq = self.around(hq, 0, qm[:, None, :, None])
            ht = self.around(ht, 1, tm[..., None])
            nq, nt = self.drop(self.norm[2](hq)), self.drop(self.norm[2](ht))
            e = torch.einsum("ncld,ncjd->nclj", self.ask(nq), self.tell(nt)) / MATCH**0.5
            e = e.masked_fill(pair == 0, -1e4)
            to_t, to_q = e.softmax(3), e.softmax(2)
            met_q = torch.einsum("nclj,ncjd->ncld", to_t, nt)
            met_t = torch.einsum("nclj,ncld->ncjd", to_q, nq)
            vq = F.relu(self.met(torch.cat([nq, met_q, nq * met_q], -1))) * qm[:, None, :, None]
            vt = F.relu(self.met(torch.cat([nt, met_t, nt * met_t], -1))) * tm[..., None]
            count_q, count_t = qm.sum(1)[:, None, None].clamp(min=1), tm.sum(2)[..., None].clamp(min=1)
            pooled = [vq.max(2)[0], vq.sum(2) / count_q, vt.max(2)[0], vt.sum(2) / count_t]
            gist = F.relu(self.gist(b["gist"]))[:, None].expand(n, c, -1)
            alike = self.alike(b["gist"])[:, None] * self.alike(b["gists"])
            seen = torch.cat([*pooled, gist, alike, b["own"], b["sums"][..., None]], -1)
            z = self.drop(F.relu(self.one(seen))) * known
            mean = z.sum(1, keepdim=True) / known.sum(1, keepdim=True)
            most = z.max(1, keepdim=True)[0]
            z = self.drop(F.relu(self.two(torch.cat([z, mean.expand_as(z), most.expand_as(z)], -1))))
            scores, member = self.score(z)[..., 0], self.member(z)[..., 0]
            return scores.masked_fill(b["known"] == 0, -1e4), member.masked_fill(b["known"] == 0, -1e4)

    return Network()


def spread(own: np.ndarray) -> np.ndarray:
    """Counts and lengths do not outweigh chances."""
    x = own / 1000
    return np.sign(x) * np.log1p(np.abs(x))


class Held:
    """All questions as tensors, where they are learned."""

    def __init__(self, rows: list[Any], table: np.ndarray, gists: np.ndarray, scale: Any = None) -> None:
        import torch

        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        n, c = len(rows), LOOKED_AT
        m = TOLD + BEFORE
        parts = {
            "asked": np.zeros((n, ASKED), np.int32), "asked_mask": np.zeros((n, ASKED), np.float32),
            "shown": np.zeros((n, c, m), np.int32), "shown_mask": np.zeros((n, c, m), np.float32),
            "marks": np.zeros((n, c, m), np.int32), "known": np.zeros((n, c), np.float32),
            "own": np.zeros((n, c, rows[0]["own"].shape[1]), np.float32), "sums": np.zeros((n, c), np.float32),
            "right": np.zeros((n, c), np.float32), "gist": np.zeros(n, np.int64), "gists": np.zeros((n, c), np.int64),
            "weight": np.ones(n, np.float32),
        }  # fmt: skip
        every = spread(np.concatenate([r["own"] for r in rows]))
        self.scale = scale or (every.mean(0), np.maximum(every.std(0), 0.02))
        for i, r in enumerate(rows):
            k = len(r["right"])
            parts["asked"][i, : len(r["asked"])], parts["asked_mask"][i, : len(r["asked"])] = r["asked"], 1
            for j, shown in enumerate(r["shown"]):
                if shown:
                    ids, kinds = zip(*shown, strict=True)
                    parts["shown"][i, j, : len(ids)], parts["marks"][i, j, : len(ids)] = ids, kinds
                    parts["shown_mask"][i, j, : len(ids)] = 1
            parts["known"][i, :k], parts["right"][i, :k] = 1, r["right"]
            parts["own"][i, :k] = np.clip((spread(r["own"]) - self.scale[0]) / self.scale[1], -4, 4)
            parts["sums"][i, :k] = np.clip(r["sums"], -8, 8) / 4
            parts["gist"][i], parts["gists"][i, :k] = r["gist"], r["gists"]
            if r["any"] and not any(r["right"]):
                parts["weight"][i] = 0
        self.parts = {k: torch.tensor(v).to(self.device) for k, v in parts.items()}
        self.table = torch.tensor(table.astype(np.float32), device=self.device)
        self.vectors = torch.tensor(gists.astype(np.float32), device=self.device) * 8

    def batch(self, at: Any) -> dict[str, Any]:
        b = {k: v[at] for k, v in self.parts.items()}
        long, wide = int(b["asked_mask"].sum(1).max()), int(b["shown_mask"].sum(2).max())
        many = int(b["known"].sum(1).max())
        b["asked"], b["asked_mask"] = b["asked"][:, :long].long(), b["asked_mask"][:, :long]
        for name in ("shown", "shown_mask", "marks"):
            b[name] = b[name][:, :many, :wide]
        b["shown"], b["marks"] = b["shown"].long(), b["marks"].long()
        for name in ("known", "own", "sums", "right", "gists"):
            b[name] = b[name][:, :many]
        b["gist"], b["gists"] = self.vectors[b["gist"]], self.vectors[b["gists"]]
        b["table"] = self.table
        return b


def changed(b: dict[str, Any], plan: Plan, by: Any) -> dict[str, Any]:
    """Names do not matter: a word that stands on both sides becomes another. Kinds of signs are hidden at times."""
    import torch

    n, size = len(b["asked"]), len(b["table"])
    device = b["asked"].device

    def chance(shape: Any, p: float) -> Any:
        return torch.rand(shape, generator=by, device=device) < p

    both = ((b["asked"][:, :, None] == b["shown"].flatten(1)[:, None, :]) & (b["shown_mask"].flatten(1)[:, None, :] > 0)).any(2)
    move = both & (b["asked_mask"] > 0) & chance((n, 1), plan.swap) & chance(both.shape, 0.7)
    other = torch.randint(size, both.shape, generator=by, device=device)
    for q in range(b["asked"].shape[1]):
        old = b["asked"][:, q : q + 1]
        hit = move[:, q, None, None] & (b["shown"] == old[..., None])
        b["shown"] = torch.where(hit, other[:, q, None, None], b["shown"])
    b["asked"] = torch.where(move, other, b["asked"])
    b["sums"] = b["sums"] * (~chance((n, 1), plan.hide)).float()
    b["own"] = b["own"] * (~chance((n, 1, 1), plan.hide)).float()
    b["own"] = b["own"] * (~chance((n, 1, b["own"].shape[2]), 0.1)).float()
    if not plan.sums:
        b["sums"] = b["sums"] * 0
    return b


def loss_of(made: Any, b: dict[str, Any], smooth: float) -> Any:
    import torch
    import torch.nn.functional as F

    scores, member = made
    every = torch.cat([torch.zeros_like(scores[:, :1]), scores], 1).log_softmax(1)
    none = (b["right"].sum(1, keepdim=True) == 0).float()
    gold = torch.cat([none, b["right"]], 1)
    w = b["weight"] / b["weight"].sum().clamp(min=1)
    loss = -((every.masked_fill(gold == 0, -1e9)).logsumexp(1) * w).sum()
    here = torch.cat([torch.ones_like(b["known"][:, :1]), b["known"]], 1)
    each = F.binary_cross_entropy_with_logits(member.clamp(min=-30), b["right"], reduction="none") * b["known"]
    loss = loss + (each.sum(1) * w).sum()
    return loss - smooth * ((every * here).sum(1) / here.sum(1) * w).sum()


def fit(held: Held, use: list[int], plan: Plan) -> Any:
    import torch

    torch.manual_seed(plan.seed)
    by = torch.Generator(device=held.device).manual_seed(plan.seed)
    net = network(held.parts["own"].shape[2], plan).to(held.device)
    optimizer = torch.optim.AdamW(net.parameters(), lr=RATE, weight_decay=plan.decay)
    where = torch.tensor(use, device=held.device)
    steps = plan.epochs * (len(use) // BATCH)
    pace = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda k: min(1, (k + 1) / 100) * max(0.02, 1 - k / steps))
    mean = torch.optim.swa_utils.AveragedModel(net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(MEAN))
    began = time.monotonic()
    for _ in range(plan.epochs):
        net.train()
        order = where[torch.randperm(len(use), generator=by, device=held.device)]
        total = torch.zeros((), device=held.device)
        for i in range(0, len(use) - BATCH + 1, BATCH):
            b = changed(held.batch(order[i : i + BATCH]), plan, by)
            loss = loss_of(net(b), b, plan.smooth)
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 2.0)
            optimizer.step()
            pace.step()
            mean.update_parameters(net)
            total += loss.detach()
    print(f"{plan}: {float(total) / max(1, len(use) // BATCH):.3f}, {time.monotonic() - began:.0f} s", flush=True)
    return mean.module.eval()


def chances(nets: list[Any], held: Held, use: list[int]) -> list[np.ndarray]:
    """How likely each candidate answers."""
    import torch

    out = []
    with torch.no_grad():
        for i in range(0, len(use), 256):
            b = held.batch(torch.tensor(use[i : i + 256], device=held.device))
            out += list((sum(net(b)[1].sigmoid() for net in nets) / len(nets)).cpu().numpy())
    return out


def told(name: str, rows: list[Any], found: list[np.ndarray]) -> None:
    """Right, wrong, told for nothing: at several marks."""
    answers = [(r, p[: len(r["right"])]) for r, p in zip(rows, found, strict=True) if r["kind"] == "answer"]
    none = [p[: len(r["right"])] for r, p in zip(rows, found, strict=True) if r["kind"] == "none"]
    rest = [p[: len(r["right"])] for r, p in zip(rows, found, strict=True) if r["kind"] in ("told", "talk")]
    first = sum(r["right"][int(p.argmax())] for r, p in answers)
    line = []
    for mark in (0.1, 0.15, 0.2, 0.3, 0.4, 0.5):
        right = sum(p.max() >= mark and r["right"][int(p.argmax())] for r, p in answers)
        wrong = sum(p.max() >= mark and not r["right"][int(p.argmax())] for r, p in answers)
        nothing, more = sum(p.max() >= mark for p in none), sum(p.max() >= mark for p in rest)
        line.append(f"{mark}: {right}/{wrong} {nothing}+{more}")
    print(f"{name} {len(answers)}, {len(none)}, {len(rest)}: first {first}; " + "  ".join(line), flush=True)


def ship(states: list[dict[str, Any]], scale: tuple[np.ndarray, np.ndarray]) -> None:
    held = {"nets": np.array(float(len(states))), "own_mean": scale[0], "own_spread": scale[1]}
    for n, state in enumerate(states):
        held |= shipped.arrays(state, f"{n}_", ("mark",), ("score",))
    what = "The network of answers; written by bench/train/answers_network.py."
    shipped.ship(held, "answering.npz", "recall.answers_network.toml", what)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("pack", "fit", "ship"))
    parser.add_argument("file", type=Path)
    parser.add_argument("more", type=Path, nargs="*")
    parser.add_argument("--without", nargs="*", default=[])
    args = parser.parse_args()
    if args.what == "pack":
        pack(args.file, args.more)
        return
    import torch

    if args.what == "ship":
        ship(*torch.load(args.file, map_location="cpu", weights_only=False))
        return
    with gzip.open(args.file, "rb") as stream:
        read = pickle.load(stream)
    rows = read["rows"]
    held = Held(rows, read["table"], read["gists"])
    out = [i for i, r in enumerate(rows) if r["hand"] in args.without]
    nets = [fit(held, [i for i in range(len(rows)) if i not in set(out)], plan) for plan in PLANS]
    for hand in args.without:
        for lang in ("en", "ko"):
            some = [i for i in out if rows[i]["hand"] == hand and rows[i]["lang"] == lang]
            if some:
                told(f"{hand} {lang} trees", [rows[i] for i in some], [1 / (1 + np.exp(-rows[i]["sums"])) for i in some])
                told(f"{hand} {lang}", [rows[i] for i in some], chances(nets, held, some))
    torch.save(([n.state_dict() for n in nets], held.scale), args.more[0])


if __name__ == "__main__":
    main()
