"""Whether a text names a time that lies behind: "last week", 작년, or by a name without a date."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from functools import lru_cache
from zoneinfo import ZoneInfo

from clew.kernel.keep.times import resolve
from clew.policy import Policy
from clew.policy.rows import Shape
from clew.programs import program

# "Last week" lies behind whatever day it is; a bare month or weekday may lie ahead, and counts as such.
_ANY_DAY = datetime(2026, 6, 17, tzinfo=UTC)
_ANYWHERE = ZoneInfo("UTC")
_AHEAD = 1


@lru_cache(maxsize=1024)
def lies_behind(text: str, named: tuple[Shape, ...], policy: Policy) -> bool:
    """`named`: times that have a name and no date."""
    if any(program(shape.pattern, re.I).search(text) for shape in named):
        return True
    when = _when(text, policy)
    return when is not None and when[0] < _ANY_DAY and when[1] <= _ANY_DAY


def names_a_day(text: str, policy: Policy) -> bool:
    """It names any time but today: what was ahead when it was told may lie behind now."""
    when = _when(text, policy)
    return when is not None and not when[0] <= _ANY_DAY < when[1]


def _when(text: str, policy: Policy) -> tuple[datetime, datetime] | None:
    """From when to when. Without figures: "100일 전" may be an age, and figures are compared by themselves."""
    when = resolve(text, _ANY_DAY, _ANYWHERE, policy, _AHEAD)
    if when is None or when.start is None or when.end is None or any(c.isdigit() for c in when.text):
        return None
    return when.start, when.end
