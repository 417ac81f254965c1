"""The fit of the reading of drafts: the whole draft, and its sentences of which one may be wrong among good ones.

A draft's log-odds for a name are those of the whole plus a soft maximum of those of its sentences, so a sentence learns
from the draft it stands in without being labelled itself. Beside words and single numbers, units over all numbers see
what only two of them tell together: joy in the message and scorn in the draft. One seed and one thread: the same drafts
and library versions give the same weights. Needs clew[train].
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from scipy.sparse import csr_matrix

WORDS = 4.0
UNITS = 48
EPOCHS, DRAW, RATE, FAST, DECAY, SMALL_WORDS = 12, 256, 3e-3, 5, 1e-2, 1e-5
DROP, DROP_UNITS = 0.1, 0.4
# How much louder the vectors and their product are to the units than to the plain sum (drafts.py: rest).
LOUD, LOUD_BOTH, WIDTH = 4.0, 10 / 3, 512


@dataclass(frozen=True)
class Seen:
    """Words of the draft and of its sentences (sparse), the rest of both, and which draft a sentence stands in."""

    words: csr_matrix
    rest: np.ndarray
    one_words: csr_matrix
    one_rest: np.ndarray
    owner: np.ndarray

    def part(self, use: np.ndarray) -> Seen:
        """use: which drafts, by a mask or by their places in rising order."""
        rows = np.where(use)[0] if use.dtype == bool else use
        starts = np.searchsorted(self.owner, rows)
        counts = np.searchsorted(self.owner, rows, side="right") - starts
        ones = np.repeat(starts - np.concatenate([[0], np.cumsum(counts)[:-1]]), counts) + np.arange(counts.sum())
        owner = np.repeat(np.arange(len(rows)), counts)
        return Seen(self.words[rows], self.rest[rows], self.one_words[ones], self.one_rest[ones], owner)


@dataclass(frozen=True)
class Fit:
    """A column for each name, against the good replies; `units` read the rest, with a weight for draft and sentence."""

    words: np.ndarray
    rest: np.ndarray
    bias: np.ndarray
    one_words: np.ndarray
    one_rest: np.ndarray
    units: np.ndarray
    unit_bias: np.ndarray
    unit_out: np.ndarray
    one_unit_out: np.ndarray

    def odds(self, seen: Seen) -> np.ndarray:
        z = WORDS * (seen.words @ self.words) + seen.rest @ self.rest + self.bias
        z = z + np.maximum(seen.rest @ self.units + self.unit_bias, 0) @ self.unit_out
        ones = WORDS * (seen.one_words @ self.one_words) + seen.one_rest @ self.one_rest
        ones = ones + np.maximum(seen.one_rest @ self.units + self.unit_bias, 0) @ self.one_unit_out
        starts = np.searchsorted(seen.owner, np.arange(len(z)))
        most = np.maximum.reduceat(ones, starts)
        many = np.bincount(seen.owner, minlength=len(z))[:, None]
        return z + most + np.log(np.add.reduceat(np.exp(ones - most[seen.owner]), starts) / many)


class Reading(torch.nn.Module):
    def __init__(self, words: int, rest: int, names: int) -> None:
        super().__init__()
        self.words, self.one_words = (torch.nn.EmbeddingBag(words, names, mode="sum") for _ in range(2))
        self.rest, self.one_rest = (torch.nn.Linear(rest, names, bias=own) for own in (True, False))
        for plain in (self.words, self.one_words, self.rest, self.one_rest):
            torch.nn.init.zeros_(plain.weight)
        torch.nn.init.zeros_(self.rest.bias)
        self.units = torch.nn.Linear(rest, UNITS)
        self.unit_out, self.one_unit_out = (torch.nn.Linear(UNITS, names, bias=False) for _ in range(2))
        loud = torch.ones(rest)
        loud[-3 * WIDTH : -WIDTH], loud[-WIDTH:] = LOUD, LOUD_BOTH
        self.register_buffer("loud", loud)

    def forward(self, seen: Seen) -> torch.Tensor:
        z = self._sum(self.words, self.rest, self.unit_out, seen.words, seen.rest)
        ones = self._sum(self.one_words, self.one_rest, self.one_unit_out, seen.one_words, seen.one_rest)
        owner = torch.from_numpy(seen.owner)
        count = torch.bincount(owner, minlength=len(z))[:, None]
        most = torch.full_like(z, -1e9).scatter_reduce(0, owner[:, None].expand_as(ones), ones.detach(), "amax")
        risen = torch.zeros_like(z).index_add(0, owner, torch.exp(ones - most[owner]))
        return z + most + torch.log(risen / count)

    def _sum(self, words, rest, out, said: csr_matrix, others: np.ndarray) -> torch.Tensor:  # type: ignore[no-untyped-def]
        drop = torch.nn.functional.dropout
        places = torch.from_numpy(said.indices.astype(np.int64))
        starts = torch.from_numpy(said.indptr[:-1].astype(np.int64))
        values = drop(torch.from_numpy(said.data.astype(np.float32)) * WORDS, DROP, self.training)
        given = torch.from_numpy(others)
        up = torch.relu(self.units(drop(given * self.loud, DROP, self.training)))
        heard = out(drop(up, DROP_UNITS, self.training))
        return words(places, starts, per_sample_weights=values) + rest(drop(given, DROP, self.training)) + heard


def fitted(seen: Seen, y: np.ndarray, weight: np.ndarray, names: int) -> Fit:
    """y: 0 for a good draft, else the place of its name, from 1 on."""
    torch.manual_seed(0)
    torch.set_num_threads(1)
    model = Reading(seen.words.shape[1], seen.rest.shape[1], names)
    tables = [model.words.weight, model.one_words.weight]
    others = [p for p in model.parameters() if all(p is not t for t in tables)]
    groups = [
        {"params": tables, "lr": RATE * FAST, "weight_decay": 0.0},
        {"params": others, "lr": RATE, "weight_decay": DECAY},
    ]
    steps = torch.optim.AdamW(groups, betas=(0.9, 0.99))
    total = EPOCHS * -(-len(y) // DRAW)
    slower = torch.optim.lr_scheduler.LambdaLR(steps, lambda t: 0.5 * (1 + np.cos(np.pi * min(1.0, t / total))))
    for rows in _draws(len(y)):
        z = model(seen.part(rows))
        full = torch.cat([torch.zeros(len(rows), 1), z], 1)
        off = torch.nn.functional.cross_entropy(full, torch.from_numpy(y[rows]), reduction="none")
        loss = (off * torch.from_numpy(weight[rows]).float()).sum() / DRAW
        loss = loss + SMALL_WORDS * sum((t**2).sum() for t in tables)
        steps.zero_grad()
        loss.backward()
        steps.step()
        slower.step()
    p = {name: value.detach().numpy().astype(np.float64) for name, value in model.state_dict().items()}
    return Fit(
        p["words.weight"], p["rest.weight"].T, p["rest.bias"][None], p["one_words.weight"], p["one_rest.weight"].T,
        p["units.weight"].T * p["loud"][:, None], p["units.bias"], p["unit_out.weight"].T, p["one_unit_out.weight"].T,
    )  # fmt: skip


def _draws(count: int) -> Iterator[np.ndarray]:
    chance = np.random.default_rng(0)
    for _ in range(EPOCHS):
        order = chance.permutation(count)
        for at in range(0, count, DRAW):
            yield np.sort(order[at : at + DRAW])
