"""Forgetting everything, opening a closed topic, and what may be remembered, asked for in plain words."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from clew.engine.parts import Parts
from clew.model.memory import MemoryStatus
from clew.model.topic import TopicId
from clew.testing.parts import onboard, say

Engine = Callable[..., Parts]


def held(parts: Parts, conversation: object) -> list[str]:
    with parts.store.read() as session:
        records = session.memories("u1", conversation.friend_id)  # type: ignore[attr-defined]
    return [m.memory_key for m in records if m.status is MemoryStatus.ACTIVE]


@pytest.mark.parametrize(
    ("told", "wish", "yes"),
    [
        (("I live in Lisbon", "I love ramen"), "forget everything", "yes"),
        (("I live in Lisbon", "I love ramen"), "delete everything", "yes, everything"),
        (("나 부산 살아", "나 라면 좋아해"), "다 잊어 줘", "응"),
    ],
)
def test_everything_goes_once_it_is_confirmed(engine: Engine, told: tuple[str, ...], wish: str, yes: str) -> None:
    parts = engine()
    conversation = onboard(parts)
    for n, text in enumerate(told):
        say(parts, conversation, text, n + 1)
    assert len(held(parts, conversation)) >= 2
    say(parts, conversation, wish, 10)
    assert len(held(parts, conversation)) >= 2
    say(parts, conversation, yes, 11)
    assert held(parts, conversation) == []


@pytest.mark.parametrize("other", ["no", "wait, what would go?", "아니", "yes I live in Porto"])
def test_anything_but_a_plain_yes_leaves_everything(engine: Engine, other: str) -> None:
    parts = engine()
    conversation = onboard(parts)
    say(parts, conversation, "I love ramen", 1)
    say(parts, conversation, "forget everything", 2)
    say(parts, conversation, other, 3)
    assert "pref:food:ramen" in held(parts, conversation)


def test_a_yes_to_something_else_forgets_nothing(engine: Engine) -> None:
    parts = engine()
    conversation = onboard(parts)
    say(parts, conversation, "I love ramen", 1)
    say(parts, conversation, "yes", 2)
    assert "pref:food:ramen" in held(parts, conversation)


@pytest.mark.rule("M5")
@pytest.mark.parametrize(
    ("close", "open_again", "topic"),
    [
        ("don't talk about politics", "we can talk about politics again", TopicId.POLITICS),
        ("don't talk about my family", "can I talk about my family again?", TopicId.FAMILY),
        ("가족 얘기 하지 마", "이제 가족 얘기 다시 해도 돼", TopicId.FAMILY),
    ],
)
def test_a_closed_topic_is_opened_by_words_that_say_so(
    engine: Engine, close: str, open_again: str, topic: TopicId
) -> None:
    parts = engine()
    conversation = onboard(parts)

    def closed() -> tuple[TopicId, ...]:
        with parts.store.read() as session:
            return session.controls("u1").suppressed_topics

    say(parts, conversation, close, 1)
    assert topic in closed()
    say(parts, conversation, "we can talk about the weather again" if close.isascii() else "날씨 얘기 해도 돼", 2)
    assert topic in closed()
    say(parts, conversation, open_again, 3)
    assert topic not in closed()


@pytest.mark.parametrize(("asked", "word"), [("what may you remember?", "forget"), ("너는 뭘 저장해?", "잊")])
def test_what_may_be_remembered_is_told(engine: Engine, asked: str, word: str) -> None:
    parts = engine()
    conversation = onboard(parts)
    assert word in str(say(parts, conversation, asked, 1).reply) or "지울" in str(say(parts, conversation, asked, 1).reply)
