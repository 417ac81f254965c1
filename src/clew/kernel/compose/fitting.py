"""What fits best of all that could be said, beside what the rules choose."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from clew.kernel.compose.choosing import Choice, levelled, longest
from clew.kernel.compose.judging import worths
from clew.kernel.compose.proposing import Offer, offers
from clew.model.plan import ResponsePlan
from clew.policy import Policy
from clew.policy.compose import ComposeWords


def fittest(
    said: str, plan: ResponsePlan, words: ComposeWords, choice: Choice, policy: Policy, *, sure: bool = False
) -> str:
    """The reply of the rules, unless the judge finds another that fits better; far better where the rules are sure."""
    table = policy.compose.judge
    if not table.file:
        return said
    given = offers(plan, words, choice, policy)
    rule = place_of(said, given, choice)
    worth = worths(given, rule, plan, words, policy)
    places = [(i, k) for i, one in enumerate(given) for k in range(len(one.ways))]
    if not worth:
        return said
    ahead = worth[places.index(rule)] if rule is not None else table.unknown_worth
    ahead += table.by_sure_rule if sure else table.by_rule
    found: list[tuple[float, str]] = []
    least = ahead
    for at in sorted(range(len(places)), key=lambda at: (-worth[at], at)):
        if worth[at] <= least:
            break
        i, k = places[at]
        if given[i].reader in table.only_by_rule:
            continue
        if text := choice.say(given[i].ways[k], f"fit:{given[i].row}:{k}", given[i].own):
            value = worth[at] - (table.worn if choice.said_before(given[i].ways[k]) else 0.0)
            if value > ahead:
                least = max(least, value - table.near)
                found.append((value, text))
    best = max((value for value, _ in found), default=0.0)
    near = [text for value, text in found if value >= best - table.near][: table.near_most]
    return near[choice.roll(len(near), "fittest")] if near else said


def place_of(said: str, given: Sequence[Offer], choice: Choice) -> tuple[int, int] | None:
    """Which offer, and which of its ways, this is, or the longest of those it is made of."""
    low = said.lower()
    best, found = 0, None
    for i, one in enumerate(given):
        for k, stretch in enumerate(_stretches(one.ways, choice.polite)):
            if len(stretch) > best and stretch in low:
                best, found = len(stretch), (i, k)
    return found


@lru_cache(maxsize=8192)
def _stretches(ways: tuple[str, ...], polite: bool) -> tuple[str, ...]:
    """By which each way is known again; "" for one that has several forms."""
    return tuple(longest(levelled(way, polite=polite)) if "<" not in way else "" for way in ways)
