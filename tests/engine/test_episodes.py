"""Sessions, an agent's decisions and status facts, as a user or an agent meets them (ruling M11)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import clew
from clew.testing.fakes import HeldClock

MORNING = datetime(2026, 11, 10, 9, tzinfo=UTC)
DAY = timedelta(days=1)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[clew.Memory]:
    with clew.Memory(tmp_path / "talk.db", embedder=False, clock=HeldClock(MORNING + 5 * DAY)) as opened:
        yield opened


def told(memory: clew.Memory, *lines: str, at: datetime = MORNING, conversation: str = "main") -> list[str]:
    """Said a minute apart; the ids of the messages."""
    out: list[str] = []
    for n, line in enumerate(lines):
        out += memory.add(line, at=at + timedelta(minutes=n), conversation=conversation).message_ids
    return out


CELLO = "I'm thinking of buying a cello"
SURF = "어제 강릉에서 서핑을 배웠어"


@pytest.mark.rule("M11")
def test_a_session_becomes_an_episode_summed_up_in_its_own_words(memory: clew.Memory) -> None:
    told(memory, "hi there", CELLO, "ok thanks")
    told(memory, "안녕", SURF, at=MORNING + DAY)
    first, second = memory.episodes()
    assert first.summary == CELLO and second.summary == SURF
    assert first.ended_at == MORNING + timedelta(minutes=2) and len(first.message_ids) == 3


def test_a_session_that_goes_on_has_no_end(memory: clew.Memory) -> None:
    memory.add(CELLO)
    assert [e.ended_at for e in memory.episodes()] == [None]


def test_what_was_taken_back_or_forgotten_is_in_no_episode(memory: clew.Memory) -> None:
    ids = told(memory, CELLO, "my locker code is 4417", "I play chess on Sundays")
    memory.unsay(ids[0])
    memory.forget("locker code")
    assert [e.summary for e in memory.episodes()] == ["I play chess on Sundays"]


@pytest.mark.rule("N6")
def test_two_sessions_about_the_same_are_one_episode_and_end_with_the_last(memory: clew.Memory) -> None:
    told(memory, "please show me the billing status", conversation="a")
    told(memory, "show me the billing status", at=MORNING + timedelta(minutes=5), conversation="b")
    (one,) = memory.episodes()
    assert len(one.message_ids) == 2 and one.ended_at == MORNING + timedelta(minutes=5)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("lights on", "lights off"),
        ("turn the lights on in the kitchen", "turn the lights off in the kitchen"),
        ("거실 불 켜 줘", "거실 불 꺼 줘"),
    ],
)
def test_opposites_are_two_episodes(memory: clew.Memory, one: str, other: str) -> None:
    told(memory, one, conversation="a")
    told(memory, other, at=MORNING + timedelta(minutes=5), conversation="b")
    assert [e.summary for e in memory.episodes()] == [one, other]


def test_episodes_are_found_by_what_they_were_about_and_stand_in_the_context(memory: clew.Memory) -> None:
    told(memory, CELLO)
    told(memory, SURF, at=MORNING + DAY)
    (hit,) = memory.search("the cello", kinds=["episode"])
    assert (hit.kind, hit.text) == ("episode", CELLO)
    assert {h.kind for h in memory.search("cello")} <= {"memory", "said"}, "only where they are asked for"
    assert f'"talked_about": "{SURF}"' in memory.context("anything new?")


@pytest.mark.parametrize(
    ("lines", "question", "answer"),
    [
        (["hi there", CELLO], "what did we talk about last time?", CELLO),
        (["hi there", CELLO], "where did we leave off?", CELLO),
        (["안녕", SURF], "우리 지난번에 무슨 얘기 했지?", SURF),
    ],
)
def test_the_chat_says_what_the_last_session_was_about(
    tmp_path: Path, lines: list[str], question: str, answer: str
) -> None:
    clock = HeldClock(MORNING)
    with clew.Chat(tmp_path / "chat.db", clock=clock, embedder=False) as chat:
        for line in lines:
            chat.say(line)
            clock.pass_(minutes=1)
        clock.pass_(days=1)
        assert f"“{answer}”" in chat.say(question).text


# -- decisions -------------------------------------------------------------------------------------


def answered(reply: str, ask: str = "which one?") -> list[dict[str, object]]:
    return [{"role": "user", "content": ask}, {"role": "assistant", "content": reply}]


def test_an_agents_decision_is_recorded_once_in_its_own_words(memory: clew.Memory) -> None:
    memory.add(answered("I looked at both. We'll use Postgres for billing because of row locks."), frame="decision")
    again = memory.add(answered("We will use Postgres for billing because of row locks."), frame="decision")
    assert [c.kind for c in again] == ["confirmed"]
    assert [d.value for d in memory.decisions()] == ["We'll use Postgres for billing because of row locks."]
    assert memory.decisions("postgres") and not memory.decisions("kitchen")


@pytest.mark.rule("N3")
def test_the_tool_that_records_decisions_wins_over_the_frame(memory: clew.Memory) -> None:
    call = {"function": {"name": "record_decision", "arguments": '{"decision": "Ship on Fridays"}'}}
    memory.add([{"role": "user", "content": "go"}, {"role": "assistant", "content": None, "tool_calls": [call]}])
    assert [d.text for d in memory.decisions()] == ["Decided: Ship on Fridays"]


@pytest.mark.parametrize(
    ("reply", "frame"),
    [
        ("Battery: 82% | Wifi: connected | Alarm: off | Temp 21C", "decision"),
        ("서버 상태: 정상, 큐: 0, CPU 12%, 메모리 40%, 조명 켜짐", "decision"),
        ("I recommend the blue one, it suits you.", None),
        ("Here are the open tickets: one, two and three, as of this morning.", "task"),
    ],
)
def test_readings_lists_and_conversation_decide_nothing(memory: clew.Memory, reply: str, frame: str | None) -> None:
    memory.add(answered(reply), frame=frame)
    assert memory.decisions() == []


@pytest.mark.rule("N13")
def test_what_came_of_a_decision_takes_the_place_of_the_open_one(memory: clew.Memory) -> None:
    memory.decide("Ship on Fridays")
    memory.decide("Ship on Fridays", "regretted")
    assert [d.value for d in memory.decisions()] == ["Ship on Fridays → regretted"]
    assert [m.status for m in memory.history("fact:decision:ship_on_fridays")] == ["SUPERSEDED", "ACTIVE"]


@pytest.mark.parametrize("junk", ["not json", "[1]", '{"decision": 5}', "{}", None, 7])
def test_a_malformed_tool_call_loses_no_message(memory: clew.Memory, junk: object) -> None:
    call = {"function": {"name": "record_decision", "arguments": junk}}
    memory.add([{"role": "user", "content": "I live in Oslo"}, {"role": "assistant", "tool_calls": [call, None, 5]}])
    assert [m.value for m in memory.all()] == ["Oslo"] or memory.decisions()


# -- status facts ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "key", "value"),
    [
        (["deploy status: green", "the deploy status is now red"], "fact:status:deploy", "red"),
        (["006 status is PLANNED", "006 status: shipped"], "fact:status:006", "shipped"),
        (["배포 상태: 정상", "배포 상태는 지금 장애"], "fact:status:배포", "장애"),
    ],
)
def test_a_status_supersedes_by_what_it_is_the_status_of(
    memory: clew.Memory, lines: list[str], key: str, value: str
) -> None:
    told(memory, "billing status: blocked", *lines)
    held = {m.key: m.value for m in memory.all()}
    assert held[key] == value and held["fact:status:billing"] == "blocked"
    assert [m.status for m in memory.history(key)] == ["SUPERSEDED", "ACTIVE"]


@pytest.mark.parametrize("line", ["my relationship status is complicated", "건강 상태는 좋아", "what a status symbol"])
def test_a_status_of_a_person_is_no_status_of_a_thing(memory: clew.Memory, line: str) -> None:
    told(memory, line)
    assert not [m.key for m in memory.all() if m.key.startswith("fact:status")]
