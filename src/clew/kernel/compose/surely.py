"""Whether what was found surely answers a question for a fact, whatever else the question sounds like."""

from __future__ import annotations

import re

from clew.kernel.recall.narrowing import held, wanted
from clew.kernel.statements.features import mentions
from clew.model.plan import ResponsePlan
from clew.policy import Policy
from clew.policy.checks import CheckWords


def surely_answered(plan: ResponsePlan, policy: Policy) -> bool:
    """A fact is asked for, not advice, and what was found surely answers it."""
    words, first = policy.checks.languages.get(plan.language), next(iter(plan.findings), None)
    if words is None or first is None or first.source == "none" or first.named != 1:
        return False
    shape = words.question_kinds.get("fact")
    asks = shape is not None and any(re.search(shape.pattern, s, re.I) for s in _sentences(plan))
    return asks or _whether_so(plan, words, policy)


def _whether_so(plan: ResponsePlan, words: CheckWords, policy: Policy) -> bool:
    """ "Do I still smoke?": every word of it that is about something, and whoever it is about, stands in what was told;
    or one side of a life is plainly asked for, and held: "do I eat meat?". "Am I too hard on him?" asks of more.
    """
    shape, text, first = words.question_kinds.get("whether_so"), plan.user_text, plan.findings[0]
    asks = plan.utterance.asks if plan.utterance is not None else ()
    if shape is None or not re.search(shape.pattern, text.strip(), re.I):
        return False
    if first.source == "memory" and any(a.certainty == 1 and a.attribute == first.attribute for a in asks):
        return True
    own = wanted(text, (), plan.language, policy).all
    own |= {t for m in mentions(text, policy.reader) for t in held(text[m.start : m.end], policy)}
    own |= {t for a in asks if a.name for t in held(a.name, policy)}
    return bool(own) and own <= held(f"{first.told} {first.value}", policy)


def _sentences(plan: ResponsePlan) -> tuple[str, ...]:
    return tuple(s.text for s in plan.utterance.sentences) if plan.utterance is not None else (plan.user_text,)
