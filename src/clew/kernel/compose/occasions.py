"""What kind of everyday message this is, and the words it is met with."""

from __future__ import annotations

import re
from functools import lru_cache

from clew.kernel.compose.choosing import Choice
from clew.kernel.compose.moments import tidied
from clew.kernel.read.linear import shares
from clew.model.persona import Length
from clew.model.plan import ResponsePlan
from clew.model.utterance import Act
from clew.policy import Policy
from clew.policy.compose import ComposeWords
from clew.policy.occasions import OccasionWords

HARD, GLAD, TELL, ASK = "hard", "glad", "tell", "ask"


def occasion_of(plan: ResponsePlan, words: ComposeWords, policy: Policy) -> str:
    """The occasion that words tell surely, else the one the reader is sure of, else its mood; "" for neither."""
    table = policy.occasions
    spoken = table.languages.get(plan.language)
    if spoken is None:
        return ""
    text = tidied(plan.user_text, words)
    named = next((name for name, cue in _cues(spoken) if cue.search(text)), "")
    if named and _fits(table.moods[named], 1.0, plan, policy):
        return named
    vector = plan.utterance.vector if plan.utterance is not None else None
    if vector is None:
        return ""
    chances = shares(vector, table.weights, table.weights_sha256)
    if not chances:
        return ""
    ranked = sorted(((n, c) for n, c in chances.items() if _fits(table.moods[n], c, plan, policy)), key=lambda x: -x[1])
    if ranked and ranked[0][1] >= table.sure.get(plan.language, 1):
        return ranked[0][0]
    for mood in (HARD, GLAD, TELL):
        together = sum(c for n, c in chances.items() if table.moods[n] == mood)
        if together >= table.mood_sure.get(plan.language, 1) and _fits(mood, together, plan, policy):
            return mood
    return ""


@lru_cache(maxsize=8)
def _cues(spoken: OccasionWords) -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((name, re.compile(cue, re.I)) for name, cue in spoken.cues.items())


def _fits(mood: str, chance: float, plan: ResponsePlan, policy: Policy) -> bool:
    """Good news is nothing that was told in pain; a question is answered as one."""
    if mood == GLAD and plan.focus.negative:
        return False
    if mood == HARD and plan.focus.positive and chance < policy.occasions.against:
        return False
    acts = [s.act for s in plan.utterance.sentences] if plan.utterance else []
    if len(acts) == 1 and acts[0] is Act.QUESTION:
        return mood not in (GLAD, TELL)
    return True


def met(name: str, plan: ResponsePlan, choice: Choice, policy: Policy) -> str:
    """What shows that it was heard, and often a question behind it; "" where all of it was used just now."""
    spoken = policy.occasions.languages.get(plan.language)
    row = spoken.met.get(name) if spoken is not None else None
    if row is None:
        return ""
    table = policy.occasions
    heard, asked = choice.fresh(row.heard, f"heard:{name}"), choice.fresh(row.asks, f"asks:{name}")
    brief = plan.constraints.length is Length.SHORT
    if heard and asked and not choice.roll(table.asks_alone, "asks_alone"):
        return asked
    if heard and not choice.roll(2 if brief else table.heard_alone, "heard_alone"):
        return heard
    return heard if "?" in heard else f"{heard} {asked}".strip()
