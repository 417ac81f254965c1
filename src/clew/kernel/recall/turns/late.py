"""Late interaction: each term of the question meets its nearest word, here or in the turns beside it."""

from __future__ import annotations

import numpy as np

from clew.kernel.recall.turns.ask import Ask
from clew.kernel.recall.turns.entries import Floats
from clew.kernel.recall.turns.index import Index, Ints, Segment, beside
from clew.policy import Policy


def meet(
    index: Index, ask: Ask, word_vectors: tuple[Floats, Floats] | None, policy: Policy
) -> tuple[Floats, Floats]:
    """(nearest word of every passage for each term, weight of each term); without vectors only itself.

    Vectors are whole numbers with a scale each, so that sums are exact whatever the order of adding.
    """
    found = np.zeros((len(ask.terms), len(index.passage_turn)), np.float32)
    weights = np.array([index.idf(term) for term, _ in ask.terms], np.float32)
    floor = np.float32(policy.recall.word_floor)
    if word_vectors is not None:
        for segment in index.segments:
            if segment.words is None or segment.scale is None:
                continue
            rows, scale = word_vectors
            # One pass over the vocabulary for all terms: it is the largest thing read here.
            alike = rows @ segment.words
            alike *= segment.scale
            alike *= scale[:, None]
            for row in range(len(ask.terms)):
                _fill(found[row], segment, alike[row], floor)
    for row, (term, _) in enumerate(ask.terms):
        for where, _count in index.postings(term):
            found[row, where] = 1.0
    return found, weights


def _fill(out: Floats, segment: Segment, alike: Floats, floor: np.float32) -> None:
    """Few words are close to a term, so only their passages are visited, the closest word last."""
    close = np.flatnonzero(alike > floor)
    values = (alike[close] - floor) / (1 - floor)
    order = np.argsort(values, kind="stable")
    close, values = close[order], values[order]
    starts = segment.start[close]
    counts = segment.start[close + 1] - starts
    before = np.cumsum(counts) - counts
    postings = np.repeat(starts - before, counts) + np.arange(int(counts.sum()))
    out[segment.passage[postings]] = np.repeat(np.minimum(values, np.float32(1)), counts)


def of_windows(
    stretch: Ints, turns: Floats, previous: tuple[float, ...], following: tuple[float, ...]
) -> Floats:
    """What a turn leaves out, the turns beside it in the session may say: a question and its answer."""
    out = turns.copy()
    for shares, later in ((previous, True), (following, False)):
        for place, share in beside(turns, stretch, shares, later):
            np.maximum(out[:, place], share, out=out[:, place])
    return out
