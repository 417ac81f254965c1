"""What fits best of all that could be said, beside what the rules choose; where nothing surely fits, we just listen."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from clew.kernel.compose.amid import hurt_lately
from clew.kernel.compose.caring import trouble_in
from clew.kernel.compose.choosing import Choice, levelled, longest
from clew.kernel.compose.judging import newer, worths
from clew.kernel.compose.moments import tidied
from clew.kernel.compose.plain import laughs
from clew.kernel.compose.proposing import Offer, offers
from clew.model.plan import ResponsePlan
from clew.model.utterance import Need
from clew.policy import Policy
from clew.policy.compose import ComposeWords

_EITHER = re.compile(r"<[^<>]*>")


def fittest(
    said: str,
    plan: ResponsePlan,
    words: ComposeWords,
    choice: Choice,
    policy: Policy,
    *,
    sure: bool = False,
    firm: bool = False,
) -> str:
    """The reply of the rules, unless the judge finds another that fits better; where none of them is likely enough to
    fit, a line that only listens.
    """
    table = policy.compose.judge
    if not table.file:
        return said
    given = offers(plan, words, choice, policy)
    rule = place_of(said, given, choice)
    worth = worths(given, rule, plan, words, policy)
    places = [(i, k) for i, one in enumerate(given) for k in range(len(one.ways))]
    if not worth:
        return said
    own = _worth_of_rule(rule, given, worth[places.index(rule)] if rule is not None else 0.0, firm, policy)
    row = given[rule[0]] if rule is not None else None
    # Other words of the same row are no other guess; and a line that only listens is none at all.
    lead = table.by_sure_rule if sure else table.by_rule
    found: list[tuple[float, str]] = []
    least = own
    for at in sorted(range(len(places)), key=lambda at: (-worth[at], at)):
        if worth[at] <= least:
            break
        i, k = places[at]
        if given[i].reader in table.only_by_rule or given[i].row in policy.occasions.unmarked:
            continue
        if firm and given[i] is not row:
            continue
        if text := choice.say(given[i].ways[k], f"fit:{given[i].row}:{k}", given[i].own):
            value = worth[at] - (table.worn if choice.said_before(given[i].ways[k]) else 0.0)
            if value > (own if given[i] is row else max(own + lead, table.guess_worth)):
                least = max(least, value - table.near)
                found.append((value, text))
    if sure and not (row is not None and row.reader in table.only_by_rule):
        own += table.over_listening
    best = max((value for value, _ in found), default=own)
    if best < table.listening_worth and not firm:
        return listening(plan, words, choice, policy) or said
    near = [text for value, text in found if value >= best - table.near][: table.near_most]
    return near[choice.roll(len(near), "fittest")] if near else said


def _worth_of_rule(
    rule: tuple[int, int] | None, given: Sequence[Offer], worth: float, firm: bool, policy: Policy
) -> float:
    """What no reader offers, and the rules are not sure of, is a mere guess; the judge knows nothing of newer words."""
    table = policy.compose.judge
    if rule is None:
        return table.unknown_worth if firm else table.unplaced_worth
    return table.unknown_worth if newer(given[rule[0]], rule[1], policy) else worth


def listening(plan: ResponsePlan, words: ComposeWords, choice: Choice, policy: Policy) -> str:
    """What fits whatever was told: it guesses at nothing, and shows that it was heard."""
    heard = plan.utterance
    low = plan.focus.negative or hurt_lately(plan) or (heard is not None and heard.need is not Need.NONE)
    low = low or trouble_in(plan, policy) >= policy.everyday.trouble_likely
    # "failed my exam lol" is nothing to laugh along with.
    low = low or (bool(words.setback) and bool(re.search(words.setback, tidied(plan.user_text, words), re.I)))
    if low:
        return _gently(plan, words, choice, policy)
    row = "listen_laugh" if laughs(plan, words) else _when(plan, words)
    return choice.pick(words.plain.get(row) or words.plain["listen"], "listen")


def _gently(plan: ResponsePlan, words: ComposeWords, choice: Choice, policy: Policy) -> str:
    """Who is hurting is not told twice in a row that we listen."""
    ways, spoken = words.plain["listen_low"], policy.care.languages.get(plan.language)
    last = plan.recent_replies[-1].lower() if plan.recent_replies else ""
    again = any(longest(levelled(way, polite=polite)) in last for way in ways for polite in (False, True))
    if last and again and spoken is not None and spoken.amid:
        return choice.pick(spoken.amid, "listen_again")
    return choice.pick(ways, "listen")


def _when(plan: ResponsePlan, words: ComposeWords) -> str:
    """What is yet to come, or over, is asked for as such."""
    text = tidied(plan.user_text, words)
    if words.past and re.search(words.past, text, re.I):
        return "listen_past"
    return "listen_ahead" if words.ahead and re.search(words.ahead, text, re.I) else "listen"


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
    """By which each way is known again: its longest stretch that is always said."""
    return tuple(longest(_EITHER.sub("{either}", levelled(way, polite=polite))) for way in ways)
