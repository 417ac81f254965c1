"""From gathered words to ranked turns with the parts of their scores.

Ranking has two steps, because texts are read only of the few turns that come first: `leading` names those,
`settled` puts them in their final order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping

import numpy as np
import numpy.typing as npt

from clew.frozen import dataclass
from clew.kernel.recall.turns import fresh, score, thin
from clew.kernel.recall.turns.ask import Ask
from clew.kernel.recall.turns.entries import Floats
from clew.kernel.recall.turns.index import Index, Ints
from clew.kernel.recall.turns.overtaking import Nearby
from clew.kernel.recall.turns.view import Gathered, Scores
from clew.model.transcript import Line
from clew.policy import Policy


@dataclass(frozen=True, slots=True)
class Hit:
    line: Line
    score: float
    why: dict[str, float | str]
    # How well the turn fits by itself, whatever else was said: comparable across conversations and with memories.
    fit: float = 0.0
    # What each part adds to the score or takes from it, the most first.
    parts: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Leading:
    """The first turns by score, before time and likeness order them; `places` is where each stands in view."""

    turns: list[int]
    places: list[int]
    scores: list[float]
    fits: Scores
    parts: dict[str, Scores]

    def without(self, gone: Collection[int]) -> Leading:
        """Turns whose text is no longer there."""
        if not gone:
            return self
        rows = zip(self.turns, self.places, self.scores, strict=True)
        kept = [row for row in rows if row[0] not in gone]
        turns, places, scores = ([row[i] for row in kept] for i in range(3))
        return Leading(turns, places, scores, self.fits, self.parts)  # type: ignore[arg-type]


def leading(
    index: Index,
    gathered: Gathered,
    ask: Ask,
    k: int,
    policy: Policy,
    *,
    dots: Floats | None = None,
    allowed: npt.NDArray[np.bool_] | None = None,
) -> Leading:
    """Turns that are not `allowed` still tell what those beside them are about, but are not found."""
    view = gathered.view
    many = len(view.turns) if allowed is None else int(allowed[view.turns].sum())
    if not many or k <= 0:
        return Leading([], [], [], np.zeros(0), {})
    found = score.parts(index, gathered, ask, policy, dots=dots)
    totals = score.total(found, index, policy)
    if allowed is not None:
        totals = np.where(allowed[view.turns], totals, -1.0)
    best = _top(totals, min(many, 2 * k + policy.recall.fresh_pool))
    if ask.inquiry.wants_many and index.assisted:
        best = _spread(best, totals, view.session, policy)
    return Leading(
        [int(view.turns[place]) for place in best],
        best,
        [float(totals[place]) for place in best],
        score.fit(gathered, policy, dots),
        found,
    )


def settled(
    index: Index,
    ask: Ask,
    first: Leading,
    lines: Mapping[int, Line],
    k: int,
    policy: Policy,
    budget: int | None = None,
    nearby: Nearby | None = None,
) -> tuple[Hit, ...]:
    """At most k turns, best first; ties by position. A longer list only adds at its end."""
    place = dict(zip(first.turns, first.places, strict=True))
    fits = {turn: float(first.fits[at]) for turn, at in place.items()}
    ranked, stale = fresh.order(first.turns, first.scores, index, lines, ask, policy, fits, nearby)
    kept = thin.distinct(ranked, k, lambda turn: lines[turn].text, index.terms_of, policy)
    if budget is not None:
        kept = kept[: thin.within([lines[ranked[i]].text for i in kept], budget, policy)]
    out = []
    for i in kept:
        turn, was = ranked[i], first.turns[i]
        why = _why(place[turn], first.parts, policy)
        if turn != was:
            why["fresh"] = f"shares the place of {_name(lines[was])} by time"
        if turn in stale:
            why["stale"] = f"a later turn says otherwise: {_name(lines[stale[turn]])}"
        added = score.added(why, index, policy)
        out.append(Hit(lines[turn], first.scores[i], why, fits[turn], added))
    return tuple(out)


def _spread(best: list[int], totals: Scores, session: Ints, policy: Policy) -> list[int]:
    """A list is told over many sessions: each turn taken from one makes the next of it worth a little less."""
    taken: Counter[int] = Counter()
    rest, out = list(best), []
    while rest:
        worth = [float(totals[p]) * (1 - policy.recall.list_spread) ** taken[int(session[p])] for p in rest]
        place = rest.pop(worth.index(max(worth)))
        taken[int(session[place])] += 1
        out.append(place)
    return out


def _name(line: Line) -> str:
    return str(line.id if line.id is not None else line.index)


def _top(totals: Scores, count: int) -> list[int]:
    """By score, then by position: the same on every machine."""
    if count < len(totals):
        edge = np.partition(totals, len(totals) - count)[len(totals) - count]
        candidates = np.flatnonzero(totals >= edge)
    else:
        candidates = np.arange(len(totals))
    order = candidates[np.lexsort((candidates, -totals[candidates]))]
    return [int(turn) for turn in order[:count]]


def _why(place: int, found: dict[str, Scores], policy: Policy) -> dict[str, float | str]:
    """The parts that spoke for or against this turn; `fresh` names the turn whose place it took."""
    digits = policy.recall.score_digits
    return {name: round(float(part[place]), digits) for name, part in found.items() if part[place]}
