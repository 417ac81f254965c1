"""Train the network of drafts (kernel/gate/network.py runs it in whole numbers).

    python bench/train/drafts_network.py pack PACK [--data DIR]
    python bench/train/drafts_network.py fit PACK FITTED [--without HAND …]
    python bench/train/drafts_network.py ship FITTED

`pack` reads the drafts that bench/train/drafts.py names, with everything that does not depend on weights; `fit` needs torch
and numpy alone, so that it can be done on another machine, and tells what it makes of hands that are left out; `ship` writes
the weights. A good draft that speaks of something known and not of the message becomes a false memory when what is known is
taken away: some are learned so. Chance comes from fixed seeds; on another kind of machine sums may differ in their last digits.
"""

from __future__ import annotations

import argparse
import gzip
import pickle
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))

import shipped

# So many tokens of the draft, of what is known and of the message are read.
SAID, HELD, ASKED = 96, 112, 48
D, MATCH, KIND, HIDDEN = 96, 48, 24, 128
BATCH, RATE, MEAN, DROP, DROP_TABLE, SMOOTH = 64, 1e-3, 0.998, 0.3, 0.1, 0.05
# How often names are exchanged, what is known taken away, or more is known than the draft needs.
SWAP, BARE, MORE = 0.5, 0.15, 0.5
COMMON = 300
MEMORY = 1
Row = dict[str, Any]


@dataclass(frozen=True)
class Plan:
    seed: int = 1
    epochs: int = 14
    decay: float = 0.05


PLANS = (Plan(1), Plan(2))


def pack(out: Path, data: Path | None) -> None:
    from drafts import NAMES, OK, draft_of, hand_of, needs_of, rows, vectors
    from drafts import POLICY as policy

    from clew.adapters.embeddings.use import default as embedder
    from clew.adapters.embeddings.use import pieces_of
    from clew.kernel.gate.judging import numbers
    from clew.kernel.text.sentences import sentences

    made = rows(data)
    texts = sorted({t for r in made for t in (r.draft, r.user, *sentences(r.draft, policy.text))})
    vector = dict(zip(texts, vectors(texts, None), strict=True))
    needs = needs_of(sorted({r.user for r in made}), vector)
    model = embedder()._load()._model
    ids: dict[str, list[int]] = {}

    def tokens(text: str) -> list[int]:
        if text not in ids:
            ids[text] = list(pieces_of(text, model.sp)[1])
        return ids[text]

    held: list[Row] = []
    for r in made:
        held.append({
            "lang": r.lang, "hand": hand_of(r), "weight": r.weight, "label": (OK, *NAMES).index(r.verdict),
            "draft": tokens(r.draft)[:SAID], "user": tokens(r.user)[:ASKED], "known": [tokens(k) for k in r.known],
            "own": np.array(numbers(draft_of(r, vector, needs)), np.float32),
            "gists": np.array([vector[r.draft], vector[r.user]], np.float16),
        })  # fmt: skip
    used = sorted({t for row in held for part in (row["draft"], row["user"], *row["known"]) for t in part})
    place = {token: k for k, token in enumerate(used)}
    for row in held:
        row["draft"], row["user"] = [place[t] for t in row["draft"]], [place[t] for t in row["user"]]
        row["known"] = [[place[t] for t in known] for known in row["known"]]
    chunk = np.array(used) % model.scale.shape[0]
    table = model.table[np.array(used)].astype(np.float32) * model.scale[chunk][:, None] + model.lo[chunk][:, None]
    with gzip.open(out, "wb", compresslevel=5) as stream:
        pickle.dump({"rows": held, "table": table.astype(np.float16), "names": NAMES}, stream, protocol=4)
    print(len(held), "drafts,", len(used), "tokens")


def network(own: int, names: int) -> Any:
    import torch
    import torch.nn.functional as F
    from torch import nn

    class Network(nn.Module):
        """Every word of a draft beside every word of what is known and of the message it answers."""

        def __init__(self) -> None:
            super().__init__()
            self.token, self.mark = nn.Linear(512, D), nn.Embedding(3, D)
            self.match = nn.Linear(512, MATCH, bias=False)
            self.sign = nn.Linear(6, D, bias=False)
            self.near = nn.ModuleList([nn.Linear(3 * D, D) for _ in range(4)])
            self.norm = nn.ModuleList([nn.LayerNorm(D) for _ in range(5)])
            self.ask, self.tell = nn.Linear(D, MATCH), nn.Linear(D, MATCH)
            self.met = nn.Linear(3 * D, D)
            self.gist, self.alike = nn.Linear(1024, KIND), nn.Linear(512, KIND, bias=False)
            self.one, self.two = nn.Linear(4 * D + 2 * KIND + own, HIDDEN), nn.Linear(HIDDEN, names + 1)
            self.drop = nn.Dropout(DROP)

        def around(self, h: Any, layer: int, mask: Any) -> Any:
            padded = F.pad(self.drop(self.norm[layer](h)) * mask, (0, 0, 1, 1))
            length = h.shape[1]
            return (h + F.relu(self.near[layer](torch.cat([padded[:, i : i + length] for i in range(3)], -1)))) * mask

        def forward(self, b: Any) -> Any:
            said = F.dropout(b["table"][b["said"]], DROP_TABLE, self.training)
            about = F.dropout(b["table"][b["about"]], DROP_TABLE, self.training)
            sm, am = b["said_mask"][..., None], b["about_mask"][..., None]
            x, y = F.normalize(self.match(said), dim=-1), F.normalize(self.match(about), dim=-1)
            fit = torch.einsum("nld,njd->nlj", x, y)
            pair = b["said_mask"][:, :, None] * b["about_mask"][:, None]
            same = (b["said"][:, :, None] == b["about"][:, None]).float() * pair
            user = b["from_user"][:, None]
            signs = []
            for of in (1 - user, user):
                here = pair * of
                some = (here.sum(2) > 0).float()
                signs += [fit.masked_fill(here == 0, -1.0).max(2)[0] * some, (same * of).max(2)[0], some]
            hs = F.relu(self.token(said) + self.mark.weight[2] + self.sign(torch.stack(signs, -1))) * sm
            zero = torch.zeros_like(b["about_mask"])
            back = torch.stack([fit.masked_fill(pair == 0, -1.0).max(1)[0], same.max(1)[0], zero, zero, zero, zero], -1)
            ha = F.relu(self.token(about) + self.mark(b["from_user"].long()) + self.sign(back)) * am
            hs, ha = self.around(self.around(hs, 0, sm), 1, sm), self.around(ha, 2, am)
            ns, na = self.drop(self.norm[3](hs)), self.drop(self.norm[3](ha))
            e = torch.einsum("nld,njd->nlj", self.ask(ns), self.tell(na)) / MATCH**0.5
            found = e.masked_fill(pair == 0, -1e4).softmax(2) @ na
            v = F.relu(self.met(torch.cat([ns, found, ns * found], -1))) * sm
            w = F.relu(self.near[3](_beside(F, torch, self.drop(self.norm[4](v)) * sm))) * sm
            count = sm.sum(1).clamp(min=1)
            um = am * b["from_user"][..., None]
            heard = [(ha - 1e4 * (1 - um)).max(1)[0].clamp(min=0), (ha * um).sum(1) / um.sum(1).clamp(min=1)]
            gist = F.relu(self.gist(b["gists"].flatten(1)))
            alike = self.alike(b["gists"][:, 0]) * self.alike(b["gists"][:, 1])
            seen = torch.cat([w.max(1)[0], w.sum(1) / count, *heard, gist, alike, b["own"]], -1)
            return self.two(self.drop(F.relu(self.one(self.drop(seen)))))

    return Network()


def _beside(F: Any, torch: Any, x: Any) -> Any:
    padded = F.pad(x, (0, 0, 1, 1))
    return torch.cat([padded[:, i : i + x.shape[1]] for i in range(3)], -1)


class Held:
    def __init__(self, read: Row) -> None:
        import torch

        self.rows, self.device = read["rows"], "cuda" if torch.cuda.is_available() else "cpu"
        self.table = torch.tensor(read["table"].astype(np.float32), device=self.device)
        many = Counter(t for r in self.rows for t in {*r["draft"], *r["user"]})
        self.common = {t for t, _ in many.most_common(COMMON)}
        for r in self.rows:
            known = {t for k in r["known"] for t in k} - set(r["user"]) - self.common
            r["leans"] = r["label"] == 0 and bool(known & set(r["draft"]))

    def batch(self, at: list[int], by: np.random.Generator | None = None) -> Row:
        import torch

        n = len(at)
        said, about = np.zeros((n, SAID), np.int64), np.zeros((n, HELD + ASKED), np.int64)
        sm, am, um = np.zeros(said.shape, np.float32), np.zeros(about.shape, np.float32), np.zeros(about.shape, np.float32)
        label = np.zeros(n, np.int64)
        for i, k in enumerate(at):
            r = self.rows[k]
            draft, user, known, label[i] = r["draft"], r["user"], list(r["known"]), r["label"]
            if by is not None:
                if r["leans"] and by.random() < BARE:
                    known, label[i] = [], MEMORY
                while r["known"] and by.random() < MORE:
                    known.append(self._other(by, r["lang"]))
                by.shuffle(known)
                if by.random() < SWAP:
                    draft, user, known = self._renamed(draft, user, known, by)
            held = [t for one in known for t in one][:HELD]
            said[i, : len(draft)], sm[i, : len(draft)] = draft, 1
            both = [*held, *user]
            about[i, : len(both)], am[i, : len(both)] = both, 1
            um[i, len(held) : len(both)] = 1
        wide, far = max(1, int(sm.sum(1).max())), max(1, int(am.sum(1).max()))
        b = {"said": said[:, :wide], "said_mask": sm[:, :wide], "about": about[:, :far], "about_mask": am[:, :far], "from_user": um[:, :far],
             "own": np.array([self.rows[k]["own"] for k in at]), "label": label,
             "gists": np.array([self.rows[k]["gists"] for k in at], np.float32) * 8,
             "weight": np.array([self.rows[k]["weight"] for k in at], np.float32)}  # fmt: skip
        made = {key: torch.tensor(value).to(self.device) for key, value in b.items()}
        return {**made, "table": self.table}

    def _other(self, by: np.random.Generator, lang: str) -> list[int]:
        while True:
            r = self.rows[int(by.integers(len(self.rows)))]
            if r["known"] and r["lang"] == lang:
                return r["known"][int(by.integers(len(r["known"])))]

    def _renamed(self, draft: list[int], user: list[int], known: list[list[int]], by: np.random.Generator) -> tuple[Any, Any, Any]:
        """Rare words that stand on both sides become others: what counts is whether they are the same."""
        both = (set(draft) & ({*user} | {t for k in known for t in k})) - self.common
        new = {t: int(by.integers(len(self.table))) for t in both if by.random() < 0.6}
        return [new.get(t, t) for t in draft], [new.get(t, t) for t in user], [[new.get(t, t) for t in k] for k in known]


def fit(held: Held, use: list[int], plan: Plan, names: int) -> Any:
    import torch
    import torch.nn.functional as F

    torch.manual_seed(plan.seed)
    by = np.random.default_rng(plan.seed)
    net = network(len(held.rows[0]["own"]), names).to(held.device)
    optimizer = torch.optim.AdamW(net.parameters(), lr=RATE, weight_decay=plan.decay)
    steps = plan.epochs * (len(use) // BATCH)
    pace = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda k: min(1, (k + 1) / 100) * max(0.02, 1 - k / steps))
    mean = torch.optim.swa_utils.AveragedModel(net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(MEAN))
    began, total = time.monotonic(), 0.0
    for _ in range(plan.epochs):
        net.train()
        order = by.permutation(use)
        total = 0.0
        for i in range(0, len(use) - BATCH + 1, BATCH):
            b = held.batch(order[i : i + BATCH].tolist(), by)
            each = F.cross_entropy(net(b), b["label"], reduction="none", label_smoothing=SMOOTH)
            loss = (each * b["weight"]).sum() / BATCH
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 2.0)
            optimizer.step()
            pace.step()
            mean.update_parameters(net)
            total += float(loss)
    print(f"{plan}: {total / max(1, len(use) // BATCH):.3f}, {time.monotonic() - began:.0f} s", flush=True)
    return mean.module.eval()


def odds(nets: list[Any], held: Held, use: list[int]) -> np.ndarray:
    """For each draft and name, the log-odds against a good reply."""
    import torch

    out = []
    with torch.no_grad():
        for i in range(0, len(use), 256):
            b = held.batch(use[i : i + 256])
            made = sum(net(b) for net in nets) / len(nets)
            out.append((made[:, 1:] - made[:, :1]).cpu().numpy())
    return np.concatenate(out)


def told(name: str, z: np.ndarray, y: np.ndarray, names: tuple[str, ...]) -> None:
    score = z.max(1) + np.log(np.exp(z - z.max(1, keepdims=True)).sum(1))
    for share in (0.03, 0.05, 0.1):
        mark = np.quantile(score[y == 0], 1 - share)
        each = ", ".join(f"{n} {np.mean(score[y == k] < mark):.2f}" for k, n in enumerate(names, 1) if (y == k).any())
        print(f"{name}: {share:.0%} of {int((y == 0).sum())} good held back, let pass {np.mean(score[y > 0] < mark):.3f} ({each})", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("pack", "fit", "ship"))
    parser.add_argument("file", type=Path)
    parser.add_argument("out", type=Path, nargs="?")
    parser.add_argument("--data", type=Path)
    parser.add_argument("--without", nargs="*", default=[])
    parser.add_argument("--scores", type=Path, help="write the odds of the hands that are left out there")
    args = parser.parse_args()
    if args.what == "pack":
        pack(args.file, args.data)
        return
    import torch

    if args.what == "ship":
        states = torch.load(args.file, map_location="cpu", weights_only=False)
        arrays: dict[str, np.ndarray] = {"nets": np.array(float(len(states)))}
        for n, state in enumerate(states):
            arrays |= shipped.arrays(state, f"{n}_", ("mark",))
        shipped.ship(arrays, "drafts_network.npz", "gate.network.toml", "The network of drafts; written by bench/train/drafts_network.py.")
        return
    with gzip.open(args.file, "rb") as stream:
        read = pickle.load(stream)
    held, names = Held(read), tuple(read["names"])
    out = [i for i, r in enumerate(held.rows) if r["hand"] in args.without]
    left = set(out)
    nets = [fit(held, [i for i in range(len(held.rows)) if i not in left], plan, len(names)) for plan in PLANS]
    for hand in [*args.without, None]:
        for lang in ("en", "ko"):
            some = [i for i in out if held.rows[i]["lang"] == lang and hand in (None, held.rows[i]["hand"])]
            if some:
                told(f"{hand or 'all'} {lang}", odds(nets, held, some), np.array([held.rows[i]["label"] for i in some]), names)
    if args.scores and out:
        np.savez(args.scores, at=np.array(out), z=odds(nets, held, out))
    if args.out:
        torch.save([n.state_dict() for n in nets], args.out)


if __name__ == "__main__":
    main()
