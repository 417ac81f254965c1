"""Plain words for what fits nothing else: how it sounds, then when it happens."""

from __future__ import annotations

import re

from clew.kernel.compose.choosing import Choice
from clew.kernel.compose.moments import tidied
from clew.model.plan import ResponsePlan
from clew.policy.compose import ComposeWords


def laughs(plan: ResponsePlan, words: ComposeWords) -> bool:
    return bool(words.laughs) and bool(re.search(words.laughs, tidied(plan.user_text, words), re.I))


def of_any_kind(plan: ResponsePlan, words: ComposeWords, choice: Choice) -> str:
    """A row that was used up lately gives way to a wider one."""
    mood = _mood(plan, words)
    wider = () if mood in ("bad", "good") else ("neutral", "short")
    fresh = (choice.fresh(words.plain[row], "plain") for row in dict.fromkeys((mood, *wider)))
    return next((said for said in fresh if said), "") or choice.pick(words.plain[mood], "plain")


def _mood(plan: ResponsePlan, words: ComposeWords) -> str:
    """Which row fits what is left."""
    if plan.focus.negative:
        return "bad"
    if plan.focus.positive:
        return "good"
    text = tidied(plan.user_text, words)
    if laughs(plan, words):
        return "laugh"
    if words.ahead and re.search(words.ahead, text, re.I):
        return "ahead"
    if words.past and re.search(words.past, text, re.I):
        return "past"
    return "short" if len(text.split()) <= 3 else "neutral"
