"""Does a statement change an earlier one, and which? Weights are policy (`UpdatePolicy`).

A statement opens with what it is about and colours it afterwards, so the opening is compared with care: its
words count the more, the fewer of the other statements use them. An opposite stance, words of change and,
where given, the vectors speak for an update; the same stance about the same thing without such words is
only said again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction

from clew.frozen import dataclass
from clew.kernel.compare.compared_text import ComparedText, inside, rarity, read, shared
from clew.kernel.compare.likeness import cosine
from clew.kernel.compare.retellings import retold
from clew.kernel.text.guards import veto
from clew.kernel.text.similarity import jaccard
from clew.model.update import DatedStatement, Update
from clew.model.verdict import Reason
from clew.policy import Policy

ZERO, ONE = Fraction(0), Fraction(1)


@dataclass(frozen=True, slots=True)
class _Pair:
    """How an earlier statement stands to the new one."""

    old: DatedStatement
    opening: Fraction
    inside: Fraction
    near: Fraction | None
    opposed: Fraction
    recent: Fraction


def updates(new: DatedStatement, earlier: Sequence[DatedStatement], policy: Policy) -> Update:
    """The earlier statement the new one most likely supersedes, and whether it does."""
    if not earlier:
        return Update(False, None, ZERO, (Reason("remember.update.nothing_earlier"),))
    fresh = read(new.text, policy)
    if fresh.account:
        return retold(new, earlier, policy)
    readings = [read(old.text, policy) for old in earlier]
    weigh = rarity((fresh, *readings))
    newest = sorted(range(len(earlier)), key=lambda n: (earlier[n].at, n))
    place = {number: Fraction(rank + 1, len(earlier)) for rank, number in enumerate(newest)}
    pairs = [
        _pair(new, fresh, old, reading, weigh, place[number])
        for number, (old, reading) in enumerate(zip(earlier, readings, strict=True))
    ]
    best = max(pairs, key=lambda p: (_link(p, policy), p.recent))
    if not best.inside and best.near is None:
        return Update(False, None, ZERO, (Reason("remember.update.nothing_shared"),))
    held = readings[pairs.index(best)]
    score, least = _score(best, fresh, policy)
    rule = _refusal(fresh, held, best, policy) or ("" if score >= least else "remember.update.not_alike")
    reasons = [Reason(rule or "remember.update.supersedes", best.old.id)]
    if fresh.change:
        reasons.append(Reason("remember.update.words_of_change"))
    if best.opposed > 0:
        reasons.append(Reason("remember.update.opposite_stance"))
    return Update(not rule, best.old.id, score, tuple(reasons))


def turns_over(new: str, old: str, policy: Policy) -> bool:
    """The opposite told about exactly the same thing: alike in what they are about, stance aside."""
    fresh, held = read(new, policy), read(old, policy)
    if jaccard(fresh.about, held.about) < policy.remember.records.slot_similarity:
        return False
    if fresh.outright and held.outright:
        return fresh.stance * held.stance == -ONE
    return veto(old, new, policy.text) in ("polarity", "antonym")


def _pair(
    new: DatedStatement,
    fresh: ComparedText,
    old: DatedStatement,
    held: ComparedText,
    weigh: Callable[[Iterable[str]], int],
    recent: Fraction,
) -> _Pair:
    comparable = new.vector and old.vector and len(new.vector) == len(old.vector)
    near = cosine(new.vector, old.vector) if comparable and new.vector and old.vector else None
    return _Pair(
        old,
        shared(fresh.about, held.about, weigh),
        inside(fresh, held, weigh),
        near,
        -fresh.stance * held.stance,
        recent,
    )


def _link(pair: _Pair, policy: Policy) -> Fraction:
    """How likely it is this one, among all earlier ones."""
    table = policy.remember.updates
    opening, inside, opposed, recent, near = table.link if pair.near is not None else table.link_words
    return (
        opening * pair.opening
        + inside * pair.inside
        + opposed * pair.opposed
        + recent * pair.recent
        + near * (pair.near or ZERO)
    )


def _score(pair: _Pair, fresh: ComparedText, policy: Policy) -> tuple[Fraction, Fraction]:
    table = policy.remember.updates
    known = pair.near is not None
    opening, inside, opposed, change, near = table.sure if known else table.sure_words
    score = (
        opening * pair.opening
        + inside * pair.inside
        + opposed * pair.opposed
        + (change if fresh.change else ZERO)
        + near * (pair.near or ZERO)
    )
    return score, table.sure_least if known else table.sure_words_least


def _refusal(fresh: ComparedText, held: ComparedText, pair: _Pair, policy: Policy) -> str | None:
    if fresh.change:
        return None
    if pair.opposed <= 0 and pair.opening < policy.remember.updates.same_opening:
        return "remember.update.no_change_told"
    if fresh.outright and held.outright and fresh.stance * held.stance == ONE:
        return "remember.update.same_stance"
    if veto(held.opening, fresh.opening, policy.text) == "entity":
        return "remember.update.other_entity"
    return None
