"""A conversation made searchable: the columns of its runs laid together, and postings by term."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import cached_property
from math import log1p
from typing import Any

import numpy as np
import numpy.typing as npt

from clew.frozen import dataclass
from clew.kernel.recall.turns.entries import TELLS, Floats, Run, term_number
from clew.kernel.recall.turns.speakers import Names, role
from clew.policy import Policy

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Segment:
    """Postings of a stretch of passages, by term; `words` has a column per term, where there is an embedder."""

    terms: npt.NDArray[np.uint32]  # in order
    start: Ints
    passage: Ints
    count: Floats
    words: Floats | None = None
    scale: Floats | None = None  # of each word
    beyond: Floats | None = None  # how long each word is in the directions behind the first ones

    def row(self, number: int) -> int | None:
        place = int(np.searchsorted(self.terms, np.uint32(number)))
        return place if place < len(self.terms) and self.terms[place] == number else None

    def of(self, number: int) -> tuple[Ints, Floats]:
        row = self.row(number)
        span = slice(0, 0) if row is None else slice(self.start[row], self.start[row + 1])
        return self.passage[span], self.count[span]


@dataclass(frozen=True, slots=True, eq=False)
class Posted:
    """Where one term stands: passages in order, how often in each, the turns they are of, and how rare it is."""

    passages: Ints
    counts: Floats
    turns: Ints
    idf: float


@dataclass(frozen=True, eq=False)
class Index:
    names: Names
    speakers: tuple[str, ...]  # in the order of their numbers
    roles: tuple[str | None, ...]
    heads: npt.NDArray[Any]
    session: Ints  # of each turn
    turn_start: Ints  # first passage of each turn
    passage_turn: Ints
    passage_start: Ints  # first term of each passage, and the end
    hashes: npt.NDArray[np.uint32]
    counts: npt.NDArray[np.uint8]
    segments: tuple[Segment, ...]
    outlines: tuple[Floats, ...]  # of passages, in stretches
    block: int  # turns that make a session where nothing tells sessions apart
    # Of an excerpt: how many turns the whole has, and in how many of them the terms of the question stand.
    whole: int = 0
    held: Mapping[int, int] | None = None

    @property
    def size(self) -> int:
        return len(self.heads)

    @property
    def last(self) -> int:
        """The position of the last turn; before the first there is none."""
        return int(self.heads["position"][-1]) if self.size else -1

    @property
    def assisted(self) -> bool:
        """Somebody talks with an assistant here, not two people with each other."""
        return any(self.roles)

    @cached_property
    def years(self) -> frozenset[int]:
        days = np.unique(self.heads["day"])
        return frozenset(date.fromordinal(int(d)).year for d in days if d > 0)

    @cached_property
    def passage_length(self) -> Floats:
        held = self.passage_start[:-1]
        if not len(self.counts):
            return np.zeros(len(held), np.float32)
        sums = np.add.reduceat(self.counts, np.minimum(held, len(self.counts) - 1), dtype=np.float32)
        return np.where(np.diff(self.passage_start) > 0, sums, np.float32(0))

    @cached_property
    def passage_mean(self) -> float:
        return float(self.passage_length.mean()) if len(self.passage_turn) else 1.0

    @cached_property
    def kept(self) -> dict[Policy, Any]:
        """What is the same for every question under one policy, and is made when the first one comes."""
        return {}

    @cached_property
    def turn_length(self) -> npt.NDArray[np.float64]:
        return np.bincount(self.passage_turn, self.passage_length, self.size).astype(np.float64)

    @cached_property
    def sessions(self) -> int:
        return int(self.session[-1]) + 1 if self.size else 0

    @cached_property
    def session_length(self) -> npt.NDArray[np.float64]:
        held = np.bincount(self.session[self.passage_turn], self.passage_length, self.sessions)
        return held.astype(np.float64)

    @cached_property
    def columns(self) -> dict[str, npt.NDArray[Any]]:
        """What is asked of every turn, each laid end to end."""
        kinds = {"speaker": np.int64, "day": np.int64, "scale": np.float32}
        kinds |= dict.fromkeys(("asks", "addresses", "length"), np.float64)
        return {name: self.heads[name].astype(kind) for name, kind in kinds.items()}

    @cached_property
    def single(self) -> bool:
        """Every turn is one passage."""
        return len(self.passage_turn) == self.size

    def tells(self, what: str) -> npt.NDArray[np.bool_]:
        told: npt.NDArray[np.bool_] = (self.heads["tells"] >> TELLS.index(what)) & 1 > 0
        return told

    def posted(self, term: str) -> Posted:
        number = term_number(term)
        found = [some for segment in self.segments if len((some := segment.of(number))[0])]
        if len(found) == 1:
            where, count = found[0]
        else:
            where = np.concatenate([w for w, _ in found]) if found else np.zeros(0, np.int64)
            count = np.concatenate([c for _, c in found]) if found else np.zeros(0, np.float32)
        turns = where if self.single else self.passage_turn[where]
        if self.held is not None:
            held, size = self.held.get(number, 0), self.whole
        else:
            held = len(turns) if self.single else int(np.count_nonzero(np.diff(turns, prepend=-1)))
            size = self.size
        # A word the conversation does not hold is rarer than any that it does.
        return Posted(where, count, turns, log1p((size - held + 0.5) / (held + 0.5)))

    def terms_of(self, turn: int) -> frozenset[int]:
        """Numbers of the terms in one turn."""
        first = self.turn_start[turn]
        last = self.turn_start[turn + 1] if turn + 1 < self.size else len(self.passage_turn)
        span = slice(self.passage_start[first], self.passage_start[last])
        return frozenset(self.hashes[span].tolist())

    def passages_of(self, turns: Ints) -> Ints:
        """Of these turns, in order."""
        counts = self.heads["passages"][turns].astype(np.int64)
        before = np.cumsum(counts) - counts
        return np.repeat(self.turn_start[turns] - before, counts) + np.arange(int(counts.sum()))


def empty(policy: Policy) -> Index:
    none, nothing = np.zeros(0, np.int64), Run.of({})
    return Index(
        Names((), policy), (), (), nothing.heads, none, none, none, np.zeros(1, np.int64), nothing.hashes,
        nothing.counts, (), (), policy.recall.session_block,
    )  # fmt: skip


def extended(index: Index, runs: Sequence[Run], speakers: Sequence[str], policy: Policy) -> Index:
    """The index with these runs at its end. What is new stands in a segment of its own while it is small."""
    heads = np.concatenate([index.heads, *(r.heads for r in runs)])
    counts = heads["passages"].astype(np.int64)
    turn_start = np.cumsum(counts) - counts
    sizes = np.concatenate([np.diff(index.passage_start), *(r.sizes for r in runs)]).astype(np.int64)
    passage_start = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])
    hashes = np.concatenate([index.hashes, *(r.hashes for r in runs)])
    often = np.concatenate([index.counts, *(r.counts for r in runs)])
    kept = index.segments
    share = policy.recall.segment_share
    settled = len(kept[0].count) if kept else 0
    if not kept or len(hashes) - settled > max(policy.recall.segment_least, settled * share):
        segments: tuple[Segment, ...] = (segment(hashes, often, passage_start, 0),)
    else:
        first = int(np.searchsorted(passage_start, settled))
        segments = (kept[0], segment(hashes, often, passage_start, first))
    names = index.names if tuple(speakers) == index.speakers else Names(speakers, policy)
    return Index(
        names=names,
        speakers=tuple(speakers),
        roles=tuple(role(s, policy) for s in speakers),
        heads=heads,
        session=_sessions(heads, index.block),
        turn_start=turn_start,
        passage_turn=np.repeat(np.arange(len(heads), dtype=np.int64), counts),
        passage_start=passage_start,
        hashes=hashes,
        counts=often,
        segments=segments,
        outlines=(*index.outlines, *(outline(r) for r in runs if r.coarse.size)),
        block=index.block,
    )


def segment(
    hashes: npt.NDArray[np.uint32], counts: npt.NDArray[np.uint8], passage_start: Ints, first: int
) -> Segment:
    """Sorted by term, then passage."""
    span = slice(passage_start[first], passage_start[-1])
    sizes = np.diff(passage_start[first:])
    where = np.repeat(np.arange(first, first + len(sizes), dtype=np.int64), sizes)
    order = _by_term(hashes[span])
    of = hashes[span][order]
    edges = np.flatnonzero(np.diff(of, prepend=of[:1] ^ np.uint32(1))) if len(of) else np.zeros(0, np.int64)
    return Segment(of[edges], np.append(edges, len(of)), where[order], counts[span][order].astype(np.float32))


def _by_term(hashes: npt.NDArray[np.uint32]) -> Ints:
    """The order of the entries by term: two stable sorts, each by half of the number, beat one by all of it."""
    low = np.argsort((hashes & np.uint32(0xFFFF)).astype(np.uint16), kind="stable")
    high = (hashes >> np.uint32(16)).astype(np.uint16)[low]
    order: Ints = low[np.argsort(high, kind="stable")]
    return order


def with_words(
    index: Index, vectors: Callable[[npt.NDArray[np.uint32]], tuple[Floats, Floats]], first: int
) -> Index:
    """Vectors for the terms of segments that have none yet: rows, and the scale of each.

    By their `first` directions words are compared before they are compared in all.
    """
    made = []
    for one in index.segments:
        if one.words is None:
            rows, scale = vectors(one.terms)
            beyond = np.linalg.norm(rows[:, first:], axis=1) * scale
            # Side by side by direction, not by word: a question has few words, and is multiplied with all of these.
            one = replace(one, words=np.ascontiguousarray(rows.T), scale=scale, beyond=beyond)
        made.append(one)
    return replace(index, segments=tuple(made))


def outline(run: Run) -> Floats:
    rows = run.coarse.reshape(len(run.sizes), -1).astype(np.float32)
    rows *= run.scales.reshape(-1, 2)[:, 1:]
    return rows


def _sessions(heads: npt.NDArray[Any], block: int) -> Ints:
    session = np.cumsum(heads["breaks"], dtype=np.int64)
    # Nothing tells sessions apart: blocks stand in for them.
    return session if len(session) and session[-1] else np.arange(len(heads), dtype=np.int64) // block


def masks(stretch: Ints, reach: int) -> tuple[Floats, ...]:
    """For each distance up to `reach`: 1 where a turn and the one so far behind it stand in one stretch."""
    far = range(1, min(reach, len(stretch) - 1) + 1)
    return tuple((stretch[d:] == stretch[:-d]).astype(np.float32) for d in far)


def beside(
    values: npt.NDArray[Any], same: tuple[Floats, ...], shares: tuple[float, ...], later: bool
) -> Iterator[tuple[slice, npt.NDArray[Any]]]:
    """For each distance: the turns that have such a neighbour, and its values times its share.

    `values` has one column per turn; a neighbour of another stretch counts nothing (`same`, from `masks`).
    """
    for distance, (share, mask) in enumerate(zip(shares, same, strict=False), 1):
        some = values[..., :-distance] if later else values[..., distance:]
        yield slice(distance, None) if later else slice(None, -distance), some * (mask * np.float32(share))


def spread(values: Floats, same: tuple[Floats, ...], policy: Policy) -> Floats:
    """A sum over the wide window: what stands around a turn counts for it by its distance."""
    out = values.copy()
    for shares, later in ((policy.recall.wide_previous, True), (policy.recall.wide_next, False)):
        for place, share in beside(values, same, shares, later):
            out[..., place] += share
    return out
