"""Numbers and times of a Korean sentence written one way, and the lengths of time that any sentence tells."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from clew.kernel.language.scripts import has_syllables
from clew.policy import Policy

_GROUPED = re.compile(r"(?<=[0-9]),(?=[0-9]{3}(?![0-9]))")
_DIGIT = re.compile(r"[0-9]")


def _either(listed: Iterable[str]) -> str:
    return "|".join(sorted(listed, key=lambda w: (-len(w), w)))


@lru_cache(maxsize=8)
def _figures(policy: Policy) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    table = policy.remember.contrast
    tens, ones, counters = _either(table.tens), _either(table.native), _either(table.counters)
    alone = _either(table.alone)
    return (
        re.compile(rf"(?<![가-힣])(?:{_either(table.day_words)})(?=[가-힣]{{0,2}}(?:\s|$))"),
        re.compile(rf"(?<![가-힣])({tens})?({ones})?\s?(?={counters})|(?<![가-힣])()({alone})(?=\s[가-힣])"),
        re.compile(rf"((?:[0-9][0-9,.]*\s?(?:{_either(table.large)})\s?)+)([0-9][0-9,]*)?"),
        re.compile(rf"({_either(table.which_ko)})\s?(?={_either(table.turns_ko)})"),
    )


def in_figures(low: str, policy: Policy) -> str:
    """두 잔 is 2잔, 39만 5천 is 395000, 저번 달 is 지난달."""
    if not has_syllables(low):
        return low
    table = policy.remember.contrast
    days, counted, large, turns = _figures(policy)

    def count(m: re.Match[str]) -> str:
        if m[4]:
            return str(table.native[m[4]])
        if not m[1] and not m[2]:
            return m[0]
        return str((table.tens[m[1]] if m[1] else 0) + (table.native[m[2]] if m[2] else 0))

    def sum_up(m: re.Match[str]) -> str:
        total, units = 0.0, "|".join(table.large)
        for figure, unit in re.findall(rf"([0-9][0-9,.]*)\s?({units})", m[1]):
            total += float(figure.replace(",", "").rstrip(".") or 0) * table.large[unit]
        total += int((m[2] or "0").replace(",", ""))
        return f"{round(total)} "

    low = days.sub(lambda m: table.day_words[m[0]], low)
    low = counted.sub(count, low)
    if _DIGIT.search(low):
        low = large.sub(sum_up, _GROUPED.sub("", low))
    return turns.sub(lambda m: table.which_ko[m[1]], low)


def spans(low: str, policy: Policy) -> frozenset[tuple[str, str]]:
    """Lengths of time: six weeks are not six months."""
    units = policy.remember.contrast.spans
    return frozenset((units[unit], count) for count, unit in _span(policy).findall(low))


@lru_cache(maxsize=8)
def _span(policy: Policy) -> re.Pattern[str]:
    units = _either(policy.remember.contrast.spans)
    return re.compile(rf"([0-9]+)\s?({units})(?![a-z러])")
