"""Words of time: how people name days, months, years and spans, by language (ruling M6)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum

from clew.frozen import dataclass
from clew.policy.rows import NEVER, Pattern, Shape


class Means(StrEnum):
    """What a form of words says about time."""

    DAY = "day"
    WEEKDAY = "weekday"
    DATE = "date"
    DAY_OF_MONTH = "day_of_month"
    MONTH = "month"
    YEAR = "year"
    UNIT = "unit"
    AHEAD = "ahead"
    AGO = "ago"
    LASTING = "lasting"


@dataclass(frozen=True, slots=True, eq=False)
class Form(Shape):
    """One way to name a time. Words in braces stand for the table of that name; groups are read by their names."""

    means: Means
    holes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class TimeWords:
    # Days from today by word; numbers by word; months and weekdays by word, from 1 and from Monday as 0.
    days: Mapping[str, int]
    numbers: Mapping[str, int]
    months: Mapping[str, int]
    weekdays: Mapping[str, int]
    # day, week, month, year, weekend by word; which one: before, this or after, by word.
    units: Mapping[str, str]
    which: Mapping[str, int]
    # A unit and which one in a single word: last year in Korean.
    spans: Mapping[str, tuple[str, int]]
    # Behind these words a time is a beginning.
    since: tuple[str, ...]
    since_after: tuple[str, ...]
    future: tuple[str, ...]
    past: tuple[str, ...]
    forms: Mapping[str, Form]
    clock: tuple[Pattern, ...]
    afternoon: tuple[str, ...]
    morning: tuple[str, ...]
    # Right behind these words, "in four years" says for how long something had not been.
    not_in: Pattern = NEVER


@dataclass(frozen=True, slots=True, eq=False)
class TimesPolicy:
    languages: Mapping[str, TimeWords]
    # Only so much of a sentence is searched, and years outside this reach are no years.
    reach: int = 400
    year_least: int = 1900
    year_most: int = 2100
    # Up to this hour nobody meets, unless the words say that it is early.
    night_hours: int = 4
