"""The learned odds that a candidate is taken, against taking none and against every other.

Every candidate has a score and taking none has zero; the scores are whole hundredths, so that the same message gives
the same bytes. They come from signs that know no language: what the rules found, what words and numbers fit, and what
the reader of acts says of each clause.
"""

from __future__ import annotations

import base64
import zlib
from dataclasses import dataclass
from functools import lru_cache
from math import exp, log

import numpy as np
import numpy.typing as npt

from clew.kernel.ground.cards import card
from clew.kernel.ground.chooser import Choice
from clew.kernel.ground.marks import of_clauses
from clew.kernel.ground.options import OptionSet, Positions
from clew.kernel.ground.pointed import Pointed
from clew.kernel.ground.resolution import Resolution
from clew.kernel.ground.saying import spoken
from clew.kernel.ground.signs import Matrix, of_candidates, of_message
from clew.policy.ground import GroundPolicy, OddsPolicy

UNIT = 100
_LARGEST = 30 * UNIT


@dataclass(frozen=True, slots=True)
class Odds(Choice):
    """A choice whose scores are hundredths of a logarithm."""

    def lead(self, meant: Positions) -> int:
        """The odds that one of these is taken, against taking none and taking any other: their logarithm."""
        own = [s for p, s in self.scores if p in meant]
        others = [0, *(s for p, s in self.scores if p not in meant)]
        return _together(own) - _together(others) if own else -_LARGEST


def _together(scores: list[int]) -> int:
    top = max(scores)
    return top + round(UNIT * log(sum(exp((s - top) / UNIT) for s in scores)))


def odds(
    text: str,
    options: OptionSet,
    offered: int | None,
    assistant: str | None,
    pointed: Pointed,
    read: Matrix,
    found: Resolution,
    policy: GroundPolicy,
) -> Odds:
    """`read` are the reader's scores of the message and of each clause; a long list is not read this closely."""
    looked_at = _looked_at(options, offered, pointed, found, policy)
    if not looked_at:
        return Odds()
    rows = signs_of(text, options, looked_at, offered, assistant, pointed, read, found, policy)
    scores = _scores(rows, _weights(policy.odds))
    return Odds(tuple(zip(looked_at, (max(-_LARGEST, min(_LARGEST, s)) for s in scores), strict=True)))


def signs_of(
    text: str,
    options: OptionSet,
    looked_at: Positions,
    offered: int | None,
    assistant: str | None,
    pointed: Pointed,
    read: Matrix,
    found: Resolution,
    policy: GroundPolicy,
) -> Matrix:
    """One row per candidate: its own signs, then those of the message."""
    said = spoken(text, policy)
    own = of_candidates(said, options, looked_at, offered, assistant, pointed, found, read, policy)
    shared = np.array(of_message(said, options, offered, assistant, pointed, read, found, policy))
    cards = [card(options.candidates[p], policy.pointing) for p in looked_at]
    return np.hstack([own, np.broadcast_to(shared, (len(own), len(shared))), of_clauses(text, cards, policy)])


def _looked_at(
    options: OptionSet, offered: int | None, pointed: Pointed, found: Resolution, policy: GroundPolicy
) -> Positions:
    """All of a short list; of a long one what is offered, pointed at or found."""
    count = len(options.candidates)
    if count <= policy.odds.candidates:
        return tuple(range(count))
    near = {*pointed.positions, *found.matches[: policy.odds.candidates]}
    near |= {p for p in (offered, found.winner) if p is not None}
    return tuple(sorted(near)[: policy.odds.candidates])


@dataclass(frozen=True, slots=True, eq=False)
class _Net:
    """One layer of units that are silent below zero, beside a plain sum."""

    inner: Matrix
    at: Matrix
    outer: Matrix
    plain: Matrix


def _scores(rows: Matrix, net: _Net) -> list[int]:
    units = np.maximum(rows @ net.inner + net.at, 0.0)
    return [round(s) for s in ((units @ net.outer + rows @ net.plain) * UNIT).tolist()]


@lru_cache(maxsize=4)
def _weights(policy: OddsPolicy) -> _Net:
    raw = zlib.decompress(base64.b85decode(policy.weights))
    flat: npt.NDArray[np.float64] = np.frombuffer(raw, dtype="<i2").astype(np.float64) / policy.scale
    units = policy.units
    signs = (len(flat) - 2 * units) // (units + 1)
    cuts = np.cumsum([signs * units, units, units])
    inner, at, outer, plain = np.split(flat, cuts)
    return _Net(inner.reshape(signs, units), at, outer, plain)
