"""The network of answers, taught patiently (kernel/recall/network.py runs it in whole numbers).

    python bench/train/answers_network.py pack PACK CASES …
    python bench/train/answers_patient.py PACK FITTED [--nets N] [--seconds N] [--width N] [--hidden N] [--without HAND …]
    python bench/train/answers_network.py ship FITTED

Needs torch and numpy alone, and a graphics card to end in minutes. All cases are held there, and varied anew whenever they are
seen: a word that stands on both sides, or a value, becomes another word; the signs and what the trees make of it are hidden, and
then things that another person told are mixed in; things that do not answer are dropped; and at times all that answers is taken
away, so that nothing does. The pace falls as a cosine does over the time that is given, and the weights are averaged.
"""

from __future__ import annotations

import argparse
import io
import lzma
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

# So many tokens of the question, of what may answer it and of what was said before that are read, and so many answers.
ASKED, TOLD, BEFORE, LOOKED_AT = 32, 40, 12, 20
# What a token of a candidate is.
WORD, VALUE, EARLIER, PAD = range(4)
KINDS = ("answer", "none", "told", "talk")
LANGUAGES = ("en", "ko")

WIDTH, MATCH, KIND, HIDDEN = 96, 48, 32, 128
RISE, SLOWEST, MEAN = 200, 0.01, 0.998
GIST, DROP_TABLE = 8.0, 0.1


@dataclass(frozen=True)
class Plan:
    """How a network is trained.

    swap, value: how often words of both sides, and values, become others; hide: the signs, and what the trees make of it.
    strange: how often things of another talk are mixed in where all signs are hidden; fewer: things that do not answer are
    left out; gone: all that answers is.
    """

    seed: int = 1
    seconds: float = 60.0
    steps: int | None = None
    size: int = 256
    rate: float = 1.5e-3
    width: int = WIDTH
    hidden: int = HIDDEN
    decay: float = 0.05
    drop: float = 0.35
    swap: float = 0.35
    value: float = 0.35
    hide: float = 0.2
    strange: float = 0.5
    fewer: float = 0.3
    gone: float = 0.08
    smooth: float = 0.03


class Network(nn.Module):
    """Every word of a question beside every word of what may answer it, then every answer beside the others."""

    def __init__(self, own: int, plan: Plan) -> None:
        super().__init__()
        d, self.plan = plan.width, plan
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

    def around(self, h: Tensor, layer: int, mask: Tensor) -> Tensor:
        """h: [..., tokens, d]; each token with its neighbours."""
        padded = F.pad(self.drop(self.norm[layer](h)) * mask, (0, 0, 1, 1))
        length = h.shape[-2]
        seen = torch.cat([padded[..., i : i + length, :] for i in range(3)], -1)
        return (h + F.relu(self.near[layer](seen))) * mask

    def forward(self, b: dict[str, Tensor]) -> tuple[Tensor, Tensor]:
        n, c, m = b["shown"].shape
        # Every word of the table once, then looked up: there are fewer of them than tokens in a batch.
        table = F.dropout(b["table"], DROP_TABLE, self.training)
        words, fits = self.token(table), F.normalize(self.match(table).float(), dim=-1)
        asked, shown = b["asked"].reshape(-1), b["shown"].reshape(-1)
        tq, tt = words.index_select(0, asked).view(n, -1, words.shape[1]), words.index_select(0, shown).view(n, c, m, -1)
        a, k = fits.index_select(0, asked).view(n, -1, MATCH), fits.index_select(0, shown).view(n, c, m, MATCH)
        qm, tm = b["asked_mask"], b["shown_mask"]
        fit = torch.einsum("nld,ncjd->nclj", a, k).float()
        pair = (qm[:, None, :, None] * tm[:, :, None, :]) > 0
        fit = fit.masked_fill(~pair, -1.0)
        same = ((b["asked"][:, None, :, None] == b["shown"][:, :, None, :]) & pair).float()
        by_q, by_t = fit.max(3)[0], fit.max(2)[0]
        same_q, same_t = same.max(3)[0], same.max(2)[0]
        known = b["known"][..., None]
        best, at = by_q.masked_fill(known == 0, -1.0).max(1, keepdim=True)
        others = by_q.masked_fill(known == 0, -1.0).scatter(1, at, -1.0).max(1, keepdim=True)[0]
        lead = torch.where(by_q == best, by_q - others, by_q - best)
        many = (same_q * known).sum(1, keepdim=True) / known.sum(1, keepdim=True).clamp(min=1)
        zero, none = torch.zeros_like(by_q), torch.zeros_like(by_t)
        sq = torch.stack([by_q, lead, same_q, same_q - many, zero, zero], -1)
        st = torch.stack([none, none, none, none, by_t, same_t], -1)
        hq = F.relu((tq + self.mark.weight[4])[:, None] + self.sign(sq)) * qm[:, None, :, None]
        ht = F.relu(tt + self.mark.weight.index_select(0, b["marks"].reshape(-1)).view(n, c, m, -1) + self.sign(st)) * tm[..., None]
        hq = self.around(hq, 0, qm[:, None, :, None])
        ht = self.around(ht, 1, tm[..., None])
        nq, nt = self.drop(self.norm[2](hq)), self.drop(self.norm[2](ht))
        e = torch.einsum("ncld,ncjd->nclj", self.ask(nq), self.tell(nt)).float() / MATCH**0.5
        e = e.masked_fill(~pair, -1e4)
        met_q = torch.einsum("nclj,ncjd->ncld", e.softmax(3), nt)
        met_t = torch.einsum("nclj,ncld->ncjd", e.softmax(2), nq)
        vq = F.relu(self.met(torch.cat([nq, met_q, nq * met_q], -1))).float() * qm[:, None, :, None]
        vt = F.relu(self.met(torch.cat([nt, met_t, nt * met_t], -1))).float() * tm[..., None]
        count_q, count_t = qm.sum(1)[:, None, None].clamp(min=1), tm.sum(2)[..., None].clamp(min=1)
        pooled = [vq.max(2)[0], vq.sum(2) / count_q, vt.max(2)[0], vt.sum(2) / count_t]
        gist = F.relu(self.gist(b["gist"])).float()[:, None].expand(n, c, -1)
        alike = (self.alike(b["gist"])[:, None] * self.alike(b["gists"])).float()
        seen = torch.cat([*pooled, gist, alike, b["own"], b["sums"][..., None]], -1)
        z = self.drop(F.relu(self.one(seen)).float()) * known
        mean = z.sum(1, keepdim=True) / known.sum(1, keepdim=True).clamp(min=1)
        z = torch.cat([z, mean.expand_as(z), z.max(1, keepdim=True)[0].expand_as(z)], -1)
        z = self.drop(F.relu(self.two(z)))
        scores, member = self.score(z)[..., 0].float(), self.member(z)[..., 0].float()
        return scores.masked_fill(b["known"] == 0, -1e4), member.masked_fill(b["known"] == 0, -1e4)


def spread(own: np.ndarray) -> np.ndarray:
    """Counts and lengths do not outweigh chances."""
    x = own / 1000
    return np.sign(x) * np.log1p(np.abs(x))


def padded(flat: np.ndarray, lens: np.ndarray, width: int) -> tuple[np.ndarray, np.ndarray]:
    """Lists that stand behind each other as rows of one width, and where anything stands."""
    mask = np.arange(width)[None] < lens[:, None]
    out = np.zeros(mask.shape, np.int64)
    out[mask] = flat
    return out, mask.astype(np.float32)


class Held:
    """All cases as tensors, where they are learned."""

    def __init__(self, file: Path, scale: tuple[np.ndarray, np.ndarray] | None = None) -> None:
        with lzma.open(file) as stream, np.load(io.BytesIO(stream.read()), allow_pickle=False) as held:
            h = {name: held[name] for name in held.files}
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        self.kind, self.hand, self.lang, self.hands = h["kind"], h["hand"], h["lang"], h["hands"].tolist()
        n, wide = len(self.kind), TOLD + BEFORE
        asked, asked_mask = padded(h["asked"], h["asked_n"], ASKED)
        words, words_mask = padded(h["texts"], h["texts_n"], wide)
        marks, _ = padded(h["marks"], h["texts_n"], wide)
        at, known = padded(np.arange(len(h["text"])), h["many"], LOOKED_AT)
        every = spread(h["own"].T)
        self.scale = scale or (every.mean(0), np.maximum(every.std(0), 0.02))
        own = np.clip((every - self.scale[0]) / self.scale[1], -4, 4).astype(np.float32)
        right = h["right"].astype(np.float32)[at] * known
        parts = {
            "asked": asked, "asked_mask": asked_mask, "text": h["text"].astype(np.int64)[at], "known": known,
            "own": own[at] * known[..., None], "sums": (np.clip(h["sums"], -8, 8) / 4).astype(np.float32)[at] * known,
            "right": right, "gist": h["gist"].astype(np.int64), "gists": h["gists"].astype(np.int64)[at],
            "weight": 1 - ((h["any"] > 0) & (right.sum(1) == 0)).astype(np.float32), "lang": self.lang.astype(np.int64),
        }  # fmt: skip
        self.parts = {k: torch.from_numpy(v).to(self.device) for k, v in parts.items()}
        self.texts = [torch.from_numpy(v).to(self.device) for v in (words, words_mask, marks)]
        table = h["table"].astype(np.float32) * h["scale"][:, None] + h["low"][:, None]
        self.table = torch.tensor(table, device=self.device)
        self.vectors = torch.tensor(h["vectors"], device=self.device)
        self.unit = float(h["unit"])
        counted = np.bincount(h["texts"], minlength=len(table))
        # What nearly everybody says is no name.
        self.common = torch.from_numpy(counted >= np.sort(counted)[-300]).to(self.device)
        self.own_raw, self.sums_raw, self.many, self.right = h["own"], h["sums"], h["many"], right
        self.rows = n

    def vector(self, at: Tensor) -> Tensor:
        return self.vectors[at].float() / self.unit * GIST

    def batch(self, at: Tensor, vary: Callable[[dict[str, Tensor]], dict[str, Tensor]] | None = None) -> dict[str, Tensor]:
        b = {k: v[at] for k, v in self.parts.items()}
        b["table"] = self.table
        if vary is not None:
            b = vary(b)
        words, mask, marks = self.texts
        b["shown"], b["marks"] = words[b["text"]], marks[b["text"]]
        b["shown_mask"] = mask[b["text"]] * b["known"][..., None]
        if vary is None:
            long, wide = int(b["asked_mask"].sum(1).max()), int(b["shown_mask"].sum(2).max())
            b["asked"], b["asked_mask"] = b["asked"][:, :long], b["asked_mask"][:, :long]
            b["shown"], b["shown_mask"], b["marks"] = (b[k][..., :wide] for k in ("shown", "shown_mask", "marks"))
        b["gist"], b["gists"] = self.vector(b["gist"]), self.vector(b["gists"]) * b["known"][..., None]
        return b


class Variations:
    """Cases that could have been, made of those that are."""

    def __init__(self, held: Held, use: Tensor, plan: Plan) -> None:
        self.held, self.plan, device = held, plan, held.device
        self.by = torch.Generator(device=device)
        self.by.manual_seed(plan.seed)
        lang = held.parts["lang"][use]
        self.of = [use[lang == k] for k in (0, 1)]

    def chance(self, shape: Any, p: float) -> Tensor:
        return torch.rand(shape, generator=self.by, device=self.held.device) < p

    def row(self, rows: Tensor, count: int) -> Tensor:
        return rows[torch.randint(max(1, len(rows)), (count,), generator=self.by, device=self.held.device)] if len(rows) else rows

    def others(self, b: dict[str, Tensor]) -> dict[str, Tensor]:
        """Which candidates there are, and what is seen of them beside their words."""
        n, c = b["known"].shape
        plan, parts = self.plan, self.held.parts
        bare = self.chance((n, 1), plan.hide)
        if len(self.of[0]) and len(self.of[1]):
            strange = torch.where(b["lang"] == 0, self.row(self.of[0], n), self.row(self.of[1], n))
            come = bare & self.chance((n, 1), plan.strange) & self.chance((n, c), 0.4)
            come = come & (b["right"] == 0) & (parts["known"][strange] > 0)
            for key in ("text", "gists"):
                b[key] = torch.where(come, parts[key][strange], b[key])
            b["known"] = torch.where(come, torch.ones_like(b["known"]), b["known"])
        left = (b["right"] == 0) & self.chance((n, 1), plan.fewer) & self.chance((n, c), 0.3)
        gone = (b["right"] > 0) & self.chance((n, 1), plan.gone)
        kept = b["known"] * (~left).float() * (~gone).float()
        # Something always stays.
        b["known"] = torch.where(kept.sum(1, keepdim=True) > 0, kept, b["known"])
        b["right"] = b["right"] * b["known"]
        b["sums"] = b["sums"] * (~(bare | self.chance((n, 1), plan.hide))).float() * b["known"]
        own = (~(bare | self.chance((n, 1), plan.hide / 2)))[..., None] & ~self.chance((n, 1, b["own"].shape[2]), 0.1)
        b["own"] = b["own"] * own.float() * b["known"][..., None]
        return b

    def words(self, b: dict[str, Tensor]) -> dict[str, Tensor]:
        """A word that stands on both sides, and a word of a value, is another word at times: the same one wherever it stands."""
        n, size = len(b["asked"]), len(self.held.table)
        device = self.held.device
        shown, asked = b["shown"].reshape(n, -1), b["asked"]
        here = b["shown_mask"].reshape(n, -1) > 0

        def stand(ids: Tensor, where: Tensor) -> Tensor:
            out = torch.zeros(n, size, dtype=torch.uint8, device=device)
            return out.scatter_reduce(1, ids, where.to(torch.uint8), "amax") > 0

        both = stand(asked, b["asked_mask"] > 0) & stand(shown, here)
        value = stand(shown, here & (b["marks"].reshape(n, -1) == VALUE)) & ~self.held.common
        every = both & self.chance((n, 1), self.plan.swap) & (~self.held.common | self.chance((n, 1), 0.5))
        move = (every | (value & self.chance((n, 1), self.plan.value))) & self.chance((n, size), 0.7)
        new = torch.randint(size, (n, size), generator=self.by, device=device)
        for key, ids in (("asked", asked), ("shown", shown)):
            b[key] = torch.where(move.gather(1, ids), new.gather(1, ids), ids).view(b[key].shape)
        return b


def loss_of(made: tuple[Tensor, Tensor], b: dict[str, Tensor], smooth: float) -> Tensor:
    scores, member = made
    every = torch.cat([torch.zeros_like(scores[:, :1]), scores], 1).log_softmax(1)
    none = (b["right"].sum(1, keepdim=True) == 0).float()
    gold = torch.cat([none, b["right"]], 1)
    w = b["weight"] / b["weight"].sum().clamp(min=1)
    loss = -((every.masked_fill(gold == 0, -1e9)).logsumexp(1) * w).sum()
    here = torch.cat([torch.ones_like(b["known"][:, :1]), b["known"]], 1)
    each = F.binary_cross_entropy_with_logits(member.clamp(min=-30), b["right"], reduction="none") * b["known"]
    loss = loss + (each.sum(1) * w).sum()
    return loss - smooth * ((every.clamp(min=-30) * here).sum(1) / here.sum(1) * w).sum()


def fit(held: Held, use: list[int], plan: Plan, bf16: bool) -> Network:
    torch.manual_seed(plan.seed)
    net = Network(held.parts["own"].shape[2], plan).to(held.device)
    optimizer = torch.optim.AdamW(net.parameters(), lr=plan.rate, weight_decay=plan.decay, fused=held.device == "cuda")
    where = torch.tensor(use, device=held.device)
    mean = torch.optim.swa_utils.AveragedModel(net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(MEAN))
    vary = Variations(held, where, plan)
    net.train()
    began, step, since, total = time.monotonic(), 0, 0, torch.zeros((), device=held.device)
    while (far := step / plan.steps if plan.steps else (time.monotonic() - began) / plan.seconds) < 1:
        step, since = step + 1, since + 1
        pace = min(1, step / RISE, 10 * far + 0.01) * max(SLOWEST, 0.5 * (1 + math.cos(math.pi * far)))
        for group in optimizer.param_groups:
            group["lr"] = plan.rate * pace
        b = vary.words(held.batch(vary.row(where, plan.size), vary.others))
        with torch.autocast(held.device, torch.bfloat16, enabled=bf16 and held.device == "cuda"):
            made = net(b)
        loss = loss_of(made, b, plan.smooth)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        optimizer.step()
        mean.update_parameters(net)
        total += loss.detach()
        if step == 50 or step % 1000 == 0:
            print(f"  step {step}: loss {float(total) / since:.3f}, {time.monotonic() - began:.0f} s", flush=True)
            total.zero_()
            since = 0
    passes = step * plan.size / max(1, len(use))
    print(f"{plan}: {step} steps, {passes:.0f} passes, {time.monotonic() - began:.0f} s", flush=True)
    made: Network = mean.module
    return made.eval()


def chances(nets: list[Network], held: Held, use: list[int]) -> np.ndarray:
    """How likely each candidate answers."""
    out = []
    with torch.no_grad():
        for i in range(0, len(use), 256):
            b = held.batch(torch.tensor(use[i : i + 256], device=held.device))
            out.append((torch.stack([net(b)[1].sigmoid() for net in nets]).mean(0) * b["known"]).cpu().numpy())
    return np.concatenate(out)


def told(name: str, held: Held, use: list[int], found: np.ndarray) -> None:
    """Right, wrong, told for nothing: at several marks."""
    kind = held.kind[use]
    best, right = found.max(1), np.take_along_axis(held.right[use], found.argmax(1)[:, None], 1)[:, 0] > 0
    answers, none, rest = kind == 0, kind == 1, kind >= 2
    line = []
    for mark in (0.1, 0.15, 0.2, 0.3, 0.4, 0.5):
        yes = best >= mark
        some = (int((yes & answers & right).sum()), int((yes & answers & ~right).sum()), int((yes & none).sum()), int((yes & rest).sum()))
        line.append("{}: {}/{} {}+{}".format(mark, *some))
    can = int((held.right[use][answers].sum(1) > 0).sum())
    print(f"{name} {answers.sum()} ({can} at hand), {none.sum()}, {rest.sum()}: first {int((right & answers).sum())}; " + "  ".join(line), flush=True)


def by_trees(held: Held, use: list[int]) -> np.ndarray:
    sums = held.parts["sums"][torch.tensor(use, device=held.device)].cpu().numpy() * 4
    return 1 / (1 + np.exp(-sums)) * held.parts["known"][torch.tensor(use, device=held.device)].cpu().numpy()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pack", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--nets", type=int, default=2, help="how many are trained, to be averaged")
    parser.add_argument("--seconds", type=float, default=60.0, help="how long each is trained")
    parser.add_argument("--steps", type=int, help="so many steps, however long they take")
    parser.add_argument("--size", type=int, default=256)
    parser.add_argument("--width", type=int, default=WIDTH)
    parser.add_argument("--hidden", type=int, default=HIDDEN)
    parser.add_argument("--plain", action="store_true", help="with the variations of before: words of both sides, hidden signs")
    parser.add_argument("--full", action="store_true", help="in whole precision")
    parser.add_argument("--without", nargs="*", default=[], help="hands that are left out, and measured on")
    args = parser.parse_args()
    torch.set_float32_matmul_precision("high")
    began = time.monotonic()
    held = Held(args.pack)
    print(f"{held.rows} cases on {held.device}, opened in {time.monotonic() - began:.0f} s", flush=True)
    out = [i for i in range(held.rows) if held.hands[held.hand[i]] in args.without]
    use = sorted(set(range(held.rows)) - set(out))
    shape = {"seconds": args.seconds, "steps": args.steps, "size": args.size, "width": args.width, "hidden": args.hidden}
    before = {"swap": 0.3, "value": 0.0, "hide": 0.15, "strange": 0.0, "fewer": 0.0, "gone": 0.0}
    nets: list[Network] = []
    for seed in range(1, args.nets + 1):
        nets.append(fit(held, use, Plan(seed=seed, **shape, **(before if args.plain else {})), not args.full))
        state = [{k: v.cpu() for k, v in n.state_dict().items()} for n in nets]
        torch.save((state, held.scale), args.out)
        for hand in args.without:
            for k, lang in enumerate(LANGUAGES):
                some = [i for i in out if held.hands[held.hand[i]] == hand and held.lang[i] == k]
                if some:
                    trees, found = by_trees(held, some), chances(nets, held, some)
                    if seed == 1:
                        told(f"{hand} {lang} trees", held, some, trees)
                    told(f"{hand} {lang} {seed} nets", held, some, found)
                    told(f"{hand} {lang} {seed} nets and trees", held, some, (found + trees) / 2)


if __name__ == "__main__":
    main()
