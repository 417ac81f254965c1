"""Words of time against the moment and the zone of the message."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.kernel.keep.times import month_of, resolve
from clew.policy import default

P = default()
# A Saturday.
AT = datetime(2026, 3, 14, 12, tzinfo=UTC)
ZONE = ZoneInfo("UTC")


def days(text: str, direction: int = 0) -> tuple[str, str | None] | None:
    when = resolve(text, AT, ZONE, P, direction)
    if when is None or when.start is None:
        return None
    return when.start.strftime("%Y-%m-%d"), when.end.strftime("%Y-%m-%d") if when.end else None


@pytest.mark.rule("M6")
@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("tomorrow", "2026-03-15", "2026-03-16"),
        ("next Friday", "2026-03-20", "2026-03-21"),
        ("the flight is on Sunday", "2026-03-15", "2026-03-16"),
        ("my exam is on the 14th of March", "2026-03-14", "2026-03-15"),
        ("my exam is on the 10th of March", "2027-03-10", "2027-03-11"),
        ("my exam is in June", "2026-06-01", "2026-07-01"),
        ("my exam is in February", "2027-02-01", "2027-03-01"),
        ("broke my leg in May", "2025-05-01", "2025-06-01"),
        ("we married on June 5 1999", "1999-06-05", "1999-06-06"),
        ("graduated in 2019", "2019-01-01", "2020-01-01"),
        ("here since March", "2026-03-01", None),
        ("been there for three years", "2023-01-01", None),
        ("moved last month", "2026-02-01", "2026-03-01"),
        ("two years ago", "2024-01-01", "2025-01-01"),
        ("in 3 weeks", "2026-04-04", "2026-04-05"),
        ("next week", "2026-03-16", "2026-03-23"),
        ("다음 주 금요일에 면접 있어", "2026-03-20", "2026-03-21"),
        ("3월 14일에 시험이야", "2026-03-14", "2026-03-15"),
        ("2월 1일에 이사했어", "2026-02-01", "2026-02-02"),
        ("작년에 이혼했어", "2025-01-01", "2026-01-01"),
        ("내년 3월에 결혼해", "2027-03-01", "2027-04-01"),
        ("두 달 전에 이사했어", "2026-01-01", "2026-02-01"),
        ("3년째 살고 있어", "2023-01-01", None),
        ("2020년부터 서울 살아", "2020-01-01", None),
        ("내일 봐", "2026-03-15", "2026-03-16"),
    ],
)
def test_a_time_is_resolved(text: str, start: str, end: str | None) -> None:
    assert days(text) == (start, end)


@pytest.mark.rule("M6")
def test_the_next_such_day_when_it_lies_ahead_and_the_last_when_it_is_over() -> None:
    assert days("10 March", 1) == ("2027-03-10", "2027-03-11")
    assert days("10 March", -1) == ("2026-03-10", "2026-03-11")
    assert days("Saturday", 1) == ("2026-03-21", "2026-03-22")
    assert days("Saturday", -1) == ("2026-03-07", "2026-03-08")
    assert days("29 February", 1) == ("2028-02-29", "2028-03-01")


@pytest.mark.rule("M6")
@pytest.mark.parametrize("text", ["on 30 February", "31 April 2026", "2월 30일에 만나"])
def test_a_day_that_does_not_exist_is_kept_as_words_only(text: str) -> None:
    when = resolve(text, AT, ZONE, P)
    assert when is not None and when.text and when.start is None and when.end is None


@pytest.mark.parametrize(
    "text", ["I may go", "we march on", "I sat down", "second to none", "nothing", "서울 살아"]
)
def test_words_that_only_look_like_times_are_none(text: str) -> None:
    assert resolve(text, AT, ZONE, P) is None


def test_a_clock_time_makes_the_moment_exact() -> None:
    when = resolve("dentist tomorrow at 3", AT, ZONE, P)
    assert when is not None and when.start == when.end == datetime(2026, 3, 15, 15, tzinfo=ZONE)
    korean = resolve("내일 오전 9시 30분 치과", AT, ZONE, P)
    assert korean is not None and korean.start == datetime(2026, 3, 15, 9, 30, tzinfo=ZONE)


def test_today_is_where_the_user_is() -> None:
    late = datetime(2026, 3, 14, 20, tzinfo=UTC)
    seoul = ZoneInfo("Asia/Seoul")
    when = resolve("today", late, seoul, P)
    assert when is not None and when.start == datetime(2026, 3, 15, tzinfo=seoul)


@pytest.mark.parametrize("language", sorted(P.times.languages))
def test_every_form_reads_its_own_example(language: str) -> None:
    for name, form in P.times.languages[language].forms.items():
        assert resolve(form.says[0], AT, ZONE, P) is not None, name


def test_a_year_by_its_number_is_filed_under_january_and_last_year_under_this_month() -> None:
    assert month_of(resolve("in 2019", AT, ZONE, P), AT, ZONE) == "2019_01"
    assert month_of(resolve("last year", AT, ZONE, P), AT, ZONE) == "2025_03"
    assert month_of(None, AT, ZONE) == "2026_03"


@given(st.text(max_size=80))
def test_any_text_is_read_without_failing(text: str) -> None:
    when = resolve(text, AT, ZONE, P)
    assert when is None or when.end is None or (when.start is not None and when.start <= when.end)
