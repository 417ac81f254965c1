"""The network of the statement reader, and its training (kernel/statements/tagger.py runs it in whole numbers).

    python bench/train/network.py PACK OUT --begin WEIGHTS --new NAME … [--epochs N]
    python bench/train/network.py PACK OUT [--epochs N] [--without FILE …]

Needs torch alone: PACK is written by reader.py and holds everything, so that the training can be done on another
machine. `--begin FILE` goes on from shipped weights with small steps, over the files that `--new NAME …` names and a share
of the others: minutes on two plain cores. The shipped weights themselves are made by patient.py.
Without `--begin` a network learns from the marked messages alone, to compare. The encoder's three windows over its tokens are the
first layers here and are tuned with the rest.
`--without w8` leaves the files of one hand out and prints what is found in them. `--workers N` makes batches beside
the training, each from its own seed: the same files give the same batches, however many processes make them.
`--seed N` trains another network of the same kind.
"""

from __future__ import annotations

import argparse
import gzip
import math
import pickle
import random
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

ORDERS = ((2, 0), (3, 1), (5, 2))
EMBEDDING, SENTENCE, FAR = 512, 16.0, 256
WIDTH, GRAM, HEADS, LAYERS, OWN = 192, 64, 4, 4, 64
SEED, BATCH, RATE, TUNING, DECAY, MEAN = 7, 64, 7e-4, 3e-4, 1e-2, 0.998
DROP, DROP_INSIDE, DROP_TABLE, MIX, SWAP = 0.35, 0.2, 0.1, 0.45, 0.5
# How often a value is named without a look at the whole message: what stands beside it must be enough.
DROP_GIST = 0.4
# How much each head counts; the reason why nothing is told is learned beside, and not kept.
TOKENS, ATTRIBUTE, KIND, STATUS, STANCE, WHY, SMOOTH, WHOSE = 3.0, 2.0, 0.5, 0.5, 0.3, 0.5, 0.05, 0.7
# How far away a word for somebody stands, in tokens: before, inside, behind.
REACH = 24
ALIKE = ({"son", "daughter", "child"}, {"brother", "sister", "sibling"}, {"roommate", "flatmate"},
         {"wife", "husband", "partner", "girlfriend", "boyfriend", "fiancé"},
         {"grandchild", "grandson", "granddaughter"}, {"nephew", "niece"})  # fmt: skip

# How sure a marked value's name must be that the value may stand for others.
SURE = 0.8
# How large the steps are that go on from shipped weights, and the share of what they have learned that is read again.
TUNED, AGAIN = 0.4, 0.35

Row = dict[str, Any]


class Windows(nn.Module):
    """The encoder's own reading of a token among its neighbours: 512 numbers become 1,280."""

    def __init__(self, given: dict[str, np.ndarray]) -> None:
        super().__init__()
        made = {k: torch.tensor(v.astype(np.float32)) for k, v in given.items() if k != "eps"}
        self.eps = float(given["eps"])
        self.held = nn.ParameterDict({k: nn.Parameter(v) for k, v in made.items()})

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        p, length = self.held, x.shape[1]
        x = x * mask
        y = F.layer_norm(x @ p["proj"] + p["proj_b"], (768,), p["near_g"], p["near_b"], self.eps) * mask
        out = [x]
        for i, (size, left) in enumerate(ORDERS):
            z = y[..., i * 256 : (i + 1) * 256]
            for layer in ("one", "two"):
                padded = F.pad(z, (0, 0, left, size - 1 - left))
                seen = torch.cat([padded[:, k : k + length] for k in range(size)], -1)
                z = (F.relu(seen @ p[f"{layer}{size}"] + p[f"{layer}{size}_b"]) + z) * mask
                z = F.dropout(z, DROP_INSIDE, self.training) if layer == "one" else z
            out.append(z)
        return F.layer_norm(torch.cat(out, -1), (1280,), p["far_g"], p["far_b"], self.eps) * mask


class Layer(nn.Module):
    """Every token looks at every other; then each for itself."""

    def __init__(self, d: int) -> None:
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.asked, self.told = nn.Linear(d, 3 * d), nn.Linear(d, d)
        self.wide, self.narrow = nn.Linear(d, 2 * d), nn.Linear(2 * d, d)
        self.drop = nn.Dropout(DROP / 2)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        b, n, d = x.shape
        q, k, v = self.asked(self.norm1(x)).view(b, n, 3, HEADS, d // HEADS).permute(2, 0, 3, 1, 4)
        fit = (q @ k.transpose(-1, -2)) / math.sqrt(d // HEADS)
        fit = fit.masked_fill(mask.view(b, 1, 1, n) == 0, -1e4)
        seen = self.drop(fit.softmax(-1)) @ v
        x = x + self.drop(self.told(seen.transpose(1, 2).reshape(b, n, d)))
        return x + self.drop(self.narrow(self.drop(F.relu(self.wide(self.norm2(x))))))


class Network(nn.Module):
    def __init__(self, given: dict[str, np.ndarray], buckets: int, signs: int, attributes: int, whys: int,
                 width: int = WIDTH, layers: int = LAYERS) -> None:  # fmt: skip
        super().__init__()
        d = width
        self.windows = Windows(given)
        self.token, self.sign = nn.Linear(1280, d), nn.Linear(signs, d, bias=False)
        self.sentence, self.gram = nn.Linear(512, d, bias=False), nn.Linear(GRAM, d, bias=False)
        self.bag = nn.EmbeddingBag(buckets, GRAM, mode="sum")
        nn.init.normal_(self.bag.weight, 0, 0.5)
        self.beside, self.place = nn.Linear(3 * d, d), nn.Embedding(FAR, d)
        nn.init.normal_(self.place.weight, 0, 0.02)
        self.layers = nn.ModuleList([Layer(d) for _ in range(layers)])
        self.bio, self.told = nn.Linear(d, 3), nn.Linear(2 * d + 512, 1)
        self.why = nn.Linear(2 * d + 512, whys + 1)
        self.span = nn.Linear(4 * d + 512, d)
        self.attribute, self.kind = nn.Linear(d, attributes), nn.Linear(d, 3)
        self.status, self.stance = nn.Linear(d, 5), nn.Linear(d, 3)
        self.owned, self.owner, self.mine = nn.Linear(d, OWN), nn.Linear(d, OWN), nn.Linear(d, 1)
        self.far = nn.Parameter(torch.zeros(2 * REACH + 1))
        self.drop = nn.Dropout(DROP)

    def forward(self, b: Batch) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
        count, length = b.ids.shape
        mask = (torch.arange(length, device=b.ids.device)[None] < b.lens[:, None]).float()[..., None]
        rows = F.dropout(b.table[b.ids], DROP_TABLE, self.training)
        grams = torch.zeros(count * length, GRAM, device=b.ids.device)
        grams[mask.view(-1) > 0] = self.bag(b.pieces, b.offsets, per_sample_weights=b.shares)
        known = self.sign(b.signs) + self.sentence(b.vectors)[:, None] + self.gram(self.drop(grams.view(count, length, GRAM)))
        x = F.relu(self.token(self.windows(rows, mask)) + known) * mask
        x = x + self.place(torch.arange(length, device=b.ids.device).clamp(max=FAR - 1))[None]
        padded = F.pad(self.drop(x) * mask, (0, 0, 1, 1))
        beside = torch.cat([padded[:, k : k + length] for k in range(3)], -1)
        x = x + F.relu(self.beside(beside)) * mask
        for layer in self.layers:
            x = layer(x, mask)
        h = self.drop(x) * mask
        top = (h - 1e4 * (1 - mask)).max(1)[0]
        pooled = torch.cat([top, h.sum(1) / b.lens[:, None], b.vectors], 1)
        return h, top, self.bio(h), self.told(pooled)[:, 0], self.why(pooled)

    def spans(self, h: Tensor, top: Tensor, b: Batch) -> dict[str, Tensor]:
        m, s, e = b.spans[:, 0], b.spans[:, 1], b.spans[:, 2]
        total = torch.cat([torch.zeros_like(h[:, :1]), h.cumsum(1)], 1)
        inside = (total[m, e] - total[m, s]) / (e - s)[:, None]
        before, after = h[m, (s - 1).clamp(min=0)], h[m, torch.minimum(e, b.lens[m] - 1)]
        kept = 1.0
        if self.training:
            kept = (torch.rand(len(m), 1, device=h.device) >= DROP_GIST).float() / (1 - DROP_GIST)
        seen = torch.cat([inside, top[m] * kept, before, after, b.vectors[m] * kept], 1)
        state = self.drop(F.relu(self.span(seen)))
        out = {head: getattr(self, head)(state) for head in ("attribute", "kind", "status", "stance")}
        out["whose"] = self.mine(state)
        if len(b.people):
            pm, ps, pe = b.people[:, 0], b.people[:, 1], b.people[:, 2]
            seen = (total[pm, pe] - total[pm, ps]) / (pe - ps)[:, None]
            fit = self.owned(state) @ self.owner(seen).T / math.sqrt(OWN)
            away = torch.where(pe[None] <= s[:, None], pe[None] - s[:, None] - 1, (ps[None] - e[:, None] + 1).clamp(min=0))
            fit = fit + self.far[away.clamp(-REACH, REACH) + REACH]
            fit = fit.masked_fill(pm[None] != m[:, None], -1e4)
            out["whose"] = torch.cat([out["whose"], fit], 1)
        return out


class Batch:
    def __init__(self, rows: list[tuple[Any, ...]], vectors: list[Tensor], names: set[int], attributes: int) -> None:
        lens = torch.tensor([len(r[0]) for r in rows])
        length = int(lens.max())
        ids = torch.zeros(len(rows), length, dtype=torch.long)
        signs = torch.zeros(len(rows), length, len(rows[0][2][0]))
        bio = torch.full((len(rows), length), -100)
        pieces: list[int] = []
        offsets, shares, spans, whose = [], [], [], []
        people: list[tuple[int, int, int]] = []
        who: list[tuple[int, str]] = []
        for k, (tokens, words, marks, found, spoken) in enumerate(rows):
            n = len(tokens)
            ids[k, :n], bio[k, :n] = torch.as_tensor(tokens), 0
            signs[k, :n] = torch.as_tensor(marks, dtype=torch.float32)
            for word in words:
                offsets.append(len(pieces))
                pieces += word
                shares += [1 / math.sqrt(len(word))] * len(word)
            for s, e, *rest in sorted(found, key=lambda x: x[0] - x[1]):
                bio[k, s] = 1
                bio[k, s + 1 : e] = 2
                spans.append((k, s, e, *rest[:4]))
                whose.append((k, s, e, rest[4]))
            named = [(s, e, rest[4]) for s, e, *rest in found if rest[0] in names and rest[4] not in ("self", "?")]
            for s, e, subject in [*spoken, *named]:
                people.append((k, s, e))
                who.append((k, subject))
        self.ids, self.lens = ids, lens
        self.pieces, self.offsets = torch.tensor(pieces), torch.tensor(offsets)
        self.shares, self.signs, self.bio = torch.tensor(shares), signs, bio
        self.vectors = torch.stack(vectors)
        self.spans = torch.tensor(spans, dtype=torch.long).reshape(-1, 7)
        self.people = torch.tensor(people, dtype=torch.long).reshape(-1, 3)
        right = torch.zeros(len(spans), 1 + len(people), dtype=torch.bool)
        of: dict[int, list[int]] = {k: [] for k in range(len(rows))}
        for j, (k, _) in enumerate(who):
            of[k].append(j)
        for i, (k, s, e, subject) in enumerate(whose):
            if subject == "self":
                right[i, 0] = True
                continue
            mine = [j for j in of[k] if people[j][1:] != (s, e)]
            same = [j for j in mine if who[j][1] == subject] or [j for j in mine if alike(who[j][1]) == alike(subject)]
            right[i, [1 + j for j in same]] = True
        self.right = right
        self.named = F.one_hot(self.spans[:, 3], attributes).float()
        self.told = torch.zeros(len(rows))
        self.told[self.spans[:, 0]] = 1

    def beside(self, table: Tensor) -> Batch:
        """Where the table is, with it."""
        for name, part in vars(self).items():
            setattr(self, name, part.to(table.device))
        self.table = table
        return self


def alike(subject: str) -> str:
    kind, _, label = subject.partition(":")
    group = next((g for g in ALIKE if label in g), None) if kind == "person" else None
    return f"{kind}:{min(group)}" if group else subject


class Values:
    """Values of the training sentences by what they tell and by what hangs on to them: one may stand for another."""

    def __init__(self, rows: list[Row]) -> None:
        self.held: dict[tuple[Any, ...], list[tuple[Any, ...]]] = {}
        for row in rows:
            for ids, words, marks, found, whole, _ in row["spellings"][:1]:
                for (s, e, *rest), place in zip(found, whole, strict=True):
                    sure = rest[5] is None or max(share for _, share in rest[5]) > SURE
                    if place is not None and place[0] <= s and e <= place[1] and sure:
                        a, b, edges = place
                        key = (row["lang"], rest[0], rest[1], edges)
                        self.held.setdefault(key, []).append((ids[a:b], words[a:b], marks[a:b], s - a, e - a))

    def taken(self, value: tuple[Any, ...]) -> tuple[Any, ...]:
        """The tokens of a value, its words and signs, and where in them it stands."""
        return value

    def put(self, made: tuple[Any, ...], lang: str, by: random.Random) -> tuple[Any, ...]:
        """A message with some of its values exchanged, from the last to the first so that places stay true."""
        ids, words, marks, found, whole, spoken = made
        ids, words, marks, found = list(ids), list(words), list(marks), list(found)
        taken = [p for p in whole if p is not None]
        for k in sorted(range(len(found)), key=lambda k: -found[k][0]):
            place = whole[k]
            if place is None or by.random() >= SWAP or sum(p[0] < place[1] and p[1] > place[0] for p in taken) > 1:
                continue
            a, b, edges = place
            s, e, *rest = found[k]
            others = self.held.get((lang, rest[0], rest[1], edges), ())
            if len(others) < 3 or not a <= s < e <= b:
                continue
            new_ids, new_words, new_marks, ns, ne = self.taken(by.choice(others))
            ids[a:b], words[a:b], marks[a:b] = new_ids, new_words, new_marks
            moved = len(new_ids) - (b - a)
            found = [(x + moved, y + moved, *r) if x >= b else (x, y, *r) for x, y, *r in found]
            found[k] = (a + ns, a + ne, *rest)
            spoken = [(x + moved, y + moved, w) if x >= b else (x, y, w) for x, y, w in spoken if y <= a or x >= b]
        return ids, words, marks, found, spoken


def joined(a: tuple[Any, ...], b: tuple[Any, ...]) -> tuple[Any, ...]:
    n = len(a[0])
    moved = [(s + n, e + n, *rest) for s, e, *rest in b[3]]
    behind = [(s + n, e + n, who) for s, e, who in b[4]]
    return [*a[0], *b[0]], [*a[1], *b[1]], [*a[2], *b[2]], [*a[3], *moved], [*a[4], *behind]


def mixed(row: Row, pool: list[Row], ordinary: dict[str, list[Row]], values: Values, by: random.Random
          ) -> tuple[Any, Tensor, bool]:  # fmt: skip
    """A message with other values, at times with another before or after it, as people write two things at once."""
    made, vector = values.put(by.choice(row["spellings"]), row["lang"], by), row["vector"]
    if by.random() >= MIX:
        return made, vector, True
    other = by.choice(ordinary[row["lang"]] if by.random() < 0.5 else pool)
    if other["lang"] != row["lang"]:
        return made, vector, True
    beside = values.put(other["spellings"][0], other["lang"], by)
    a, b = len(made[0]), len(beside[0])
    vector = F.normalize(row["vector"] * a + other["vector"] * b, dim=0) * SENTENCE
    return (joined(made, beside) if by.random() < 0.5 else joined(beside, made)), vector, False


def loss_of(net: Network, b: Batch, whys: Tensor) -> Tensor:
    """How far the network is from the marks of the messages."""
    h, top, bio, told, why = net(b)
    loss = TOKENS * F.cross_entropy(bio.float().reshape(-1, 3), b.bio.reshape(-1), ignore_index=-100)
    loss = loss + F.binary_cross_entropy_with_logits(told.float(), b.told)
    if (whys >= 0).any():
        loss = loss + WHY * F.cross_entropy(why.float(), whys, ignore_index=-100)
    if len(b.spans):
        out = {head: value.float() for head, value in net.spans(h, top, b).items()}
        meant = b.named * (1 - SMOOTH) + SMOOTH / b.named.shape[1]
        loss = loss - ATTRIBUTE * (meant * out["attribute"].log_softmax(1)).sum(1).mean()
        for n, (head, weight) in enumerate((("kind", KIND), ("status", STATUS), ("stance", STANCE))):
            loss = loss + weight * F.cross_entropy(out[head], b.spans[:, 4 + n])
        known = b.right.any(1)
        if known.any():
            chances = out["whose"][known].log_softmax(1).masked_fill(~b.right[known], -1e9)
            loss = loss - WHOSE * chances.logsumexp(1).mean()
    return loss


class Batches(torch.utils.data.Dataset[tuple[Batch, Tensor]]):
    """Every batch of every pass, each from a seed of its own."""

    def __init__(self, rows: list[Row], names: list[str], whys: list[str], epochs: int, seed: int) -> None:
        self.rows, self.names, self.whys, self.seed = rows, names, whys, seed
        self.people = people_named(names)
        self.values, self.each = Values(rows), len(rows) // BATCH
        langs = {r["lang"] for r in rows}
        self.ordinary = {lang: [r for r in rows if not r["spellings"][0][3] and r["lang"] == lang] for lang in langs}
        self.orders = []
        for epoch in range(epochs):
            order = list(range(len(rows)))
            random.Random(f"{seed} {epoch}").shuffle(order)
            self.orders.append(order)

    def __len__(self) -> int:
        return self.each * len(self.orders)

    def __getitem__(self, at: int) -> tuple[Batch, Tensor]:
        by = random.Random(f"{self.seed} batch {at}")
        epoch, i = divmod(at, self.each)
        chosen, vectors, why = [], [], []
        for j in self.orders[epoch][i * BATCH : (i + 1) * BATCH]:
            row = self.rows[j]
            made, vector, alone = mixed(row, self.rows, self.ordinary, self.values, by)
            chosen.append(made)
            vectors.append(vector)
            why.append(0 if made[3] else 1 + self.whys.index(row["why"]) if alone and row["why"] else -100)
        return Batch(chosen, vectors, self.people, len(self.names)), torch.tensor(why)


def people_named(names: list[str]) -> set[int]:
    """The attributes whose values are words for somebody."""
    return {names.index(name) for name in ("name", "called")}


def blank(pack: Row, device: str) -> Network:
    whys = {r["why"] for r in pack["rows"] if r["why"]}
    return Network(pack["windows"], pack["buckets"], pack["signs"], len(pack["names"]), len(whys)).to(device)


def begun(net: Network, file: Path) -> None:
    """The shipped weights, a byte for each with a scale for each column; the head that is not kept begins anew."""
    with np.load(file, allow_pickle=False) as found:
        held = {k: found[k].astype(np.float32) * found[k + "_s"] if k + "_s" in found else found[k] for k in found.files}
    state = net.state_dict()
    made = {}
    for key in state:
        layer, _, kind = key.rpartition(".")
        if layer.startswith("why"):
            continue
        name = key.replace("windows.held.", "w_")
        if name == key and layer.startswith("layers."):
            _, number, part = layer.split(".")
            name = f"l{number}_{part}" + ({"weight": "_g", "bias": "_b"}[kind] if part.startswith("norm") else "_b" * (kind == "bias"))
        elif name == key:
            name = (layer + "_b" * (kind == "bias")) if layer else key
        value = held[name]
        linear = kind == "weight" and layer not in ("bag", "place") and not name.endswith(("_g", "_b"))
        made[key] = torch.tensor(value.T.copy() if linear and (name == layer or name.startswith("l")) else value)
    net.load_state_dict(made, strict=False)


def fit(pack: Row, rows: list[Row], epochs: int, seed: int = SEED, workers: int = 0, begin: Path | None = None
        ) -> Network:  # fmt: skip
    torch.manual_seed(seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    table = torch.tensor(pack["table"], device=device)
    whys = sorted({r["why"] for r in pack["rows"] if r["why"]})
    net = blank(pack, device)
    if begin is not None:
        begun(net, begin)
    pace_of = TUNED if begin is not None else 1.0
    slow = {id(p) for p in net.windows.parameters()}
    groups = [
        {"params": [p for p in net.parameters() if id(p) not in slow], "lr": RATE * pace_of},
        {"params": list(net.windows.parameters()), "lr": TUNING * pace_of},
    ]
    optimizer = torch.optim.AdamW(groups, weight_decay=DECAY)
    batches = Batches(rows, pack["names"], whys, epochs, seed)
    steps = len(batches)
    pace = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda k: min(1, (k + 1) / 200) * max(0.02, 1 - k / steps))
    mean = torch.optim.swa_utils.AveragedModel(net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(MEAN))
    loader = torch.utils.data.DataLoader(batches, batch_size=None, num_workers=workers, prefetch_factor=16 if workers else None)
    net.train()
    began, total = time.monotonic(), torch.zeros((), device=device)
    for k, (batch, why) in enumerate(loader, start=1):
        loss = loss_of(net, batch.beside(table), why.to(device))
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        optimizer.step()
        pace.step()
        mean.update_parameters(net)
        total += loss.detach()
        if k % 100 == 0:
            print(f"{k} of {steps}, {time.monotonic() - began:.0f} s", flush=True)
        if k % batches.each == 0:
            print(f"pass {k // batches.each}: loss {float(total) / batches.each:.3f}, {time.monotonic() - began:.0f} s", flush=True)
            total.zero_()
    made: Network = mean.module
    return made.eval()


def figures(net: Network, pack: Row, rows: list[Row]) -> None:
    """What is found in messages that were left out: right words, right name, right kind of person."""
    device = next(net.parameters()).device
    table = torch.tensor(pack["table"], device=device)
    for lang in ("en", "ko"):
        some = [r for r in rows if r["lang"] == lang]
        if not some:
            continue
        named = kinds = values = inside = said = meant = 0
        told: list[tuple[float, int, int]] = []
        for i in range(0, len(some), 128):
            part = some[i : i + 128]
            made = [(*r["spellings"][0][:4], r["spellings"][0][5]) for r in part]
            b = Batch(made, [r["vector"] for r in part], set(), len(pack["names"])).beside(table)
            with torch.no_grad():
                h, top, bio, chance, _ = net(b)
                if len(b.spans):
                    out = net.spans(h, top, b)
                    values += len(b.spans)
                    named += int((out["attribute"].argmax(1) == b.spans[:, 3]).sum())
                    kinds += int((out["kind"].argmax(1) == b.spans[:, 4]).sum())
                marks = bio.argmax(2)
                seen = b.bio >= 0
                said += int(((marks > 0) & seen).sum())
                meant += int((b.bio > 0).sum())
                inside += int(((marks > 0) & (b.bio > 0)).sum())
                found = runs(marks.cpu().numpy(), b.lens.cpu().numpy())
                gold = [[] for _ in part]
                for k, s, e, attribute, kind, *_ in b.spans.cpu().tolist():
                    gold[k].append((s, e, attribute, kind))
                right = [0] * len(part)
                if found:
                    b.spans = torch.tensor([(*f, 0, 0, 0, 0) for f in found], device=device)
                    out = net.spans(h, top, b)
                    read = zip(found, out["attribute"].argmax(1).tolist(), out["kind"].argmax(1).tolist(), strict=True)
                    for (k, s, e), attribute, kind in read:
                        for g in gold[k]:
                            if g[2:] == (attribute, kind) and 2 * (min(e, g[1]) - max(s, g[0])) >= g[1] - g[0]:
                                gold[k].remove(g)
                                right[k] += 1
                                break
                some_found = {f[0] for f in found}
                told += [(float(c) if k in some_found else -99.0, right[k], right[k] + len(gold[k])) for k, c in enumerate(chance)]
        facts, nothing = sum(t[2] for t in told), sorted((t[0] for t in told if not t[2]), reverse=True)
        line = [f"{lang}: {len(some)} messages, words {inside / max(1, said):.3f} {inside / max(1, meant):.3f}"]
        line += [f"named {named / max(1, values):.3f}, kind {kinds / max(1, values):.3f}"]
        for share in (0.03, 0.05, 0.1) if facts and nothing else ():
            at = nothing[int(share * len(nothing))]
            line.append(f"at {share}: {sum(t[1] for t in told if t[0] > at) / facts:.3f}")
        print(", ".join(line), flush=True)


def runs(marks: np.ndarray, lens: np.ndarray) -> list[tuple[int, int, int]]:
    out = []
    for k, (row, length) in enumerate(zip(marks, lens, strict=True)):
        start = None
        for j in range(int(length) + 1):
            mark = row[j] if j < length else 0
            if start is not None and mark != 2:
                out.append((k, start, j))
                start = None
            if mark == 1 or (mark == 2 and start is None):
                start = j
    return out


def arrays(net: Network) -> dict[str, np.ndarray]:
    """By the names the reader knows; matrices stand as rows in, columns out."""
    out: dict[str, Tensor] = {f"w_{k}": v for k, v in net.windows.held.items()}
    for name in ("token", "sign", "sentence", "gram", "beside", "bio", "told", "span",
                 "attribute", "kind", "status", "stance", "owned", "owner", "mine"):  # fmt: skip
        layer = getattr(net, name)
        out[name] = layer.weight.T
        if layer.bias is not None:
            out[name + "_b"] = layer.bias
    out["bag"], out["place"], out["far"] = net.bag.weight, net.place.weight, net.far
    for i, layer in enumerate(net.layers):
        for name in ("asked", "told", "wide", "narrow"):
            out[f"l{i}_{name}"], out[f"l{i}_{name}_b"] = getattr(layer, name).weight.T, getattr(layer, name).bias
        for name in ("norm1", "norm2"):
            out[f"l{i}_{name}_g"], out[f"l{i}_{name}_b"] = getattr(layer, name).weight, getattr(layer, name).bias
    return {k: v.detach().cpu().numpy().astype(np.float32) for k, v in out.items()}


def save(net: Network, names: list[str], file: Path, kind: Any = np.float32) -> None:
    held = {key: value.astype(kind) for key, value in arrays(net).items()}
    np.savez_compressed(file, names=np.array(names), eps=np.array(net.windows.eps), **held)


def rows_of(table: dict[str, np.ndarray]) -> np.ndarray:
    made: np.ndarray = table["bytes"].astype(np.float32) * table["scale"][:, None] + table["low"][:, None]
    return made


def opened(file: Path) -> Row:
    with gzip.open(file, "rb") as stream:
        pack: Row = pickle.load(stream)
    for row in pack["rows"]:
        row["vector"] = torch.tensor(row["vector"].astype(np.float32) / pack["vector"]) * SENTENCE
    pack["table"] = rows_of(pack["table"])
    return pack


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pack", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--epochs", type=int, default=24)
    parser.add_argument("--without", nargs="*", default=[])
    parser.add_argument("--workers", type=int, default=0)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--begin", type=Path, help="go on from these shipped weights")
    parser.add_argument("--new", nargs="*", default=[], help="with --begin: files that are read whole")
    args = parser.parse_args()
    pack = opened(args.pack)
    out = [r for r in pack["rows"] if any(r["file"].endswith(name) for name in args.without)]
    left = {id(r) for r in out}
    rows = [r for r in pack["rows"] if id(r) not in left]
    if args.begin:
        by = random.Random(args.seed)
        rows = [r for r in rows if r["file"].endswith(tuple(args.new)) or by.random() < AGAIN]
    net = fit(pack, rows, args.epochs, args.seed, args.workers, args.begin)
    for name in sorted({r["file"] for r in out}):
        print(name, end=" ")
        figures(net, pack, [r for r in out if r["file"] == name])
    save(net, pack["names"], args.out)


if __name__ == "__main__":
    main()
