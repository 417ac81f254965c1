"""Which turns are looked at closely: all of a short conversation, of a long one those that may answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from clew.frozen import dataclass
from clew.kernel.recall.turns import late
from clew.kernel.recall.turns.ask import Ask
from clew.kernel.recall.turns.entries import Floats
from clew.kernel.recall.turns.index import Index, Ints, Posted, masks
from clew.policy import Policy

Scores = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class View:
    turns: Ints  # in order
    passages: Ints
    turn_start: Ints  # among these passages
    session: Ints  # of each turn, as the conversation counts them
    session_start: Ints
    same: tuple[Floats, ...]  # turns of one stretch stand side by side in one session (index.masks)
    lengths: Floats  # how long the sum of what stands around each turn is
    whole: bool  # every turn there is

    def of(self, column: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Of the turns in view, from a column of all turns."""
        return column if self.whole else column[self.turns]


@dataclass(frozen=True, slots=True, eq=False)
class Gathered:
    """What the words of a question lead to, before anything is weighed."""

    view: View
    posted: tuple[Posted, ...]  # of each term
    lexical: Scores  # of each passage in view
    found: Floats  # nearest word of each passage in view, one row per term
    weights: Floats  # of the terms


def gather(
    index: Index,
    ask: Ask,
    policy: Policy,
    *,
    word_vectors: tuple[Floats, Floats] | None = None,
    outline: Floats | None = None,
    allowed: npt.NDArray[np.bool_] | None = None,
) -> Gathered:
    """`outline` is the question's vector in the directions of the index's outlines."""
    posted = tuple(index.posted(term) for term, _ in ask.terms)
    lexical = bm25(index, posted, policy)
    found, weights = late.meet(index, posted, word_vectors, policy)
    if index.size <= policy.recall.whole_turns:
        return Gathered(_whole(index, policy), posted, lexical, found, weights)
    close = None
    if outline is not None and index.outlines:
        close = np.concatenate([rows @ outline for rows in index.outlines])
    turns = _promising(index, (lexical, weights @ found, close), allowed, policy)
    view = _view(index, turns, policy)
    return Gathered(view, posted, lexical[view.passages], found.take(view.passages, axis=1), weights)


def _promising(
    index: Index,
    signs: tuple[Scores | Floats | None, ...],
    allowed: npt.NDArray[np.bool_] | None,
    policy: Policy,
) -> Ints:
    """The best by their own words and vectors, and what stands around them."""
    score = np.zeros(len(index.passage_turn), np.float32)
    for sign in signs:
        if sign is not None and (most := float(sign.max(initial=0))) > 0:
            share = sign.astype(np.float32)
            np.maximum(share, 0, out=share)
            share /= np.float32(most)
            score += share
    of_turn = score if len(score) == index.size else np.maximum.reduceat(score, index.turn_start)
    if allowed is not None:
        of_turn = np.where(allowed, of_turn, np.float32(-1))
    count = min(policy.recall.close_turns, index.size)
    edge = np.partition(of_turn, index.size - count)[index.size - count]
    # Of those that just reach the edge the first ones are taken: which, must not depend on the machine.
    above, at = np.flatnonzero(of_turn > edge), np.flatnonzero(of_turn == edge)
    best = np.concatenate([above, at[: count - len(above)]])
    near = policy.recall.wide_previous, policy.recall.wide_next
    # A turn is weighed by those around it, so they come into view too.
    seen = np.zeros(index.size + len(near[0]) + len(near[1]), np.bool_)
    for shift in range(len(near[0]) + len(near[1]) + 1):
        seen[best + shift] = True
    return np.flatnonzero(seen[len(near[0]) : len(near[0]) + index.size])


def _whole(index: Index, policy: Policy) -> View:
    """The same for every question: made once for an index."""
    if policy not in index.kept:
        index.kept[policy] = _view(index, np.arange(index.size), policy)
    view: View = index.kept[policy]
    return view


def _view(index: Index, turns: Ints, policy: Policy) -> View:
    session = index.session[turns]
    ends = np.diff(session, prepend=-1) != 0
    cut = (np.diff(turns, prepend=-1) != 1) | ends
    counts = index.heads["passages"][turns].astype(np.int64)
    recall = policy.recall
    before = (recall.wide_previous, recall.near_previous, recall.window_previous)
    after = (recall.wide_next, recall.near_next, recall.window_next)
    same = masks(np.cumsum(cut), max(map(len, before + after)))
    return View(
        turns=turns,
        passages=turns if index.single else index.passages_of(turns),
        turn_start=np.cumsum(counts) - counts,
        session=session,
        session_start=np.flatnonzero(ends),
        same=same,
        lengths=_lengths(len(turns), same, policy),
        whole=len(turns) == index.size,
    )


def _lengths(size: int, same: tuple[Floats, ...], policy: Policy) -> Floats:
    """Of the sum of the turns around each: follows from how alike turns of one talk are, taken as one number."""
    together, apart = np.ones(size, np.float32), np.ones(size, np.float32)
    for shares, later in ((policy.recall.wide_previous, True), (policy.recall.wide_next, False)):
        for distance, (share, mask) in enumerate(zip(shares, same, strict=False), 1):
            place = slice(distance, None) if later else slice(None, -distance)
            together[place] += mask * np.float32(share)
            apart[place] += mask * np.float32(share * share)
    alike = np.float32(policy.recall.wide_likeness)
    length: Floats = np.sqrt(apart * (1 - alike) + alike * together**2)
    return length


def bm25_turns(index: Index, terms: Iterable[tuple[Posted, float]], policy: Policy) -> Scores:
    """Of whole turns, each term with its weight: what a long reply is about, whatever its best passage says."""
    k1, b = policy.recall.k1, policy.recall.turn_b
    out = np.zeros(index.size)
    length = index.turn_length
    scale = 1 - b + b * length / (float(length.mean()) or 1.0) if index.size else length
    for term, weight in terms:
        turns, count = term.turns, term.counts.astype(np.float64)
        if not index.single and len(turns):
            first = np.flatnonzero(np.diff(turns, prepend=-1))
            turns, count = turns[first], np.add.reduceat(count, first)
        out[turns] += weight * count * (k1 + 1) / (count + k1 * scale[turns])
    return out


def bm25(index: Index, posted: Sequence[Posted], policy: Policy) -> Scores:
    """Of passages, so that a long answer does not drown in its own length."""
    k1, b = policy.recall.k1, policy.recall.b
    out = np.zeros(len(index.passage_turn))
    mean = index.passage_mean
    for term in posted:
        length = 1 - b + b * index.passage_length[term.passages] / (mean or 1.0)
        out[term.passages] += term.idf * term.counts * (k1 + 1) / (term.counts + k1 * length)
    return out
