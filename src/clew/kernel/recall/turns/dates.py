"""Dates a question names: 7 May 2023, in May, 2023-05-07, 5월 7일, last week (with the asking time)."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date, timedelta
from functools import lru_cache

import regex

from clew.policy import Policy

Span = tuple[date, date]

_ISO = regex.compile(r"\b(\d{4})-(\d{1,2})(?:-(\d{1,2}))?\b")
_YEAR = regex.compile(r"(?<!\d)((?:19|20)\d{2})(?!\d)")
_KOREAN = regex.compile(r"(?:(\d{4})\s*년\s*)?(\d{1,2})\s*월(?:\s*(\d{1,2})\s*일)?")


@lru_cache(maxsize=4)
def _month_pattern(policy: Policy) -> tuple[regex.Pattern[str], dict[str, int]]:
    numbers = {m: i for i, m in enumerate(policy.text.months, 1)}
    numbers.update({m: i for i, m in enumerate(policy.recall.months_short, 1)})
    names = "|".join(sorted(map(regex.escape, numbers), key=lambda m: (-len(m), m)))
    day = r"(\d{1,2})(?:st|nd|rd|th)?"
    pattern = regex.compile(
        rf"(?:\b{day}\s+(?:of\s+)?)?\b({names})\b\.?(?:\s+{day}(?!\d))?(?:\s*,?\s*(\d{{4}}))?"
    )
    return pattern, numbers


@lru_cache(maxsize=4)
def _ago_pattern(policy: Policy) -> regex.Pattern[str]:
    """two weeks ago, 3일 전."""
    small = "|".join(map(regex.escape, sorted(policy.recall.small_numbers)))
    units = "|".join(sorted(map(regex.escape, policy.recall.unit_days), key=lambda u: (-len(u), u)))
    return regex.compile(rf"(?<![\p{{L}}\p{{N}}])(\d{{1,3}}|{small})\s*({units})s?\s*(?:ago\b|전)")


def spans(query: str, asked: date | None, years: Collection[int], policy: Policy) -> tuple[Span, ...]:
    """Inclusive spans; a month without a year means that month of every year there is."""
    low = query.casefold()
    found: list[Span] = []
    rest = low
    for match in _ISO.finditer(low):
        year, month, day = (int(g) if g else None for g in match.groups())
        found.extend(_named(year, month, day, years))
    rest = _ISO.sub(" ", rest)
    pattern, numbers = _month_pattern(policy)
    for match in pattern.finditer(rest):
        before, name, after, year_text = match.groups()
        sure = before or after or year_text or _month_word(rest, match.start(2))
        if name in policy.recall.verb_months and not sure:
            continue
        number = before or after
        day_number = int(number) if number else None
        found.extend(_named(int(year_text) if year_text else None, numbers[name], day_number, years))
    rest = pattern.sub(" ", rest)
    for match in _KOREAN.finditer(rest):
        year, month, day = (int(g) if g else None for g in match.groups())
        found.extend(_named(year, month, day, years))
    if not found:
        for match in _YEAR.finditer(_KOREAN.sub(" ", rest)):
            found.extend(_named(int(match.group(1)), None, None, years))
    if asked is not None:
        found.extend(_relative(low, asked, policy))
    return tuple(sorted(set(found)))


def _month_word(text: str, at: int) -> bool:
    return text[:at].rstrip().endswith((" in", " of", " since", " during", " last", " this"))


def _named(year: int | None, month: int | None, day: int | None, years: Collection[int]) -> list[Span]:
    out: list[Span] = []
    for y in [year] if year else sorted(years):
        try:
            if month is None:
                out.append((date(y, 1, 1), date(y, 12, 31)))
            elif day is None:
                following = date(y + month // 12, month % 12 + 1, 1)
                out.append((date(y, month, 1), following - timedelta(days=1)))
            else:
                out.append((date(y, month, day), date(y, month, day)))
        except ValueError:
            continue  # 31 February, year 0: names no day
    return out


def _relative(low: str, asked: date, policy: Policy) -> list[Span]:
    out: list[Span] = []
    numbers = policy.recall
    try:
        for words, (back, length) in numbers.relative_days.items():
            if words in low:
                end = asked - timedelta(days=back)
                out.append((end - timedelta(days=length), end))
        for count, unit in _ago_pattern(policy).findall(low):
            step = numbers.unit_days[unit]
            amount = numbers.small_numbers.get(count)
            middle = asked - timedelta(days=step * (int(count) if amount is None else amount))
            out.append((middle - timedelta(days=step // 2), middle + timedelta(days=step // 2)))
    except OverflowError:
        return out  # before the first day there is
    return out
