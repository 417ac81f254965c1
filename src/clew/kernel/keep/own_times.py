"""Which words of time belong to a value, and which are all that it is."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from clew.kernel.keep.times import When, resolve
from clew.model.utterance import Statement
from clew.policy import Policy


def only_time(attribute: str, value: str, at: datetime, zone: ZoneInfo, policy: Policy) -> bool:
    """ "this month" is no plan, and nobody lives in Tuesday or in March; but June may be called so."""
    if attribute != "name" and any(value.lower() in words.months for words in policy.times.languages.values()):
        return True
    when = resolve(value, at, zone, policy, 1)
    around = " ,." + "".join(policy.remember.said("around_time"))
    return when is not None and not value.replace(when.text, "").strip(around)


def only_of_now(when: When, at: datetime, policy: Policy) -> bool:
    """A state has a time only when it began then: "on Thursdays" and "this year" date nothing."""
    if when.start is None or when.end is None:
        return False
    short = (when.end - when.start).days < policy.attributes.state_days
    return short or when.start <= at < when.end


def others_time(told: Statement, when: str, statements: Sequence[Statement]) -> bool:
    """ "a plumber, but off sick since May": what is told between the value and the time is what the time dates."""
    said = told.sentence.lower()
    at, place = said.find(when.lower()), told.sentence.find(told.value)
    if not when or at < 0 or place < 0:
        return False
    begin, end = (place + len(told.value), at) if at > place else (at, place)
    between = (
        told.sentence.find(s.value)
        for s in statements
        if s.sentence == told.sentence and s.value not in told.value and s.subject == told.subject
    )
    return any(begin <= n < end for n in between)
