"""A turn of ours that breaks: recorded, tried again a few times, then set aside; help is never lost."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from clew.adapters.llm.scripted import Fails, ScriptedWriter
from clew.engine import failures, looking
from clew.engine import turn as turns
from clew.engine.claim import claim, unanswered
from clew.engine.failures import Failure, as_dict, set_aside
from clew.engine.parts import Parts
from clew.errors import ModelTimeout
from clew.model.account import Lease
from clew.model.exchange import Incoming
from clew.ports.llm import WriterAnswer, WriterRequest
from clew.testing.fakes import HeldProcess
from clew.testing.parts import message_id, onboard, say

Engine = Callable[..., Parts]
ENGLISH, KOREAN = "I had soup for lunch", "나는 오늘 점심에 국을 먹었어"


class Broken:
    """A writer with a bug of its own; mended after so many calls."""

    name = "broken"

    def __init__(self, times: int = 1000) -> None:
        self.calls, self.times = 0, times

    def write(self, request: WriterRequest) -> WriterAnswer:
        self.calls += 1
        if self.calls <= self.times:
            raise IndexError("list index out of range")
        return WriterAnswer("Soup sounds good to me, what was in it?", "broken")


@pytest.mark.parametrize(("text", "word"), [(ENGLISH, "my side"), (KOREAN, "내 쪽")])
def test_a_broken_turn_ends_in_a_plain_sentence_and_no_stored_reply(engine: Engine, text: str, word: str) -> None:
    writer = Broken()
    parts = engine(writer=writer)
    conversation = onboard(parts)
    outcome = say(parts, conversation, text, 1)
    assert outcome.set_aside and not outcome.persisted and outcome.reply_id is None
    assert word in (outcome.reply or "")
    assert writer.calls == parts.policy.engine.turn_attempts
    with parts.store.read() as session:
        assert session.recent(conversation.conversation_id, 10) == []


def test_what_broke_and_where_is_kept_for_the_developer(engine: Engine) -> None:
    parts = engine(writer=Broken())
    conversation = onboard(parts)
    say(parts, conversation, ENGLISH, 1)
    (lease,) = unanswered(parts, conversation.conversation_id)
    told = as_dict(lease, parts.policy.engine.turn_attempts)
    assert (told["code"], told["attempts"], told["set_aside"]) == ("unexpected", 3, True)
    assert told["error"] == "IndexError: list index out of range"
    assert told["where"][-1].endswith(" write")
    assert not any(place.startswith("/") for place in told["where"])
    json.dumps(told)


def test_a_turn_that_breaks_once_is_answered_in_the_same_call(engine: Engine) -> None:
    parts = engine(writer=Broken(times=2))
    conversation = onboard(parts)
    outcome = say(parts, conversation, ENGLISH, 1)
    assert outcome.persisted and not outcome.set_aside and "Soup" in (outcome.reply or "")
    assert unanswered(parts, conversation.conversation_id) == []


def test_a_set_aside_message_may_be_sent_again_by_the_same_id(engine: Engine) -> None:
    parts = engine(writer=Broken())
    conversation = onboard(parts)
    say(parts, conversation, ENGLISH, 1)
    again = say(replace(parts, writer=Broken(times=0)), conversation, ENGLISH, 1)
    assert again.persisted and again.reply_id
    assert unanswered(parts, conversation.conversation_id) == []


@pytest.mark.parametrize("text", ["I want to kill myself", "죽고 싶어"])
def test_words_of_crisis_get_help_when_everything_else_is_broken(
    engine: Engine, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = engine(writer=Broken())
    conversation = onboard(parts)

    def broken(*given: object) -> None:
        raise RuntimeError("no plan today")

    monkeypatch.setattr(turns, "bring_to_mind", broken)
    outcome = say(parts, conversation, text, 1)
    assert outcome.set_aside and "109" in (outcome.reply or "")


def test_words_that_cannot_even_be_read_get_help_too(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    parts = engine()
    conversation = onboard(parts)

    def deaf(*given: object) -> None:
        raise RuntimeError("cannot hear")

    monkeypatch.setattr(turns, "hear", deaf)
    monkeypatch.setattr(failures, "hear", deaf)
    monkeypatch.setattr(failures, "crisis_reply", deaf)
    assert "emergency number" in (say(parts, conversation, "I want to kill myself", 1).reply or "")


def test_a_break_before_the_claim_keeps_the_words_too(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    parts = engine()
    conversation = onboard(parts)

    def broken(*given: object) -> None:
        raise ZeroDivisionError

    with monkeypatch.context() as broken_scene:
        broken_scene.setattr(looking, "near_memories", broken)
        assert say(parts, conversation, ENGLISH, 1).set_aside
    (lease,) = unanswered(parts, conversation.conversation_id)
    assert (lease.text, Failure.of(lease).attempts) == (ENGLISH, 3)
    assert say(parts, conversation, ENGLISH, 1).persisted


def test_an_interrupted_turn_counts_and_is_set_aside_in_the_end(engine: Engine) -> None:
    parts = engine()
    conversation = onboard(parts)
    most = parts.policy.engine.turn_attempts

    class Interrupted:
        name = "interrupted"

        def write(self, request: WriterRequest) -> WriterAnswer:
            raise KeyboardInterrupt

    for attempt in range(1, most + 1):
        with pytest.raises(KeyboardInterrupt):
            say(replace(parts, writer=Interrupted()), conversation, ENGLISH, 1)
        (lease,) = unanswered(parts, conversation.conversation_id)
        assert (Failure.of(lease).code, Failure.of(lease).attempts) == ("interrupted", attempt)
        assert set_aside(lease, most) is (attempt == most)


def test_a_process_that_dies_on_a_message_counts_too(engine: Engine) -> None:
    parts = engine()
    conversation = onboard(parts)
    most = parts.policy.engine.turn_attempts
    incoming = Incoming(message_id(1), conversation.conversation_id, ENGLISH)
    for attempt in range(1, most + 1):
        owner = f"gone|{attempt}|9"
        assert isinstance(claim(replace(parts, process=_dead(parts, owner)), incoming, parts.clock.now()), Lease)
        parts.process.dead.add(owner)  # type: ignore[attr-defined]
        (lease,) = unanswered(parts, conversation.conversation_id)
        assert set_aside(lease, most) is (attempt == most)
        assert as_dict(lease, most)["attempts"] == attempt
    assert say(parts, conversation, ENGLISH, 1).persisted


def _dead(parts: Parts, owner: str) -> HeldProcess:
    process = HeldProcess(owner)
    process.dead = parts.process.dead  # type: ignore[attr-defined]
    return process


def test_a_model_that_fails_is_never_set_aside(engine: Engine) -> None:
    parts = engine(writer=ScriptedWriter([Fails("timeout")] * 5))
    conversation = onboard(parts)
    for _ in range(5):
        with pytest.raises(ModelTimeout):
            say(parts, conversation, ENGLISH, 1)
    (lease,) = unanswered(parts, conversation.conversation_id)
    assert Failure.of(lease).code == "model_timeout"
    assert not set_aside(lease, parts.policy.engine.turn_attempts)


def test_a_record_of_an_older_version_is_read(engine: Engine) -> None:
    parts = engine()
    onboard(parts)
    lease = Lease("m", "c", "t", "o", parts.clock.now(), parts.clock.now(), "model_timeout")
    assert Failure.of(lease).code == "model_timeout"
    assert Failure.of(replace(lease, failure='{"odd": 1}')).code == '{"odd": 1}'
