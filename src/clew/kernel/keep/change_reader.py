"""A small learned reader: what a message does to a memory that is held (ruling M7; weights are policy).

It proposes; `changed.py` checks. Without vectors of its own space it is silent.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Any

from clew.frozen import dataclass
from clew.kernel.keep.change_signs import Held, Measured, News, measured, signs
from clew.kernel.read.linear import pieces
from clew.policy import Policy
from clew.policy.reader import weights

BUCKETS = 2048
# How strongly each block of the input speaks before anything is learned.
TOGETHER, APART, NEW, WORDS = 16.0, 8.0, 8.0, 4.0
_GRID = 1 << 12
_LIMIT = 64.0
_DECIMALS = 4
# The place of a sign: how near the nearest sentence of the message is.
_ALIKE = 1


class Verdict(StrEnum):
    """What becomes of the held thing: the first three undo it."""

    REPLACES = "replaces"
    ENDS = "ends"
    DENIES = "denies"
    COEXISTS = "coexists"
    SAME = "same"
    OTHER = "other"


VERDICTS = tuple(Verdict)
UNDOES = (Verdict.REPLACES, Verdict.ENDS, Verdict.DENIES)


@dataclass(frozen=True, slots=True)
class Judged:
    """The verdict on one memory with its chance.

    undone: the chance that it no longer stands.   alike: how near the message, or a sentence of it, is to its words.
    """

    memory_id: str
    verdict: Verdict
    chance: float
    undone: float
    chances: tuple[float, ...] = ()
    alike: float = 1.0

    @property
    def undoing(self) -> Verdict:
        """Of the three ways to undo the likeliest, whether or not it is likely at all."""
        return max(UNDOES, key=self.of)

    def of(self, verdict: Verdict) -> float:
        return self.chances[VERDICTS.index(verdict)]


def judge(memory_id: str, held: Held, news: News, policy: Policy) -> Judged | None:
    return judge_all({memory_id: held}, news, policy).get(memory_id)


def judge_all(held: Mapping[str, Held], news: News, policy: Policy) -> dict[str, Judged]:
    """The verdicts on several memories by id: what is read of the message is read once."""
    loaded = _loaded(policy.changes.file, policy.changes.sha256)
    if loaded is None or news.vector is None or len(news.vector) != loaded["size"]:
        return {}
    known = {i: h for i, h in held.items() if h.vector is not None and len(h.vector) == loaded["size"]}
    if not known:
        return {}
    told = measured(news, policy)
    rows = inputs(tuple(known.values()), told, policy)
    chances = _chances(loaded, rows, pieces(news.text))
    return dict(zip(known, _judged(known, chances, (float(row[_ALIKE]) for row in rows)), strict=True))


def _judged(ids: Iterable[str], rows: Iterable[tuple[float, ...]], near: Iterable[float]) -> Iterator[Judged]:
    for memory_id, chances, alike in zip(ids, rows, near, strict=True):
        undone = round(sum(chances[: len(UNDOES)]), _DECIMALS)
        best = max(range(len(VERDICTS)), key=lambda i: chances[i])
        yield Judged(memory_id, VERDICTS[best], chances[best], undone, chances, round(alike, _DECIMALS))


def inputs(held: Sequence[Held], told: Measured, policy: Policy) -> Any:
    """For each the numbers of both: signs, what their vectors share, how they differ, and the message's own."""
    import numpy as np

    a, b = _units([h.vector for h in held]), _units([told.news.vector])
    own = np.array([signs(h, told, policy) for h in held])
    return np.hstack([own, a * b * TOGETHER, np.abs(a - b) * APART, (b * NEW).repeat(len(held), axis=0)])


def _units(vectors: Sequence[Any]) -> Any:
    """At length one; nothing stays nothing."""
    import numpy as np

    held = np.array(vectors, dtype=np.float64)
    size = np.sqrt((held * held).sum(axis=1, keepdims=True))
    return held / np.where(size, size, 1.0)


@lru_cache(maxsize=2)
def _loaded(name: str, sha256: str) -> dict[str, Any] | None:
    import numpy as np

    arrays = weights(name, sha256)
    if arrays is None:
        return None
    return {**{k: v.astype(np.float64) for k, v in arrays.items()}, "size": int(arrays["size"])}


def _chances(w: dict[str, Any], rows: Any, found: tuple[int, ...]) -> list[tuple[float, ...]]:
    """Whole numbers add up to the same in any order, whatever library adds them."""
    import numpy as np

    x = np.rint(np.clip((rows - w["mean"]) / w["spread"], -_LIMIT, _LIMIT) * _GRID)
    said = sorted({p % BUCKETS for p in found})
    scale = WORDS / max(1, len(said)) ** 0.5
    total = np.zeros((len(rows), len(VERDICTS)))
    for n in range(int(w["nets"])):
        worded = w[f"words{n}"][said].sum(axis=0) * (w[f"words{n}_s"] * scale)
        hidden = (x @ w[f"in{n}"]) * (w[f"in{n}_s"] / _GRID) + worded
        width = len(w[f"bias{n}"])
        up = np.rint(np.maximum(hidden[:, :width] + w[f"bias{n}"], 0.0) * _GRID)
        out = (up @ w[f"out{n}"]) * (w[f"out{n}_s"] / _GRID) + hidden[:, width:] + w[f"out_bias{n}"]
        share = np.exp(out - out.max(axis=1, keepdims=True))
        total += share / share.sum(axis=1, keepdims=True)
    return [tuple(round(float(p) / float(w["nets"]), _DECIMALS) for p in row) for row in total]
