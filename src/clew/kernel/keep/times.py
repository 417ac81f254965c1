"""When something was or will be: words of time against the moment and zone of the message (ruling M6)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import datetime, time
from functools import lru_cache
from zoneinfo import ZoneInfo

from clew.frozen import dataclass
from clew.kernel.keep.calendar_days import Days, days_meant
from clew.kernel.language.scripts import has_syllables
from clew.kernel.statements.own_words import fold
from clew.kernel.text.normalize import as_spelt
from clew.pattern_table import PatternTable
from clew.policy import Policy
from clew.policy.times import Means, TimesPolicy, TimeWords
from clew.programs import program

_ANY_NUMBER = r"\d{1,3}"
_YEAR = 365


@dataclass(frozen=True, slots=True)
class When:
    """From `start` up to, but not with, `end`; no end: it began then. No start: such a day does not exist."""

    text: str
    start: datetime | None = None
    end: datetime | None = None


@dataclass(frozen=True, slots=True)
class _Reader:
    words: TimeWords
    means: tuple[Means, ...]
    forms: PatternTable
    clock: tuple[re.Pattern[str], ...]
    future: re.Pattern[str]
    past: re.Pattern[str]


def _listed(words: Iterable[str]) -> str:
    return "|".join(re.escape(w) for w in sorted(words, key=lambda w: (-len(w), w))) or r"(?!)"


def _cues(words: Iterable[str]) -> re.Pattern[str]:
    """A Latin cue is a whole word; a Hangul one may stand inside."""
    parts = (rf"(?<![a-z]){re.escape(w)}(?![a-z])" if not has_syllables(w) else re.escape(w) for w in sorted(words))
    return program("|".join(parts) or r"(?!)")


@lru_cache(maxsize=4)
def _readers(policy: TimesPolicy) -> tuple[_Reader, ...]:
    out = []
    for words in policy.languages.values():
        tables: dict[str, str] = {
            "day_word": f"(?P<day_word>{_listed(words.days)})",
            "month": f"(?P<month>{_listed(words.months)})",
            "weekday": f"(?P<weekday>{_listed(words.weekdays)})",
            "unit": f"(?P<unit>{_listed(words.units)})",
            "which": f"(?P<which>{_listed(words.which)})",
            "number": f"(?P<number>{_ANY_NUMBER}|{_listed(words.numbers)})",
            "span": f"(?P<span>{_listed(words.spans)})",
        }
        forms = []
        for form in words.forms.values():
            for part in _alternatives(form.pattern):
                for name, table in tables.items():
                    part = part.replace("{" + name + "}", table)
                forms.append((form.means, part))
        out.append(
            _Reader(
                words,
                tuple(means for means, _ in forms),
                PatternTable([part for _, part in forms], 0),
                tuple(program(c) for c in words.clock),
                _cues(words.future),
                _cues(words.past),
            )
        )
    return tuple(out)


def _alternatives(pattern: str) -> list[str]:
    """A group name may stand once in a pattern, so alternatives of a form become forms of their own."""
    depth, last, parts = 0, 0, []
    for place, letter in enumerate(pattern):
        depth += (letter == "(") - (letter == ")")
        if letter == "|" and depth == 0:
            parts.append(pattern[last:place])
            last = place + 1
    return [*parts, pattern[last:]]


def leaning(text: str, policy: Policy) -> int:
    """1 when the words speak of the future, -1 of the past, 0 when they do not say."""
    low = fold(text).lower()
    for reader in _readers(policy.times):
        if reader.future.search(low):
            return 1
        if reader.past.search(low):
            return -1
    return 0


def resolve(text: str, at: datetime, zone: ZoneInfo, policy: Policy, direction: int = 0) -> When | None:
    """The first and most exact time that the text names; None when it names none.

    direction: 1 when it is known to lie ahead, -1 when it is known to be over, 0 to let the words say.
    """
    low = fold(text[: policy.times.reach]).lower()
    toward = direction or leaning(low, policy)
    here = at.astimezone(zone)
    found = sorted(_found(low, here, toward, policy), key=lambda f: (f[0], f[1]))
    if not found:
        return None
    _, start, end, days, since = found[0]
    words = as_spelt(text, low, start, end)
    if days is None:
        return When(words)
    first, last = days
    begin = datetime.combine(first, time(), zone)
    if since:
        return When(words, begin, None)
    moment = _clock(low, policy) if (last - first).days == 1 else None
    if moment is not None:
        exact = datetime.combine(first, moment, zone)
        return When(words, exact, exact)
    return When(words, begin, datetime.combine(last, time(), zone))


def clock_told(text: str, policy: Policy) -> tuple[time, str] | None:
    """A time of day in the text and the words that tell it, whatever the day."""
    low = fold(text[: policy.times.reach]).lower()
    found = _clock(low, policy)
    if found is None:
        return None
    match = next(m for r in _readers(policy.times) for c in r.clock if (m := c.search(low)))
    return found, match.group()


def month_of(when: When | None, at: datetime, zone: ZoneInfo) -> str:
    """The month under which it is filed: of the time told, else of the message (ruling P80).

    Last year, said in November, is filed under its November; a year by its number under its January.
    """
    here = at.astimezone(zone)
    if when is None or when.start is None:
        return f"{here.year:04d}_{here.month:02d}"
    start = when.start.astimezone(zone)
    whole_year = when.end is not None and (when.end - when.start).days >= _YEAR
    relative = whole_year and not any(c.isdigit() for c in when.text)
    return f"{start.year:04d}_{here.month if relative else start.month:02d}"


# Sooner in this list is more exact.
_EXACT = (
    Means.DATE, Means.DAY, Means.WEEKDAY, Means.AHEAD, Means.AGO, Means.MONTH, Means.LASTING, Means.DAY_OF_MONTH,
    Means.UNIT, Means.YEAR,
)  # fmt: skip


def _found(
    low: str, here: datetime, toward: int, policy: Policy
) -> Iterator[tuple[int, int, int, Days | None, bool]]:
    """(how exact, from, to, days, whether it is a beginning) for each form that fits."""
    for reader in _readers(policy.times):
        for place in reader.forms.rows(low):
            means = reader.means[place]
            if means is Means.LASTING and toward > 0:
                continue  # "off to Goa for three weeks": how long it will last is no day
            for match in reader.forms.pattern(place).finditer(low):
                if means is Means.AHEAD and program(reader.words.not_in).search(low[: match.start()]):
                    continue  # "for the first time in four years": that long not, and no day to come
                groups = {k: v for k, v in match.groupdict().items() if v}
                try:
                    days = days_meant(means, groups, here.date(), toward, reader.words, policy.times)
                except (ValueError, OverflowError):
                    days = None  # a date that does not exist is kept as words only
                since = means is Means.LASTING or _begins(low, match.start(), match.end(), reader.words)
                yield _EXACT.index(means), match.start(), match.end(), days, since


def _begins(low: str, start: int, end: int, words: TimeWords) -> bool:
    before = low[:start].rstrip()
    inside = low[start:end]
    opened = any(before.endswith(f" {w}") or before == w or inside.startswith(f"{w} ") for w in words.since)
    return opened or any(low[end:].lstrip().startswith(w) for w in words.since_after if has_syllables(w))


def _clock(low: str, policy: Policy) -> time | None:
    for reader in _readers(policy.times):
        for form in reader.clock:
            match = form.search(low)
            if match is None:
                continue
            hour, minute = int(match["hour"]), int(match.groupdict().get("minute") or 0)
            half = match["half"]
            if half in reader.words.afternoon and hour < 12:
                hour += 12
            elif half in reader.words.morning and hour == 12:
                hour = 0
            elif not half and 1 <= hour <= policy.times.night_hours and not match["hour"].startswith("0"):
                hour += 12  # nobody has an appointment at three in the night
            elif not half and 1 <= hour <= 6 and minute == 0 and ":" not in match.group():
                hour += 12
            return time(hour % 24, minute)
    return None
