"""Wishes about writing first, in words, in both languages; a reminder is a promise kept by a job."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from clew.engine import inbox
from clew.engine.jobs import Worker
from clew.engine.parts import Parts
from clew.kernel.reach.wishes import FOR_EVER
from clew.model.account import Conversation
from clew.model.job import JobKind
from clew.model.outreach import AttemptStatus, MessageKind, ReminderStatus
from clew.testing.fakes import HeldClock
from clew.testing.parts import onboard, say

# Tuesday 14:00 in Seoul.
START = datetime(2026, 3, 10, 5, tzinfo=UTC)
Engine = Callable[..., Parts]


def talk_on(engine: Engine, **more: Any) -> tuple[Parts, Conversation]:
    parts = engine(clock=HeldClock(START), **more)
    return parts, onboard(parts)


def controls(parts: Parts, talk: Conversation) -> Any:
    with parts.store.read() as session:
        return session.controls(talk.user_id)


@pytest.mark.parametrize(
    ("text", "reply", "due", "message"),
    [
        ("remind me on Friday to call mum", "I'll remind you on Friday at 9:00: call mum.", "2026-03-13T00:00", "call mum"),
        ("write me tomorrow evening", "Okay, I'll write to you tomorrow at 19:00.", "2026-03-11T10:00", ""),
        ("금요일에 엄마한테 전화하라고 알려 줘", "금요일 9:00에 알려 줄게: 엄마한테 전화하기.", "2026-03-13T00:00", "엄마한테 전화하기"),
        ("금요일 18:00에 약 먹으라고 알려 줘", "금요일 18:00에 알려 줄게: 약 먹기.", "2026-03-13T09:00", "약 먹기"),
        ("내일 저녁에 연락해 줘", "알겠어, 내일 19:00에 연락할게.", "2026-03-11T10:00", ""),
        ("remind me on Friday", "I'll remind you on Friday at 9:00.", "2026-03-13T00:00", ""),
        ("금요일에 알려줘", "금요일 9:00에 알려 줄게.", "2026-03-13T00:00", ""),
        ("내일 아침 9시에 다시 알려 줘", "내일 9:00에 알려 줄게.", "2026-03-11T00:00", ""),
    ],
)  # fmt: skip
def test_a_promise_is_said_and_kept(engine: Engine, text: str, reply: str, due: str, message: str) -> None:
    parts, talk = talk_on(engine)
    assert say(parts, talk, text, 1).reply == reply
    (held,) = inbox.reminders(parts, talk.user_id)
    assert held.due_at == datetime.fromisoformat(due).replace(tzinfo=UTC) and held.text == message
    parts.clock.at = held.due_at.replace(minute=0) - (held.due_at - held.due_at)
    parts.clock.pass_(minutes=-1)
    assert [r for r in Worker(parts).drain() if r.job.kind is JobKind.REMIND] == []
    parts.clock.pass_(minutes=1)
    Worker(parts).drain()
    Worker(parts).drain()
    (kept,) = [m for m in inbox.messages(parts, talk.user_id) if m.kind is MessageKind.REMINDER]
    assert kept.status is AttemptStatus.DELIVERED and message in kept.text
    assert inbox.reminders(parts, talk.user_id) == []


def test_asked_for_reminders_come_at_night_to_strangers_who_muted_and_switched_off(engine: Engine) -> None:
    parts, talk = talk_on(engine)
    say(parts, talk, "don't write first", 1)
    say(parts, talk, "mute forever", 2)
    say(parts, talk, "remind me tonight at 11pm to lock the door", 3)
    say(parts, talk, "remind me tonight at 11:10pm to sleep", 4)
    assert controls(parts, talk).mute_until == FOR_EVER and not controls(parts, talk).proactive_messages_enabled
    parts.clock.pass_(hours=10)
    Worker(parts).drain()
    assert ["lock the door" in m.text or "sleep" in m.text for m in inbox.messages(parts, talk.user_id)] == [True, True]


def test_stop_start_mute_unmute(engine: Engine) -> None:
    parts, talk = talk_on(engine)
    assert "won't write first" in (say(parts, talk, "please don't write first", 1).reply or "")
    assert controls(parts, talk).proactive_messages_enabled is False
    assert "write first" in (say(parts, talk, "you can write first again", 2).reply or "")
    assert controls(parts, talk).proactive_messages_enabled is True
    assert "until 17 March 2026" in (say(parts, talk, "mute for a week", 3).reply or "")
    assert controls(parts, talk).mute_until == datetime(2026, 3, 17, 5, tzinfo=UTC)
    say(parts, talk, "unmute", 4)
    assert controls(parts, talk).mute_until is None
    say(parts, talk, "먼저 연락하지 마", 5)
    assert controls(parts, talk).proactive_messages_enabled is False
    say(parts, talk, "일주일 동안 연락하지 마", 6)
    assert controls(parts, talk).mute_until is not None


@pytest.mark.parametrize(
    ("text", "zone"),
    [
        ("change my time zone to Berlin", "Europe/Berlin"), ("my timezone is Asia/Kolkata now", "Asia/Kolkata"),
        ("시간대를 뉴욕으로 바꿔 줘", "America/New_York"), ("set my time zone to Atlantis", "Asia/Seoul"),
    ],
)  # fmt: skip
def test_the_time_zone_is_changed_in_words(engine: Engine, text: str, zone: str) -> None:
    parts, talk = talk_on(engine)
    reply = say(parts, talk, text, 1).reply or ""
    with parts.store.read() as session:
        user = session.user(talk.user_id)
    assert user is not None and user.answers.client_timezone == zone
    assert (zone in reply) is (zone != "Asia/Seoul")


def test_after_a_change_of_zone_new_reminders_go_by_the_new_clock(engine: Engine) -> None:
    parts, talk = talk_on(engine)
    say(parts, talk, "remind me on Friday to call mum", 1)
    say(parts, talk, "change my time zone to Berlin", 2)
    say(parts, talk, "remind me on Friday to call dad", 3)
    due = {r.text: r.due_at for r in inbox.reminders(parts, talk.user_id)}
    assert due["call mum"] == datetime(2026, 3, 13, 0, tzinfo=UTC)  # as it was promised
    assert due["call dad"] == datetime(2026, 3, 13, 8, tzinfo=UTC)


def test_an_hour_that_summer_time_skips_is_the_one_after_it(engine: Engine) -> None:
    parts, talk = talk_on(engine)
    say(parts, talk, "change my time zone to Berlin", 1)
    reply = say(parts, talk, "remind me on March 29 at 2:30 am to turn the clocks", 2).reply or ""
    (held,) = inbox.reminders(parts, talk.user_id)
    assert held.due_at == datetime(2026, 3, 29, 1, 30, tzinfo=UTC) and "3:30" in reply


def test_reminders_are_listed_and_taken_back(engine: Engine) -> None:
    parts, talk = talk_on(engine)
    say(parts, talk, "remind me on Friday to call mum", 1)
    say(parts, talk, "remind me tomorrow to pay the rent", 2)
    listed = say(parts, talk, "what reminders do I have?", 3).reply or ""
    assert "pay the rent (tomorrow at 9:00)" in listed and "call mum (on Friday at 9:00)" in listed
    assert "call mum" in (say(parts, talk, "cancel the reminder about mum", 4).reply or "")
    assert [r.text for r in inbox.reminders(parts, talk.user_id)] == ["pay the rent"]
    say(parts, talk, "don't remind me", 5)
    assert inbox.reminders(parts, talk.user_id) == []
    parts.clock.pass_(days=7)
    assert [r for r in Worker(parts).drain() if r.job.kind is JobKind.REMIND] == []
    assert "no such reminder" in (say(parts, talk, "cancel all my reminders", 6).reply or "").lower()


@pytest.mark.parametrize(
    ("text", "hour"),
    [
        ("remind me at six.", 9), ("Can you set an alarm for seven", 22), ("remind me to feed the cat at six", 9),
        ("여섯 시에 고양이 밥 주라고 알려줘", 9), ("remind me of the pills at eight tonight", 11),
        ("remind me at 7:15 am to run", 22), ("remind me in the morning to run", 0),
    ],
)  # fmt: skip
def test_hours_are_read_as_people_say_them(engine: Engine, text: str, hour: int) -> None:
    """Said at 14:00 in Seoul: six is the coming evening."""
    parts, talk = talk_on(engine)
    say(parts, talk, text, 1)
    (held,) = inbox.reminders(parts, talk.user_id)
    assert held.due_at.hour == hour and held.due_at > START


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("remind me to drink water", "when?"), ("remind me yesterday to call", "passed"),
        ("remind me every day at 9 to take my pills", "one time"),
    ],
)  # fmt: skip
def test_nothing_is_promised_that_is_not_kept(engine: Engine, text: str, part: str) -> None:
    parts, talk = talk_on(engine)
    assert part in (say(parts, talk, text, 1).reply or "")
    assert inbox.reminders(parts, talk.user_id) == []


def test_a_message_that_is_sent_again_makes_no_second_reminder(engine: Engine) -> None:
    parts, talk = talk_on(engine)
    first = say(parts, talk, "remind me on Friday to call mum", 1)
    again = say(parts, talk, "remind me on Friday to call mum", 1)
    assert again.replayed and again.reply == first.reply
    assert len(inbox.reminders(parts, talk.user_id)) == 1


def test_what_else_the_message_tells_is_kept(engine: Engine) -> None:
    parts, talk = talk_on(engine)
    reply = say(parts, talk, "I live in Lisbon. Remind me on Friday to call mum.", 1).reply or ""
    assert "call mum" in reply
    with parts.store.read() as session:
        held = [m.memory_value for m in session.memories(talk.user_id, talk.friend_id)]
    assert "Lisbon" in held and not any("call" in v for v in held)


def test_a_model_may_speak_of_a_reminder_that_is_set_and_of_no_other(engine: Engine) -> None:
    from clew.adapters.llm.scripted import ScriptedWriter

    promise = "Don't worry, I'll remind you on Friday."
    parts, talk = talk_on(engine, writer=ScriptedWriter([promise] * 8))
    empty = say(parts, talk, "I keep forgetting things lately", 1)
    assert empty.reply != promise
    say(parts, talk, "remind me on Friday to call mum", 2)
    assert say(parts, talk, "I keep forgetting things, you know", 3).reply == promise


def test_a_crisis_is_no_reminder(engine: Engine) -> None:
    parts, talk = talk_on(engine)
    say(parts, talk, "remind me tomorrow to kill myself", 1)
    assert inbox.reminders(parts, talk.user_id) == []


@pytest.mark.parametrize(
    "text",
    [
        "you remind me of my sister", "write me a poem", "my boss told me: don't write first", "오늘 날씨 알려 줘",
        "I muted the tv for a week", "remind yourself that tomorrow is another day", "엄마가 알려 줬어",
        "she texted me tomorrow's plan", "I need to call mum on Friday", "remind me what I'm not supposed to eat",
        "remind me who Halima is", "remind me of my sister's birthday", "제임스에 대해 아는 거 말해줘", "오늘만 짧게 말해줘",
    ],
)  # fmt: skip
def test_ordinary_talk_arranges_nothing(engine: Engine, text: str) -> None:
    parts, talk = talk_on(engine)
    outcome = say(parts, talk, text, 1)
    assert "arrange" not in outcome.trace
    assert inbox.reminders(parts, talk.user_id) == []


def test_without_a_known_zone_the_reply_says_by_which_clock(engine: Engine) -> None:
    from clew.engine import service

    parts = engine(clock=HeldClock(START))
    place = service.arrive(parts, "guest")
    reply = service.say(parts, place, "remind me tomorrow to call mum").reply or ""
    assert "UTC" in reply


def test_reminders_are_rebuilt_from_the_journal_and_exported(engine: Engine, fresh_url: str, tmp_path: Any) -> None:
    from clew.engine.archive import erase_user, export_user, import_bundle
    from clew.engine.replay import rebuild
    from clew.testing.parts import make_parts

    parts, talk = talk_on(engine)
    say(parts, talk, "remind me on Friday to call mum", 1)
    fresh = make_parts(fresh_url)
    compared = rebuild(parts.store, fresh.store)
    fresh.store.close()
    assert compared.identical, compared.differing
    export_user(parts, talk.user_id, tmp_path / "all.zip")
    erase_user(parts, talk.user_id)
    import_bundle(parts, tmp_path / "all.zip")
    with parts.store.read() as session:
        assert [r.status for r in session.reminders_of(talk.user_id)] == [ReminderStatus.SET]
    parts.clock.pass_(days=4)
    Worker(parts).drain()
    assert ["call mum" in m.text for m in inbox.messages(parts, talk.user_id)] == [True]


@pytest.mark.parametrize(
    ("text", "reply"),
    [
        ("don't message me at night", "At night I never write first, only between 10:00 and 21:00 your time."),
        ("밤에는 연락하지 마", "밤에는 먼저 말 걸지 않아. 네 시간으로 10시에서 21시 사이에만 해."),
    ],
)
def test_nights_are_free_already_and_nothing_is_changed(engine: Engine, text: str, reply: str) -> None:
    parts, talk = talk_on(engine)
    before = controls(parts, talk)
    assert (say(parts, talk, text, 1).reply or "").startswith(reply)
    assert controls(parts, talk) == before


def test_reminders_are_listed_and_all_cancelled_in_korean(engine: Engine) -> None:
    parts, talk = talk_on(engine)
    say(parts, talk, "금요일에 엄마한테 전화하라고 알려 줘", 1)
    say(parts, talk, "내일 알려줘", 2)
    assert "엄마한테 전화하기" in (say(parts, talk, "어떤 알림이 있어?", 3).reply or "")
    assert len(inbox.reminders(parts, talk.user_id)) == 2
    say(parts, talk, "내 알림 다 취소해", 4)
    assert inbox.reminders(parts, talk.user_id) == []


@pytest.mark.parametrize("text", ["매주 월요일에 알려 줘", "어제 알려줘", "오늘 날씨 알려 줘"])
def test_what_cannot_be_promised_sets_nothing(engine: Engine, text: str) -> None:
    parts, talk = talk_on(engine)
    say(parts, talk, text, 1)
    assert inbox.reminders(parts, talk.user_id) == []
