"""Whether a message wants something done, or an answer."""

from __future__ import annotations

import re

from clew.kernel.compose.everyday import ASK
from clew.kernel.compose.moments import tidied
from clew.kernel.compose.occasions import told_chances
from clew.model.plan import ResponsePlan
from clew.policy import Policy

_ASKED = re.compile("[?？]")


def wants_done(plan: ResponsePlan, policy: Policy) -> bool:
    """What looks like a request is one; without a reader its look decides."""
    chances = told_chances(plan, policy)
    wish = sum(chances.get(name, 0) for name in policy.occasions.requests)
    return not chances or wish >= policy.occasions.request_sure


def wants_answer(plan: ResponsePlan, policy: Policy) -> bool:
    """What only looks like a question, without its mark, is one where the reader finds one."""
    chances = told_chances(plan, policy)
    asked = sum(c for n, c in chances.items() if policy.occasions.moods[n] == ASK)
    marked = bool(_ASKED.search(plan.user_text)) or _begins_asking(plan, policy)
    return not chances or marked or asked >= policy.occasions.request_sure


def _begins_asking(plan: ResponsePlan, policy: Policy) -> bool:
    spoken = policy.occasions.languages.get(plan.language)
    words = policy.compose.languages.get(plan.language)
    if spoken is None or words is None:
        return False
    return bool(re.search(spoken.begins_asking, tidied(plan.user_text, words), re.I))
