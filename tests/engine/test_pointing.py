"""Follow-ups point at what was listed, and at nothing else; they are turns like any other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count

import pytest

from clew.engine import rights
from clew.engine.parts import Parts
from clew.engine.pointing import memory_item, show
from clew.engine.rights import Scope
from clew.engine.weaving import propose
from clew.model.account import Conversation
from clew.model.shown import Item
from clew.model.thread import ThreadAdd, ThreadType
from clew.testing.parts import onboard, say

Engine = Callable[..., Parts]
NUMBERS = count(1000)


@dataclass
class Followed:
    said: str
    choice: str | None
    done: bool


def follow(parts: Parts, conversation: Conversation, text: str) -> Followed | None:
    """What the turn made of a message beside a list: None when it pointed at nothing."""
    outcome = say(parts, conversation, text, next(NUMBERS))
    room = outcome.trace.get("ground")
    if room is None:
        return None
    assert outcome.reply
    return Followed(outcome.reply, room["choice"], bool(room["forget"] or room["close"]))


@pytest.fixture
def talk(engine: Engine) -> tuple[Parts, Conversation]:
    parts = engine()
    conversation = onboard(parts)
    for number, line in enumerate(("I live in Oslo", "I love ramen", "I hate olives"), 1):
        parts.clock.pass_(minutes=1)  # type: ignore[attr-defined]
        say(parts, conversation, line, number)
    return parts, conversation


def keys(parts: Parts, conversation: Conversation) -> list[str]:
    return [m.memory_key for m in rights.memories(parts, Scope.of(conversation))]


def listed(parts: Parts, conversation: Conversation) -> None:
    found = rights.memories(parts, Scope.of(conversation))
    show(parts, conversation, "memories", [memory_item(parts, m) for m in found])


@pytest.mark.parametrize("text", ["forget the second one", "delete ramen please", "두 번째 거 잊어줘"])
def test_the_meant_memory_is_forgotten(talk: tuple[Parts, Conversation], text: str) -> None:
    parts, conversation = talk
    listed(parts, conversation)
    assert keys(parts, conversation) == ["fact:current_city", "pref:food:ramen", "pref:food:olives"]
    pointed = follow(parts, conversation, text)
    assert pointed is not None and pointed.done
    assert keys(parts, conversation) == ["fact:current_city", "pref:food:olives"]
    assert rights.undo(parts, Scope.of(conversation))
    assert "pref:food:ramen" in keys(parts, conversation)


@pytest.mark.parametrize("text", ["forget the first two", "forget Oslo and ramen", "앞에 두 개 잊어줘"])
def test_several_memories_are_forgotten_at_once(talk: tuple[Parts, Conversation], text: str) -> None:
    parts, conversation = talk
    listed(parts, conversation)
    pointed = follow(parts, conversation, text)
    assert pointed is not None and pointed.done
    assert keys(parts, conversation) == ["pref:food:olives"]


def test_a_liking_said_beside_a_list_is_kept_and_takes_nothing_from_it(
    talk: tuple[Parts, Conversation],
) -> None:
    """It consents to nothing on the list (ruling G24), and is told of the user like any other message."""
    parts, conversation = talk
    listed(parts, conversation)
    before = keys(parts, conversation)
    assert follow(parts, conversation, "I love the second season") is None
    assert set(before) <= set(keys(parts, conversation))


@pytest.mark.parametrize("text", ["what is rain?", "book the second one", "forget the ninth one"])
def test_what_points_at_nothing_changes_nothing(talk: tuple[Parts, Conversation], text: str) -> None:
    parts, conversation = talk
    listed(parts, conversation)
    before = keys(parts, conversation)
    pointed = follow(parts, conversation, text)
    assert pointed is None or not pointed.done
    assert keys(parts, conversation) == before


@pytest.mark.parametrize(
    "text",
    [
        "I love ramen",
        "ramen",
        "Oslo is nice",
        "I want to kill myself, forget ramen",
        "라면 좋아",
    ],
)
def test_what_is_said_about_a_listed_thing_is_a_message(talk: tuple[Parts, Conversation], text: str) -> None:
    """Whatever is on the table, a message reaches the turn and its safety rules."""
    parts, conversation = talk
    listed(parts, conversation)
    assert follow(parts, conversation, text) is None


def test_a_bare_number_is_a_choice_only_right_after_the_list(talk: tuple[Parts, Conversation]) -> None:
    parts, conversation = talk
    listed(parts, conversation)
    pointed = follow(parts, conversation, "the second one")
    assert pointed is not None and "ramen" in pointed.said and not pointed.done
    parts.clock.pass_(minutes=1)  # type: ignore[attr-defined]
    say(parts, conversation, "how many sisters do you have?", 70)
    assert follow(parts, conversation, "2") is None


@pytest.mark.rule("P73")
@pytest.mark.parametrize("text", ["forget that I live in Oslo", "forget that I live in Rome"])
def test_a_command_that_names_its_memory_takes_nothing_else_from_the_list(
    talk: tuple[Parts, Conversation], text: str
) -> None:
    parts, conversation = talk
    ramen = rights.memories(parts, Scope.of(conversation), search="ramen")
    show(parts, conversation, "memories", [memory_item(parts, m) for m in ramen])
    assert follow(parts, conversation, text) is None
    assert "pref:food:ramen" in keys(parts, conversation)


def test_forget_that_means_the_list_only_right_after_it(talk: tuple[Parts, Conversation]) -> None:
    parts, conversation = talk
    ramen = rights.memories(parts, Scope.of(conversation), search="ramen")
    show(parts, conversation, "memories", [memory_item(parts, m) for m in ramen])
    parts.clock.pass_(minutes=1)  # type: ignore[attr-defined]
    say(parts, conversation, "it rained all day here", 70)
    assert follow(parts, conversation, "forget that") is None
    show(parts, conversation, "memories", [memory_item(parts, m) for m in ramen])
    assert follow(parts, conversation, "forget that") is not None
    assert "pref:food:ramen" not in keys(parts, conversation)


def test_a_list_goes_stale(talk: tuple[Parts, Conversation]) -> None:
    parts, conversation = talk
    listed(parts, conversation)
    parts.clock.pass_(minutes=parts.policy.engine.list_minutes + 1)  # type: ignore[attr-defined]
    assert follow(parts, conversation, "forget the second one") is None


def test_without_a_list_nothing_is_meant(talk: tuple[Parts, Conversation]) -> None:
    parts, conversation = talk
    assert follow(parts, conversation, "forget the second one") is None


def test_a_thread_is_closed_by_pointing(talk: tuple[Parts, Conversation]) -> None:
    parts, conversation = talk
    propose(
        parts,
        conversation,
        [
            ThreadAdd(ThreadType.INFORMATION, "Need to learn: when does the ferry to Oslo leave?"),
            ThreadAdd(ThreadType.QUEST, "Goal: find a ramen place; success when a table is booked"),
        ],
    )
    with parts.store.read() as session:
        kept = session.threads(conversation.conversation_id)
    show(parts, conversation, "threads", [Item(k.id, k.text, k.id) for k in kept])
    pointed = follow(parts, conversation, "close the last one")
    assert pointed is not None and pointed.done
    with parts.store.read() as session:
        assert [k.id for k in session.threads(conversation.conversation_id)] == ["td-1"]
        assert len(session.threads(conversation.conversation_id, None)) == 2
    again = propose(
        parts, conversation, [ThreadAdd(ThreadType.QUEST, "Goal: learn to sail; success when licensed")]
    )
    assert [t.id for t in again.added] == ["td-3"], "numbers are never used again"


@pytest.mark.parametrize("text", ["what do you remember about me?", "나에 대해 뭘 기억해?"])
def test_a_question_about_the_whole_person_brings_the_memories_to_mind(
    talk: tuple[Parts, Conversation], text: str
) -> None:
    parts, conversation = talk
    outcome = say(parts, conversation, text, 50)
    assert {h["key"] for h in outcome.trace["recall"]["hits"]} >= {"pref:food:ramen", "pref:food:olives"}


def test_what_nobody_took_up_is_offered_as_a_loop(engine: Engine) -> None:
    """A declared plan, out of reach of any reply, becomes a thread the user may open."""
    from clew.engine.weaving import suggest
    from clew.model.account import Message
    from clew.model.event import Event
    from clew.model.rows import put_message

    parts = engine()
    conversation = onboard(parts)
    texts = ["I search the attic for the old map", *["hm, quiet here, nothing more to tell"] * 12]
    puts = [
        put_message(
            Message(f"m{n}", conversation.conversation_id, "u1", "user", text, parts.clock.now(), position=n)
        )
        for n, text in enumerate(texts, 1)
    ]
    with parts.store.write("user:u1") as session:
        session.append([Event("said", parts.clock.now(), "u1", "p", changes=tuple(puts))])
    offered = suggest(parts, conversation)
    assert [a.type for a in offered] == [ThreadType.QUEST]
    assert "attic" in offered[0].text


@pytest.mark.parametrize(
    ("text", "said"),
    [("where do I live?", "oslo"), ("나 어디 살아?", "oslo"), ("what food do I like?", "ramen")],
)
def test_a_question_about_oneself_is_answered_from_memory(
    talk: tuple[Parts, Conversation], text: str, said: str
) -> None:
    parts, conversation = talk
    assert said in (say(parts, conversation, text, 60).reply or "").lower()


def test_a_question_for_advice_is_not_answered_with_a_memory(talk: tuple[Parts, Conversation]) -> None:
    parts, conversation = talk
    assert (
        "oslo"
        not in (
            say(parts, conversation, "what should I do about my flat in the city?", 61).reply or ""
        ).lower()
    )


def test_what_a_reply_tells_in_a_row_can_be_counted(talk: tuple[Parts, Conversation]) -> None:
    parts, conversation = talk
    told = say(parts, conversation, "what do you know about me?", next(NUMBERS)).reply
    second = sorted(("Oslo", "ramen", "olives"), key=told.index)[1]
    found = follow(parts, conversation, "forget the second one")
    assert found is not None and found.done
    assert second in found.said
    assert len(keys(parts, conversation)) == 2


@pytest.mark.parametrize("text", ["forget that", "I love the second one", "the second one"])
def test_only_a_wish_that_counts_points_into_what_was_told(talk: tuple[Parts, Conversation], text: str) -> None:
    parts, conversation = talk
    say(parts, conversation, "what do you know about me?", next(NUMBERS))
    assert follow(parts, conversation, text) is None


@pytest.mark.parametrize("text", ["tell me more about the last one", "마지막 거 더 알려줘"])
def test_more_is_told_of_a_listed_memory(talk: tuple[Parts, Conversation], text: str) -> None:
    parts, conversation = talk
    listed(parts, conversation)
    last = rights.memories(parts, Scope.of(conversation))[-1]
    found = follow(parts, conversation, text)
    assert found is not None and not found.done
    assert last.statement is not None and last.statement in found.said


@pytest.mark.parametrize(
    ("text", "persona"),
    [("use the third persona", "PT03"), ("switch to number 5", "PT05"), ("세 번째로 해줘", "PT03"), ("PT07", "PT07")],
)
def test_a_listed_persona_is_chosen_in_words(talk: tuple[Parts, Conversation], text: str, persona: str) -> None:
    parts, conversation = talk
    items = [Item(t.id, t.id, t.core_archetype) for t in parts.policy.cast.templates]
    show(parts, conversation, "personas", items)
    assert follow(parts, conversation, text) is not None
    with parts.store.read() as session:
        friend = session.friend(conversation.friend_id)
    assert friend is not None and friend.assignment.template_id == persona


def test_talk_beside_the_personas_changes_nobody(talk: tuple[Parts, Conversation]) -> None:
    parts, conversation = talk
    with parts.store.read() as session:
        before = session.friend(conversation.friend_id)
    items = [Item(t.id, t.core_archetype, t.id) for t in parts.policy.cast.templates]
    show(parts, conversation, "personas", items)
    for text in ("I had a calm day", "thanks!", "my coach is gentle"):
        follow(parts, conversation, text)
    with parts.store.read() as session:
        assert session.friend(conversation.friend_id) == before


@pytest.mark.parametrize("text", ["forget all but the first one", "forget everything except Oslo", "Oslo 빼고 다 잊어줘"])
def test_all_but_one_never_forgets_that_one(talk: tuple[Parts, Conversation], text: str) -> None:
    parts, conversation = talk
    found = rights.memories(parts, Scope.of(conversation))
    first = next(m for m in found if "oslo" in m.memory_key.lower() or "oslo" in (m.statement or "").lower())
    others = [m for m in found if m.memory_id != first.memory_id]
    show(parts, conversation, "memories", [memory_item(parts, m) for m in (first, *others)])
    assert follow(parts, conversation, text) is not None
    assert first.memory_key in keys(parts, conversation)
