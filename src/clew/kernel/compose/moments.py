"""What kind of message it is by its words: a greeting, thanks, a question for the time; untidy typing is read too."""

from __future__ import annotations

import re
from functools import lru_cache

from clew.kernel.compose.calculating import date_words, result_of
from clew.kernel.compose.choosing import Choice
from clew.kernel.read.together import TOGETHER
from clew.model.plan import ResponsePlan
from clew.model.utterance import Need
from clew.once import once
from clew.pattern_table import NamedPatterns
from clew.policy.compose import ComposeWords, Moment
from clew.programs import program

_CLOCK = ("time", "date", "sum")
_UNZONED = "UTC"
# What kind of message it is stands in its beginning; patterns over a whole book would take minutes.
_BEGINNING = 1000


@once()
def tidied(text: str, words: ComposeWords) -> str:
    """ "whats up, im back" as it is spelt: what's up, i'm back."""
    said = text[:_BEGINNING].replace("’", "'")
    shape = _untidy(words)
    return shape.sub(lambda m: words.spelt[m.group().lower()], said) if shape else said


@lru_cache(maxsize=8)
def _untidy(words: ComposeWords) -> re.Pattern[str] | None:
    ways = "|".join(re.escape(w) for w in sorted(words.spelt, key=lambda w: (-len(w), w)))
    return program(rf"(?<![\w'])(?:{ways})(?![\w'])", re.I) if ways else None


@lru_cache(maxsize=8)
def _shapes(words: ComposeWords) -> NamedPatterns:
    return NamedPatterns({name: row.pattern for name, row in words.moments.items()})


def moment_of(plan: ResponsePlan, words: ComposeWords) -> tuple[str, Moment] | None:
    """The first row that fits; one that also tells something is no mere greeting."""
    text = tidied(plan.user_text, words)
    told = bool(plan.told)
    heard = plan.utterance
    why = heard.signals.need_reasons if heard is not None and heard.need is not Need.NONE else ()
    hurts = any(reason.rule != TOGETHER for reason in why)
    if not hurts and (name := parting_of(plan, words)) and name in words.moments:
        return name, words.moments[name]
    for name in _shapes(words).names(text):
        if name not in _CLOCK and not (words.moments[name].whole and told):
            return name, words.moments[name]
    return None


def parting_of(plan: ResponsePlan, words: ComposeWords) -> str:
    """Which goodbye stands at the end, whatever was said before it; "" for none."""
    text = tidied(plan.user_text, words)
    return next((name for name, shape in _partings(words) if shape.search(text)), "")


@lru_cache(maxsize=8)
def _partings(words: ComposeWords) -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((name, program(shape, re.I)) for name, shape in words.parting.items())


def thanked(plan: ResponsePlan, words: ComposeWords) -> Moment | None:
    """Thanks that stand before something else."""
    row = words.moments.get("thanks")
    return row if row is not None and words.thanking and re.search(words.thanking, plan.user_text, re.I) else None


def worked_out(plan: ResponsePlan, words: ComposeWords, choice: Choice) -> str:
    """The time, the date, a sum."""
    text = tidied(plan.user_text, words)
    for name in _CLOCK:
        if not _shapes(words).has(name, text):
            continue
        row = words.moments[name]
        if name == "sum":
            total = result_of(plan, (words,))
            if total is not None:
                return choice.pick(row.replies, name, {"result": total})
        elif plan.at is not None:
            unzoned = name == "time" and getattr(plan.at.tzinfo, "key", _UNZONED) == _UNZONED
            ways = words.plain["time_unzoned"] if unzoned else row.replies
            return choice.pick(ways, name, date_words(plan.at, words))
    return ""
