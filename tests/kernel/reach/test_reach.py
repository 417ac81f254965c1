"""When to speak first, and about what (rulings P90–P100)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.errors import InvalidInput
from clew.kernel.door import call
from clew.kernel.gate.check import check
from clew.kernel.gate.repetition import opener
from clew.kernel.reach.attribute import attribute, next_backoff
from clew.model.outreach import AcknowledgedBy, AppOpen, Attempt, AttemptStatus
from clew.model.plan import Frame, Snippet
from clew.model.relationship import Stage
from clew.model.topic import TopicId
from clew.model.turn import Source
from clew.policy import default

POLICY = default()
WORDS = POLICY.reach.languages["en"]
NOON = datetime(2026, 3, 10, 12, tzinfo=UTC)
LONG_AGO = "2026-03-01T12:00:00Z"


def ask(**more: Any) -> dict[str, Any]:
    payload: dict[str, Any] = {
        "now": "2026-03-10T12:00:00Z", "timezone": "UTC", "stage": "FRIEND",
        "controls": {"proactive_messages_enabled": True, "mute_until": None, "suppressed_topics": []},
        "last_interaction_at": LONG_AGO, "attempts": [], "backoff": 1, **more,
    }  # fmt: skip
    return call("reach", payload)


def sent(hours_ago: float, status: str = "DELIVERED") -> dict[str, Any]:
    return {"delivered_at": (NOON - timedelta(hours=hours_ago)).isoformat(), "status": status}


def test_an_old_friend_may_be_greeted() -> None:
    answer = ask()
    assert answer["policy_decision"] == "SEND" and "skip_reason" not in answer
    assert answer["content"]["kind"] == "GENERIC_SAFE"
    assert {"constraints", "text"} <= answer["content"].keys()


def test_switched_off_and_muted_come_before_everything_else() -> None:
    off = {"proactive_messages_enabled": False, "mute_until": "2027-01-01T00:00:00Z"}
    assert ask(controls=off, stage="STRANGER")["skip_reason"] == "proactive_disabled"
    muted = {"mute_until": "2026-03-10T12:00:00Z"}
    assert ask(controls=muted, stage="STRANGER")["skip_reason"] == "muted"
    assert ask(controls={"mute_until": "2026-03-10T11:59:59Z"})["policy_decision"] == "SEND"


@pytest.mark.rule("P99")
def test_muted_for_ever_is_the_last_of_all_times() -> None:
    assert ask(controls={"mute_until": "9999-12-31T23:59:59+00:00"})["skip_reason"] == "muted"


@pytest.mark.rule("P93")
@pytest.mark.parametrize(
    ("clock", "reason"),
    [
        ("00:00", "quiet_hours"), ("07:59", "quiet_hours"), ("08:00", "outside_attempt_window"),
        ("09:59", "outside_attempt_window"), ("10:00", None), ("20:59", None),
        ("21:00", "outside_attempt_window"), ("23:59", "outside_attempt_window"),
    ],
)  # fmt: skip
def test_the_clock_is_the_users_and_the_windows_are_half_open(clock: str, reason: str | None) -> None:
    answer = ask(now=f"2026-03-10T{clock}:00+09:00", timezone="Asia/Seoul")
    assert answer.get("skip_reason") == reason


def test_strangers_are_left_alone() -> None:
    assert ask(stage="STRANGER")["skip_reason"] == "stranger"


@pytest.mark.parametrize(("stage", "hours"), [("ACQUAINTANCE", 48), ("FRIEND", 24), ("CLOSE_FRIEND", 12)])
@pytest.mark.parametrize("backoff", [1, 2, 16])
def test_silence_must_have_lasted_long_enough_times_the_backoff(stage: str, hours: int, backoff: int) -> None:
    needed = timedelta(hours=hours * backoff)
    just = (NOON - needed).isoformat()
    short = (NOON - needed + timedelta(seconds=1)).isoformat()
    assert ask(stage=stage, backoff=backoff, last_interaction_at=just)["policy_decision"] == "SEND"
    assert ask(stage=stage, backoff=backoff, last_interaction_at=short)["skip_reason"] == "recently_active"


@pytest.mark.rule("P91")
@pytest.mark.parametrize("status", ["DELIVERED", "ACKNOWLEDGED", "IGNORED"])
def test_everything_delivered_counts_against_the_cap(status: str) -> None:
    assert ask(attempts=[sent(1, status)])["skip_reason"] == "cap_exceeded"
    assert ask(attempts=[{"delivered_at": None, "status": "SCHEDULED"}])["policy_decision"] == "SEND"
    assert ask(attempts=[sent(1, "SKIPPED")])["policy_decision"] == "SEND"


@pytest.mark.rule("P91")
def test_a_day_is_the_users_calendar_day_and_three_days_roll() -> None:
    late = {"delivered_at": "2026-03-09T14:30:00Z", "status": "DELIVERED"}
    seoul = ask(now="2026-03-10T14:30:00+09:00", timezone="Asia/Seoul", attempts=[late])
    assert seoul["skip_reason"] == "min_gap"
    assert ask(stage="ACQUAINTANCE", attempts=[sent(71.9)])["skip_reason"] == "cap_exceeded"
    assert ask(stage="ACQUAINTANCE", attempts=[sent(72)])["policy_decision"] == "SEND"


@pytest.mark.rule("P90")
@pytest.mark.parametrize(
    ("stage", "hours", "reason"),
    [
        ("FRIEND", 23.9, "min_gap"), ("FRIEND", 24, None), ("CLOSE_FRIEND", 1, "min_gap"),
        ("CLOSE_FRIEND", 5.9, "min_gap"), ("CLOSE_FRIEND", 6, None),
    ],
)  # fmt: skip
def test_two_messages_keep_their_distance(stage: str, hours: float, reason: str | None) -> None:
    now = "2026-03-10T20:00:00Z"
    at = datetime(2026, 3, 10, 20, tzinfo=UTC) - timedelta(hours=hours)
    attempts = [{"delivered_at": at.isoformat(), "status": "IGNORED"}]
    assert ask(stage=stage, now=now, attempts=attempts).get("skip_reason") == reason


def test_a_close_friend_gets_two_a_day_and_no_third() -> None:
    now = "2026-03-10T20:59:00Z"
    two = [{"delivered_at": f"2026-03-10T{h}:00:00Z", "status": "IGNORED"} for h in ("10", "14")]
    assert ask(stage="CLOSE_FRIEND", now=now, attempts=two)["skip_reason"] == "cap_exceeded"
    assert ask(stage="CLOSE_FRIEND", now=now, attempts=two[:1])["policy_decision"] == "SEND"


def said(role: str, text: str, hours_ago: float, source: str = "chat") -> dict[str, Any]:
    return {"role": role, "source": source, "text": text, "at": (NOON - timedelta(hours=hours_ago)).isoformat()}


QUESTION = [said("user", "hi", 31), said("assistant", "Nice! How was the hike? 😊", 30)]


def test_an_unanswered_question_comes_back_softly() -> None:
    content = ask(last_messages=QUESTION)["content"]
    assert content["kind"] == "FOLLOW_UP" and "how was the hike?" in content["text"]
    assert content["constraints"]["max_sentences"] == 1


@pytest.mark.rule("P94")
@pytest.mark.parametrize(
    "messages",
    [
        [said("assistant", "How was it?", 30, "retention")],
        [*QUESTION, said("assistant", "Still curious: how was the hike?", 26, "retention")],
        [*QUESTION, said("user", "great", 25)],
        [said("assistant", "How was it??", 30)],
        [said("assistant", "It was great.", 30)],
        [said("assistant", "How is the therapy going?", 30)],
    ],
    ids=["proactive", "asked_again", "answered", "two_marks", "no_question", "sensitive"],
)
def test_a_question_is_followed_up_once_and_never_on_a_sensitive_topic(messages: list[dict[str, Any]]) -> None:
    assert ask(last_messages=messages)["content"]["kind"] == "GENERIC_SAFE"


@pytest.mark.rule("P94")
def test_a_suppressed_topic_is_not_asked_about_again() -> None:
    asked = [said("assistant", "How is your mom?", 30)]
    assert ask(last_messages=asked)["content"]["kind"] == "FOLLOW_UP"
    controls = {"suppressed_topics": ["FAMILY"]}
    assert ask(last_messages=asked, controls=controls)["content"]["kind"] == "GENERIC_SAFE"


@pytest.mark.rule("P95")
def test_below_a_day_of_silence_the_next_rung_is_taken() -> None:
    close = {"stage": "CLOSE_FRIEND", "last_interaction_at": (NOON - timedelta(hours=13)).isoformat()}
    assert ask(last_messages=[said("assistant", "How was it?", 13)], **close)["content"]["kind"] == "GENERIC_SAFE"


def memory(key: str, value: str, kind: str = "FACT", status: str = "ACTIVE") -> dict[str, Any]:
    return {"memory_id": key, "type": kind, "memory_key": key, "memory_value": value, "status": status}


NURSE = memory("fact:occupation", "nurse")
ZONE = memory("fact:timezone", "Asia/Seoul")


def test_a_friend_may_be_nudged_with_one_allowed_fact() -> None:
    content = ask(memories=[NURSE])["content"]
    assert (content["kind"], content["memory_id"]) == ("LIGHT_CONTEXT_NUDGE", "fact:occupation")
    assert "nurse" in content["text"] and content["constraints"]["max_personal_facts"] == 1
    assert ask(memories=[NURSE], stage="ACQUAINTANCE")["content"]["kind"] == "GENERIC_SAFE"


@pytest.mark.rule("P97")
def test_the_time_zone_comes_last() -> None:
    assert ask(memories=[ZONE, NURSE])["content"]["memory_id"] == "fact:occupation"
    assert ask(memories=[ZONE])["content"]["memory_id"] == "fact:timezone"


@pytest.mark.rule("P98")
@pytest.mark.rule("P96")
@pytest.mark.parametrize(
    "record",
    [
        memory("pref:food:sushi", "like|sushi", "PREFERENCE"),
        memory("fact:current_city", "Oslo"),
        memory("fact:home_country", "Norway"),
        memory("emotion:baseline_mood", "negative", "EMOTIONAL_PATTERN"),
        memory("fact:occupation", "gun seller"),
        memory("fact:occupation", "nurse", status="SUPERSEDED"),
    ],
)
def test_no_other_memory_is_used(record: dict[str, Any]) -> None:
    assert ask(memories=[record])["content"]["kind"] == "GENERIC_SAFE"


def test_suppressed_keys_and_topics_and_taboos_are_respected() -> None:
    assert ask(memories=[NURSE], controls={"suppressed_memory_keys": ["fact:occupation"]})["content"]["kind"] == (
        "GENERIC_SAFE"
    )
    assert ask(memories=[NURSE], controls={"suppressed_topics": ["WORK_SCHOOL"]})["content"]["kind"] == "GENERIC_SAFE"
    church = memory("fact:occupation", "church organist")
    assert ask(memories=[church], persona={"template_id": "PT01"})["content"]["kind"] == "GENERIC_SAFE"
    assert ask(memories=[church])["content"]["kind"] == "LIGHT_CONTEXT_NUDGE"


@pytest.mark.parametrize(
    ("stage", "intent"),
    [("ACQUAINTANCE", "low-pressure hello"), ("FRIEND", "quick check-in"), ("CLOSE_FRIEND", "warm check-in")],
)
def test_the_last_rung_is_a_check_in_that_fits_the_stage(stage: str, intent: str) -> None:
    assert ask(stage=stage)["content"]["intent"] == intent


@pytest.mark.rule("P100")
@pytest.mark.parametrize("language", ["en", "ko"])
def test_an_opener_is_not_repeated_within_ten(language: str) -> None:
    recent: list[str] = []
    for seed in range(25):
        answer = ask(language=language, persona={"seed": 5}, recent_openers=recent, attempts=[sent(99)] * seed)
        content = answer["content"]
        assert opener(content["opener"], POLICY) not in recent[-10:]
        recent.append(opener(content["opener"], POLICY))
    everything = [opener(o, POLICY) for o in (*WORDS.openers, *WORDS.neutral_openers)]
    last = ask(recent_openers=everything)["content"]["opener"]
    assert last


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(["ACQUAINTANCE", "FRIEND", "CLOSE_FRIEND"]), st.sampled_from(["en", "ko"]), st.integers(0, 2**31),
    st.sampled_from(
        [[], [NURSE], [ZONE], [memory("fact:school", "Hanyang University")], [memory("fact:major", "design")]]
    ),
    st.booleans(),
)  # fmt: skip
def test_whatever_is_sent_passes_the_gate_of_proactive_messages(
    stage: str, language: str, seed: int, memories: list[dict[str, Any]], asked: bool
) -> None:
    content = ask(
        stage=stage, language=language, persona={"seed": seed}, memories=memories,
        last_messages=QUESTION if asked else [],
    )["content"]  # fmt: skip
    known = tuple(Snippet(m["memory_id"], m["memory_key"], m["memory_value"]) for m in memories)
    frame = Frame(stage=Stage(stage), source=Source.RETENTION, memories=known, topics_blocked=(TopicId.POLITICS,))
    assert check(content["text"], frame, POLICY).violations == ()
    assert content["text"].count("?") <= 1


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"timezone": "Mars/Olympus"}, "/timezone"),
        ({"stage": "LOVER"}, "/stage"),
        ({"backoff": 0}, "/backoff"),
        ({"now": "soon"}, "/now"),
        ({"attempts": [{"status": "LOST"}]}, "/attempts/0/status"),
        ({"last_messages": [{"role": "god", "text": "", "at": LONG_AGO}]}, "/last_messages/0/role"),
        ({"controls": {"suppressed_topics": ["X"]}}, "/controls/suppressed_topics/0"),
    ],
)
def test_a_bad_field_is_named(change: dict[str, Any], pointer: str) -> None:
    with pytest.raises(InvalidInput) as error:
        ask(**change)
    assert error.value.pointer == pointer


FIRST = Attempt(NOON, AttemptStatus.DELIVERED, "n1")
LATER = Attempt(NOON + timedelta(hours=5), AttemptStatus.DELIVERED, "n2")


def judged(hours: float, *, all_: tuple[Attempt, ...] = (FIRST,), replies: list[float] | None = None,
           opens: list[tuple[float, str | None]] | None = None) -> Any:  # fmt: skip
    return attribute(
        FIRST, all_, [NOON + timedelta(hours=h) for h in replies or []],
        [AppOpen(NOON + timedelta(hours=h), n) for h, n in opens or []], NOON + timedelta(hours=hours), POLICY.reach,
    )  # fmt: skip


def test_a_reply_or_an_open_within_a_day_acknowledges() -> None:
    assert judged(30, replies=[3]).by is AcknowledgedBy.REPLY
    assert judged(30, opens=[(3, "n1")]).by is AcknowledgedBy.APP_OPEN_NOTIFICATION
    assert judged(30, opens=[(3, None)]).by is AcknowledgedBy.APP_OPEN_INFERRED
    assert judged(30, replies=[25]).status is AttemptStatus.IGNORED
    assert judged(20).status is AttemptStatus.DELIVERED
    assert judged(30).status is AttemptStatus.IGNORED


@pytest.mark.rule("P99")
def test_an_open_before_delivery_or_of_another_message_says_nothing() -> None:
    assert judged(30, opens=[(-1, "n1"), (0, None)]).status is AttemptStatus.IGNORED
    assert judged(30, all_=(FIRST, LATER), opens=[(6, "n2")]).status is AttemptStatus.IGNORED
    assert judged(30, all_=(FIRST, LATER), opens=[(6, None)]).status is AttemptStatus.IGNORED
    assert judged(30, all_=(FIRST, LATER), opens=[(4, None)]).by is AcknowledgedBy.APP_OPEN_INFERRED


@pytest.mark.rule("P92")
def test_backoff_doubles_to_sixteen_and_resets() -> None:
    steps = [1]
    for _ in range(6):
        steps.append(next_backoff(steps[-1], True, POLICY.reach))
    assert steps == [1, 2, 4, 8, 16, 16, 16]
    assert next_backoff(16, False, POLICY.reach) == 1
