"""What is said to a hardship that is told, and to whatever is told while one is open (ruling S5)."""

from __future__ import annotations

import re
from dataclasses import replace

from clew.kernel.compose.amid import only_tells
from clew.kernel.compose.caring import named_pain, trouble_in
from clew.kernel.compose.choosing import Choice
from clew.kernel.compose.everyday import GLAD
from clew.kernel.compose.occasions import occasion_of
from clew.kernel.read.hardship import AMID_HARDSHIP, HARDSHIP
from clew.kernel.read.need import AFTER_CRISIS, OVERRULED
from clew.model.plan import ResponsePlan
from clew.model.turn import Pipeline
from clew.policy import Policy
from clew.policy.care import Hardship
from clew.policy.compose import ComposeWords

_ASKED = re.compile("[?？]")
_EXCLAIMS = re.compile("[!！]")


def hardship_told(plan: ResponsePlan) -> str | None:
    """The kind of hardship that the message tells, "" for one without a name; None where it tells none."""
    return _detail(plan, HARDSHIP)


def hardship_open(plan: ResponsePlan) -> str:
    """The kind told in one of the last messages; "" for none."""
    return _detail(plan, AMID_HARDSHIP) or ""


def _detail(plan: ResponsePlan, rule: str) -> str | None:
    why = plan.utterance.signals.need_reasons if plan.utterance is not None else ()
    return next((r.detail for r in why if r.rule == rule), None)


def to_hardship(plan: ResponsePlan, choice: Choice, policy: Policy) -> str:
    """Acknowledged by its name, now and then with a question; "" where none is named, or plain words name the pain."""
    told, before = hardship_told(plan), hardship_open(plan)
    kind = before if told is not None and before in policy.care.lasting else told or before
    row = _row(kind, plan, policy)
    if told is None or row is None or _plainer(plan, before, policy):
        return ""
    ways = (*row.amid, *row.heard) if before == kind else row.heard
    softened = policy.care.languages[plan.language].softened
    if before != kind and row.lightly and re.search(softened, plan.user_text, re.I):
        return choice.fresh(row.lightly, f"hardship:{kind}")
    return _asked(choice.fresh(ways, f"hardship:{kind}"), row.asks, choice, policy)


def amid_hardship(
    plan: ResponsePlan, words: ComposeWords, choice: Choice, policy: Policy, *, cares: bool
) -> str:
    """Told while a hardship is open: what is hard is met in its light, a small thing as one; good news as they are."""
    kind = hardship_open(plan)
    row, lasts = _row(kind, plan, policy), kind in policy.care.lasting
    if row is None or _plainer(plan, kind, policy) or _detail(plan, AFTER_CRISIS) is not None:
        return ""
    if not _tells(plan, lasts) or (plan.focus.positive and not lasts):
        return ""
    if policy.occasions.moods.get(occasion_of(plan, words, policy)) == GLAD and not cares and not lasts:
        return ""
    spoken = policy.care.languages[plan.language]
    heavy = plan.focus.negative or _detail(plan, OVERRULED) is not None
    heavy = heavy or trouble_in(plan, policy) >= policy.everyday.trouble_likely
    hard = cares or heavy or (lasts and plan.focus.positive)
    if not hard and _EXCLAIMS.search(plan.user_text):
        return ""  # "They called, I got it!": whatever it is, it is no small thing beside the hardship
    ahead = any(c.attribute == "plan" for c in plan.told)
    if not hard and (ahead or (plan.told and kind in policy.listen.hardship.common)):
        return ""  # what is told of other things is met for what it is
    said = choice.fresh(row.amid, "amid_hardship") if hard else ""
    return _asked(said or choice.fresh(spoken.amid, "amid_small"), spoken.amid_asks, choice, policy)


def to_counsel(plan: ResponsePlan, choice: Choice, policy: Policy) -> str:
    """ "What do I say to her?", "am I being silly?": asked amid a hardship, it is no question about what is known."""
    spoken = policy.care.languages.get(plan.language)
    if spoken is None or not (hardship_open(plan) or hardship_told(plan)):
        return ""
    known = any(f.source != "none" and f.named == 1 for f in plan.findings)
    if known or (plan.utterance and any(a.attribute in policy.checks.single for a in plan.utterance.asks)):
        return ""  # "how old am I?" asks for what is known, even amid it
    return choice.pick(spoken.asked, "counsel") if re.search(spoken.counsel, plan.user_text, re.I) else ""


def _tells(plan: ResponsePlan, lasts: bool) -> bool:
    """It asks nothing, by its mark or its sense: "he says not to meet my friends" is no request."""
    asks = plan.utterance is not None and bool(plan.utterance.asks or plan.utterance.asks_surely)
    asks = asks or bool(_ASKED.search(plan.user_text)) or (plan.pipeline is Pipeline.INFO_QA and not lasts)
    return only_tells(plan) or not asks


def _row(kind: str, plan: ResponsePlan, policy: Policy) -> Hardship | None:
    spoken = policy.care.languages.get(plan.language)
    return spoken.hardships.get(kind) if spoken is not None else None


def _plainer(plan: ResponsePlan, before: str, policy: Policy) -> bool:
    """Plain words name a pain with sentences of its own that was not the last one told: a death, somebody hit them."""
    pain, spoken = named_pain(plan, policy), policy.care.languages[plan.language]
    return pain is not None and any(
        spoken.support.get(name) is pain for name in policy.care.plainer if name != before
    )


def _asked(said: str, asks: tuple[str, ...], choice: Choice, policy: Policy) -> str:
    """Not every time: who is asked after each sentence is examined."""
    if not said or "?" in said or not choice.ask or choice.roll(policy.care.hard_asks, "hard_asks"):
        return said
    return f"{said} {replace(choice, ask=True).fresh(asks, 'hard_asked')}".strip()
