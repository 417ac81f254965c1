"""When something happens or since when it is so, in the words of a language."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, tzinfo

from clew.kernel.keep.keys import attribute_for, row_of
from clew.model.memory import MemoryRecord, MemoryType
from clew.policy import Policy
from clew.policy.attributes import AttributeWords

# What happens at a time; everything else is so since then.
_HAPPENS = ("plan", "event", "death")
_DIGIT = re.compile(r"\d")
_YEAR_TOLD = re.compile(r"\d{4}")
_DAY, _WEEK, _MONTH, _YEAR = timedelta(days=1), timedelta(days=7), timedelta(days=31), timedelta(days=366)
_SATURDAY = 5
# So many letters name a month: "jan".
_SHORT = 3


def dates_itself(record: MemoryRecord, said: str, words: AttributeWords, zone: tzinfo) -> bool:
    """The words name the month: "on Monday" alone is another day a week later, and "tomorrow" the day after."""
    if record.when_start is None or not record.when_text or str(record.when_text) not in said:
        return False
    month = words.months[record.when_start.astimezone(zone).month - 1]
    return month.lower() in said.lower()


def tells_time(record: MemoryRecord, said: str, when: str, words: AttributeWords, zone: tzinfo) -> bool:
    """The words name the day themselves, or say "yesterday" where yesterday is what would be told."""
    bare = when.strip(" ,")
    named = " " in bare and f" {bare} " in f" {said.rstrip(' .!')} "
    return dates_itself(record, said, words, zone) or bare in said.split() or named


def dated(record: MemoryRecord, told: str, when: str, words: AttributeWords) -> str:
    """With its date in place of "last week" at its end, which is another week when it is told again."""
    said = str(record.when_text or "").lower()
    if said and _YEAR_TOLD.search(said) and told.lower().endswith(f" {said}"):
        return told  # "you got married in 2012"
    near = when.strip(" ,") in words.near.values()
    if when and said and words.before_time and told.lower().endswith(f" {said}") and not (near and _DIGIT.search(said)):
        bare = re.sub(words.before_time, "", told[: -len(said)].rstrip(), count=1, flags=re.I).rstrip(" ,")
        if re.search(words.is_when, bare, re.I):
            return f"{bare} {when.strip(' ,')}"  # "your exam is on 6 March"
        told = bare or told
    return told + when


def untimed(record: MemoryRecord, value: str, words: AttributeWords) -> str:
    """ "dentist thurs 3pm" is the dentist: its day and hour are told beside it, as they were understood."""
    said = str(record.when_text or "")
    if record.when_start is None or not said or not words.timed_end:
        return value
    found = re.search(words.timed_end.replace("{time}", re.escape(said)), value, re.I)
    bare = value[: found.start()].rstrip(" ,;-–") if found else ""
    # "closing date is the 30th" is nothing without it.
    return value if not bare or re.search(words.is_when, bare, re.I) else bare


def day_itself(value: str, when: str, whose: str, words: AttributeWords) -> str:
    """예정일, 마감: what is a day is told by it, and not as something that is on; empty where it is none."""
    day = when.strip(" ,").removesuffix(words.day_mark)
    if not words.day_told or not day or not re.search(words.a_day, value):
        return ""
    return words.day_told.format(value=value, day=day, whose=f"{whose} " if whose else "")


def time_of(record: MemoryRecord, words: AttributeWords, at: datetime | None, zone: tzinfo, policy: Policy) -> str:
    start, end = record.when_start, record.when_end
    row = row_of(attribute_for(record, policy), policy)
    # Who one is was so from the first day on: the time beside it is another thing's.
    if start is None or (row.timeless and row.group == "identity"):
        return ""
    here = start.astimezone(zone)
    happens = record.type is MemoryType.RELATIONSHIP_EVENT or record.attribute in _HAPPENS
    length = end - start if end is not None and happens else None
    exact = length is not None and length <= _DAY
    monthly = here.day == 1 and (length is None or length <= _MONTH) and not exact
    yearly = monthly and here.month == 1 and not _names_month(record, here, words)
    yearly = yearly if length is None else length >= _YEAR - _DAY
    near = _near(here, at.astimezone(zone) if at else None, exact, monthly and not yearly, words)
    weekly = length is not None and _DAY < length <= _WEEK and not monthly
    if weekly and at is not None:
        near = _near_week(here, at.astimezone(zone), length == _WEEK, words)
    form = words.year if yearly else words.month if monthly else words.day
    if at is not None and here.year == at.astimezone(zone).year:
        form = (words.month_of_year if monthly and not yearly else "" if yearly else words.day_of_year) or form
    when = near or form.format(day=here.day, month=words.months[here.month - 1], year=here.year)
    if exact:
        soon = near is None and at is not None and here.year == at.astimezone(zone).year
        when = _to_the_hour(when, here, soon, start == end, _staying(record, words), words)
    if weekly and near is None and words.week_of:
        when = words.week_of.format(when=when)  # a week is not its Monday
    if length is None and not happens:
        return words.since.format(when=when)
    if near:
        return words.near_day.format(when=when)
    frame = words.in_year if yearly else words.in_month if monthly else words.on_day
    if length is not None and not monthly and not yearly and _DAY < length <= _WEEK:
        frame = words.in_week or frame
    return frame.format(when=when)


def _names_month(record: MemoryRecord, here: datetime, words: AttributeWords) -> bool:
    """ "Since January" is a month, though a year begins then."""
    month = words.months[here.month - 1].lower()[:_SHORT]
    return re.search(rf"(?<!\w){re.escape(month)}", str(record.when_text or "").lower()) is not None


def _staying(record: MemoryRecord, words: AttributeWords) -> str:
    """The value without the time at its end, in whose place the date is told: "start on Wednesday"."""
    value, said = record.memory_value, str(record.when_text or "").lower()
    cut = said and words.before_time and value.lower().endswith(f" {said}") and not _YEAR_TOLD.search(said)
    return value[: -len(said)] if cut else value


def _to_the_hour(
    when: str, here: datetime, with_weekday: bool, timed: bool, value: str, words: AttributeWords
) -> str:
    """A day with its weekday and hour, unless what is told says them itself."""
    weekday = words.weekdays[here.weekday()] if words.weekdays and with_weekday else ""
    if weekday and weekday.lower() not in value.lower():
        when = words.with_weekday.format(when=when, weekday=weekday)
    if timed and words.clock:
        minutes = f":{here.minute:02}" if here.minute else ""
        hour = words.clock[here.hour // 12].format(hour=(here.hour - 1) % 12 + 1, minutes=minutes)
        hour = words.clock_minutes.format(clock=hour, minute=here.minute) if minutes and words.clock_minutes else hour
        figure = next((part for part in reversed(hour.split()) if _DIGIT.search(part)), hour)
        when = when if re.search(rf"(?<!\d){re.escape(figure)}(?!\d)", value) else f"{when} {hour}"
    return when


def day_name(at: datetime, words: AttributeWords, zone: tzinfo) -> str:
    """A date as it is written in the language."""
    here = at.astimezone(zone)
    return words.day.format(day=here.day, month=words.months[here.month - 1], year=here.year)


def _near_week(here: datetime, now: datetime, whole: bool, words: AttributeWords) -> str | None:
    """next week, this weekend: some days of which nobody said which."""
    monday = now.date() - timedelta(days=now.weekday())
    weeks = (here.date() - timedelta(days=here.weekday()) - monday).days // _WEEK.days
    if whole and here.weekday() == 0:
        return words.near.get({0: "this_week", 1: "next_week", -1: "last_week"}.get(weeks, ""))
    return words.near.get("this_weekend") if here.weekday() == _SATURDAY and weeks == 0 else None


def _near(
    here: datetime, now: datetime | None, exact: bool, monthly: bool, words: AttributeWords
) -> str | None:
    """today, last month: nearer to speech than a date."""
    if now is None:
        return None
    if exact:
        days = (here.date() - now.date()).days
        return words.near.get({0: "today", 1: "tomorrow", -1: "yesterday"}.get(days, ""))
    if monthly:
        months = (here.year - now.year) * 12 + here.month - now.month
        return words.near.get({0: "this_month", 1: "next_month", -1: "last_month"}.get(months, ""))
    return None
