"""Dates as Korean writes them: 2023년 5월 7일, 5월."""

from __future__ import annotations

import re

from clew.model.inquiry import NamedDate

_DATE = re.compile(r"(?:(\d{4})\s*년\s*)?(\d{1,2})\s*월(?:\s*(\d{1,2})\s*일)?")


def dates(text: str) -> tuple[tuple[NamedDate, ...], str]:
    found = []
    for match in _DATE.finditer(text):
        year, month, day = (int(g) if g else None for g in match.groups())
        found.append(NamedDate(year, month, day))
    return tuple(found), _DATE.sub(" ", text)
