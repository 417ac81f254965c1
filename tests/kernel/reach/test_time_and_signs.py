"""Clocks, zones, signs of life and plans (rulings P91–P95, P99)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.kernel.door import call
from clew.kernel.reach.eligible import not_now
from clew.kernel.reach.telling import RULES, not_sent
from clew.model.outreach import Attempt, AttemptStatus, Skip
from clew.model.profile import UserControls
from clew.model.relationship import Stage
from clew.policy import default

POLICY = default()
NOON = datetime(2026, 3, 10, 12, tzinfo=UTC)
LONG_AGO = NOON - timedelta(days=30)


def decided(now: datetime, zone: str, *delivered: datetime, stage: Stage = Stage.FRIEND) -> Skip | None:
    attempts = [Attempt(at, AttemptStatus.DELIVERED) for at in delivered]
    found = not_now(now, zone, stage, UserControls(), LONG_AGO, attempts, 1, POLICY.reach)
    return found[0] if found else None


@pytest.mark.parametrize("skip", list(Skip))
@pytest.mark.parametrize("language", ["en", "ko"])
def test_every_reason_is_a_rule_and_a_sentence(skip: Skip, language: str) -> None:
    told = not_sent(skip, language, POLICY)
    assert told.endswith(".") and "{" not in told and "_" not in told
    assert RULES[skip] == f"reach.{skip.value}"


def test_the_door_tells_why_nothing_is_sent() -> None:
    ask = {
        "now": "2026-03-10T02:00:00Z", "timezone": "UTC", "stage": "FRIEND", "controls": {},
        "last_interaction_at": "2026-03-01T00:00:00Z", "attempts": [], "backoff": 1,
    }  # fmt: skip
    assert "told" not in call("reach", ask)
    answer = call("reach", {**ask, "language": "en"})
    assert answer["told"] == "Not sent because it is night where you are."
    assert call("reach", {**ask, "language": "ko"})["told"] == "보내지 않은 이유: 거기는 지금 밤이야."


@pytest.mark.parametrize("zone", ["", "Mars/Olympus", "../etc/passwd", "\x00"])
def test_a_zone_that_is_not_known_is_a_reason_and_no_failure(zone: str) -> None:
    assert decided(NOON, zone) is Skip.UNKNOWN_TIME_ZONE


@pytest.mark.parametrize(
    ("zone", "utc", "expected"),
    [
        # Berlin puts its clocks forward on 29 March 2026 at 01:00 UTC, and back on 25 October.
        ("Europe/Berlin", "2026-03-28T08:59:00", Skip.OUTSIDE_ATTEMPT_WINDOW),
        ("Europe/Berlin", "2026-03-28T09:00:00", None),
        ("Europe/Berlin", "2026-03-29T08:00:00", None),
        ("Europe/Berlin", "2026-03-29T19:00:00", Skip.OUTSIDE_ATTEMPT_WINDOW),
        ("Europe/Berlin", "2026-10-25T08:59:00", Skip.OUTSIDE_ATTEMPT_WINDOW),
        ("Europe/Berlin", "2026-10-25T09:00:00", None),
        # Half and quarter hours.
        ("Asia/Kolkata", "2026-03-10T04:29:00", Skip.OUTSIDE_ATTEMPT_WINDOW),
        ("Asia/Kolkata", "2026-03-10T04:30:00", None),
        ("Asia/Kathmandu", "2026-03-10T04:14:00", Skip.OUTSIDE_ATTEMPT_WINDOW),
        ("Asia/Kathmandu", "2026-03-10T04:15:00", None),
        ("Australia/Lord_Howe", "2026-07-01T02:14:00", None),
        # Both sides of the date line.
        ("Pacific/Kiritimati", "2026-03-09T20:00:00", None),
        ("Pacific/Kiritimati", "2026-03-09T19:59:00", Skip.OUTSIDE_ATTEMPT_WINDOW),
        ("Pacific/Pago_Pago", "2026-03-10T21:00:00", None),
        ("Pacific/Pago_Pago", "2026-03-10T08:00:00", Skip.OUTSIDE_ATTEMPT_WINDOW),
    ],
)
def test_the_window_is_that_of_the_users_own_clock(zone: str, utc: str, expected: Skip | None) -> None:
    assert decided(datetime.fromisoformat(utc).replace(tzinfo=UTC), zone) is expected


@pytest.mark.parametrize("day", ["2026-03-29", "2026-10-25"])
def test_a_day_of_23_or_25_hours_is_one_day(day: str) -> None:
    """Two on that day, and no third, whatever the clocks do."""
    morning = datetime.fromisoformat(f"{day}T08:30:00+00:00")
    noon = datetime.fromisoformat(f"{day}T12:00:00+00:00")
    now = datetime.fromisoformat(f"{day}T18:30:00+00:00")
    assert decided(now, "Europe/Berlin", morning, noon, stage=Stage.CLOSE_FRIEND) is Skip.CAP_EXCEEDED


def test_a_day_that_never_was_still_counts_hours() -> None:
    """Samoa had no 30 December 2011; a message of the 29th is a day old in hours, not in dates."""
    before = datetime(2011, 12, 29, 21, tzinfo=UTC)  # 11:00 on the 29th
    after = datetime(2011, 12, 30, 20, tzinfo=UTC)  # 10:00 on the 31st
    attempts = [Attempt(before, AttemptStatus.DELIVERED)]
    found = not_now(
        after, "Pacific/Apia", Stage.FRIEND, UserControls(), before - timedelta(days=9), attempts, 1, POLICY.reach
    )
    assert found is not None and found[0] is Skip.MIN_GAP


def test_whoever_moves_to_another_zone_gets_no_second_message_for_it() -> None:
    """It is the next day in Auckland, and the gap holds all the same."""
    sent = datetime(2026, 3, 10, 10, tzinfo=UTC)
    now = datetime(2026, 3, 10, 22, tzinfo=UTC)
    assert decided(now, "Pacific/Auckland", sent) is Skip.MIN_GAP
    assert decided(now, "America/Los_Angeles", sent) is Skip.CAP_EXCEEDED


@pytest.mark.parametrize("stage", [Stage.ACQUAINTANCE, Stage.FRIEND, Stage.CLOSE_FRIEND])
@pytest.mark.parametrize("ahead", [timedelta(minutes=1), timedelta(hours=30), timedelta(days=400)])
def test_a_clock_that_went_backwards_sends_nothing(stage: Stage, ahead: timedelta) -> None:
    assert decided(NOON, "UTC", NOON + ahead, stage=stage) in (Skip.CAP_EXCEEDED, Skip.MIN_GAP)
    found = not_now(NOON, "UTC", stage, UserControls(), NOON + ahead, (), 1, POLICY.reach)
    assert found is not None and found[0] is Skip.RECENTLY_ACTIVE


@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from(["Europe/Berlin", "Asia/Kolkata", "America/New_York", "Pacific/Apia", "Australia/Lord_Howe"]),
    st.integers(0, 366 * 24), st.lists(st.integers(0, 200), max_size=6),
    st.sampled_from([Stage.ACQUAINTANCE, Stage.FRIEND, Stage.CLOSE_FRIEND]),
)  # fmt: skip
def test_whatever_was_sent_the_gap_holds(zone: str, hour: int, before: list[int], stage: Stage) -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(hours=hour)
    sent = [now - timedelta(hours=h) for h in before]
    if decided(now, zone, *sent, stage=stage) is None and sent:
        assert now - max(sent) >= timedelta(hours=POLICY.reach.stages[stage].gap_hours)


# -- signs of life ---------------------------------------------------------------------------------


def hours(*ago: float) -> list[str]:
    return [(NOON - timedelta(hours=h)).isoformat() for h in ago]


def judged(ago: list[float], replies: list[float] | None = None, opens: list[Any] | None = None) -> dict[str, Any]:
    return call(
        "acknowledge",
        {
            "now": NOON.isoformat(),
            "attempts": [
                {"delivered_at": at, "status": "DELIVERED", "notification_id": f"n{i}"}
                for i, at in enumerate(hours(*ago))
            ],
            "replies": [{"at": at} for at in hours(*(replies or []))],
            "opens": [{"at": hours(h)[0], "notification_id": n} for h, n in opens or []],
        },
    )


@pytest.mark.rule("P92")
@pytest.mark.parametrize(
    ("ago", "replies", "backoff"),
    [
        ([], [], 1), ([10], [], 1), ([30], [], 2), ([80, 30], [], 4), ([200, 150, 100, 60, 30], [], 16),
        ([400, 300, 200, 150, 100, 60, 30], [], 16), ([80, 30], [25], 1), ([80, 30], [50], 2), ([80, 30], [79], 2),
        ([80, 30], [29], 1),
    ],
)  # fmt: skip
def test_backoff_follows_from_what_was_ignored_since_the_last_sign_of_life(
    ago: list[float], replies: list[float], backoff: int
) -> None:
    assert judged(ago, replies)["backoff"] == backoff


@pytest.mark.rule("P99")
def test_an_open_is_told_from_others_by_its_notification() -> None:
    answer = judged([40, 30], opens=[(28, "n0")])
    assert [a["acknowledged_by"] for a in answer["attempts"]] == ["APP_OPEN_NOTIFICATION", None]
    assert answer["backoff"] == 2
    vague = judged([40, 30], opens=[(28, None)])
    assert [a["status"] for a in vague["attempts"]] == ["IGNORED", "IGNORED"]
    unknown = judged([30], opens=[(28, "never sent")])
    assert unknown["attempts"][0]["acknowledged_by"] == "APP_OPEN_INFERRED"


def test_what_was_acknowledged_stays_so() -> None:
    done = [{"delivered_at": hours(90)[0], "status": "ACKNOWLEDGED"}]
    answer = call("acknowledge", {"now": NOON.isoformat(), "attempts": done})
    assert answer["attempts"][0]["status"] == "ACKNOWLEDGED" and answer["backoff"] == 1


# -- plans -------------------------------------------------------------------------------------------


def plan(text: str, days_ago: float = 1, **more: Any) -> dict[str, Any]:
    return {"id": text, "text": text, "until": (NOON - timedelta(days=days_ago)).isoformat(), **more}


def content(plans: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    ask = {
        "now": NOON.isoformat(), "timezone": "UTC", "stage": "FRIEND", "controls": {}, "attempts": [], "backoff": 1,
        "last_interaction_at": LONG_AGO.isoformat(), "plans": plans, **more,
    }  # fmt: skip
    found: dict[str, Any] = call("reach", ask)["content"]
    return found


def test_the_outcome_of_a_plan_is_asked_for_once_its_day_has_passed() -> None:
    asked = content([plan("driving test")])
    assert asked["kind"] == "FOLLOW_UP" and asked["about"] == "driving test"
    assert "driving test" in asked["text"] and asked["text"].count("?") == 1
    assert "how did the driving test go?" in asked["text"].lower() or "with the driving test?" in asked["text"]
    assert "your interview" in content([plan("my interview")])["text"]
    assert "운전 시험" in content([plan("운전 시험")], language="ko")["text"]


@pytest.mark.parametrize(
    "one",
    [
        plan("driving test", -1), plan("driving test", 8), plan("driving test", asked=True),
        plan("driving test", sensitive=True), plan("therapy session"), plan("surgery"),
        plan("grandpa's funeral"), plan("할머니 장례식"),
    ],
    ids=["ahead", "long_past", "asked", "sensitive", "sensitive_topic", "medical", "funeral", "funeral_ko"],
)  # fmt: skip
def test_no_other_plan_is_asked_about(one: dict[str, Any]) -> None:
    assert content([one])["kind"] == "GENERIC_SAFE"


def test_a_suppressed_topic_is_no_plan_to_ask_about() -> None:
    closed = {"suppressed_topics": ["FAMILY"]}
    assert content([plan("dinner with my mom")])["kind"] == "FOLLOW_UP"
    assert content([plan("dinner with my mom")], controls=closed)["kind"] == "GENERIC_SAFE"


@pytest.mark.rule("P94")
def test_of_two_messages_at_one_moment_the_later_in_the_list_was_said_last() -> None:
    at = (NOON - timedelta(hours=30)).isoformat()
    said = [
        {"role": "user", "text": "hi", "at": at, "source": "chat"},
        {"role": "assistant", "text": "How was the hike?", "at": at, "source": "chat"},
    ]
    assert content([], last_messages=said)["kind"] == "FOLLOW_UP"
