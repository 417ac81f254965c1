"""Late interaction: each term of the question meets its nearest word, here or in the turns beside it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from clew.kernel.recall.turns.ask import Ask
from clew.kernel.recall.turns.index import Floats, Index, beside
from clew.policy import Policy

Scores = npt.NDArray[np.float64]


def meet(index: Index, ask: Ask, word_vectors: Floats | None, policy: Policy) -> tuple[Floats, Floats]:
    """(nearest word of every passage for each term, weight of each term); without vectors only itself."""
    found = np.zeros((len(ask.terms), len(index.passage_turn)), np.float32)
    # A word the conversation does not hold is rarer than any that it does.
    weights = np.full(len(ask.terms), np.log1p(index.size + 0.5), np.float32)
    floor = np.float32(policy.recall.word_floor)
    alike = None
    if word_vectors is not None and index.words is not None:
        # One pass over the vocabulary for all terms: it is the largest thing read here.
        alike = (index.words @ word_vectors.T).T
    for row, (term, _) in enumerate(ask.terms):
        if alike is not None:
            _fill(found[row], index, alike[row], floor)
        own = index.vocabulary.get(term)
        if own is not None:
            found[row, index.posting_passage[index.term_start[own] : index.term_start[own + 1]]] = 1.0
            weights[row] = index.idf[own]
    return found, weights


def _fill(out: Floats, index: Index, alike: Floats, floor: np.float32) -> None:
    """Few words are close to a term, so only their passages are visited, the closest word last."""
    close = np.flatnonzero(alike > floor)
    values = (alike[close] - floor) / (1 - floor)
    order = np.argsort(values, kind="stable")
    close, values = close[order], values[order]
    starts = index.term_start[close]
    counts = index.term_start[close + 1] - starts
    before = np.cumsum(counts) - counts
    postings = np.repeat(starts - before, counts) + np.arange(int(counts.sum()))
    out[index.posting_passage[postings]] = np.repeat(values, counts)


def of_turns(index: Index, found: Floats) -> Floats:
    if found.shape[1] == index.size:
        return found
    best: Floats = np.maximum.reduceat(found, index.turn_start, axis=1)
    return best


def of_windows(
    index: Index, turns: Floats, previous: tuple[float, ...], following: tuple[float, ...]
) -> Floats:
    """What a turn leaves out, the turns beside it in the session may say: a question and its answer."""
    out = turns.copy()
    for shares, later in ((previous, True), (following, False)):
        for place, share in beside(turns, index.session, shares, later):
            np.maximum(out[:, place], share, out=out[:, place])
    return out
