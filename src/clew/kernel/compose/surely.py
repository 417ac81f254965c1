"""Whether what was found surely answers a question for a fact, whatever else the question sounds like."""

from __future__ import annotations

import re

from clew.model.plan import ResponsePlan
from clew.policy import Policy


def surely_answered(plan: ResponsePlan, policy: Policy) -> bool:
    """A fact is asked for, not advice, and what was found surely answers it."""
    words, first = policy.checks.languages.get(plan.language), next(iter(plan.findings), None)
    if words is None or first is None or first.source == "none" or first.named != 1:
        return False
    shape = words.question_kinds.get("fact")
    return shape is not None and any(re.search(shape.pattern, s, re.I) for s in _sentences(plan))


def _sentences(plan: ResponsePlan) -> tuple[str, ...]:
    return tuple(s.text for s in plan.utterance.sentences) if plan.utterance is not None else (plan.user_text,)
