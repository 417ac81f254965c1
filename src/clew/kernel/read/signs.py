"""Signs of what a text holds: a time, an amount, a name, a place, a reason, a wish; and how much of it only asks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import regex

from clew.model.inquiry import Word
from clew.policy import Policy

_DIGIT = regex.compile(r"\p{N}")
_SENTENCE = regex.compile(r"[^.!?…。！？\n]+[.!?…。！？\n]*")
# A capital letter inside a sentence.
_NAME = regex.compile(r"(?<=[\p{L}\p{N},;:'\"(] ?)\b\p{Lu}\p{Ll}+")
_END = regex.compile(r"[?？][\s\"'”’)\]]*$")


@dataclass(frozen=True, slots=True)
class Signs:
    time: bool
    amount: bool
    name: bool
    place: bool
    reason: bool
    rule: bool  # what replies shall be like from now on
    taste: bool  # what somebody prefers
    asks: float  # the share of the text that is questions
    addresses: float  # the share of its words that are said to the other


@dataclass(frozen=True, slots=True)
class _Lists:
    times: frozenset[str]
    amounts: frozenset[str]
    reasons: frozenset[str]
    addressed: frozenset[str]
    clock: regex.Pattern[str]
    place: regex.Pattern[str]
    rule: regex.Pattern[str]
    taste: regex.Pattern[str]


@lru_cache(maxsize=4)
def _lists(policy: Policy) -> _Lists:
    said = policy.recall.said
    times = {*said("time_words"), *policy.text.months, *policy.text.weekdays} - {*said("verb_months")}
    # A clock and a year are written alike everywhere.
    clock = "|".join([r"\d{1,2}:\d{2}|\b(?:19|20)\d{2}\b", *said("clock")])
    before, articles = "|".join(said("place_words")), "|".join(said("articles"))
    place = rf"\b(?:{before})\s+(?:(?:{articles})\s+)?\p{{Lu}}\p{{Ll}}+"
    return _Lists(
        times=frozenset(times),
        amounts=number_words(policy),
        reasons=frozenset(said("reason_words")),
        addressed=frozenset(said("address_words")),
        clock=regex.compile(clock),
        place=regex.compile(place),
        rule=regex.compile("|".join(said("rules")) or "(?!)", regex.IGNORECASE),
        taste=regex.compile("|".join(said("tastes")) or "(?!)", regex.IGNORECASE),
    )


@lru_cache(maxsize=4)
def number_words(policy: Policy) -> frozenset[str]:
    return frozenset(policy.text.number_words) - {*policy.recall.said("not_numbers")}


def signs(text: str, words: Sequence[Word], policy: Policy) -> Signs:
    """`words` are those of the text."""
    lists = _lists(policy)
    found = {word.text for word in words}
    return Signs(
        time=lists.clock.search(text) is not None or not lists.times.isdisjoint(found),
        amount=_DIGIT.search(text) is not None or not lists.amounts.isdisjoint(found),
        name=_NAME.search(text) is not None,
        place=lists.place.search(text) is not None,
        reason=not lists.reasons.isdisjoint(found),
        rule=lists.rule.search(text) is not None,
        taste=lists.taste.search(text) is not None,
        asks=asked_share(text),
        addresses=sum(word.text in lists.addressed for word in words) / max(len(words), 1),
    )


def asked_share(text: str) -> float:
    """ "I saw a fox! Did you?" tells more than it asks."""
    sentences = [sentence.strip() for sentence in _SENTENCE.findall(text)]
    asked = sum(len(s) for s in sentences if _END.search(s[-16:]))
    return asked / max(sum(map(len, sentences)), 1)
