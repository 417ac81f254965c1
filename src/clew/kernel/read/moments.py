"""When somebody wants to be written to: "on Friday", "tomorrow evening", "in two hours", "at 9" (ruling M6)."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from clew.frozen import dataclass
from clew.kernel.keep.times import clock_told, resolve
from clew.kernel.language.scripts import has_syllables
from clew.policy import Policy
from clew.policy.reach import ReachWords

_NOON = 12
_HALF = "half"


@dataclass(frozen=True, slots=True)
class Moment:
    """`at` is the moment meant, `words` what tells it; `day`: a day was named, so that it is not moved on."""

    at: datetime
    words: tuple[str, ...]
    day: bool


def moment(text: str, at: datetime, zone: ZoneInfo, words: ReachWords, policy: Policy) -> Moment | None:
    """The moment that the text names, counted from `at` on the user's own clock; None when it names none."""
    low = text.lower().replace("’", "'")
    if found := _span(low, at, words, policy):
        return found
    here = at.astimezone(zone)
    day = resolve(text, at, zone, policy, direction=1)
    clock = clock_told(text, policy)
    part = _part(low, words)
    told = tuple(
        w.lower() for w in (day.text if day else "", clock[1] if clock else "", part[1] if part else "") if w.strip()
    )
    hour = _hour(clock[0] if clock else None, part[0] if part else None, policy)
    if day is not None and day.start is not None:
        first = day.start.astimezone(zone).date()
        meant = _local(first, hour, zone, policy)
        if hour is None and first == here.date() and meant <= at:
            meant = at.astimezone(UTC) + timedelta(hours=policy.reach.today_hours)
        return Moment(meant, told, True)
    if hour is None:
        return None
    today = _local(here.date(), hour, zone, policy)
    late = today if today > at else _local(here.date() + timedelta(days=1), hour, zone, policy)
    return Moment(late, told, False)


def in_digits(text: str, words: ReachWords) -> str:
    """ "at six" is "at 6", "여섯 시" is "6시"."""
    hours = words.hour_words
    named = "|".join(sorted(hours, key=lambda w: (-len(w), w)))
    shape = words.hour_shape.replace("{hours}", named)
    first = words.hour_before

    def digits(found: re.Match[str]) -> str:
        return f"{first if found['before'] else ''}{hours[found['hour'].lower()]}"

    return re.sub(shape, digits, text, flags=re.I)


def _span(low: str, at: datetime, words: ReachWords, policy: Policy) -> Moment | None:
    for shape in _shapes(words.spans):
        if found := shape.search(low):
            number, unit = found["number"], words.units.get(found["unit"])
            if unit is None:
                continue
            half = number.startswith(_HALF)
            count = 1 if half else _number(number, policy)
            minutes = unit * count // 2 if half else unit * count
            # The clock runs on through any change of summer time.
            return Moment(at.astimezone(UTC) + timedelta(minutes=minutes), (found.group(),), True)
    return None


def _number(word: str, policy: Policy) -> int:
    """15, fifteen, 한, 삼십."""
    if word.isdigit():
        return int(word)
    known = {w: n for words in policy.times.languages.values() for w, n in words.numbers.items()}
    return known.get(word) or sum(known.get(letter, 0) for letter in word[-1:]) or 1


def _part(low: str, words: ReachWords) -> tuple[int, str] | None:
    for name in sorted(words.day_parts, key=lambda w: (-len(w), w)):
        shape = rf"\b(?:in the |at )?{re.escape(name)}\b" if not has_syllables(name) else re.escape(name)
        if found := re.search(shape, low):
            return words.day_parts[name], found.group()
    return None


def _hour(clock: time | None, part: int | None, policy: Policy) -> time | None:
    """A bare nine in the evening is 21:00."""
    if clock is None:
        return None if part is None else time(part % 24)
    if part is not None and part >= _NOON + 3 and 1 <= clock.hour < _NOON:
        return time(clock.hour + _NOON, clock.minute)
    if part is not None and part < _NOON and _NOON < clock.hour <= _NOON + 6:
        return time(clock.hour - _NOON, clock.minute)  # six in the morning is no six in the evening
    return clock


def _local(day: date, hour: time | None, zone: ZoneInfo, policy: Policy) -> datetime:
    """On the user's clock; an hour that is skipped by summer time is the one after it."""
    local = datetime.combine(day, hour or time(policy.reach.default_hour), zone)
    return local.astimezone(UTC).astimezone(zone)


@lru_cache(maxsize=16)
def _shapes(patterns: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(p) for p in patterns)


def told(due: datetime, at: datetime, zone: ZoneInfo, words: ReachWords, months: tuple[str, ...]) -> str:
    """ "on Friday at 9:00", "tomorrow at 19:00", "on 24 March 2027 at 9:00"."""
    local, here = due.astimezone(zone), at.astimezone(zone)
    days = (local.date() - here.date()).days
    if days == 0:
        day = words.today
    elif days == 1:
        day = words.tomorrow
    elif 1 < days < 7:
        day = words.weekdays[local.weekday()]
    else:
        day = words.date.format(
            day=local.day, month=months[local.month - 1], month_number=local.month, year=local.year
        )
    return words.clock.format(day=day, hour=local.hour, minute=f"{local.minute:02d}")
