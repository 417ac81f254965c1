"""From a question to ranked turns with the parts of their scores."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from clew.kernel.recall.turns import fresh, score, thin
from clew.kernel.recall.turns.ask import Ask
from clew.kernel.recall.turns.index import Index
from clew.model.transcript import Line
from clew.policy import Policy


@dataclass(frozen=True, slots=True)
class Hit:
    line: Line
    score: float
    why: dict[str, float | str]
    # How well the turn fits by itself, whatever else was said: comparable across conversations and with memories.
    fit: float = 0.0


def search(
    index: Index,
    ask: Ask,
    k: int,
    policy: Policy,
    *,
    vector: score.Vector | None = None,
    word_vectors: score.Vector | None = None,
    budget: int | None = None,
    allowed: npt.NDArray[np.bool_] | None = None,
) -> tuple[Hit, ...]:
    """At most k turns, best first; ties by position. A longer list only adds at its end.

    Turns that are not `allowed` still tell what those beside them are about, but are not found.
    """
    many = index.size if allowed is None else int(allowed.sum())
    if not many or k <= 0:
        return ()
    found = score.parts(index, ask, policy, vector=vector, word_vectors=word_vectors)
    totals = score.total(found, index, policy)
    if allowed is not None:
        totals = np.where(allowed, totals, -1.0)
    best = _top(totals, min(many, 2 * k + policy.recall.fresh_pool))
    places = [float(totals[turn]) for turn in best]
    ranked = fresh.order(best, places, index, ask, policy)
    kept = thin.distinct(ranked, k, lambda turn: index.lines[turn].text, index.terms_of, policy)
    if budget is not None:
        kept = kept[: thin.within([index.lines[ranked[i]].text for i in kept], budget, policy)]
    fits = score.fit(index, ask, [ranked[i] for i in kept], policy, vector)
    return tuple(
        Hit(index.lines[ranked[i]], places[i], _why(ranked[i], best[i], found, index, policy), fitting)
        for i, fitting in zip(kept, fits, strict=True)
    )


def _top(totals: score.Scores, count: int) -> list[int]:
    """By score, then by position: the same on every machine."""
    if count < len(totals):
        edge = np.partition(totals, len(totals) - count)[len(totals) - count]
        candidates = np.flatnonzero(totals >= edge)
    else:
        candidates = np.arange(len(totals))
    order = candidates[np.lexsort((candidates, -totals[candidates]))]
    return [int(turn) for turn in order[:count]]


def _why(
    turn: int, was: int, found: dict[str, score.Scores], index: Index, policy: Policy
) -> dict[str, float | str]:
    """The parts that spoke for or against this turn; `fresh` names the turn whose place it took."""
    digits = policy.recall.score_digits
    why: dict[str, float | str] = {
        name: round(float(part[turn]), digits) for name, part in found.items() if part[turn]
    }
    if turn != was:
        why["fresh"] = f"shares the place of {index.lines[was].id or index.lines[was].index} by time"
    return why
