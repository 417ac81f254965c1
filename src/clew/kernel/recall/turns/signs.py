"""Signs of what a text holds: a time, an amount, a name, a place, a reason; and how much of it only asks."""

from __future__ import annotations

from functools import lru_cache

import regex

from clew.kernel.text.tokens import words
from clew.policy import Policy

_DIGIT = regex.compile(r"\p{N}")
_CLOCK = regex.compile(r"\d{1,2}:\d{2}|\b(?:19|20)\d{2}\b|\d{1,2}(?:st|nd|rd|th)\b|\d+\s*(?:월|일|년|시)")
_SENTENCE = regex.compile(r"[^.!?…。！？\n]+[.!?…。！？\n]*")
_NAME = regex.compile(r"(?<=[\p{L}\p{N},;:'\"(] ?)\b\p{Lu}\p{Ll}+")
_END = regex.compile(r"[?？][\s\"'”’)\]]*$")


@lru_cache(maxsize=4)
def _lists(policy: Policy) -> tuple[frozenset[str], frozenset[str]]:
    times = {*policy.recall.time_words, *policy.text.months, *policy.text.weekdays}
    return frozenset(times) - set(policy.recall.verb_months), number_words(policy)


@lru_cache(maxsize=4)
def number_words(policy: Policy) -> frozenset[str]:
    return frozenset(policy.text.number_words) - set(policy.recall.not_numbers)


def asks(text: str) -> float:
    """The share of a text that is questions: "I saw a fox! Did you?" tells more than it asks."""
    sentences = [sentence.strip() for sentence in _SENTENCE.findall(text)]
    asked = sum(len(s) for s in sentences if _END.search(s[-16:]))
    return asked / max(sum(map(len, sentences)), 1)


def tells_time(text: str, policy: Policy) -> bool:
    times, _ = _lists(policy)
    return _CLOCK.search(text) is not None or any(w in times for w in words(text))


def tells_amount(text: str, policy: Policy) -> bool:
    _, amounts = _lists(policy)
    return _DIGIT.search(text) is not None or any(w in amounts for w in words(text))


def tells_name(text: str) -> bool:
    """A capital letter inside a sentence."""
    return _NAME.search(text) is not None


def tells_place(text: str, policy: Policy) -> bool:
    return _place(policy.recall.place_words).search(text) is not None


def tells_reason(text: str, policy: Policy) -> bool:
    return not _reasons(policy).isdisjoint(words(text))


def addresses(text: str, policy: Policy) -> float:
    """The share of a text's words that are said to the other."""
    said = words(text)
    to = _addressed(policy)
    return sum(word in to for word in said) / max(len(said), 1)


@lru_cache(maxsize=4)
def _place(before: tuple[str, ...]) -> regex.Pattern[str]:
    return regex.compile(rf"\b(?:{'|'.join(before)})\s+(?:the\s+)?\p{{Lu}}\p{{Ll}}+")


@lru_cache(maxsize=4)
def _reasons(policy: Policy) -> frozenset[str]:
    return frozenset(policy.recall.reason_words)


@lru_cache(maxsize=4)
def _addressed(policy: Policy) -> frozenset[str]:
    return frozenset(policy.recall.address_words)
