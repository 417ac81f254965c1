"""Which days a form of words means, counted from today (ruling M6). A day that does not exist is a ValueError."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta

from clew.policy.times import Means, TimesPolicy, TimeWords

# The first day, and the day after the last.
Days = tuple[date, date]
_NUMBER = "number"


def days_meant(
    means: Means, found: Mapping[str, str], today: date, toward: int, words: TimeWords, policy: TimesPolicy
) -> Days:
    match means:
        case Means.DAY:
            return _one(_counted_on(today + timedelta(words.days[found["day_word"]]), found, words))
        case Means.WEEKDAY:
            ahead = 1 if _NUMBER in found or "week_after" in found else toward
            return _one(_counted_on(_weekday(found, today, ahead, words), found, words))
        case Means.DATE:
            month = int(found["month_number"]) if "month_number" in found else words.months[found["month"]]
            return _one(_date(int(found["day"]), month, _year(found, today, words), today, toward, policy))
        case Means.DAY_OF_MONTH:
            if "which" in found:
                first = _moved(today.replace(day=1), "month", words.which[found["which"]])
                return _one(first.replace(day=int(found["day"])))
            return _one(_day_of_month(int(found["day"]), today, toward))
        case Means.MONTH:
            return _month(words.months[found["month"]], found, today, toward, words)
        case Means.YEAR:
            year = int(found["year"])
            return date(year, 1, 1), date(year + 1, 1, 1)
        case Means.UNIT:
            if "span" in found:
                unit, which = words.spans[found["span"]]
            else:
                unit, which = words.units[found["unit"]], words.which[found["which"]]
            return _unit(unit, which, today)
        case _:
            number = words.numbers.get(found["number"]) or int(found["number"])
            unit = words.units[found["unit"]]
            there = _moved(today, unit, number if means is Means.AHEAD else -number)
            return _one(there) if unit in ("day", "week", "fortnight", "weekend") else _around(there, unit)


def _counted_on(day: date, found: Mapping[str, str], words: TimeWords) -> date:
    """A week from tomorrow, two weeks on Friday, Friday week: so much later than the day that is named."""
    if "week_after" in found:
        day = _moved(day, "week", 1)
    if _NUMBER not in found:
        return day
    number = words.numbers.get(found[_NUMBER]) or int(found[_NUMBER])
    return _moved(day, words.units[found["unit"]], number)


def _one(day: date) -> Days:
    return day, day + timedelta(1)


def _around(day: date, unit: str) -> Days:
    """Three months ago is a month, three years ago a year."""
    return _unit("month" if unit == "month" else "year", 0, day)


def _unit(unit: str, which: int, today: date) -> Days:
    match unit:
        case "day":
            return _one(today + timedelta(which))
        case "week" | "fortnight":
            monday = today - timedelta(today.weekday()) + timedelta(7 * which)
            return monday, monday + timedelta(7)
        case "weekend":
            saturday = today - timedelta(today.weekday()) + timedelta(5 + 7 * which)
            return saturday, saturday + timedelta(2)
        case "month":
            first = _moved(today.replace(day=1), "month", which)
            return first, _moved(first, "month", 1)
        case _:
            return date(today.year + which, 1, 1), date(today.year + which + 1, 1, 1)


def _moved(day: date, unit: str, by: int) -> date:
    match unit:
        case "day":
            return day + timedelta(by)
        case "week" | "weekend":
            return day + timedelta(7 * by)
        case "fortnight":
            return day + timedelta(14 * by)
    months = by if unit == "month" else 12 * by
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    for last in (day.day, 30, 29, 28):
        try:
            return date(year, month + 1, last)
        except ValueError:
            if last == 28:
                raise
    raise ValueError(f"no month {month + 1} in {year}")


def _weekday(found: Mapping[str, str], today: date, toward: int, words: TimeWords) -> date:
    wanted = words.weekdays[found["weekday"]]
    monday = today - timedelta(today.weekday())
    named = found.get("of_week") or found.get("which")
    if named is not None:
        which = words.which[named]
        # "Next Friday" is the Friday of next week; "last Friday" the one that passed most recently.
        if which == -1 and "of_week" not in found:
            return today - timedelta((today.weekday() - wanted - 1) % 7 + 1)
        day = monday + timedelta(7 * which + wanted)
        # "This Friday", said on a Sunday of what is to come, is not the one that has passed.
        return day + timedelta(7) if which == 0 and toward > 0 and day < today else day
    if toward < 0:
        return today - timedelta((today.weekday() - wanted - 1) % 7 + 1)
    return today + timedelta((wanted - today.weekday() - 1) % 7 + 1)


def _year(found: Mapping[str, str], today: date, words: TimeWords) -> int | None:
    if "year" in found:
        return int(found["year"])
    span = words.spans.get(found.get("span_year", ""))
    return today.year + span[1] if span else None


def _date(day: int, month: int, year: int | None, today: date, toward: int, policy: TimesPolicy) -> date:
    if year is not None:
        if not policy.year_least <= year <= policy.year_most:
            raise ValueError(f"no year {year}")
        return date(year, month, day)
    ahead = range(today.year, today.year + 9) if toward >= 0 else range(today.year, today.year - 9, -1)
    for candidate in ahead:  # the 29th of February comes only in some years
        try:
            found = date(candidate, month, day)
        except ValueError:
            continue
        if (found >= today) if toward >= 0 else (found <= today):
            return found
    raise ValueError(f"no {day} in month {month}")


def _day_of_month(day: int, today: date, toward: int) -> date:
    first = today.replace(day=1)
    for step in range(13):
        month = _moved(first, "month", step if toward >= 0 else -step)
        try:
            found = month.replace(day=day)
        except ValueError:
            continue
        if (found >= today) if toward >= 0 else (found <= today):
            return found
    raise ValueError(f"no month has a day {day}")


def _month(month: int, found: Mapping[str, str], today: date, toward: int, words: TimeWords) -> Days:
    year = _year(found, today, words)
    if year is None:
        which = words.which.get(found.get("which", ""))
        lean = which if which else toward
        year = today.year
        if lean < 0 and month > today.month - (which == -1):
            year -= 1
        elif lean >= 0 and month < today.month + (which == 1):
            year += 1
    first = date(year, month, 1)
    return first, _moved(first, "month", 1)
