"""What was asked for and is not known, though something was found that comes near it."""

from __future__ import annotations

import re

from clew.kernel.language.scripts import has_syllables
from clew.kernel.read.change_words import says
from clew.kernel.recall.narrowing import held, wanted
from clew.kernel.statements.people import introduced as introduced_in
from clew.model.memory import SELF
from clew.model.plan import Finding, ResponsePlan
from clew.model.utterance import Ask
from clew.policy import Policy
from clew.policy.compose import ComposeWords


def unnamed(plan: ResponsePlan, policy: Policy) -> Finding | None:
    """Asked for one's own name, old words in which nobody gives their name are no answer."""
    spoken = policy.checks.languages.get(plan.language)
    asked = plan.utterance.asks[:1] if plan.utterance else ()
    if spoken is None or not spoken.name or not asked or (asked[0].subject, asked[0].attribute) != (SELF, "name"):
        return None
    shapes = [row.pattern for row in spoken.name.values()]
    old = all(f.source == "turn" and not any(re.search(s, f.told, re.I) for s in shapes) for f in plan.findings)
    own = any(re.search(row.pattern, plan.user_text, re.I) for row in spoken.own_asked.values())
    return Finding("", "none", subject=SELF, attribute="name") if old and own else None


def of_other_sides(plan: ResponsePlan, policy: Policy) -> Finding | None:
    """ "When's Marta's birthday?": all else that is known of her is no answer to it."""
    asked = next(iter(plan.utterance.asks), None) if plan.utterance else None
    if asked is None or asked.subject == SELF or not asked.name or asked.attribute not in policy.compose.identity:
        return None
    held = [f for f in plan.findings if f.source == "memory"]
    if len(held) < 2 or any(f.named == 1 or f.attribute == asked.attribute for f in held):
        return None
    return Finding("", "none")


def not_held(plan: ResponsePlan, policy: Policy) -> Finding | None:
    """Asked for a surname or a birthday, words in which nothing like it was read are no guess worth telling."""
    asks = plan.utterance.asks if plan.utterance else ()
    asked = next((a for a in asks[:1] if a.attribute in policy.compose.identity), None)
    # "Which of my kids …" may be answered by whatever holds their name.
    other = next((a for a in asks if a.name and a.subject != SELF and a.attribute in policy.compose.exact), None)
    if asked is None and other is not None and all(f.source == "turn" for f in plan.findings):
        asked = other  # nor are words about Robin an answer to what Robin does
    if asked is None or (asked is other and _names_the_thing(plan, policy)):
        return None
    if asked.attribute == "name" and not _of_oneself(plan, asked, policy) and _may_name(plan, policy):
        return None
    if any(f.attribute in policy.compose.identity for f in plan.findings):
        return None
    return Finding("", "none", subject=asked.subject, attribute=asked.attribute)


def _names_the_thing(plan: ResponsePlan, policy: Policy) -> bool:
    """ "Is Harry in the Navy?", and old words speak of the Navy."""
    asks = plan.utterance.asks if plan.utterance else ()
    own = wanted(plan.user_text, asks, plan.language, policy).own
    return says(plan.user_text, "asks_if", policy) and any(own & held(f.told, policy) for f in plan.findings)


def _of_oneself(plan: ResponsePlan, asked: Ask, policy: Policy) -> bool:
    """One's own name is asked for, and not that of a plant or a shop."""
    spoken = policy.checks.languages.get(plan.language)
    shapes = spoken.own_asked.values() if spoken else ()
    if asked.subject != SELF or not has_syllables(plan.user_text):
        return asked.subject == SELF
    return any(re.search(row.pattern, plan.user_text, re.I) for row in shapes)


def _may_name(plan: ResponsePlan, policy: Policy) -> bool:
    """Some of the old words give somebody a name, or speak of names; those that only say what they do give none."""
    spoken = policy.attributes.languages.get(plan.language)
    labels = spoken.asked.get("name", ()) if spoken else ()
    if not has_syllables(plan.user_text):
        return True  # a capital letter in the middle may be one
    quoted = [f.told for f in plan.findings]
    named = any(c.name for said in quoted for c in introduced_in(said, plan.language, policy))
    return named or any(label in said for said in quoted for label in labels)


def free_then(finding: Finding, words: ComposeWords) -> bool:
    """On the days that were asked for nothing is held."""
    return finding.attribute == "plan" and finding.subject == SELF and bool(finding.value) and "free" in words.unknown
