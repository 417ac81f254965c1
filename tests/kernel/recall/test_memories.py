"""What a message brings to mind, and when vectors are asked at all."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest

from clew.errors import InvalidInput
from clew.kernel.read.signals import hear
from clew.kernel.recall.memories.ranking import eligible, index_terms, memory_text, rank_memories
from clew.kernel.recall.memories.trigger import vector_trigger
from clew.kernel.text.passage import passage
from clew.kernel.text.terms import terms
from clew.model.memory import MemoryRecord, MemoryStatus, MemoryType
from tests.kernel.recall.conversation import POLICY

AT = datetime(2024, 1, 1, tzinfo=UTC)


def memory(key: str, value: str, id: str = "", day: int = 0, **more: object) -> MemoryRecord:
    kinds = {"fact": MemoryType.FACT, "pref": MemoryType.PREFERENCE, "event": MemoryType.RELATIONSHIP_EVENT}
    at = AT + timedelta(days=day)
    record = MemoryRecord(
        id or key, kinds[key.split(":")[0]], key, value, Decimal("0.70"), MemoryStatus.ACTIVE, AT, at
    )
    return replace(record, **more)


PIZZA = memory("pref:food:pizza", "like|pizza")
COFFEE = memory("pref:drink:coffee", "dislike|coffee")
CITY = memory("fact:home_city", "Oslo")
JOB = memory("event:work:2024_01:new_job", "got a new job at the hospital")
ALL = [PIZZA, COFFEE, CITY, JOB]


def names(query: str, records: list[MemoryRecord] = ALL, **more: object) -> list[str]:
    return [hit.memory.memory_id for hit in rank_memories(query, records, POLICY, **more)]


@pytest.mark.parametrize(
    ("message", "first"),
    [
        ("shall we get coffee?", COFFEE),
        ("what should I eat tonight?", PIZZA),
        ("where do I live?", CITY),
        ("the hospital was busy", JOB),
        ("커피 마실래?", COFFEE),
    ],
)
def test_a_message_brings_the_fitting_memory_to_mind(message: str, first: MemoryRecord) -> None:
    assert names(message)[0] == first.memory_id


def test_nothing_fitting_brings_nothing() -> None:
    assert names("nice weather") == []


@pytest.mark.parametrize("status", [MemoryStatus.SUPERSEDED, MemoryStatus.INVALID])
def test_only_active_memories_are_ranked(status: MemoryStatus) -> None:
    assert names("coffee", [replace(COFFEE, status=status)]) == []


def test_paused_suppressed_ended_and_excluded_memories_are_never_ranked() -> None:
    assert names("coffee", [replace(COFFEE, paused=True)]) == []
    assert names("coffee", [replace(COFFEE, ended_at=AT)]) == []
    assert names("coffee", suppressed_keys=[COFFEE.memory_key]) == []
    assert names("coffee", exclude_ids={COFFEE.memory_id}) == []
    assert eligible(ALL) == tuple(ALL)


@pytest.mark.rule("")
def test_four_at_most_and_the_limit_is_the_callers() -> None:
    many = [memory(f"pref:food:dish_{i}", f"like|dish {i}", day=i) for i in range(9)]
    assert len(names("which dish should I cook?", many)) == POLICY.recall.top_k == 4
    assert len(names("which dish should I cook?", many, limit=2)) == 2


def test_ties_go_to_the_last_confirmed_then_to_the_id() -> None:
    a, b, c = (
        memory(f"pref:food:{x}", f"like|{x}", id=x, day=d) for x, d in (("a1", 0), ("b1", 5), ("c1", 0))
    )
    assert names("let us eat", [c, a, b]) == ["b1", "a1", "c1"]


def test_vectors_find_what_words_do_not() -> None:
    vectors = {PIZZA.memory_id: [1.0, 0.0], CITY.memory_id: [0.0, 1.0]}
    assert names("margherita", query_vector=[0.9, 0.1], vectors=vectors) == [PIZZA.memory_id]


def test_a_vector_of_another_space_is_refused() -> None:
    with pytest.raises(InvalidInput):
        names("x", query_vector=[1.0], vectors={PIZZA.memory_id: [1.0, 0.0]})


def test_score_is_the_sum_of_its_parts() -> None:
    (hit,) = rank_memories("coffee", [replace(COFFEE, pinned=True)], POLICY)
    assert hit.score == pytest.approx(sum(value for _, value in hit.parts))
    assert dict(hit.parts).keys() == {"lexical", "pinned"}


def test_a_memory_is_embedded_as_a_phrase() -> None:
    assert memory_text(CITY) == "home city: Oslo"
    assert memory_text(COFFEE) == "drink: dislike coffee"


@pytest.mark.parametrize(
    ("message", "record"), [("what should I eat?", PIZZA), ("pizza", PIZZA), ("where do I live", CITY)]
)
def test_what_can_be_ranked_can_be_looked_up_by_a_term(message: str, record: MemoryRecord) -> None:
    wanted = {term for term, _ in terms(message, POLICY)}
    assert wanted & index_terms(record.memory_key, record.memory_value, POLICY)


def rules(text: str, last: list[str], turns: int) -> list[str]:
    said = [passage(message, POLICY) for message in last]
    return [r.rule for r in vector_trigger(hear(text, POLICY), POLICY, last_messages=said, turns_24h=turns).reasons]


@pytest.mark.parametrize(
    "text", ["do you remember my cat?", "you said it would rain", "저번에 말했던 그 가게"]
)
def test_pointing_at_the_past_triggers(text: str) -> None:
    assert "recall.trigger.remember" in rules(text, [], 0)


def test_a_follow_up_question_triggers_and_a_statement_does_not() -> None:
    assert "recall.trigger.followup" in rules("what about the other one?", ["hi"], 1)
    assert rules("I saw that one", ["hi"], 1) == ["recall.trigger.none"]


@pytest.mark.rule("P33")
def test_low_continuity_needs_two_turns_no_topic_and_no_shared_words() -> None:
    last = ["I love pizza with olives", "Pizza is always a good idea"]
    new = "My bicycle needs a new chain before the weekend"
    assert rules(new, last, 2) == ["recall.trigger.continuity"]
    assert rules(new, last, 1) == ["recall.trigger.none"]
    assert rules(new, [], 5) == ["recall.trigger.none"]
    assert rules("I love pizza with olives and cheese", last, 2) == ["recall.trigger.none"]


@pytest.mark.rule("P33")
def test_a_shared_topic_is_continuity() -> None:
    assert rules("my mom called", ["how is your family doing", "my mother is well"], 3) == [
        "recall.trigger.none"
    ]


@pytest.mark.rule("P33")
def test_only_the_last_four_messages_count() -> None:
    last = ["my bicycle needs a new chain"] + [f"unrelated talk number {i} about rain" for i in range(4)]
    assert rules("my bicycle needs a new chain", last, 3) == ["recall.trigger.continuity"]
