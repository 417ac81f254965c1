""" "The first time in four years" names no day to come."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from clew.kernel.keep.times import resolve
from clew.policy import default

AT = datetime(2026, 11, 18, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    ["first time in 4 years", "saw my brother for the first time in 6 months", "havent been to the dentist in 3 years",
     "best pizza ive had in ten years", "she's never called in two weeks", "the first time we all met in 5 years"],
)  # fmt: skip
def test_how_long_something_had_not_been_is_no_day(text: str) -> None:
    assert resolve(text, AT, ZoneInfo("UTC"), default(), 1) is None


@pytest.mark.parametrize(
    "text",
    ["my exam is in 2 weeks", "the biggest exam is in 2 weeks", "flying home in 3 days", "I'm not free in two weeks",
     "we're moving in 2 months"],
)  # fmt: skip
def test_a_day_to_come_stays_one(text: str) -> None:
    when = resolve(text, AT, ZoneInfo("UTC"), default(), 1)
    assert when is not None and when.start is not None and when.start > AT
