"""In the middle of a talk: what a message is to what was said just before, and how it is taken up by its own words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from clew.kernel.compose.choosing import Choice
from clew.kernel.compose.moments import tidied
from clew.kernel.compose.naming import turned
from clew.kernel.read.hardship import AMID_HARDSHIP
from clew.kernel.read.linear import shares
from clew.kernel.read.need import AFTER_CARE, AFTER_CRISIS, AFTER_GRAVE
from clew.kernel.read.together import TOGETHER
from clew.model.plan import ResponsePlan
from clew.model.utterance import Act
from clew.once import once
from clew.policy import Policy
from clew.policy.compose import ComposeWords, Moment
from clew.programs import program

_ASKED = re.compile("[?？]")
_SAID = "said"


@once()
def occasion_chances(plan: ResponsePlan, policy: Policy) -> Mapping[str, float]:
    """What the reader of occasions makes of the message; nothing without a vector or weights."""
    table = policy.occasions
    heard, file = plan.utterance, table.weights.get(plan.language, "")
    if heard is None or heard.vector is None or not file:
        return {}
    return shares(heard.text, heard.vector, file, table.weights_sha256[plan.language])


def only_tells(plan: ResponsePlan) -> bool:
    return plan.utterance is not None and all(s.act is Act.STATEMENT for s in plan.utterance.sentences)


def hurt_lately(plan: ResponsePlan) -> bool:
    """Pain or danger was told in one of the last messages."""
    why = plan.utterance.signals.need_reasons if plan.utterance is not None else ()
    return any(r.rule in (AFTER_CARE, AFTER_CRISIS, AMID_HARDSHIP) for r in why)


def amid_grave_news(plan: ResponsePlan) -> bool:
    """Grave news or harm was told in one of the last messages."""
    why = plan.utterance.signals.need_reasons if plan.utterance is not None else ()
    return any(r.rule == AFTER_GRAVE for r in why)


def guessed_from_talk(plan: ResponsePlan) -> bool:
    """Nothing but the last turns together sound like pain: this message alone is not to blame for that."""
    why = plan.utterance.signals.need_reasons if plan.utterance is not None else ()
    return bool(why) and all(r.rule == TOGETHER for r in why)


def answers_us(plan: ResponsePlan, policy: Policy) -> bool:
    """Few words behind a question of ours are its answer, whatever they would be alone."""
    asked = bool(plan.recent_replies) and bool(_ASKED.search(plan.recent_replies[-1]))
    return asked and only_tells(plan) and len(plan.user_text.split()) <= policy.compose.answer_words


def goes_on_with_it(plan: ResponsePlan, policy: Policy) -> bool:
    """An answer to us, a word or two, or a message that the reader finds to be the rest of another one."""
    if not plan.recent_replies:
        return False
    if len(plan.user_text.split()) <= policy.compose.bare_words:
        return True
    chances = occasion_chances(plan, policy)
    rest = sum(chances.get(name, 0.0) for name in policy.occasions.unmarked)
    return answers_us(plan, policy) or rest >= policy.occasions.going_on


def taken_up(plan: ResponsePlan, words: ComposeWords, choice: Choice, *, first: bool = False) -> str:
    """A name, a yes, a no or a bare word in the middle of a talk; "" where it is none of these.

    first: only what is taken up before any situation that the message may tell.
    """
    if not plan.recent_replies or not only_tells(plan):
        return ""
    text = tidied(plan.user_text, words).strip()
    for name, (shape, row) in _rows(words).items():
        if first is not row.whole and (found := shape.search(text)):
            said = found.groupdict().get(_SAID) or ""
            return choice.fresh(row.replies, f"amid:{name}", {_SAID: turned(_inside(said), words)} if said else {})
    return ""


def amid_met(plan: ResponsePlan, words: ComposeWords) -> Iterator[tuple[str, tuple[str, ...], Mapping[str, str]]]:
    """Every row that fits, with all it may say and the user's own words in it."""
    if not plan.recent_replies or not only_tells(plan):
        return
    text = tidied(plan.user_text, words).strip()
    for name, (shape, row) in _rows(words).items():
        if found := shape.search(text):
            said = found.groupdict().get(_SAID) or ""
            yield name, row.replies, {_SAID: turned(_inside(said), words)} if said else {}


def _inside(said: str) -> str:
    """As it stands inside a sentence: "Last month" is no name, "Ida" and "St Mary's" may be one."""
    first, _, rest = said.partition(" ")
    return said[:1].lower() + said[1:] if rest[:1].islower() and first[1:].islower() else said


@lru_cache(maxsize=8)
def _rows(words: ComposeWords) -> dict[str, tuple[re.Pattern[str], Moment]]:
    return {name: (program(row.pattern, re.I), row) for name, row in words.amid.items()}


def settled(plan: ResponsePlan, words: ComposeWords) -> tuple[re.Pattern[str], ...]:
    """Questions of ours that the message, or one just before it, has answered already."""
    said = "\n".join((*plan.previous, plan.user_text))
    return tuple(asks for told, asks in _settling(words) if told.search(said))


@lru_cache(maxsize=8)
def _settling(words: ComposeWords) -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    def pairs() -> Iterator[tuple[re.Pattern[str], re.Pattern[str]]]:
        for kind, told in words.answered_by.items():
            yield program(told, re.I), program(words.asks_for[kind], re.I)

    return tuple(pairs())
