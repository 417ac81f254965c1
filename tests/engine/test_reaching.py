"""The friend writes first: who, when, what, once, and what becomes of it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from clew.engine import inbox
from clew.engine.hourly import evaluate, let_decay
from clew.engine.jobs import Worker, periodic
from clew.engine.parts import Parts
from clew.engine.reaching import attempt_id, look_at, reach_user
from clew.engine.replay import rebuild
from clew.engine.turn import take_turn
from clew.errors import InvalidInput, StoreConflict
from clew.model.account import Conversation
from clew.model.event import Event
from clew.model.exchange import Incoming
from clew.model.job import Job, JobKind, JobStatus
from clew.model.outreach import AcknowledgedBy, AttemptStatus, MessageKind, Skip
from clew.model.profile import UserControls
from clew.model.relationship import RelationshipState, Stage
from clew.model.rows import put_controls, put_relationship
from clew.model.turn import Source
from clew.testing.fakes import HeldClock
from clew.testing.parts import make_parts, message_id, onboard, say

# 15:00 in Seoul, where everybody here lives.
START = datetime(2026, 3, 2, 6, tzinfo=UTC)
Engine = Callable[..., Parts]


def hour(parts: Parts) -> datetime:
    return parts.clock.now().replace(minute=0, second=0, microsecond=0)


def befriend(parts: Parts, talk: Conversation, stage: Stage = Stage.FRIEND, **more: Any) -> None:
    with parts.store.write() as session:
        state = RelationshipState(stage, 50, last_interaction_at=parts.clock.now(), sessions_count=5, **more)
        put = put_relationship(talk.user_id, talk.friend_id, state)
        session.append([Event("test", parts.clock.now(), talk.user_id, "p", changes=(put,))])


def friend(engine: Engine, *said: str, stage: Stage = Stage.FRIEND, **more: Any) -> tuple[Parts, Conversation]:
    parts = engine(clock=HeldClock(START), **more)
    talk = onboard(parts)
    for number, text in enumerate(said or ("hello there",), 1):
        say(parts, talk, text, number)
    befriend(parts, talk, stage)
    return parts, talk


def look(parts: Parts, talk: Conversation) -> Any:
    return reach_user(parts, talk.user_id, talk.friend_id, hour(parts))


def test_after_a_day_of_silence_a_friend_writes_first_into_the_inbox(engine: Engine) -> None:
    parts, talk = friend(engine)
    assert look(parts, talk).skip is Skip.RECENTLY_ACTIVE
    parts.clock.pass_(hours=24)
    sent = look(parts, talk)
    assert sent.sent and sent.message.delivered_at == parts.clock.now()
    (found,) = inbox.messages(parts, talk.user_id)
    assert found.text == sent.message.text and found.status is AttemptStatus.DELIVERED
    with parts.store.read() as session:
        last = session.recent(talk.conversation_id, 1)[0]
        assert (last.role, last.source, last.text, last.reply_to) == ("assistant", "retention", found.text, None)
        assert session.trace(found.retention_id) is not None


def test_no_words_of_ours_are_ever_stored_as_the_users(engine: Engine) -> None:
    parts, talk = friend(engine)
    with pytest.raises(InvalidInput) as error:
        take_turn(parts, Incoming(message_id(9), talk.conversation_id, "hey", source=Source.RETENTION))
    assert error.value.pointer == "/source"
    parts.clock.pass_(hours=25)
    assert look(parts, talk).sent
    look(parts, talk)
    with parts.store.read() as session:
        assert [m.text for m in session.recent(talk.conversation_id, 50, "user")] == ["hello there"]


def test_an_hour_has_one_attempt_however_often_it_is_looked_at(engine: Engine) -> None:
    parts, talk = friend(engine, stage=Stage.CLOSE_FRIEND)
    parts.clock.pass_(hours=24)
    assert look(parts, talk).sent
    again = look(parts, talk)
    assert not again.sent and again.skip in (Skip.MIN_GAP, Skip.CAP_EXCEEDED)
    assert len(inbox.messages(parts, talk.user_id)) == 1
    with parts.store.read() as session:
        assert session.outreach(attempt_id(talk.user_id, hour(parts))) is not None


def test_the_database_itself_refuses_a_second_attempt(engine: Engine) -> None:
    from clew.model.rows import add_outreach

    parts, talk = friend(engine)
    parts.clock.pass_(hours=24)
    made = look(parts, talk).message
    with pytest.raises(StoreConflict), parts.store.write() as session:
        session.append([Event("test", START, talk.user_id, "p", changes=(add_outreach(made),))])


def test_what_was_ignored_doubles_the_wait_and_a_reply_ends_it(engine: Engine) -> None:
    parts, talk = friend(engine)
    sent_on: list[int] = []
    for day in range(1, 40):
        parts.clock.pass_(hours=24, seconds=1)
        if look(parts, talk).sent:
            sent_on.append(day)
    assert sent_on == [1, 3, 7, 15, 31]
    gone = [m.status for m in inbox.messages(parts, talk.user_id)]
    assert gone.count(AttemptStatus.IGNORED) >= 4
    say(parts, talk, "I'm back!", 20)
    parts.clock.pass_(hours=24)
    assert look(parts, talk).sent


def test_a_reply_acknowledges_what_was_sent(engine: Engine) -> None:
    parts, talk = friend(engine)
    parts.clock.pass_(hours=24)
    look(parts, talk)
    parts.clock.pass_(hours=2)
    say(parts, talk, "hey you", 2)
    (found,) = inbox.messages(parts, talk.user_id)
    assert (found.status, found.acknowledged_by) == (AttemptStatus.ACKNOWLEDGED, AcknowledgedBy.REPLY)


def test_an_app_open_is_put_down_to_what_was_sent_or_to_nothing_with_a_reason(engine: Engine) -> None:
    parts, talk = friend(engine)
    early = inbox.app_opened(parts, talk.user_id)
    assert (early.retention_id, early.reason) == (None, "reach.open_nothing_sent")
    parts.clock.pass_(hours=24)
    sent = look(parts, talk).message
    parts.clock.pass_(hours=1)
    never = inbox.app_opened(parts, talk.user_id, notification_id="never sent")
    assert never.retention_id == sent.retention_id  # one message only: it was that one (rule C2)
    (found,) = inbox.messages(parts, talk.user_id)
    assert found.acknowledged_by is AcknowledgedBy.APP_OPEN_INFERRED
    parts.clock.pass_(days=9)
    lost = inbox.app_opened(parts, talk.user_id, notification_id="never sent")
    assert (lost.retention_id, lost.reason) == (None, "reach.open_unknown_notification")


def test_an_open_ahead_of_our_clock_is_taken_as_now(engine: Engine) -> None:
    parts, talk = friend(engine)
    ahead = inbox.app_opened(parts, talk.user_id, at=parts.clock.now() + timedelta(days=400), event_id="e1")
    assert ahead.at == parts.clock.now()
    inbox.app_opened(parts, talk.user_id, at=parts.clock.now() + timedelta(days=400), event_id="e1")
    with parts.store.read() as session:
        assert len(session.export_rows(talk.user_id)["app_opens"]) == 1


@pytest.mark.parametrize(
    ("controls", "skip"),
    [
        (UserControls(proactive_messages_enabled=False), Skip.PROACTIVE_DISABLED),
        (UserControls(mute_until=datetime(2026, 5, 1, tzinfo=UTC)), Skip.MUTED),
        (UserControls(mute_until=datetime.max.replace(tzinfo=UTC)), Skip.MUTED),
    ],
)
def test_what_the_user_wants_comes_first(engine: Engine, controls: UserControls, skip: Skip) -> None:
    parts, talk = friend(engine)
    with parts.store.write() as session:
        session.append([Event("test", START, talk.user_id, "p", changes=(put_controls(talk.user_id, controls),))])
    parts.clock.pass_(hours=24)
    assert look(parts, talk).skip is skip
    looked, told = inbox.why_silent(parts, talk.user_id, talk.friend_id)
    assert looked.skip is skip and told.startswith("Not sent because")
    assert inbox.messages(parts, talk.user_id) == []


def test_a_crisis_is_not_followed_by_a_light_word(engine: Engine) -> None:
    parts, talk = friend(engine, "I want to kill myself")
    parts.clock.pass_(hours=25)
    assert look(parts, talk).skip is Skip.UNSAFE


def test_the_last_question_comes_back_once(engine: Engine) -> None:
    """It fires on stored data: the reply stands behind the message, at one moment or later."""
    from clew.adapters.llm.scripted import ScriptedWriter

    parts, talk = friend(engine, writer=ScriptedWriter(["Nice to hear. What are you cooking tonight?"] * 3))
    parts.clock.pass_(hours=25)
    first = look(parts, talk).message
    assert first.kind is MessageKind.FOLLOW_UP and "what are you cooking tonight?" in first.text.lower()
    parts.clock.pass_(days=3)
    second = look(parts, talk).message
    assert second is not None and second.kind is not MessageKind.FOLLOW_UP


def test_a_plan_is_asked_about_when_its_day_has_passed_and_once(engine: Engine) -> None:
    parts, talk = friend(engine, "I have an exam tomorrow")
    parts.clock.pass_(hours=49)
    sent = look(parts, talk).message
    assert sent.kind is MessageKind.FOLLOW_UP and "exam" in sent.text
    parts.clock.pass_(days=3)
    later = look(parts, talk).message
    assert later is not None and "exam" not in later.text


def test_a_sensitive_plan_is_never_asked_about(engine: Engine) -> None:
    parts, talk = friend(engine, "I have a biopsy tomorrow", "I have therapy tomorrow at 10")
    parts.clock.pass_(hours=49)
    sent = look(parts, talk)
    assert sent.message is None or not any(w in sent.message.text for w in ("biopsy", "therapy"))


def test_korean_is_answered_in_korean(engine: Engine) -> None:
    parts, talk = friend(engine, "안녕 오늘 날씨 좋다")
    parts.clock.pass_(hours=24)
    sent = look(parts, talk).message
    assert sent is not None and any("가" <= c <= "힣" for c in sent.text)


def test_no_opener_comes_again_within_ten(engine: Engine) -> None:
    parts, talk = friend(engine, stage=Stage.CLOSE_FRIEND)
    openers: list[str] = []
    for day in range(30):
        parts.clock.pass_(hours=24)
        if sent := look(parts, talk).message:
            assert sent.opener not in openers[-10:]
            openers.append(sent.opener)
            assert sent.text.count("?") <= 1
        say(parts, talk, f"still here, day {day}", 100 + day)
    assert len(openers) >= 12


def test_a_writer_that_strays_is_replaced_by_the_plain_line(engine: Engine) -> None:
    from clew.adapters.llm.scripted import ScriptedWriter

    parts, talk = friend(engine)
    strays = "I miss you so much! Why don't you answer? Did I do something wrong? Please come back. I need you."
    parts = engine(clock=parts.clock, writer=ScriptedWriter([strays] * 9))
    parts.clock.pass_(hours=24)
    sent = look(parts, talk).message
    assert sent is not None and strays not in sent.text and "need you" not in sent.text


# -- the hourly look ----------------------------------------------------------------------------------


def crowd(engine: Engine, number: int, **more: Any) -> tuple[Parts, list[Conversation]]:
    parts = engine(clock=HeldClock(START), **more)
    talks = [onboard(parts, f"{n:08x}-user") for n in range(0, number * 0x3333333, 0x3333333)]
    for number, talk in enumerate(talks, 500):
        say(parts, talk, "good afternoon", number)
        befriend(parts, talk)
    parts.clock.pass_(hours=24)
    return parts, talks


def run_hour(parts: Parts) -> dict[str, Any]:
    total: dict[str, Any] = {"users": 0, "sent": 0, "skipped": {}}
    for job in periodic(parts, parts.clock.now()):
        if job.kind is JobKind.EVALUATE:
            done = evaluate(parts, job)
            total["users"] += done["users"]
            total["sent"] += done["sent"]
            for why, count in done["skipped"].items():
                total["skipped"][why] = total["skipped"].get(why, 0) + count
    return total


def test_the_slices_together_see_everybody_once(engine: Engine) -> None:
    from clew.policy import from_tables

    parts, talks = crowd(engine, 12, policy=from_tables({"jobs": {"page_users": 2, "slices": 5}}))
    assert run_hour(parts) == {"users": 12, "sent": 12, "skipped": {}}
    assert run_hour(parts) == {"users": 12, "sent": 0, "skipped": {"cap_exceeded": 12}}
    assert all(len(inbox.messages(parts, t.user_id)) == 1 for t in talks)


def test_an_hour_that_has_passed_is_not_made_up_for(engine: Engine) -> None:
    parts, _ = crowd(engine, 2)
    jobs = [j for j in periodic(parts, parts.clock.now()) if j.kind is JobKind.EVALUATE]
    parts.clock.pass_(hours=1)
    assert sum(evaluate(parts, j)["sent"] for j in jobs) == 0


def test_decay_is_applied_by_the_day_and_only_where_it_moves(engine: Engine) -> None:
    parts, talks = crowd(engine, 3)
    parts.clock.pass_(days=21)
    jobs = [j for j in periodic(parts, parts.clock.now()) if j.kind is JobKind.DECAY]
    assert sum(let_decay(parts, j)["changed"] for j in jobs) == 3
    assert sum(let_decay(parts, j)["changed"] for j in jobs) == 0
    with parts.store.read() as session:
        assert session.relationship(talks[0].user_id, talks[0].friend_id).rapport_score == 47


def test_the_worker_makes_the_jobs_of_the_hour_and_does_each_once(engine: Engine) -> None:
    parts, _ = crowd(engine, 4)
    other = engine(clock=parts.clock)
    done = [*Worker(parts).drain(), *Worker(other).drain()]
    assert {r.job.status for r in done} == {JobStatus.DONE}
    ids = [r.job.job_id for r in done]
    assert len(ids) == len(set(ids))
    assert sum(r.job.result.get("sent", 0) for r in done) == 4
    assert Worker(other).drain() == []


def test_what_was_sent_is_rebuilt_from_the_journal(engine: Engine, fresh_url: str) -> None:
    parts, _ = crowd(engine, 2)
    Worker(parts).drain()
    fresh = make_parts(fresh_url)
    compared = rebuild(parts.store, fresh.store)
    fresh.store.close()
    assert compared.identical, compared.differing


def test_an_erased_user_leaves_no_message_and_no_job(engine: Engine) -> None:
    from clew.engine.archive import erase_user

    parts, talk = friend(engine)
    parts.clock.pass_(hours=24)
    look(parts, talk)
    inbox.remind(parts, talk.user_id, talk.friend_id, talk.conversation_id, "water the ficus tree", parts.clock.now() + timedelta(days=1))
    receipt = erase_user(parts, talk.user_id)
    assert receipt.removed["outreach"] == 1 and receipt.removed["jobs"] == 1 and receipt.clean
    parts.clock.pass_(days=2)
    assert [r for r in Worker(parts).drain() if r.job.kind is JobKind.REMIND] == []


def test_look_at_sends_nothing(engine: Engine) -> None:
    parts, talk = friend(engine)
    parts.clock.pass_(hours=24)
    assert look_at(parts, talk.user_id, talk.friend_id).skip is None
    assert inbox.attempts(parts, talk.user_id) == []


def test_a_user_without_a_known_time_zone_is_not_written_to_and_can_read_why(engine: Engine) -> None:
    parts, talk = friend(engine)
    with parts.store.write() as session:
        from dataclasses import replace

        from clew.model.rows import put_user

        user = session.user(talk.user_id)
        assert user is not None
        odd = replace(user, answers=replace(user.answers, client_timezone="Mars/Olympus"))
        session.append([Event("test", START, talk.user_id, "p", changes=(put_user(odd),))])
    parts.clock.pass_(hours=24)
    assert look(parts, talk).skip is Skip.UNKNOWN_TIME_ZONE
    assert run_hour(parts)["skipped"] == {"unknown_time_zone": 1}


def test_a_job_whose_holder_died_is_taken_by_another_and_one_that_fails_is_tried_again(engine: Engine) -> None:
    parts = engine(clock=HeldClock(START))
    job = Job("remind:none", JobKind.REMIND, START, START, user_id="u", payload={"reminder_id": "none"})
    with parts.store.write() as session:
        assert session.add_jobs([job, job]) == 1
    with parts.store.write() as session:
        held = session.claim_job(START, START + timedelta(seconds=60), "dead|1|0")
        assert held is not None and session.claim_job(START, START, "other|1|0") is None
    parts.process.dead.add("dead|1|0")
    done = {r.job.job_id: r.job for r in Worker(parts).drain()}
    assert done["remind:none"].status is JobStatus.DONE and done["remind:none"].attempts == 2
    with parts.store.write() as session:
        assert session.keep_job(held) is False
    broken = Job("remind:broken", JobKind.REMIND, START, START)
    with parts.store.write() as session:
        session.add_jobs([broken])
    tries, rest = 0, 40
    while rest:
        tries += len([r for r in Worker(parts).drain() if r.job.job_id == "remind:broken"])
        parts.clock.pass_(hours=6)
        with parts.store.read() as session:
            found = session.job("remind:broken")
        # Once it is given up, two more rounds find nothing to do.
        rest = min(rest - 1, 2) if found is not None and found.status is JobStatus.FAILED else rest - 1
    assert found is not None and found.status is JobStatus.FAILED and "KeyError" in (found.error or "")
    assert tries == parts.policy.jobs.attempts
