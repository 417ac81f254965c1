"""Words over the whole list: both, all, the other, the former, everything but."""

from __future__ import annotations

from itertools import pairwise

from clew.kernel.ground.cards import Card
from clew.kernel.ground.extremes import middling
from clew.kernel.ground.pointed import Pointed
from clew.kernel.ground.said import Phrase
from clew.kernel.ground.whole import all_of, has, letter, number, spoken, whole_list
from clew.policy.ground import GroundPolicy


def over_the_list(
    heard: Phrase,
    found: Pointed,
    cards: tuple[Card, ...],
    offered: int | None,
    gone: frozenset[int],
    policy: GroundPolicy,
) -> Pointed:
    """Words over the whole list: both, all, the other, the former, everything but."""
    pointing = policy.pointing
    words = frozenset(heard.words)
    pool = tuple(p for p in range(len(cards)) if p not in gone)
    narrowed = found.positions if found.how in ("name", "measure") else ()
    wanted = f" {' '.join(w for p in heard.parts if not p.denied for w in p.words)} "
    if spoken(wanted, pointing.both) and len(narrowed or pool) == 2:
        return Pointed(narrowed or pool, True, "all")
    if not words.isdisjoint(pointing.other):
        left = tuple(p for p in (narrowed if len(narrowed) > 1 else pool) if p != offered)
        told = offered is not None or gone or len(narrowed) > 1
        if told and (len(left) == 1 or number(heard.words, pointing) == len(left) > 1):
            return Pointed(left, len(left) > 1, "other")
    if not words.isdisjoint(pointing.others) and (away := set(narrowed) | gone):
        left = tuple(p for p in range(len(cards)) if p not in away)
        return Pointed(left, len(left) > 1, "left") if left else found
    if whole_list(heard, pointing) and (len(narrowed) > 1 or found.how == "nothing"):
        many = number(heard.words, pointing)
        return Pointed(narrowed or pool, not many or many == len(narrowed or pool), "all")
    if offered is not None and found.how in ("nothing", "name"):
        timed = frozenset(a for a, b in pairwise(heard.words) if b in policy.grammar["times"])
        step = 1 if (words - timed) & frozenset(pointing.next) else -1 if words & frozenset(pointing.previous) else 0
        if step and 0 <= offered + step < len(cards) and found.positions in ((), (offered,)):
            return Pointed((offered + step,), False, "place")
    if found.how == "nothing" and (start := letter(heard, pointing)):
        begins = tuple(p for p in pool if cards[p].joined.startswith(start))
        if begins:
            return Pointed(begins, False, "name")
    if found.how == "nothing" and has(words, pointing.former, pointing):
        return Pointed(pool[:1], False, "place")
    if found.how == "nothing" and has(words, pointing.latter, pointing):
        return Pointed(pool[-1:], False, "place")
    if has(words, pointing.middle, pointing) and (median := middling(heard.words, cards, pool, policy)):
        return Pointed(median, False, "measure", strength=4)
    if (
        found.how == "nothing"
        and has(words, pointing.middle, pointing)
        and len(cards) % 2
        and not found.foreign
    ):
        return Pointed((len(cards) // 2,), False, "place")
    if found.how == "nothing" and gone and pool:
        whole = not words.isdisjoint(all_of(pointing)) or not words.isdisjoint(pointing.leaving)
        if len(pool) == 1 or whole:
            return Pointed(pool, len(pool) > 1, "left")
    return found
