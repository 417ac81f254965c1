"""What a sentence gives as a figure or as one of several: the day of the week, the date, the hour, how many of what.

Two sentences on the same thing that give another one contradict each other (kernel/gate/contradictions.py).
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise

from clew.kernel.compare.wording import bare_of
from clew.kernel.language.figures import in_figures
from clew.kernel.language.measures import measures
from clew.kernel.language.numerals import in_digits
from clew.kernel.language.scripts import has_syllables
from clew.kernel.read.comparable import saying
from clew.kernel.text.normalize import normal
from clew.policy import Policy

# What is given of one kind. A count is of the kind of what is counted, a length of time of that of its unit.
Given = frozenset[float | str]

WEEKDAY, DATE, MONTH, CLOCK, JOB = "weekday", "date", "month", "clock", "job"
SPAN, COUNT, ONE_OF = "span:", "count:", "one of:"
_CALENDAR = {"date": DATE, "month": MONTH, "clock": CLOCK}
_HALF_DAY = 720
# Letters that an ending puts behind a number that stands behind its noun.
_ENDING = 2
_NUMBER = re.compile(r"\d+")
_COUNTED = re.compile(r"(?<![\d.,:/-])(\d{1,6})(?![\d.,:/])[\s-]?([^\W\d_]+)")


@lru_cache(maxsize=1024)
def told_figures(text: str, contrasts: tuple[str, ...], policy: Policy) -> dict[str, Given]:
    """`contrasts`: one word of each group of which only one can be so."""
    low = _with_digits(text, policy)
    found: dict[str, set[float | str]] = {}
    for day, word in enumerate(policy.text.weekdays):
        if re.search(rf"(?<!\w){word}", low):
            found.setdefault(WEEKDAY, set()).add(day % 7)
    for measure in measures(low, policy.ground.pointing):
        if kind := _CALENDAR.get(measure.kind):
            found.setdefault(kind, set()).add(measure.value % _HALF_DAY if kind == CLOCK else measure.value)
    for number, word in _COUNTED.findall(low):
        if kind := _counted(word, policy):
            found.setdefault(kind, set()).add(int(number))
    for thing, token in pairwise(low.split()):
        if (number := _after(token, policy)) and (kind := _counted(thing, policy)):
            found.setdefault(kind, set()).add(number)
    for group, alternative in _either(text, policy) & _groups(contrasts, policy):
        found.setdefault(ONE_OF + group, set()).add(alternative)
    for job in _jobs(policy).findall(low):
        found.setdefault(JOB, set()).add(job)
    return {kind: frozenset(values) for kind, values in found.items()}


@lru_cache(maxsize=1024)
def numbers(text: str, policy: Policy) -> frozenset[int]:
    """Every whole number of a text, in digits or in words."""
    return frozenset(int(found) for found in _NUMBER.findall(_with_digits(text, policy)))


def _with_digits(text: str, policy: Policy) -> str:
    low = normal(text).norm
    return in_figures(low, policy) if has_syllables(low) else in_digits(low, policy.ground.pointing)


def _counted(word: str, policy: Policy) -> str:
    """The kind of what stands behind a number; "" where it counts nothing."""
    table = policy.remember.contrast
    unit = next((c for c in _units(policy) if word == c or (has_syllables(c) and word.startswith(c))), "")
    if unit in table.uncounted:
        return ""
    if span := table.spans.get(unit or word):
        return SPAN + span
    if unit:
        return COUNT + unit
    return "" if len(word) < 2 or word in policy.remember.likeness.stop_words else COUNT + bare_of(word, policy)


def _after(token: str, policy: Policy) -> int:
    """The number that a word says of the one before it, or 0."""
    table = policy.remember.contrast
    ends = len(token.rstrip(".,!?~")) - _ENDING
    return next((table.native[word] for word in table.standing if token.startswith(word) and ends <= len(word)), 0)


@lru_cache(maxsize=8)
def _units(policy: Policy) -> tuple[str, ...]:
    """What a number hangs on, in languages that count so, and what makes a date or an hour of it; the longest first."""
    table = policy.remember.contrast
    return tuple(sorted((*table.counters, *table.uncounted), key=lambda unit: (-len(unit), unit)))


def _either(text: str, policy: Policy) -> set[tuple[str, int]]:
    said = saying(text, policy)
    return {(f"{name}{g}", n) for name, marks in (("x", said.exclusive), ("o", said.opposites)) for g, n in marks}


@lru_cache(maxsize=8)
def _groups(contrasts: tuple[str, ...], policy: Policy) -> frozenset[tuple[str, int]]:
    table = policy.remember.contrast
    tables = (("x", table.exclusive), ("o", table.opposites))
    return frozenset(
        (f"{name}{g}", n)
        for name, groups in tables
        for g, row in enumerate(groups)
        if any(word.rstrip("*") in contrasts for alternative in row for word in alternative.split())
        for n in range(len(row))
    )


@lru_cache(maxsize=8)
def _jobs(policy: Policy) -> re.Pattern[str]:
    named = sorted(policy.remember.say.jobs, key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, named))})(?![a-z])")
