"""Another day or hour of something held: a bare weekday is counted from where the old one lay."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from datetime import datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from clew.kernel.correct.shift_parts import Moment, Shift, Told, led, made_anew, named_terms, swapped
from clew.kernel.keep.times import When, clock_told, resolve
from clew.kernel.language.scripts import has_syllables
from clew.model.memory import MemoryRecord
from clew.policy import Policy
from clew.policy.times import TimeWords

_NOON = 12


def in_time(
    told: Told, held: Sequence[MemoryRecord], turn: Moment, policy: Policy, pointed: Collection[str] = ()
) -> Shift | None:
    """Another day or hour of what has one. pointed: ids of what "it" may mean."""
    day = day_told(told.new, turn.at, turn.zone, policy, 1)
    clock = clock_words(told.new, policy)
    if (day is None or day.start is None) and clock is None:
        return None
    named_time = f"{day.text if day else ''} {clock or ''}".lower().split()
    thing = named_terms(" ".join(w for w in told.rest if not any(_inside(t, w) for t in named_time)), policy)
    best: tuple[tuple[bool, int, bool], MemoryRecord, When | None] | None = None
    for record in held:
        said = record.statement or record.memory_value
        piece = resolve(said, record.created_at, turn.zone, policy, 1)
        hour = clock_told(said, policy)
        dated = record.when_start is not None or piece is not None
        if not (dated if day else (hour is not None or record.when_start is not None)):
            continue
        if record.attribute not in policy.checks.dated and record.when_start is None:
            continue
        named = bool(told.old) and told.old.lower() in said.lower()
        about = len(thing & named_terms(f"{said} {record.memory_value}", policy))
        about += len(thing & named_terms(record.memory_value, policy))  # not what was told in the same breath
        if told.old and not named and not about:
            continue
        if thing and not about and turn.at - record.last_confirmed_at > timedelta(minutes=policy.checks.just_minutes):
            continue  # the vaccines are on Thursday, not Friday: that is no word of a visit told days ago
        if not (named or about or not thing or record.memory_id in pointed):
            continue
        # Whatever shares the thing and the old time is meant before what shares the one, and that before the newest.
        fits = bool(named and about), about, named
        if best is None or fits > best[0]:
            best = fits, record, piece
    return Shift(best[1], _at_another_time(best[1], told, day, best[2], turn, policy)) if best else None


def day_told(part: str, at: datetime, zone: ZoneInfo, policy: Policy, toward: int) -> When | None:
    """Also where only the word that leads to a day is left out: "the 14th"."""
    leads = [lead for words in policy.checks.languages.values() for lead in words.shift_leads]
    bare = led(part, policy)
    days = [words.shift_day for words in policy.checks.languages.values() if words.shift_day]
    said = (part, *(f"{lead} {bare}" for lead in leads), *(day.format(part) for day in days))
    tries = (resolve(one, at, zone, policy, toward) for one in said)
    return next((when for when in tries if when is not None), None)


def _inside(piece: str, word: str) -> bool:
    return piece == word if not has_syllables(word) else piece in word


def _at_another_time(
    old: MemoryRecord, told: Told, day: When | None, piece: When | None, turn: Moment, policy: Policy
) -> MemoryRecord:
    said, value = old.statement or old.memory_value, old.memory_value
    start, end, text = old.when_start, old.when_end, old.when_text
    if day is not None:
        when = _counted(told, day, old, turn, policy)
        new_words = _day_words(day.text, piece.text if piece else "", when, old, turn.zone, policy)
        if piece is not None:
            bare = _bare(piece.text, policy)
            said, value = swapped(said, bare, new_words), swapped(value, bare, new_words)
        exact = start is not None and start == end and when.start is not None and when.start != when.end
        if exact and start is not None and when.start is not None:
            hour = start.astimezone(turn.zone)
            moment = when.start.astimezone(turn.zone).replace(hour=hour.hour, minute=hour.minute)
            when = replace(when, start=moment, end=moment)
        if start is not None:  # a habit on Thursdays has no date, and gets none
            start, end, text = when.start, when.end, new_words
    clock, before = clock_words(told.new, policy), clock_told(said, policy)
    if clock is not None and (found := clock_told(clock, policy)):
        if before is not None:
            spoken = before[1].strip()
            words = spoken.replace(_bare(spoken, policy), _bare(clock, policy))
            said, value = swapped(said, spoken, words), swapped(value, spoken, words)
        if start is not None:
            at_hour = _hour(found[0], clock, before, old, policy)
            start = end = start.astimezone(turn.zone).replace(hour=at_hour, minute=found[0].minute)
    made = made_anew(old, value, said, turn, policy, When(text or "", start, end))
    return replace(made, when_start=start, when_end=end, when_text=text)


def _hour(told: time, clock: str, before: tuple[time, str] | None, old: MemoryRecord, policy: Policy) -> int:
    """A bare hour lies in the half of the day that the old one lay in: "on Wednesday evening", "it's at 8 now"."""
    tables = policy.checks.languages.values()
    late = before is not None and before[0].hour >= _NOON
    said = f" {(old.statement or old.memory_value).lower()} "
    late = late or any(_holds(said, table.late_words) for table in tables)
    early = any(_holds(f" {clock.lower()} ", table.early_words) for table in tables)
    return told.hour + _NOON if late and not early and 0 < told.hour < _NOON else told.hour


def _counted(told: Told, day: When, old: MemoryRecord, turn: Moment, policy: Policy) -> When:
    """A bare weekday or day of a month is counted from where the old one lay."""
    low = f" {day.text.lower()} "
    tables = policy.times.languages.values()
    if old.when_start is None or any(_holds(low, (*t.days, *t.which, *t.spans, *t.months)) for t in tables):
        return day
    lay = old.when_start.astimezone(turn.zone)
    if told.toward:
        base = lay
    elif any(_holds(low, t.weekdays) for t in tables):
        base = lay - timedelta(days=lay.weekday() + 1)
    else:
        base = lay.replace(day=1)
    found = day_told(told.new, base, turn.zone, policy, told.toward or 1)
    ahead = found is not None and found.start is not None and found.start.date() >= turn.at.astimezone(turn.zone).date()
    return found if found is not None and ahead else day


def _day_words(
    new: str, old: str, when: When, record: MemoryRecord, zone: ZoneInfo, policy: Policy
) -> str:
    """In place of "next Saturday" "next Sunday", where that is the same week."""
    new = _bare(new, policy)
    for table in policy.times.languages.values():
        day = next((w for w in _longest(table) if w in old.lower()), None)
        if new.lower() not in table.weekdays or day is None or when.start is None or record.when_start is None:
            continue
        one, two = record.when_start.astimezone(zone).isocalendar(), when.start.astimezone(zone).isocalendar()
        if one[:2] == two[:2]:
            return swapped(_bare(old, policy), day, new)
    return new


def clock_words(part: str, policy: Policy) -> str | None:
    """The words that tell a time of day; a bare number after "moved to" is one."""
    found = clock_told(part, policy)
    if found is not None:
        return found[1].strip()
    for words in policy.checks.languages.values():
        if words.shift_clock and re.fullmatch(r"(?:1[0-2]|[1-9])", part.strip()):
            told = clock_told(words.shift_clock.format(part.strip()), policy)
            if told is not None:
                return told[1].strip()
    return None


def _holds(low: str, words: Iterable[str]) -> bool:
    return any((f" {w} " in low) if not has_syllables(w) else (w in low) for w in words)


@lru_cache(maxsize=8)
def _longest(table: TimeWords) -> tuple[str, ...]:
    return tuple(sorted(table.weekdays, key=lambda w: (-len(w), w)))


def _bare(piece: str, policy: Policy) -> str:
    """Without the word that only leads to a time."""
    for words in policy.checks.languages.values():
        for lead in words.shift_leads:
            if piece.lower().startswith(f"{lead} "):
                piece = piece[len(lead) + 1 :]
    return piece.strip()
