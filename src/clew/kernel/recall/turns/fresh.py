"""The newer of two statements about the same thing comes first.

When the question asks how something is, the newer statements of the same speaker on the same subject, or that fit
the question as well, rise just above each of the first few candidates; when it asks how it was, the older ones do.
Only a few rise, and only from among the best, so that hardly anything is found or lost by this. What a newer
statement replaces is said to be stale, and stays.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache

from clew.frozen import dataclass
from clew.kernel.read.telling import Telling, telling
from clew.kernel.recall.turns.ask import Ask
from clew.kernel.recall.turns.index import Index
from clew.kernel.recall.turns.overtaking import Nearby, PlacedTurn, chance
from clew.kernel.text.similarity import jaccard
from clew.model.transcript import Line
from clew.policy import Policy


@dataclass(frozen=True, slots=True)
class Statement:
    """What one turn says on the question's terms."""

    turn: int
    speaker: int
    values: frozenset[tuple[str, str, str]]  # (term of the question, kind of value, value) close together
    changes: frozenset[str]  # terms of the question close to a word of change
    terms: frozenset[str]  # of the question, found anywhere here
    told: Telling


def order(
    ranked: Sequence[int],
    scores: Sequence[float],
    index: Index,
    lines: Mapping[int, Line],
    ask: Ask,
    policy: Policy,
    fits: Mapping[int, float] | None = None,
    nearby: Nearby | None = None,
    again: Collection[tuple[int, int]] = (),
) -> tuple[list[int], dict[int, int]]:
    """The candidates in their new order, and by what turn a stale one is replaced.

    `scores` stand beside `ranked`, best first; `fits` say how well a turn fits the question by itself; `again` are
    pairs of which the later turn names what the earlier one names.
    """
    out = list(ranked)
    stale: dict[int, int] = {}
    if not ask.inquiry.wants_state or not out or scores[0] <= 0:
        return out, stale
    share, many = policy.recall.fresh_share, policy.recall.fresh_pool
    led = {later for _, later in again}
    # A rule for replies says nothing of how anything is.
    rules = index.tells("rule")
    pool = [
        statement(turn, index, telling(lines[turn].text, policy), ask, policy)
        for place, turn in enumerate(out)
        if not rules[turn]
        and (turn in led or (place < many and Fraction(scores[place]) >= share * Fraction(scores[0])))
    ]
    near = set(out[:many])
    sign = -1 if ask.inquiry.wants_past else 1
    places = {s.turn: min(place / many, 1.0) for place, s in enumerate(pool)}
    for anchor in pool[: policy.recall.fresh_anchors]:
        place = out.index(anchor.turn)
        # Who has risen above a better anchor is not drawn down to this one.
        after = [s for s in pool[pool.index(anchor) + 1 :] if s.turn in out[place:]]
        later = [s for s in after if sign * s.turn > sign * anchor.turn]
        same = [s for s in later if s.turn in near and same_subject(anchor, s, policy, sign)]
        # By likeness or fit alone nothing rises that is not among the first anyway.
        reach = policy.recall.fresh_first_latest if ask.inquiry.wants_latest else policy.recall.fresh_first
        first = set(out[:reach])
        close = [s for s in later if s not in same and (s.turn in first or (anchor.turn, s.turn) in again)]
        learned = policy.recall.overtaking
        likely = {s.turn: _overtaking(anchor, s, places, ask, nearby, policy, sign) for s in close}
        sure = [*same, *(s for s in close if likely[s.turn] >= learned.stale_at)]
        same += [
            s for s in close if likely[s.turn] >= (learned.rises_at if s.turn in first else learned.again_at)
        ]
        for s in sure if sign > 0 else ():
            stale.setdefault(anchor.turn, s.turn)
        better = same + [s for s in close if s not in same and s.turn in first and _fits(anchor, s, fits, policy)]
        # Who tells of a change comes before who merely names a value.
        better.sort(key=lambda s: not (s.changes & anchor.terms))
        better = sorted(better[: policy.recall.fresh_rise], key=lambda s: -sign * s.turn)
        for s in better:
            out.remove(s.turn)
        place = out.index(anchor.turn)
        out[place:place] = [s.turn for s in better]
    return out, stale


def _overtaking(
    anchor: Statement,
    other: Statement,
    places: Mapping[int, float],
    ask: Ask,
    nearby: Nearby | None,
    policy: Policy,
    sign: int,
) -> float:
    """How likely it tells the same anew, by what was learned of how people tell that something changed."""
    if anchor.speaker != other.speaker:
        return 0.0
    older, newer = (PlacedTurn(s.turn, places[s.turn], s.told) for s in (anchor, other)[::sign])
    wanted = frozenset(term for term, _ in ask.terms)
    return chance(older, newer, wanted, nearby, policy)


def _fits(anchor: Statement, other: Statement, fits: Mapping[int, float] | None, policy: Policy) -> bool:
    """The same speaker says as much on the question, in whatever words."""
    if fits is None or anchor.speaker != other.speaker:
        return False
    share = policy.recall.fresh_fit
    return Fraction(fits[other.turn]) >= share * Fraction(fits[anchor.turn]) > 0


def statement(turn: int, index: Index, told: Telling, ask: Ask, policy: Policy) -> Statement:
    speaker = int(index.heads["speaker"][turn])
    wanted = frozenset(term for term, _ in ask.terms)
    if told.terms.isdisjoint(wanted):
        return Statement(turn, speaker, frozenset(), frozenset(), frozenset(), told)
    held = [(place, term) for place, one in enumerate(told.said) for term in sorted(one.terms & wanted)]
    reach, changing = policy.recall.statement_reach, _change_words(policy)
    values: set[tuple[str, str, str]] = set()
    changes: set[str] = set()
    for place, one in enumerate(told.said):
        if not one.value and one.text not in changing:
            continue
        close = {term for where, term in held if abs(where - place) <= reach}
        if one.value:
            values.update((term, one.value, one.text) for term in close - one.terms)
        else:
            changes.update(close)
    return Statement(turn, speaker, frozenset(values), frozenset(changes), told.terms & wanted, told)


def same_subject(a: Statement, b: Statement, policy: Policy, sign: int = 1) -> bool:
    """One speaker, on the question's terms: two values, a change told, or nearly the same words."""
    older, newer = (a, b) if sign > 0 else (b, a)
    if older.speaker != newer.speaker or not older.terms or not newer.terms:
        return False
    before = {(term, kind): value for term, kind, value in sorted(older.values)}
    if any(before.get((term, kind), value) != value for term, kind, value in sorted(newer.values)):
        return True
    if newer.changes & older.terms:
        return True
    smaller = min(len(older.told.terms), len(newer.told.terms))
    alike = jaccard(older.told.terms, newer.told.terms)
    return smaller > 1 and alike >= policy.recall.fresh_likeness


@lru_cache(maxsize=4)
def _change_words(policy: Policy) -> frozenset[str]:
    return frozenset(policy.recall.said("change_cues"))
