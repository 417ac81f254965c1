"""A yes or a no before what is told, where the question asks for one and the words decide it.

"Am I still in a band?" after "I quit the band" is a no; the old words alone leave it to whoever asked.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from clew.kernel.compose.choosing import Choice
from clew.kernel.compose.moments import tidied
from clew.kernel.read.change_words import says
from clew.kernel.recall.named import names_it
from clew.kernel.recall.narrowing import held, wanted
from clew.kernel.statements.features import mentions
from clew.model.plan import Finding, ResponsePlan
from clew.model.utterance import Act
from clew.policy import Policy
from clew.policy.compose import ComposeWords

_OVER = ("ended", "parted")
_GIVES_UP = ("gives_up", "leaves_work")


def with_verdict(
    said: str, shown: Sequence[Finding], plan: ResponsePlan, words: ComposeWords, choice: Choice, policy: Policy
) -> str:
    """What is told, with its yes or no in front; as it is where the words do not decide."""
    verdict = _verdict(shown, plan, words, policy)
    if not verdict:
        return " ".join((*_no_more(shown[: policy.compose.findings_most], plan, words, choice, policy), said))
    opened = re.match(words.opens_you, said, re.I) if words.opens_you else None
    told = f"{said[:1].lower()}{said[1:]}" if opened else said
    return choice.pick(words.answers[verdict if opened else f"{verdict}_quoted"], verdict, {"told": told})


def _no_more(
    shown: Sequence[Finding], plan: ResponsePlan, words: ComposeWords, choice: Choice, policy: Policy
) -> tuple[str, ...]:
    """ "Do I smoke?", and what was told of it is over: that is said before the words that ended it."""
    over = all(f.past and f.source == "turn" and names_it(plan.user_text, f.subject, f.value, policy) for f in shown)
    if not over or not words.answers.get("over") or not says(plan.user_text, "asks_if", policy):
        return ()
    return (choice.pick(words.answers["over"], "over"),)


def decisive(
    found: Sequence[Finding], plan: ResponsePlan, words: ComposeWords, policy: Policy
) -> Sequence[Finding]:
    """Asked for a yes or no on one thing, the one that names it; all of them where none or several do."""
    question = _question(plan, words)
    if len(found) < 2 or not words.whether or not re.search(words.whether, question, re.I):
        return found
    own = wanted(question, plan.utterance.asks if plan.utterance else (), plan.language, policy).own
    naming = [f for f in found if own & held(f"{f.told} {f.value}", policy)]
    return naming if len(naming) == 1 else found


def _verdict(shown: Sequence[Finding], plan: ResponsePlan, words: ComposeWords, policy: Policy) -> str:
    """`yes`, `no`, `no_longer`, or nothing."""
    if not words.answers.get("yes") or len(shown) != 1 or not words.whether:
        return ""
    question = _question(plan, words)
    asked = re.search(words.whether, question, re.I)
    if asked is None or re.search(words.denies, question, re.I):
        return ""
    told = shown[0]
    asks = plan.utterance.asks if plan.utterance else ()
    if _matches(words.alive, question) and _matches(words.dead, told.told):
        return "no"
    words_asked = wanted(question, asks, plan.language, policy)
    names = {t for a in asks if a.name for t in held(a.name, policy)}
    named = words_asked.all | names
    there = held(f"{told.told} {told.value}", policy)
    others = {m.subject for m in mentions(question, policy.reader)} - {told.subject}
    if not others <= {m.subject for m in mentions(told.told, policy.reader)}:
        return ""  # a cat is no dog
    if not named & there or (words_asked.own and not words_asked.own & there):
        return ""
    over = told.past or any(says(told.told, kind, policy) for kind in _OVER) or _matches(words.was, told.told)
    if over:
        then = asked.groupdict().get("then") or any(says(question, kind, policy) for kind in _OVER)
        return "yes" if then else "no_longer"
    if _matches(words.denies, told.told):
        return "no"
    if told.source == "turn" and not told.past and any(says(told.told, kind, policy) for kind in _GIVES_UP):
        return ""  # "I shall be stepping down" is no yes
    if told.source == "turn" and says(question, "asks_still", policy) and not says(told.told, "asks_still", policy):
        return ""  # what was said once says nothing of today
    return "yes" if words_asked.all and named <= there else ""


def _matches(pattern: str, sentence: str) -> bool:
    return bool(pattern) and re.search(pattern, sentence, re.I) is not None


def _question(plan: ResponsePlan, words: ComposeWords) -> str:
    asked = [s.text for s in plan.utterance.sentences if s.act is Act.QUESTION] if plan.utterance else []
    return tidied(asked[-1] if asked else plan.user_text, words)
