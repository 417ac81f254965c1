"""Corrections in words, from the sentence to the database and back by /undo."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from clew.engine import rights
from clew.engine.parts import Parts
from clew.engine.rights import Scope
from clew.engine.weaving import propose
from clew.kernel.relate.update import update
from clew.model.account import Conversation
from clew.model.canonical import derived_id
from clew.model.memory import MemoryRecord, MemoryStatus
from clew.model.relationship import RelationshipState
from clew.model.thread import ThreadAdd, ThreadType, Urgency
from clew.policy import default
from clew.testing.parts import make_parts, onboard, say

Engine = Callable[..., Parts]

TOLD = (
    "I live in Oslo",
    "I'm a nurse",
    "My major is physics",
    "I love sushi",
    "I like jazz",
    "I love coffee",
    "I love playing tennis",
    "I hate olives",
    "나는 초밥을 좋아해",
    "나는 커피를 좋아해",
    "나는 재즈를 좋아해",
    "나는 등산을 좋아해",
)
CITY, JOB, MAJOR = "fact:current_city", "fact:occupation", "fact:major"
SUSHI, JAZZ, COFFEE, TENNIS, OLIVES = (
    "pref:food:sushi",
    "pref:music:jazz",
    "pref:drink:coffee",
    "pref:sport:tennis",
    "pref:food:olives",
)
KEYS_TOLD = (CITY, JOB, MAJOR, SUSHI, JAZZ, COFFEE, TENNIS, OLIVES)
# A sentence, and the keys whose current memory it changes.
CORRECTIONS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("forget sushi", (SUSHI,)),
    ("please forget that I like jazz", (JAZZ,)),
    ("forget jazz music", (JAZZ,)),
    ("forget about my job", (JOB,)),
    ("can you forget where I live?", (CITY,)),
    ("forget my job and my city", (JOB, CITY)),
    ("don't remember that I love coffee", (COFFEE,)),
    ("remove tennis from your memory", (TENNIS,)),
    ("delete the note about olives", (OLIVES,)),
    ("stop remembering my major", (MAJOR,)),
    ("erase what you know about sushi", (SUSHI,)),
    ("actually I live in Porto", (CITY,)),
    ("no, I'm a teacher", (JOB,)),
    ("Porto, not Oslo", (CITY,)),
    ("it's not Oslo, it's Porto", (CITY,)),
    ("a teacher, not a nurse", (JOB,)),
    ("change my city to Porto", (CITY,)),
    ("update my job to plumber", (JOB,)),
    ("I'm not a nurse", (JOB,)),
    ("I'm no longer a nurse", (JOB,)),
    ("I don't live in Oslo anymore", (CITY,)),
    ("I used to live in Oslo", (CITY,)),
    ("I never said I like sushi", (SUSHI,)),
    ("I don't eat sushi anymore", (SUSHI,)),
    ("I've gone off jazz", (JAZZ,)),
    ("I've gone off jazz music", (JAZZ, "pref:music:jazz_music")),
    # What was given up is kept as something that happened, too.
    ("I stopped drinking coffee", (COFFEE, "event:other:2026_03:i_stopped_drinking_coffee")),
    ("I don't like coffee anymore", (COFFEE,)),
    ("I no longer play tennis", (TENNIS,)),
    ("I don't listen to jazz anymore", (JAZZ,)),
    ("I love olives now", (OLIVES,)),
    ("I can't stand tennis", (TENNIS,)),
    ("초밥 잊어줘", ("pref:food:초밥",)),
    ("재즈 좋아한다는 거 잊어줘", ("pref:music:재즈",)),
    ("커피 기억하지 마", ("pref:drink:커피",)),
    ("등산 얘기 잊어줘", ("pref:hobby:등산", "pref:sport:등산")),
    ("이제 커피 안 마셔", ("pref:drink:커피",)),
    ("나 커피 끊었어", ("pref:drink:커피",)),
    ("재즈 이제 안 들어", ("pref:music:재즈",)),
    ("나 이제 초밥 싫어해", ("pref:food:초밥",)),
    ("나 초밥 안 먹어", ("pref:food:초밥",)),
    ("내 직업 잊어줘", (JOB,)),
    ("사는 곳 잊어줘", (CITY,)),
    ("사실 나 부산에 살아", (CITY,)),
    ("아니 나 교사야", (JOB,)),
    ("내 직업을 교사로 바꿔줘", (JOB,)),
    ("내 전공 기억하지 마", (MAJOR,)),
)
# What is closed in words changes no memory.
CLOSINGS = (
    "don't bring up work again",
    "stop mentioning sushi",
    "don't talk about my ex anymore",
    "I don't want to hear about jazz ever again",
    "please don't mention my family again",
    "초밥 얘기 그만해",
    "정치 얘기 하지 마",
)
# No correction at all.
HARMLESS = (
    "that's a hospital, not a nurse",
    "today I'm a patient, not a nurse",
    "change my job to part time",
    "I'll never forget that night",
    "I don't remember that movie",
    "don't forget my birthday",
    "what's wrong?",
    "no, thanks",
    "잊을 수가 없어",
)


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Parts, Conversation]]:
    """One long conversation: every sentence is taken back before the next."""
    folder: Path = tmp_path_factory.mktemp("corrections")
    parts = make_parts(f"sqlite:///{folder}/clew.db")
    conversation = onboard(parts)
    for number, text in enumerate(TOLD):
        say(parts, conversation, text, derived_id("told", number))
    yield parts, conversation
    parts.store.close()


def active(parts: Parts, scope: Scope) -> dict[str, MemoryRecord]:
    return {m.memory_key: m for m in rights.memories(parts, scope)}


def standing(parts: Parts, scope: Scope) -> tuple[dict[str, MemoryRecord], Any]:
    with parts.store.read() as session:
        return active(parts, scope), session.controls(scope.user_id)


def test_there_are_sixty_sentences_and_all_is_told(told: tuple[Parts, Conversation]) -> None:
    assert len(CORRECTIONS) + len(CLOSINGS) + len(HARMLESS) >= 60
    parts, conversation = told
    assert len(active(parts, Scope.of(conversation))) == len(TOLD)


@pytest.mark.parametrize(("text", "keys"), CORRECTIONS)
def test_a_correction_changes_what_it_names_and_undo_restores_it_exactly(
    text: str, keys: tuple[str, ...], told: tuple[Parts, Conversation]
) -> None:
    parts, conversation = told
    scope = Scope.of(conversation)
    before, controls = standing(parts, scope)
    say(parts, conversation, text, derived_id("c", text))
    after = active(parts, scope)
    changed = {k for k in before.keys() | after.keys() if before.get(k) != after.get(k)}
    assert changed and changed <= set(keys)
    rights.undo(parts, scope)
    assert standing(parts, scope) == (before, controls)


@pytest.mark.parametrize("text", CLOSINGS)
def test_a_closing_changes_no_memory_and_undo_opens_it_again(
    text: str, told: tuple[Parts, Conversation]
) -> None:
    parts, conversation = told
    scope = Scope.of(conversation)
    before, controls = standing(parts, scope)
    say(parts, conversation, text, derived_id("s", text))
    after, closed = standing(parts, scope)
    assert after == before and closed != controls
    rights.undo(parts, scope)
    assert standing(parts, scope) == (before, controls)


@pytest.mark.parametrize("text", HARMLESS)
def test_what_is_no_correction_changes_nothing(text: str, told: tuple[Parts, Conversation]) -> None:
    parts, conversation = told
    before = standing(parts, Scope.of(conversation))
    say(parts, conversation, text, derived_id("h", text))
    assert standing(parts, Scope.of(conversation)) == before


@pytest.mark.parametrize(
    ("ask", "text"),
    [
        ("where do I live?", "that's not true"),
        ("where do I live?", "forget that"),
        ("where do I live?", "wrong, it's Porto"),
        ("내가 어디 사는지 기억해?", "그건 사실이 아니야"),
    ],
)
def test_a_correction_of_what_was_just_said_is_taken_back_too(
    ask: str, text: str, told: tuple[Parts, Conversation]
) -> None:
    parts, conversation = told
    scope = Scope.of(conversation)
    outcome = say(parts, conversation, ask, derived_id("a", text))
    before, controls = standing(parts, scope)
    surfaced = [k for k, m in before.items() if m.memory_id in outcome.surfaced_memory_ids]
    assert surfaced == [CITY], "the reply must speak of the city for this test to mean something"
    say(parts, conversation, text, derived_id("b", text))
    after = active(parts, scope)
    assert {k for k in before if before[k] != after.get(k)} == {CITY}
    rights.undo(parts, scope)
    assert standing(parts, scope) == (before, controls)


def test_a_key_that_was_closed_before_stays_closed_when_forgetting_is_undone(engine: Engine) -> None:
    parts = engine()
    conversation = onboard(parts)
    scope = Scope.of(conversation)
    say(parts, conversation, "I love sushi", 1)
    say(parts, conversation, "stop mentioning sushi", 2)
    before = standing(parts, scope)
    assert before[1].suppressed_memory_keys == (SUSHI,)
    say(parts, conversation, "forget sushi", 3)
    assert active(parts, scope) == {}
    rights.undo(parts, scope)
    assert standing(parts, scope) == before


def test_a_forgotten_thing_does_not_come_back_by_another_name(engine: Engine) -> None:
    parts = engine()
    conversation = onboard(parts)
    scope = Scope.of(conversation)
    say(parts, conversation, "I like jazz", 1)
    say(parts, conversation, "I like jazz music", 2)
    assert [m.confidence.as_tuple().digits for m in active(parts, scope).values()] == [(7, 5)]
    say(parts, conversation, "forget jazz", 3)
    say(parts, conversation, "I like jazz music", 4)
    assert active(parts, scope) == {}
    say(parts, conversation, "please remember that I like jazz music", 5)
    assert list(active(parts, scope)) == ["pref:music:jazz_music"]


@pytest.mark.rule("P10")
def test_a_closed_topic_stays_out_of_mind_until_the_user_raises_it(engine: Engine) -> None:
    parts = engine()
    conversation = onboard(parts)
    for number, text in enumerate(("I'm a nurse", "I live in Oslo", "don't bring up work again")):
        say(parts, conversation, text, number + 1)

    def recalled(text: str, number: int) -> set[str]:
        outcome = say(parts, conversation, text, number)
        assert ("nurse" in outcome.reply) is any(
            "occupation" in h["key"] for h in outcome.trace["recall"]["hits"]
        )
        return {h["key"] for h in outcome.trace["recall"]["hits"]}

    assert recalled("what do you remember about me?", 10) == {CITY}
    assert recalled("나에 대해 뭘 기억해?", 11) == {CITY}
    assert JOB in recalled("what's my job?", 12)
    rights.undo(parts, Scope.of(conversation))
    assert recalled("what do you remember about me?", 13) == {CITY, JOB}


@pytest.mark.rule("P10")
def test_an_open_loop_of_a_closed_topic_is_not_brought_up(engine: Engine) -> None:
    parts = engine()
    conversation = onboard(parts)
    adds = [
        ThreadAdd(ThreadType.MYSTERY, "Will my boss give me the promotion at work?", Urgency.HIGH),
        ThreadAdd(ThreadType.MYSTERY, "Who took the blue umbrella?", Urgency.HIGH),
    ]
    assert len(propose(parts, conversation, adds).added) == len(adds)

    def shown(text: str, number: int) -> int:
        return len(say(parts, conversation, text, number).trace["plan"]["threads"]["shown"])

    assert shown("hello there", 1) == 2
    say(parts, conversation, "don't bring up work again", 2)
    assert shown("it is raining here", 3) == 1
    assert shown("my boss was at work today", 4) == 2


@pytest.mark.rule("P61")
def test_a_correction_is_no_cold_reply(engine: Engine) -> None:
    parts = engine()
    conversation = onboard(parts)
    say(parts, conversation, "I love sushi and I like jazz", 1)
    corrections = ("forget sushi", "forget jazz", "that's wrong", "not true")
    deltas = [say(parts, conversation, t, 10 + n).trace["relate"]["delta"] for n, t in enumerate(corrections)]
    assert min(deltas) >= 0
    replies = [
        say(parts, conversation, t, 20 + n).trace["relate"]["delta"] for n, t in enumerate(("ok", "k", "idk"))
    ]
    assert replies == [0, 0, -2], "other short replies count as before"


@pytest.mark.rule("P61")
def test_the_kernel_counts_a_short_text_unless_it_is_told_of_a_correction() -> None:
    policy, at = default(), datetime(2026, 5, 4, 12, tzinfo=UTC)
    state = RelationshipState(rapport_score=10, sessions_count=1, short_replies=2, last_interaction_at=at)
    assert update(state, "둘 다 잊어줘", at, policy).delta == -2
    assert update(state, "둘 다 잊어줘", at, policy, correction=True).delta == 0


def test_nothing_is_deleted_by_a_correction(told: tuple[Parts, Conversation]) -> None:
    parts, conversation = told
    everything = rights.memories(parts, Scope.of(conversation), status=None)
    gone = [m for m in everything if m.status is not MemoryStatus.ACTIVE]
    # What was told before is there still, whatever became of it.
    assert len({m.memory_key for m in everything if m.memory_key in KEYS_TOLD}) == len(KEYS_TOLD)
    assert gone and all(m.ended_at is not None for m in gone)


def test_a_spared_thing_is_not_spoken_of_though_it_is_kept(engine: Engine) -> None:
    parts = engine()
    conversation = onboard(parts)
    for number, text in enumerate(("I love sushi", "I live in Oslo", "stop mentioning sushi")):
        say(parts, conversation, text, number + 1)
    assert set(active(parts, Scope.of(conversation))) == {SUSHI, CITY}
    outcome = say(parts, conversation, "what do you remember about me?", 10)
    assert [h["key"] for h in outcome.trace["recall"]["hits"]] == [CITY]
    assert "sushi" not in outcome.reply.lower()


def test_what_is_asked_to_be_forgotten_and_is_not_held_costs_nothing_else(tmp_path: Path) -> None:
    parts = make_parts(f"sqlite:///{tmp_path}/clew.db")
    conversation = onboard(parts)
    say(parts, conversation, "I live in Leeds", 1)
    say(parts, conversation, "where do I live?", 2)
    say(parts, conversation, "forget my age please", 3)
    assert "Leeds" in (say(parts, conversation, "where do I live?", 4).reply or "")
    parts.store.close()
