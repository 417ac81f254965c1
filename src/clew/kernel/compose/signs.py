"""A small sign behind a light reply, for a persona that likes them."""

from __future__ import annotations

from clew.kernel.compose.choosing import Choice
from clew.kernel.compose.everyday import GLAD
from clew.kernel.compose.moments import moment_of
from clew.kernel.compose.occasions import occasion_of
from clew.model.plan import ResponsePlan
from clew.model.turn import Pipeline
from clew.model.utterance import Need
from clew.policy import Policy
from clew.policy.compose import ComposeWords


def with_sign(text: str, plan: ResponsePlan, words: ComposeWords, choice: Choice, policy: Policy) -> str:
    """Only a persona that likes them, only on a light moment, and not on every reply."""
    found = moment_of(plan, words)
    light = found is not None and found[0] in policy.compose.light
    glad = policy.occasions.moods.get(occasion_of(plan, words, policy)) == GLAD
    if not light and not (plan.focus.positive and glad):
        return text
    grave = plan.crisis or plan.pipeline is Pipeline.EMOTIONAL_SUPPORT or plan.focus.negative or plan.boundary
    heard = plan.utterance
    cares = heard is not None and (heard.need is not Need.NONE or bool(heard.signals.need_reasons))
    often = policy.compose.emoji_every.get(plan.constraints.emoji_freq)
    if grave or cares or plan.findings or not often or choice.roll(often, "emoji"):
        return text
    signs = policy.compose.emoji.get("good" if plan.focus.positive else "neutral", ())
    return f"{text} {choice.pick(signs, 'sign')}".strip() if signs else text
