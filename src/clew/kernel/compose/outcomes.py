"""How a thing went that our last reply asked for."""

from __future__ import annotations

import re

from clew.kernel.compose.choosing import levelled
from clew.kernel.compose.moments import tidied
from clew.model.plan import ResponsePlan
from clew.model.utterance import Act
from clew.policy import Policy
from clew.policy.compose import ComposeWords


def was_asked(plan: ResponsePlan, words: ComposeWords) -> bool:
    """The last reply asked how a thing went, and this message tells it."""
    last = plan.recent_replies[-1].lower() if plan.recent_replies else ""
    acts = {s.act for s in plan.utterance.sentences} if plan.utterance else set()
    asked = any(_same_shape(way, last) for way in words.loops)
    return "?" in last and asked and not acts & {Act.QUESTION, Act.REQUEST}


def tells_outcome(plan: ResponsePlan, words: ComposeWords, policy: Policy) -> bool:
    """The message says how it went, in whatever words; "Layla left, I miss her" does not."""
    told = policy.weave.languages.get(plan.language)
    shapes = (words.fine, words.setback, *((told.over, told.unnamed) if told else ()))
    text = tidied(plan.user_text, words)
    return any(shape and re.search(shape, text, re.I) for shape in shapes)


def _same_shape(way: str, said: str) -> bool:
    """ "How did your exam go?" has the shape of "How did your {loop} go?", at either speech level."""
    for polite in (False, True):
        fixed = [re.escape(part.lower()) for part in re.split(r"\{[^}]*\}", levelled(way, polite=polite))]
        if re.search(r".+".join(fixed), said):
            return True
    return False
