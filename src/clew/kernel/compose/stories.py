"""The mood of what was told just before, known by the words of our own replies."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from clew.kernel.compose.choosing import levelled, longest
from clew.kernel.compose.everyday import GLAD, HARD, IRK, told_mood
from clew.model.plan import ResponsePlan
from clew.policy import Policy
from clew.policy.occasions import OccasionWords

# Rows that only go along with a mood.
ON = {HARD: "more_hard", GLAD: "more_glad"}


def story_mood(plan: ResponsePlan, policy: Policy) -> str:
    """The mood of what was told just before, known by the words of the table in our last reply; "" for none."""
    spoken = policy.occasions.languages.get(plan.language)
    if spoken is None or not plan.recent_replies:
        return ""
    # What only went along with a mood does not prove it again: after a few of those it is over.
    for said in reversed(plan.recent_replies[-policy.occasions.story_turns :]):
        last = said.lower()
        if mood := told_mood(last, plan.language, policy):
            return mood if mood == HARD else ""
        name = _met(last, spoken)
        if name not in ON.values():
            return policy.occasions.moods.get(name, name)
    return ""


def glad_story(plan: ResponsePlan, policy: Policy) -> bool:
    """Good news was told just before."""
    spoken = policy.occasions.languages.get(plan.language)
    if spoken is None:
        return False
    for said in reversed(plan.recent_replies[-policy.occasions.story_turns :]):
        last = said.lower()
        name = _met(last, spoken)
        mood = told_mood(last, plan.language, policy) or policy.occasions.moods.get(name, name)
        if mood in (GLAD, HARD, IRK):
            return mood == GLAD
    return False


@lru_cache(maxsize=64)
def _met(said: str, spoken: OccasionWords) -> str:
    """The row of which words stand in it."""
    return next((name for way, name in _said(spoken).items() if way in said), "")


@lru_cache(maxsize=8)
def _said(spoken: OccasionWords) -> Mapping[str, str]:
    """Every way of the table that is known again, and its row; the longest first."""
    ways = {
        longest(levelled(way, polite=polite)): name
        for name, row in spoken.met.items()
        for way in (*row.heard, *row.asks)
        for polite in (False, True)
    }
    return dict(sorted(ways.items(), key=lambda found: (-len(found[0]), found[0])))
