"""Dates as English writes them: 7 May 2023, May 7th, in May."""

from __future__ import annotations

from functools import lru_cache

import regex

from clew.model.inquiry import NamedDate
from clew.policy import Policy


@lru_cache(maxsize=4)
def _months(policy: Policy, code: str) -> tuple[regex.Pattern[str], dict[str, int], regex.Pattern[str]]:
    own = policy.recall.languages[code]
    numbers = {m: i for i, m in enumerate(policy.text.months, 1)}
    numbers.update({m: i for i, m in enumerate(own.months_short, 1)})
    names = "|".join(sorted(map(regex.escape, numbers), key=lambda m: (-len(m), m)))
    day = r"(\d{1,2})(?:st|nd|rd|th)?"
    pattern = regex.compile(rf"(?:\b{day}\s+(?:of\s+)?)?\b({names})\b\.?(?:\s+{day}(?!\d))?(?:\s*,?\s*(\d{{4}}))?")
    openers = regex.compile(rf"\s(?:{'|'.join(map(regex.escape, own.month_openers))})\s*$")
    return pattern, numbers, openers


def dates(text: str, policy: Policy, code: str) -> tuple[tuple[NamedDate, ...], str]:
    """What the text names, in lower case, and the text without it. "May" is a month only where its place tells so."""
    pattern, numbers, openers = _months(policy, code)
    found = []
    for match in pattern.finditer(text):
        before, name, after, year = match.groups()
        sure = before or after or year or openers.search(text[: match.start(2)])
        if name in policy.recall.languages[code].verb_months and not sure:
            continue
        day = before or after
        found.append(NamedDate(int(year) if year else None, numbers[name], int(day) if day else None))
    return tuple(found), pattern.sub(" ", text)
