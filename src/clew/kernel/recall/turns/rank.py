"""From gathered words to ranked turns with the parts of their scores.

Ranking has two steps, because texts are read only of the few turns that come first: `leading` names those,
`settled` puts them in their final order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from clew.frozen import dataclass
from clew.kernel.recall.turns import fresh, score, thin
from clew.kernel.recall.turns.again import named_again
from clew.kernel.recall.turns.ask import Ask
from clew.kernel.recall.turns.entries import Floats
from clew.kernel.recall.turns.index import Index, Ints
from clew.kernel.recall.turns.overtaking import Nearby
from clew.kernel.recall.turns.view import Gathered, Scores, View
from clew.model.transcript import Line
from clew.policy import Policy
from clew.policy.recall import RecallWeights


@dataclass(frozen=True, slots=True)
class Hit:
    line: Line
    score: float
    why: dict[str, float | str]
    # How well the turn fits by itself, whatever else was said: comparable across conversations and with memories.
    fit: float = 0.0
    weights: RecallWeights | None = None

    @property
    def parts(self) -> tuple[tuple[str, float], ...]:
        """What each part adds to the score or takes from it, the most first."""
        return () if self.weights is None else score.added(self.why, self.weights)


@dataclass(frozen=True, slots=True, eq=False)
class Leading:
    """The first turns by score, before time and likeness order them; `places` is where each stands in view.

    At their end stand those that name `again` what one of the first names: (earlier, later).
    """

    turns: list[int]
    places: list[int]
    scores: list[float]
    fits: Scores
    parts: dict[str, Scores]
    again: frozenset[tuple[int, int]] = frozenset()

    def until(self, many: int) -> Leading:
        """The first of them, and who names something again."""
        later = {turn for _, turn in self.again}
        return self._kept([place for place, turn in enumerate(self.turns) if place < many or turn in later])

    def without(self, gone: Collection[int]) -> Leading:
        """Turns whose text is no longer there."""
        return self._kept([place for place, turn in enumerate(self.turns) if turn not in gone])

    def _kept(self, which: list[int]) -> Leading:
        if len(which) == len(self.turns):
            return self
        turns, scores = [self.turns[i] for i in which], [self.scores[i] for i in which]
        return replace(self, turns=turns, places=[self.places[i] for i in which], scores=scores)


def leading(
    index: Index,
    gathered: Gathered,
    ask: Ask,
    k: int,
    policy: Policy,
    *,
    dots: Floats | None = None,
    answering: Floats | None = None,
    allowed: npt.NDArray[np.bool_] | None = None,
) -> Leading:
    """Turns that are not `allowed` still tell what those beside them are about, but are not found."""
    view = gathered.view
    many = len(view.turns) if allowed is None else int(view.of(allowed).sum())
    if not many or k <= 0:
        return Leading([], [], [], np.zeros(0), {})
    found = score.parts(index, gathered, ask, policy, dots=dots, answering=answering)
    totals = score.total(found, index, policy)
    if allowed is not None:
        totals = np.where(view.of(allowed), totals, -1.0)
    best = score.top(totals, min(many, 2 * k + policy.recall.fresh_pool))
    if ask.inquiry.wants_many and index.assisted:
        best = _spread(best, totals, view.session, policy)
    again = named_again(index, view.turns[best].tolist(), ask, policy)
    best += _more(view, totals, best, again)
    turns = view.turns[best].tolist()
    return Leading(turns, best, totals[best].tolist(), score.fit(gathered, policy, dots), found, again)


def _more(view: View, totals: Scores, best: list[int], again: frozenset[tuple[int, int]]) -> list[int]:
    """Places of the turns that name something again, where they are in view, may be found, and are not there yet."""
    if not again:
        return []
    later = np.array(sorted({turn for _, turn in again}))
    places = np.minimum(np.searchsorted(view.turns, later), len(view.turns) - 1)
    there = places[view.turns[places] == later].tolist()
    return [place for place in there if totals[place] >= 0 and place not in set(best)]


def settled(
    index: Index,
    ask: Ask,
    first: Leading,
    lines: Mapping[int, Line],
    k: int,
    policy: Policy,
    nearby: Nearby | None = None,
) -> tuple[Hit, ...]:
    """At most k turns, best first; ties by position. A longer list only adds at its end."""
    place = dict(zip(first.turns, first.places, strict=True))
    fits = {turn: float(first.fits[at]) for turn, at in place.items()}
    ranked, stale = fresh.order(
        first.turns, first.scores, index, lines, ask, policy, fits, nearby, again=first.again
    )
    kept = thin.distinct(ranked, k, lambda turn: lines[turn].text, index.terms_of, policy)
    out, weights = [], score.weights_of(index, policy)
    found = _why([place[ranked[i]] for i in kept], first.parts, policy)
    stood = {turn: i for i, turn in enumerate(first.turns)}
    for i, why in zip(kept, found, strict=True):
        turn, was = ranked[i], first.turns[i]
        if stood[turn] > i:
            why["fresh"] = f"shares the place of {_name(lines[was])} by time"
        if turn in stale:
            why["stale"] = f"a later turn says otherwise: {_name(lines[stale[turn]])}"
        out.append(Hit(lines[turn], first.scores[i], why, fits[turn], weights))
    return tuple(out)


def afforded(hits: tuple[Hit, ...], budget: int, policy: Policy) -> tuple[Hit, ...]:
    """Those of the first that fit into so many tokens."""
    return hits[: thin.within([hit.line.text for hit in hits], budget, policy)]


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


def _why(places: list[int], found: dict[str, Scores], policy: Policy) -> list[dict[str, float | str]]:
    """The parts that spoke for or against each turn; `fresh` names the turn whose place it took."""
    if not found:
        return [{} for _ in places]
    rows = np.round(np.stack([part[places] for part in found.values()], axis=1), policy.recall.score_digits)
    return [{name: value for name, value in zip(found, row, strict=True) if value} for row in rows.tolist()]
