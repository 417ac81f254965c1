"""Which turns are looked at closely: all of a short conversation, of a long one those that may answer."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from clew.frozen import dataclass
from clew.kernel.recall.turns import late
from clew.kernel.recall.turns.ask import Ask
from clew.kernel.recall.turns.entries import Floats
from clew.kernel.recall.turns.index import Index, Ints
from clew.policy import Policy

Scores = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class View:
    turns: Ints  # in order
    passages: Ints
    turn_start: Ints  # among these passages
    session: Ints  # of each turn, as the conversation counts them
    session_start: Ints
    stretch: Ints  # turns of one stretch stand side by side in one session


@dataclass(frozen=True, slots=True, eq=False)
class Gathered:
    """What the words of a question lead to, before anything is weighed."""

    view: View
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
    lexical = bm25(index, ask, policy)
    found, weights = late.meet(index, ask, word_vectors, policy)
    if index.size <= policy.recall.whole_turns:
        return Gathered(_view(index, np.arange(index.size)), lexical, found, weights)
    close = None
    if outline is not None and index.outlines:
        close = np.concatenate([rows @ outline for rows in index.outlines])
    view = _view(index, _promising(index, (lexical, weights @ found, close), allowed, policy))
    return Gathered(view, lexical[view.passages], found[:, view.passages], weights)


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
    shifts = np.arange(-len(near[0]), len(near[1]) + 1)
    around = (best[:, None] + shifts).ravel()
    return np.unique(around[(around >= 0) & (around < index.size)])


def _view(index: Index, turns: Ints) -> View:
    session = index.session[turns]
    cut = (np.diff(turns, prepend=-1) != 1) | (np.diff(session, prepend=-1) != 0)
    counts = index.heads["passages"][turns].astype(np.int64)
    return View(
        turns=turns,
        passages=index.passages_of(turns),
        turn_start=np.cumsum(counts) - counts,
        session=session,
        session_start=np.flatnonzero(np.diff(session, prepend=-1)),
        stretch=np.cumsum(cut),
    )


def bm25_turns(index: Index, terms: Iterable[tuple[str, float]], policy: Policy) -> Scores:
    """Of whole turns, each term with its weight: what a long reply is about, whatever its best passage says."""
    k1, b = policy.recall.k1, policy.recall.turn_b
    out = np.zeros(index.size)
    length = index.turn_length
    scale = 1 - b + b * length / (float(length.mean()) or 1.0) if index.size else length
    for term, weight in terms:
        for where, often in index.postings(term):
            turns, place = np.unique(index.passage_turn[where], return_inverse=True)
            count = np.bincount(place, often)
            out[turns] += weight * count * (k1 + 1) / (count + k1 * scale[turns])
    return out


def bm25(index: Index, ask: Ask, policy: Policy) -> Scores:
    """Of passages, so that a long answer does not drown in its own length."""
    k1, b = policy.recall.k1, policy.recall.b
    out = np.zeros(len(index.passage_turn))
    mean = float(index.passage_length.mean()) if len(out) else 1.0
    for term, _ in ask.terms:
        idf = index.idf(term)
        for where, count in index.postings(term):
            length = 1 - b + b * index.passage_length[where] / (mean or 1.0)
            out[where] += idf * count * (k1 + 1) / (count + k1 * length)
    return out
