"""An excerpt of a conversation too long to open: the turns that may answer, and those around them.

What a search index is told of a turn is made here, and so is what is read of a long conversation for one question.
The excerpt is then ranked like any conversation, except that rarity is counted over the whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from clew.frozen import dataclass
from clew.kernel.recall.turns.entries import COLUMNS, Floats, Run
from clew.kernel.recall.turns.speakers import role
from clew.policy import Policy


@dataclass(frozen=True, slots=True, eq=False)
class Searchable:
    """One turn as a search index keeps it."""

    position: int
    speaker: int
    at: float | None
    vectors: Floats  # one row a passage, each of length 1
    terms: Mapping[int, float]


def searchable(run: Run, policy: Policy) -> Iterator[Searchable]:
    """Every turn of a run, with the weight of each of its terms: BM25, as if the turn had the average length."""
    k1, b, usual = policy.recall.k1, policy.recall.turn_b, policy.recall.common_length
    passages = np.concatenate([[0], np.cumsum(run.heads["passages"], dtype=np.int64)])
    starts = np.concatenate([[0], np.cumsum(run.sizes, dtype=np.int64)])
    rows = _units(run)
    for place, head in enumerate(run.heads):
        first, last = int(passages[place]), int(passages[place + 1])
        span = slice(int(starts[first]), int(starts[last]))
        held: dict[int, int] = {}
        for number, count in zip(run.hashes[span].tolist(), run.counts[span].tolist(), strict=True):
            held[number] = held.get(number, 0) + count
        scale = k1 * (1 - b + b * sum(held.values()) / usual)
        at = float(head["at"])
        yield Searchable(
            int(head["position"]),
            int(head["speaker"]),
            None if np.isnan(at) else at,
            rows[first:last] if len(rows) else rows,
            {number: count * (k1 + 1) / (count + scale) for number, count in held.items()},
        )


def _units(run: Run) -> Floats:
    if not run.vectors.size or not len(run.sizes):
        return np.zeros((0, 0), np.float32)
    rows = run.vectors.reshape(len(run.sizes), -1).astype(np.float32)
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    rows /= np.where(norms > 0, norms, np.float32(1))
    return rows


def pieces(run: Run, most: int) -> Iterator[Run]:
    """The run in stretches of at most so many turns, so that a few turns can be read alone."""
    for first in range(0, len(run.heads), most):
        yield _cut(run, np.arange(first, min(first + most, len(run.heads))))


def picked(run: Run, positions: npt.NDArray[np.int64]) -> Run:
    """Only the turns at these positions."""
    return _cut(run, np.flatnonzero(np.isin(run.heads["position"], positions)))


def _cut(run: Run, turns: npt.NDArray[np.int64]) -> Run:
    heads = run.heads["passages"].astype(np.int64)
    passages = _within(np.cumsum(heads) - heads, heads, turns)
    sizes = run.sizes.astype(np.int64)
    terms = _within(np.cumsum(sizes) - sizes, sizes, passages)
    taken = {"heads": turns, "hashes": terms, "counts": terms}
    many = max(len(run.sizes), 1)
    out = {}
    for name in COLUMNS:
        column = getattr(run, name)
        if name in taken:
            out[name] = column[taken[name]]
        else:  # as many numbers for each passage as there are
            width = column.size // many
            out[name] = column.reshape(many, width)[passages].ravel() if width else column.ravel()
    return Run(**out)


def _within(
    starts: npt.NDArray[np.int64], counts: npt.NDArray[np.int64], wanted: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:
    """Places of what belongs to the wanted ones, in order."""
    many = counts[wanted]
    before = np.cumsum(many) - many
    return np.repeat(starts[wanted] - before, many) + np.arange(int(many.sum()), dtype=np.int64)


def apart(runs: Sequence[Run]) -> list[Run]:
    """Where turns are left out between two, a session begins: nothing is beside what is not there."""
    out: list[Run] = []
    before = None
    for run in runs:
        heads = run.heads.copy()
        follows = np.diff(heads["position"], prepend=heads["position"][:1] - 1 if before is None else before)
        heads["breaks"] = np.where(follows != 1, 1, heads["breaks"])
        before = heads["position"][-1:] if len(heads) else before
        out.append(replace(run, heads=heads))
    return out


def around(
    found: Sequence[tuple[Mapping[int, float], float]], last: int, policy: Policy
) -> npt.NDArray[np.int64]:
    """The best positions by all that was asked for, each group on one scale with its weight; and those around them."""
    score: dict[int, float] = {}
    for group, weight in found:
        most = max(group.values(), default=0.0)
        for position, value in group.items():
            share = max(value, 0.0) / most if most > 0 else 0.0
            score[position] = score.get(position, 0.0) + weight * share
    best = sorted(score, key=lambda p: (-score[p], p))[: policy.recall.excerpt_turns]
    before, after = len(policy.recall.wide_previous), len(policy.recall.wide_next)
    wide = np.array(best, np.int64)[:, None] + np.arange(-before, after + 1)
    return np.unique(wide[(wide >= 0) & (wide <= last)])


def speaker_numbers(speakers: Sequence[str], wanted: str | None, policy: Policy) -> frozenset[int] | None:
    """Numbers of the speakers that a role or a name means; None: everybody."""
    if wanted is None:
        return None
    meant = wanted.strip().casefold()
    return frozenset(i for i, s in enumerate(speakers) if meant in (s.strip().casefold(), role(s, policy)))


def idf(held: int, whole: int) -> float:
    return float(np.log1p((whole - held + 0.5) / (held + 0.5)))
