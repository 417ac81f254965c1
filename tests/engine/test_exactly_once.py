"""One message, one reply: retried, raced, crashed or failed (rulings P23, P29, P30, P36)."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace

import pytest

from clew.adapters.llm.scripted import Fails, ScriptedWriter
from clew.engine.claim import claim, unanswered
from clew.engine.parts import Parts
from clew.engine.replay import rebuild
from clew.errors import MessageReused, ModelTimeout, TurnInProgress
from clew.model.account import Lease
from clew.model.exchange import Incoming
from clew.ports.llm import WriterAnswer, WriterRequest
from clew.testing.fakes import HeldProcess
from clew.testing.parts import make_parts, message_id, onboard, say

Engine = Callable[..., Parts]


def counts(parts: Parts, conversation_id: str) -> tuple[int, int]:
    with parts.store.read() as session:
        return len(session.recent(conversation_id, 1000)), len(list(session.journal()))


def test_the_same_id_gives_the_stored_reply_and_changes_nothing(engine: Engine) -> None:
    parts = engine()
    conversation = onboard(parts)
    first = say(parts, conversation, "I love ramen", 1)
    before = counts(parts, conversation.conversation_id)
    again = say(parts, conversation, "I love ramen", 1)
    assert again.replayed and not first.replayed
    assert (again.reply, again.reply_id) == (first.reply, first.reply_id)
    assert counts(parts, conversation.conversation_id) == before


def test_the_same_id_with_another_text_is_refused(engine: Engine) -> None:
    parts = engine()
    conversation = onboard(parts)
    say(parts, conversation, "hello there", 1)
    with pytest.raises(MessageReused):
        say(parts, conversation, "something else", 1)


@pytest.mark.rule("P29")
def test_a_message_in_flight_says_so_and_runs_again_after_the_lease(engine: Engine) -> None:
    parts = engine()
    conversation = onboard(parts)
    incoming = Incoming(message_id(1), conversation.conversation_id, "hello")
    assert isinstance(claim(parts, incoming, parts.clock.now()), Lease)
    with pytest.raises(TurnInProgress):
        say(parts, conversation, "hello", 1)
    assert unanswered(parts, conversation.conversation_id) == []
    parts.clock.pass_(seconds=parts.policy.engine.lease_seconds + 1)  # type: ignore[attr-defined]
    assert [x.text for x in unanswered(parts, conversation.conversation_id)] == ["hello"]
    assert say(parts, conversation, "hello", 1).reply
    assert counts(parts, conversation.conversation_id)[0] == 2


@pytest.mark.rule("P29")
def test_a_dead_holder_is_replaced_at_once(engine: Engine) -> None:
    parts = engine()
    conversation = onboard(parts)
    dead = replace(parts, process=HeldProcess("gone|9|9"))
    claim(dead, Incoming(message_id(1), conversation.conversation_id, "hello"), parts.clock.now())
    parts.process.dead.add("gone|9|9")  # type: ignore[attr-defined]
    assert say(parts, conversation, "hello", 1).reply


def test_a_holder_that_lost_its_lease_writes_nothing(engine: Engine) -> None:
    """The slow one wakes up after another worker has answered."""
    parts = engine()
    conversation = onboard(parts)

    class Slow:
        name = "slow"

        def write(self, request: WriterRequest) -> WriterAnswer:
            parts.clock.pass_(seconds=parts.policy.engine.lease_seconds + 1)  # type: ignore[attr-defined]
            quick = replace(parts, process=HeldProcess("quick|2|0"))
            say(quick, conversation, "hello", 1)
            return WriterAnswer("Hello from the slow one.", "slow")

    with pytest.raises(TurnInProgress):
        say(replace(parts, writer=Slow()), conversation, "hello", 1)
    with parts.store.read() as session:
        said = session.recent(conversation.conversation_id, 10)
    assert [m.role for m in said] == ["user", "assistant"]
    assert "slow one" not in said[1].text


@pytest.mark.rule("P30")
@pytest.mark.parametrize("failure", ["timeout", "rate_limited", "unavailable", "garbage"])
def test_a_failing_model_leaves_the_message_waiting_and_nothing_else(engine: Engine, failure: str) -> None:
    parts = engine(writer=ScriptedWriter([Fails(failure), "Hello Mina, good to see you here today."]))
    conversation = onboard(parts)
    before = counts(parts, conversation.conversation_id)
    with pytest.raises(Exception) as caught:
        say(parts, conversation, "hello", 1)
    assert getattr(caught.value, "retryable", False)
    assert counts(parts, conversation.conversation_id) == before
    assert [x.text for x in unanswered(parts, conversation.conversation_id)] == ["hello"]
    assert say(parts, conversation, "hello", 1).reply
    assert unanswered(parts, conversation.conversation_id) == []


@pytest.mark.rule("P36")
def test_no_transaction_is_open_while_the_model_writes(engine: Engine) -> None:
    parts = engine()
    conversation = onboard(parts)
    other = make_parts(parts.store.url, process=HeldProcess("other|3|0"))

    class Looks:
        name = "looks"

        def write(self, request: WriterRequest) -> WriterAnswer:
            with other.store.write(f"user:{conversation.user_id}") as session:  # would wait for us otherwise
                assert session.message(message_id(1)) is None
            return WriterAnswer("All quiet here, tell me more about it.", "looks")

    assert say(replace(parts, writer=Looks()), conversation, "hello", 1).reply
    other.store.close()


def test_eight_racing_retries_store_one_turn(engine: Engine) -> None:
    parts = engine()
    conversation = onboard(parts)
    outcomes: list[object] = []

    def go(number: int) -> None:
        mine = replace(parts, process=HeldProcess(f"w{number}|1|0"))
        try:
            outcomes.append(say(mine, conversation, "I live in Oslo", 1).reply)
        except TurnInProgress:
            outcomes.append("busy")

    threads = [threading.Thread(target=go, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(outcomes) == 8
    assert len({o for o in outcomes if o != "busy"}) == 1
    with parts.store.read() as session:
        assert len(session.recent(conversation.conversation_id, 100)) == 2
        assert len(session.memories(conversation.user_id, conversation.friend_id)) <= 1


def test_different_messages_of_one_user_may_race(engine: Engine) -> None:
    parts = engine()
    conversation = onboard(parts)
    say(parts, conversation, "hello", 100)
    failed: list[BaseException] = []

    def go(number: int) -> None:
        try:
            mine = replace(parts, process=HeldProcess(f"w{number}|1|0"))
            say(mine, conversation, f"I live in {['Oslo', 'Bergen', 'Tromso', 'Molde'][number]}", number)
        except BaseException as why:
            failed.append(why)

    threads = [threading.Thread(target=go, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    with parts.store.read() as session:
        said = session.recent(conversation.conversation_id, 100)
        assert [m.position for m in said] == list(range(1, 11))
        active = [
            m for m in session.memories(conversation.user_id, conversation.friend_id) if m.status == "ACTIVE"
        ]
        assert len({m.memory_key for m in active}) == len(active)


def test_the_journal_rebuilds_everything_a_conversation_did(engine: Engine, fresh_url: str) -> None:
    parts = engine()
    conversation = onboard(parts)
    lines = [
        "I live in Oslo",
        "I love ramen",
        "actually I moved to Bergen",
        "forget that",
        "what is rain?",
        "나는 김치를 좋아해",
    ]
    for number, line in enumerate(lines, 1):
        parts.clock.pass_(minutes=5)  # type: ignore[attr-defined]
        say(parts, conversation, line, number)
    target = make_parts(fresh_url).store
    comparison = rebuild(parts.store, target)
    target.close()
    assert comparison.identical, comparison.differing


def test_a_timeout_is_told_as_one() -> None:
    with pytest.raises(ModelTimeout):
        ScriptedWriter([Fails("timeout")]).write(WriterRequest("reply", ()))


class Dying:
    """An embedder in whose hands the process ends."""

    space, dimensions = "use-multilingual-3/dying", 2

    def embed(self, texts: object) -> list[list[float]]:
        raise KeyboardInterrupt


def test_a_message_is_kept_before_it_is_even_listened_to(engine: Engine) -> None:
    parts = engine()
    conversation = onboard(parts)
    with pytest.raises(KeyboardInterrupt):
        say(replace(parts, embedder=Dying()), conversation, "I live in Trondheim", 1)
    assert [x.text for x in unanswered(parts, conversation.conversation_id)] == ["I live in Trondheim"]
    assert say(parts, conversation, "I live in Trondheim", 1).reply
    assert unanswered(parts, conversation.conversation_id) == []
