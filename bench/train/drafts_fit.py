"""The fit of the reading of drafts: the whole draft, and its sentences of which one may be wrong among good ones.

A draft's log-odds for a name are those of the whole plus a soft maximum of those of its sentences, so a sentence learns
from the draft it stands in without being labelled itself. One start and one solver: the same drafts and library versions
give the same weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

STEPS, MEMORY = 120, 8
WORDS = 4.0


@dataclass(frozen=True)
class Seen:
    """Words of the draft and of its sentences (sparse), the rest of both, and which draft a sentence stands in."""

    words: csr_matrix
    rest: np.ndarray
    one_words: csr_matrix
    one_rest: np.ndarray
    owner: np.ndarray

    def part(self, use: np.ndarray) -> Seen:
        rows = np.where(use)[0]
        place = np.full(self.rest.shape[0], -1)
        place[rows] = np.arange(len(rows))
        ones = np.where(place[self.owner] >= 0)[0]
        return Seen(
            self.words[rows], self.rest[rows], self.one_words[ones], self.one_rest[ones], place[self.owner[ones]]
        )


@dataclass(frozen=True)
class Fit:
    """A column for each name, against the good replies."""

    words: np.ndarray
    rest: np.ndarray
    bias: np.ndarray
    one_words: np.ndarray
    one_rest: np.ndarray

    def odds(self, seen: Seen) -> np.ndarray:
        z = WORDS * (seen.words @ self.words) + seen.rest @ self.rest + self.bias
        ones = WORDS * (seen.one_words @ self.one_words) + seen.one_rest @ self.one_rest
        return z + _pooled(ones, seen.owner, len(z))[0]


def _pooled(ones: np.ndarray, owner: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """The soft maximum over each draft's sentences, less what their number alone would give; and each one's share."""
    starts = np.searchsorted(owner, np.arange(count))
    most = np.maximum.reduceat(ones, starts)
    risen = np.exp(ones - most[owner])
    total = np.add.reduceat(risen, starts)
    many = np.log(np.bincount(owner, minlength=count)).astype(np.float32)[:, None]
    return most + np.log(total) - many, risen / total[owner]


def fitted(seen: Seen, y: np.ndarray, weight: np.ndarray, names: int) -> Fit:
    """y: 0 for a good draft, else the place of its name, from 1 on."""
    count = len(y)
    shapes = [
        (seen.words.shape[1], names), (seen.rest.shape[1], names), (1, names),
        (seen.one_words.shape[1], names), (seen.one_rest.shape[1], names),
    ]  # fmt: skip
    cuts = np.cumsum([a * b for a, b in shapes])[:-1]
    words, ones = seen.words.T.tocsr(), seen.one_words.T.tocsr()
    told = np.zeros((count, names), np.float32)
    told[y > 0, y[y > 0] - 1] = 1
    weight = weight.astype(np.float32)

    def taken(flat: np.ndarray) -> list[np.ndarray]:
        return [p.reshape(s) for p, s in zip(np.split(flat.astype(np.float32), cuts), shapes, strict=True)]

    def loss(flat: np.ndarray) -> tuple[float, np.ndarray]:
        p: Sequence[np.ndarray] = taken(flat)
        z = WORDS * (seen.words @ p[0]) + seen.rest @ p[1] + p[2]
        best, share = _pooled(WORDS * (seen.one_words @ p[3]) + seen.one_rest @ p[4], seen.owner, count)
        z = z + best
        top = np.maximum(z.max(axis=1), 0)
        risen = np.exp(z - top[:, None])
        total = np.exp(-top) + risen.sum(axis=1)
        off = weight[:, None] * (risen / total[:, None] - told)
        each = off[seen.owner] * share
        slopes = [
            WORDS * (words @ off) + p[0], seen.rest.T @ off + p[1], off.sum(axis=0, keepdims=True),
            WORDS * (ones @ each) + p[3], seen.one_rest.T @ each + p[4],
        ]  # fmt: skip
        size = 0.5 * sum(float((p[k] ** 2).sum()) for k in (0, 1, 3, 4))
        value = float((weight * (np.log(total) + top - (z * told).sum(axis=1))).sum()) + size
        return value, np.concatenate([s.ravel() for s in slopes]).astype(np.float64)

    start = np.zeros(sum(a * b for a, b in shapes))
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": STEPS, "maxcor": MEMORY})
    a, b, c, d, e = taken(found.x)
    return Fit(a, b, c, d, e)
