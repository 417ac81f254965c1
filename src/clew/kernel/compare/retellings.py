"""A long account against earlier statements: the latest one about the same thing is what it changes.

First each earlier statement is asked whether it is about the same thing; then later ones about the same thing, an
opposite stance and recency decide which is meant. Weights: bench/train/memory_updates.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from clew.frozen import dataclass
from clew.kernel.compare.compared_text import ComparedText, inside, rarity, read, shared, stance_of
from clew.kernel.compare.likeness import cosine
from clew.model.update import DatedStatement, Update
from clew.model.verdict import Reason
from clew.policy import Policy

ZERO = Fraction(0)


@dataclass(frozen=True, slots=True)
class Pair:
    """Signs of how an earlier statement relates to the new one."""

    alike: tuple[Fraction, ...]
    opposed: Fraction
    apart: Fraction
    recent: Fraction


def pairs(new: DatedStatement, earlier: Sequence[DatedStatement], policy: Policy) -> list[Pair]:
    """In the order of `earlier`; the cosine comes last, and is missing when a vector is."""
    fresh = read(new.text, policy)
    readings = [read(old.text, policy) for old in earlier]
    weigh = rarity((fresh, *readings))
    mine = stance_of(new, fresh, policy)
    near = _near(new, earlier)
    newest = sorted(range(len(earlier)), key=lambda n: (earlier[n].at, n))
    place = {number: rank + 1 for rank, number in enumerate(newest)}
    out = []
    for number, (old, held) in enumerate(zip(earlier, readings, strict=True)):
        theirs = stance_of(old, held, policy)
        alike = (
            shared(fresh.about, held.about, weigh),
            inside(fresh, held, weigh),
            shared(fresh.thing, held.thing, weigh),
            *((near[number],) if near else ()),
        )
        out.append(Pair(alike, -mine * theirs, abs(mine - theirs) / 2, Fraction(place[number], len(earlier))))
    return out


def _near(new: DatedStatement, earlier: Sequence[DatedStatement]) -> list[Fraction]:
    """Cosines, or nothing unless every statement has a vector of one size."""
    vectors = [s.vector for s in earlier]
    if new.vector is None or any(v is None or len(v) != len(new.vector) for v in vectors):
        return []
    return [cosine(new.vector, v) for v in vectors if v is not None]


def same_thing(pair: Pair, policy: Policy) -> Fraction:
    """Log-odds that both are about one thing."""
    table = policy.remember.retold
    weights = table.alike if len(pair.alike) == len(table.alike) - 1 else table.alike_words
    return weights[0] + sum((w * x for w, x in zip(weights[1:], pair.alike, strict=True)), ZERO)


def links(found: Sequence[Pair], policy: Policy) -> list[tuple[Fraction, ...]]:
    """Of each: same thing, how much later ones are about it too, opposed, apart, recent."""
    slack = policy.remember.retold.slack
    out: dict[int, tuple[Fraction, ...]] = {}
    later = ZERO
    for number in sorted(range(len(found)), key=lambda n: -found[n].recent):
        pair = found[number]
        same = same_thing(pair, policy)
        out[number] = (same, later, pair.opposed, pair.apart, pair.recent)
        later += max(ZERO, same + slack)
    return [out[number] for number in range(len(found))]


def retold(new: DatedStatement, earlier: Sequence[DatedStatement], policy: Policy) -> Update:
    table = policy.remember.retold
    fresh = read(new.text, policy)
    found = pairs(new, earlier, policy)
    vectors = len(found[0].alike) == len(table.alike) - 1
    weights = table.link if vectors else table.link_words
    seen = links(found, policy)
    scored = [sum((w * x for w, x in zip(weights, link, strict=True)), ZERO) for link in seen]
    best = max(range(len(found)), key=lambda n: (scored[n], found[n].recent))
    total = sure(scored[best], found[best], fresh, policy, vectors=vectors)
    changed = total >= (table.sure_least if vectors else table.sure_words_least)
    rule = "remember.update.supersedes" if changed else "remember.update.not_alike"
    reasons = [Reason(rule, earlier[best].id)]
    if fresh.change:
        reasons.append(Reason("remember.update.words_of_change"))
    if found[best].opposed > 0:
        reasons.append(Reason("remember.update.opposite_stance"))
    return Update(changed, earlier[best].id, total, tuple(reasons))


def sure(link: Fraction, pair: Pair, fresh: ComparedText, policy: Policy, *, vectors: bool) -> Fraction:
    table = policy.remember.retold
    weights = table.sure if vectors else table.sure_words
    return weights[0] * link + weights[1] * fresh.change + weights[2] * pair.opposed
