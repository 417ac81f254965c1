"""What is on: a question for the plans of some days is answered by everything that falls on them, in order of time."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from clew.kernel.keep.keys import attribute_for
from clew.kernel.keep.times import resolve
from clew.kernel.language.scripts import has_syllables
from clew.kernel.recall.answers import tellable
from clew.kernel.statements.patterns import one
from clew.model.memory import SELF, MemoryRecord
from clew.policy import Policy

_PLAN, _EVENT = "plan", "event"
_REGULAR = ("routine", "work_hours", "hobby", "sport")
_DAY = timedelta(days=1)
_SATURDAY = 5


def asks_whats_on(question: str, language: str, policy: Policy) -> bool:
    words = policy.checks.languages.get(language)
    return words is not None and one(words.whats_on).search(question) is not None


def planned(
    question: str, language: str, records: Sequence[MemoryRecord], at: datetime, zone: ZoneInfo, policy: Policy
) -> tuple[MemoryRecord, ...]:
    """The plans of the days that are asked for, the user's and their people's; all to come where no day is named."""
    words = policy.checks.languages[language]
    held = [r for r in records if tellable(r, past=False)]
    span = resolve(question, at, zone, policy, 1)
    today = at.astimezone(zone).replace(hour=0, minute=0, second=0, microsecond=0)
    start = span.start if span else None
    if start is None:
        ahead = [r for r in held if attribute_for(r, policy) == _PLAN and (r.when_end or r.when_start or at) >= today]
        return tuple(sorted(ahead, key=lambda r: (r.when_start is None, r.when_start or at, r.memory_id)))
    end = (span.end if span else None) or start + _DAY
    end = max(end, start + _DAY)
    weekday = start.astimezone(zone).weekday()
    listed = (words.weekday_names, words.weekday_shorts) if end - start <= _DAY else ()
    days = tuple(names[weekday] for names in listed if names)
    if weekday == _SATURDAY and end - start == 2 * _DAY:
        days = words.weekend_names
    found = [r for r in held if _falls(r, start, end, policy)]
    found += [r for r in held if r not in found and any(_regularly(r, day, policy) for day in days)]
    return tuple(sorted(found, key=lambda r: (r.when_start or end, r.subject != SELF, r.memory_id)))


def _falls(record: MemoryRecord, start: datetime, end: datetime, policy: Policy) -> bool:
    if attribute_for(record, policy) not in (_PLAN, _EVENT) or record.when_start is None:
        return False
    last = record.when_end or record.when_start
    long = last - record.when_start > timedelta(days=8)
    return not long and record.when_start < end and (last > start or record.when_start >= start)


def _regularly(record: MemoryRecord, day: str, policy: Policy) -> bool:
    """ "Choir on Thursdays" is on every Thursday."""
    said = f"{record.memory_value} {record.statement or ''}"
    # Where words are written in syllables a particle hangs on to the day: 토요일마다.
    whole = rf"(?<!\w){day}" if has_syllables(day) else rf"\b{day}s?\b"
    return attribute_for(record, policy) in _REGULAR and re.search(whole, said, re.I) is not None
