"""The days that a question means: what it names, in the years of the conversation or back from the asking day."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date, timedelta

from clew.model.inquiry import Inquiry, NamedDate

Span = tuple[date, date]


def spans(inquiry: Inquiry, asked: date | None, years: Collection[int]) -> tuple[Span, ...]:
    """Inclusive spans; a month without a year means that month of every year there is."""
    found = [span for named in inquiry.dates for span in _named(named, years)]
    if asked is not None:
        for back in inquiry.back:
            try:
                end = asked - timedelta(days=back.last)
                found.append((end - timedelta(days=back.length), end))
            except OverflowError:
                continue  # before the first day there is
    return tuple(sorted(set(found)))


def _named(named: NamedDate, years: Collection[int]) -> list[Span]:
    out: list[Span] = []
    for year in [named.year] if named.year else sorted(years):
        try:
            if named.month is None:
                out.append((date(year, 1, 1), date(year, 12, 31)))
            elif named.day is None:
                following = date(year + named.month // 12, named.month % 12 + 1, 1)
                out.append((date(year, named.month, 1), following - timedelta(days=1)))
            else:
                day = date(year, named.month, named.day)
                out.append((day, day))
        except ValueError:
            continue  # 31 February, year 0: names no day
    return out
