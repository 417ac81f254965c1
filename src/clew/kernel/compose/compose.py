"""The built-in writer: answers what can be answered, then shows in a few words that it was understood."""

from __future__ import annotations

import re
from functools import lru_cache

from clew.kernel.compose.answering import answer
from clew.kernel.compose.calculating import date_words, result_of
from clew.kernel.compose.choosing import Choice
from clew.kernel.text.normalize import normal
from clew.model.memory import Candidate
from clew.model.persona import EmojiFreq
from clew.model.plan import ResponsePlan
from clew.model.turn import Pipeline
from clew.model.utterance import Act, Need
from clew.policy import Policy
from clew.policy.compose import ComposeWords, Moment

_LINK = re.compile(r"https?://|www\.\S")
_CODE = re.compile(r"```|^\s*(?:def|class|import|from|public|const|let|var|function|#include|SELECT)\b.*[(){};=]", re.M)
_WORDY = re.compile(r"\w")


def compose(plan: ResponsePlan, policy: Policy) -> str:
    """The reply in the plan's language; a language without words here gets one honest English sentence."""
    table = policy.compose.languages
    words = table.get(plan.language) or table["en"]
    choice = Choice(plan.variation, plan.language if plan.language in table else "en", plan.recent_replies)
    if plan.language not in table and _WORDY.search(plan.user_text):
        return choice.pick(words.plain["other_language"], "other")
    said = _reply(plan, words, choice, policy)
    return _with_emoji(said, plan, choice, policy)


def _reply(plan: ResponsePlan, words: ComposeWords, choice: Choice, policy: Policy) -> str:
    if plan.boundary:
        return choice.pick(words.plain["boundary"], "boundary")
    found = answer(plan, words, choice, policy)
    if found and plan.findings[0].source != "none":
        return found
    if by_clock := _worked_out(plan, words, choice):
        return by_clock
    if moment := _moment(plan, words):
        name, row = moment
        return choice.pick(row.replies, name, _values(plan))
    if found:
        return found
    if plan.narrow:
        return choice.pick(words.plain["narrow"], "narrow")
    if plan.utterance is not None and plan.utterance.need is not Need.NONE:
        return choice.pick(words.plain["care"], "care")
    if told := _acknowledged(plan, words, choice, policy):
        return told
    return choice.pick(words.plain[_mood(plan)], "plain", _values(plan))


def _worked_out(plan: ResponsePlan, words: ComposeWords, choice: Choice) -> str:
    """The time, the date, a sum."""
    asked = _moments(words)
    for name in ("time", "date", "sum"):
        row = asked.get(name)
        if row is None or not row[0].search(plan.user_text):
            continue
        if name == "sum":
            total = result_of(plan.user_text)
            if total is not None:
                return choice.pick(row[1].replies, name, {"result": total})
        elif plan.at is not None:
            return choice.pick(row[1].replies, name, date_words(plan.at, words))
    return ""


@lru_cache(maxsize=8)
def _moments(words: ComposeWords) -> dict[str, tuple[re.Pattern[str], Moment]]:
    return {name: (re.compile(row.pattern, re.I), row) for name, row in words.moments.items()}


def _moment(plan: ResponsePlan, words: ComposeWords) -> tuple[str, Moment] | None:
    """What kind of message it is by its words; one that also tells something is no mere greeting."""
    text = normal(plan.user_text).norm
    told = bool(plan.told)
    for name, (shape, row) in _moments(words).items():
        if name in ("time", "date", "sum") or (row.whole and told):
            continue
        if shape.search(text):
            return name, row
    return None


def _acknowledged(plan: ResponsePlan, words: ComposeWords, choice: Choice, policy: Policy) -> str:
    """One sentence about the most telling thing that was told; it names the thing, never the whole sentence."""
    for candidate in plan.told:
        value = _short(candidate, policy)
        for kind in _kinds(candidate):
            ways = words.told.get(kind, ())
            if said := choice.pick(ways, kind, {"value": value, **_values(plan)}):
                return said
    return ""


def _kinds(candidate: Candidate) -> tuple[str, ...]:
    attribute = candidate.attribute or "note"
    who = candidate.subject.partition(":")[0]
    return (f"{who}.{attribute}", attribute if who == "self" else f"{who}.any", "any")


def _short(candidate: Candidate, policy: Policy) -> str:
    """A value that can be said inside a sentence; a long one is not quoted back."""
    value = candidate.value.partition("|")[2] or candidate.value
    value = value.replace("_", " ").strip(" .!?,")
    return value if len(value) <= policy.compose.told_characters else ""


def _values(plan: ResponsePlan) -> dict[str, str]:
    return {"name": plan.preferred_name or "", "thing": plan.focus.thing}


def _mood(plan: ResponsePlan) -> str:
    """Which row of plain replies fits what is left."""
    text = plan.user_text
    if not _WORDY.search(text):
        return "signs"
    if _CODE.search(text):
        return "code"
    if _LINK.search(text):
        return "link"
    acts = [s.act for s in plan.utterance.sentences] if plan.utterance else []
    if acts and acts[-1] is Act.REQUEST:
        return "request"
    if plan.pipeline is Pipeline.INFO_QA or (acts and acts[-1] is Act.QUESTION):
        return "question"
    if plan.focus.negative:
        return "bad"
    if plan.focus.positive:
        return "good"
    return "short" if len(text.split()) <= 3 else "neutral"


def _with_emoji(text: str, plan: ResponsePlan, choice: Choice, policy: Policy) -> str:
    """Only a persona that likes them, only on a light moment, and not on every reply."""
    grave = plan.crisis or plan.pipeline is Pipeline.EMOTIONAL_SUPPORT or plan.focus.negative
    if grave or plan.findings or plan.constraints.emoji_freq is EmojiFreq.NONE:
        return text
    often = 2 if plan.constraints.emoji_freq is EmojiFreq.FREQUENT else 5
    if choice.roll(often, "emoji"):
        return text
    signs = policy.compose.emoji.get("good" if plan.focus.positive else "neutral", ())
    return f"{text} {choice.pick(signs, 'sign')}".strip() if signs else text
