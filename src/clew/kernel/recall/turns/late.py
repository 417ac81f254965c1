"""Late interaction: each term of the question meets its nearest word, here or in the turns beside it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from clew.kernel.recall.turns.entries import Floats
from clew.kernel.recall.turns.index import Index, Ints, Posted, Segment, beside
from clew.policy import Policy

_SLACK = 1e-5


def meet(
    index: Index, posted: Sequence[Posted], word_vectors: tuple[Floats, Floats] | None, policy: Policy
) -> tuple[Floats, Floats]:
    """(nearest word of every passage for each term, weight of each term); without vectors only itself.

    Vectors are whole numbers with a scale each, so that sums are exact whatever the order of adding.
    """
    found = np.zeros((len(posted), len(index.passage_turn)), np.float32)
    weights = np.array([term.idf for term in posted], np.float32)
    if word_vectors is not None and len(posted):
        for segment in index.segments:
            if segment.words is not None:
                _near(found, segment, *word_vectors, policy)
    for row, term in enumerate(posted):
        found[row, term.passages] = 1.0
    return found, weights


def _near(out: Floats, segment: Segment, rows: Floats, scale: Floats, policy: Policy) -> None:
    """Words whose first directions leave no way to the floor are not compared in the others: few are left."""
    assert segment.words is not None and segment.scale is not None and segment.beyond is not None
    floor, first = policy.recall.word_floor, policy.recall.word_first
    alike = rows[:, :first] @ segment.words[:first]
    alike *= segment.scale
    alike *= scale[:, None]
    beyond = np.linalg.norm(rows[:, first:], axis=1) * scale
    # No sum of the others is more than the product of their lengths; a little is left for rounding.
    possible = beyond[:, None] * segment.beyond
    possible += alike
    for row, (some, own) in enumerate(zip(possible > floor - _SLACK, alike, strict=True)):
        close = np.flatnonzero(some)
        rest = rows[row, first:] @ segment.words[first:].take(close, axis=1)
        values = own[close] + rest * (segment.scale[close] * scale[row])
        _fill(out[row], segment, close, values, np.float32(floor))


def _fill(out: Floats, segment: Segment, close: Ints, alike: Floats, floor: np.float32) -> None:
    """Few words are close to a term, so only their passages are visited, the closest word last."""
    above = np.flatnonzero(alike > floor)
    order = above[np.argsort(alike[above], kind="stable")]
    close, values = close[order], (alike[order] - floor) / (1 - floor)
    starts = segment.start[close]
    counts = segment.start[close + 1] - starts
    before = np.cumsum(counts) - counts
    postings = np.repeat(starts - before, counts) + np.arange(int(counts.sum()))
    out[segment.passage[postings]] = np.repeat(np.minimum(values, np.float32(1)), counts)


def of_windows(
    same: tuple[Floats, ...], turns: Floats, previous: tuple[float, ...], following: tuple[float, ...]
) -> Floats:
    """What a turn leaves out, the turns beside it in the session may say: a question and its answer."""
    out = turns.copy()
    for shares, later in ((previous, True), (following, False)):
        for place, share in beside(turns, same, shares, later):
            np.maximum(out[:, place], share, out=out[:, place])
    return out
