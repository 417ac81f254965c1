"""The network that reads one text beside others, and its training (kernel/read/crossing.py runs it in whole numbers).

Needs torch and numpy alone, so that it can be trained on another machine. Chance comes from fixed seeds; on another kind
of machine sums may differ in their last digits.
"""

from __future__ import annotations

import gzip
import pickle
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

# So many tokens of the text, of what is beside it and of the message that it answers are read.
SAID, HELD, ASKED = 96, 112, 48
D, MATCH, KIND, HIDDEN = 96, 48, 24, 128
BATCH, RATE, MEAN, DROP, DROP_TABLE, SMOOTH = 64, 1e-3, 0.998, 0.3, 0.1, 0.05
# How often words that stand on both sides are exchanged for others; the commonest never are.
SWAP, COMMON = 0.5, 300
Row = dict[str, Any]


@dataclass(frozen=True)
class Plan:
    """How one of the networks is trained that are averaged."""

    seed: int = 1
    epochs: int = 14
    decay: float = 0.05


PLANS = (Plan(1), Plan(2))


class Tokens:
    """Texts as places in a table of the encoder's rows: only what is met travels."""

    def __init__(self) -> None:
        from clew.adapters.embeddings.use import default as embedder

        self.model = embedder()._load()._model
        self.place: dict[int, int] = {}
        self.kept: dict[str, list[int]] = {}

    def __call__(self, text: str) -> list[int]:
        from clew.adapters.embeddings.use import pieces_of

        if text not in self.kept:
            ids = list(pieces_of(text, self.model.sp)[1])
            self.kept[text] = [self.place.setdefault(i, len(self.place)) for i in ids]
        return self.kept[text]

    def table(self) -> np.ndarray:
        used = np.array(list(self.place))
        chunk = used % self.model.scale.shape[0]
        rows = self.model.table[used].astype(np.float32) * self.model.scale[chunk][:, None] + self.model.lo[chunk][:, None]
        return rows.astype(np.float16)


def write_pack(out: Path, rows: list[Row], tokens: Tokens, names: tuple[str, ...]) -> None:
    """rows: said, about (several), user, own, gists, label (0 for none of the names), weight, lang, hand."""
    with gzip.open(out, "wb", compresslevel=5) as stream:
        pickle.dump({"rows": rows, "table": tokens.table(), "names": names}, stream, protocol=4)
    print(len(rows), "rows,", len(tokens.place), "tokens")


def read_pack(file: Path) -> Row:
    with gzip.open(file, "rb") as stream:
        pack: Row = pickle.load(stream)
    return pack


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
    """The rows of a pack, where they are learned. `changed` may give a row in another form, with another label."""

    def __init__(self, pack: Row, changed: Any = None) -> None:
        import torch

        self.rows, self.changed = pack["rows"], changed
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        self.table = torch.tensor(pack["table"].astype(np.float32), device=self.device)
        many = Counter(t for r in self.rows for t in {*r["said"], *r["user"]})
        self.common = {t for t, _ in many.most_common(COMMON)}

    def batch(self, at: list[int], by: np.random.Generator | None = None) -> Row:
        import torch

        n = len(at)
        said, about = np.zeros((n, SAID), np.int64), np.zeros((n, HELD + ASKED), np.int64)
        sm, am, um = np.zeros(said.shape, np.float32), np.zeros(about.shape, np.float32), np.zeros(about.shape, np.float32)
        made = [self.rows[k] for k in at]
        if by is not None:
            made = [self._renamed(self.changed(self, row, by) if self.changed else row, by) for row in made]
        for i, row in enumerate(made):
            held = [t for one in row["about"] for t in one][:HELD]
            draft, both = row["said"][:SAID], [*held, *row["user"][:ASKED]]
            said[i, : len(draft)], sm[i, : len(draft)] = draft, 1
            about[i, : len(both)], am[i, : len(both)] = both, 1
            um[i, len(held) : len(both)] = 1
        wide, far = max(1, int(sm.sum(1).max())), max(1, int(am.sum(1).max()))
        b = {"said": said[:, :wide], "said_mask": sm[:, :wide], "about": about[:, :far], "about_mask": am[:, :far], "from_user": um[:, :far],
             "own": np.array([r["own"] for r in made], np.float32), "label": np.array([r["label"] for r in made]),
             "gists": np.array([r["gists"] for r in made], np.float32) * 8, "weight": np.array([r["weight"] for r in made], np.float32)}  # fmt: skip
        return {**{key: torch.tensor(value).to(self.device) for key, value in b.items()}, "table": self.table}

    def _renamed(self, row: Row, by: np.random.Generator) -> Row:
        """Rare words that stand on both sides become others: what counts is whether they are the same."""
        if by.random() >= SWAP:
            return row
        both = (set(row["said"]) & ({*row["user"]} | {t for one in row["about"] for t in one})) - self.common
        new = {t: int(by.integers(len(self.table))) for t in sorted(both) if by.random() < 0.6}
        return {**row, "said": [new.get(t, t) for t in row["said"]], "user": [new.get(t, t) for t in row["user"]],
                "about": [[new.get(t, t) for t in one] for one in row["about"]]}  # fmt: skip


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
            total += float(loss.detach())
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
