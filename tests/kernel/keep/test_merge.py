"""Candidates become memories: confirm, supersede, contradict."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.kernel.door import call
from clew.kernel.keep.same_things import same_thing
from clew.policy import default

AT = "2026-11-15T10:00:00+09:00"
Make = Callable[..., dict[str, Any]]


def cand(key: str, value: str, **more: Any) -> dict[str, Any]:
    kinds = {
        "fact": "FACT",
        "pref": "PREFERENCE",
        "event": "RELATIONSHIP_EVENT",
        "emotion": "EMOTIONAL_PATTERN",
    }
    return {"type": kinds[key.split(":")[0]], "key": key, "value": value, "origin": "heuristic", **more}


def remember(memories: list[dict[str, Any]], *candidates: dict[str, Any], **more: Any) -> dict[str, Any]:
    payload = {
        "memories": memories,
        "candidates": list(candidates),
        "controls": {},
        "message_id": "m1",
        "at": AT,
    }
    return call("remember", {**payload, **more})


def kinds(answer: dict[str, Any]) -> list[str]:
    return [e["kind"] for e in answer["events"]]


def test_a_new_memory_starts_with_the_confidence_of_its_origin() -> None:
    answer = remember(
        [], cand("fact:occupation", "nurse"), cand("pref:food:sushi", "like|sushi", origin="llm")
    )
    assert [m["confidence"] for m in answer["memories"]] == [0.6, 0.75]
    assert kinds(answer) == ["created", "created"]
    assert all(m["status"] == "ACTIVE" and m["source_message_ids"] == ["m1"] for m in answer["memories"])


@pytest.mark.rule("P84")
def test_confirming_adds_exactly_fifteen_hundredths_up_to_one() -> None:
    memories: list[dict[str, Any]] = []
    seen = []
    for number in range(6):
        answer = remember(memories, cand("fact:occupation", "nurse"), message_id=f"m{number}")
        memories = answer["memories"]
        seen.append(memories[0]["confidence"])
    assert seen == [0.6, 0.75, 0.9, 1.0, 1.0, 1.0]
    assert len(memories) == 1
    assert memories[0]["source_message_ids"] == [f"m{n}" for n in range(6)]


@pytest.mark.rule("P84")
def test_fifty_five_and_fifteen_is_seventy(memory: Make) -> None:
    held = memory("a", "pref:food:sushi", "dislike|sushi", confidence=0.55)
    assert remember([held], cand("pref:food:sushi", "dislike|sushi"))["memories"][0]["confidence"] == 0.7


def test_a_new_value_of_a_fact_supersedes_the_old_and_keeps_it(memory: Make) -> None:
    answer = remember([memory("a", "fact:current_city", "Seoul")], cand("fact:current_city", "Busan"))
    old, new = answer["memories"]
    assert (old["status"], old["superseded_by"]) == ("SUPERSEDED", new["memory_id"])
    assert (new["status"], new["memory_value"], new["confidence"]) == ("ACTIVE", "Busan", 0.6)
    assert sorted(kinds(answer)) == ["created", "superseded"]


@pytest.mark.rule("P70")
@pytest.mark.parametrize(("origin", "confidence"), [("heuristic", 0.55), ("llm", 0.55)])
def test_the_opposite_stance_is_current_but_not_yet_trusted(
    memory: Make, origin: str, confidence: float
) -> None:
    held = memory("a", "pref:food:sushi", "like|sushi", confidence=0.9)
    answer = remember([held], cand("pref:food:sushi", "dislike|sushi", origin=origin))
    old, new = answer["memories"]
    assert (old["status"], old["superseded_by"], old["confidence"]) == ("SUPERSEDED", new["memory_id"], 0.9)
    assert (new["status"], new["confidence"]) == ("ACTIVE", confidence)
    assert "contradicted" in kinds(answer)


@pytest.mark.rule("P78")
def test_the_same_stance_in_other_words_confirms(memory: Make) -> None:
    answer = remember(
        [memory("a", "pref:drink:coffee", "like|coffee")], cand("pref:drink:coffee", "like|Coffee!")
    )
    assert kinds(answer) == ["confirmed"]
    assert len(answer["memories"]) == 1


@pytest.mark.rule("P78")
def test_iced_coffee_is_another_memory_than_coffee(memory: Make) -> None:
    answer = remember(
        [memory("a", "pref:drink:coffee", "like|coffee")], cand("pref:drink:iced_coffee", "like|iced coffee")
    )
    assert [m["status"] for m in answer["memories"]] == ["ACTIVE", "ACTIVE"]


@pytest.mark.rule("P76")
def test_a_suppressed_key_is_not_learned_again(memory: Make) -> None:
    controls = {"suppressed_memory_keys": ["pref:food:sushi"], "suppressed_topics": []}
    answer = remember([], cand("pref:food:sushi", "like|sushi"), controls=controls)
    assert answer["memories"] == []
    assert [(e["kind"], e["memory_id"]) for e in answer["events"]] == [("skipped", None)]
    assert answer["controls"]["suppressed_memory_keys"] == ["pref:food:sushi"]


@pytest.mark.rule("P76")
def test_please_remember_lifts_the_suppression(memory: Make) -> None:
    controls = {"suppressed_memory_keys": ["pref:food:sushi", "fact:school"], "suppressed_topics": []}
    forgotten = memory("a", "pref:food:sushi", "like|sushi", status="INVALID", invalid_reason="user_forgot")
    answer = remember([forgotten], cand("pref:food:sushi", "like|sushi"), controls=controls, explicit=True)
    assert [m["status"] for m in answer["memories"]] == ["INVALID", "ACTIVE"]
    assert answer["controls"]["suppressed_memory_keys"] == ["fact:school"]
    assert {"created", "restored"} == set(kinds(answer))


@pytest.mark.rule("P83")
def test_a_crisis_turn_keeps_only_emotional_patterns() -> None:
    answer = remember(
        [],
        cand("fact:occupation", "nurse"),
        cand("emotion:baseline_mood", "negative"),
        cand("pref:food:sushi", "like|sushi"),
        crisis=True,
    )
    assert [m["memory_key"] for m in answer["memories"]] == ["emotion:baseline_mood"]
    assert sorted(kinds(answer)) == ["created", "skipped", "skipped"]


@pytest.mark.rule("P81")
@pytest.mark.parametrize(
    "bad",
    [
        {"type": "FACT", "key": "fact:favourite_number", "value": "7"},
        {"type": "FACT", "key": "pref:food:sushi", "value": "like|sushi"},
        {"type": "PREFERENCE", "key": "pref:food:sushi", "value": "sushi"},
        {"type": "MOOD", "key": "fact:school", "value": "x"},
        {"type": "FACT", "key": "fact:school"},
        {"type": "FACT", "key": "fact:school", "value": "KAIST", "confidence": 7},
        12,
        None,
    ],
)
def test_a_bad_candidate_is_skipped_and_the_others_are_kept(bad: Any) -> None:
    answer = remember([], bad, cand("fact:occupation", "nurse"))
    assert [m["memory_key"] for m in answer["memories"]] == ["fact:occupation"]
    assert [e for e in answer["events"] if e["kind"] == "skipped" and e["memory_id"] is None]


def test_replaying_a_message_changes_nothing() -> None:
    candidates = (cand("fact:occupation", "nurse"), cand("pref:food:sushi", "like|sushi"))
    once = remember([], *candidates)
    twice = remember(once["memories"], *candidates)
    assert twice["memories"] == once["memories"]
    assert set(kinds(twice)) == {"skipped"}


def test_ids_come_from_the_message_the_key_and_the_value() -> None:
    ids = {
        remember([], cand("fact:occupation", value), message_id=m)["memories"][0]["memory_id"]
        for m, value in (("m1", "nurse"), ("m1", "teacher"), ("m2", "nurse"), ("m1", "nurse"))
    }
    assert len(ids) == 3


def test_fields_of_the_caller_come_back(memory: Make) -> None:
    answer = remember([memory("a", "fact:school", "KAIST", user_id="u1")])
    assert answer["memories"][0]["user_id"] == "u1"


KEYS = st.sampled_from(
    ["fact:current_city", "fact:occupation", "pref:food:sushi", "pref:drink:tea", "emotion:baseline_mood"]
)


@st.composite
def candidates(draw: st.DrawFn) -> dict[str, Any]:
    key = draw(KEYS)
    value = draw(st.sampled_from(["a", "b", "c"]))
    if key.startswith("pref"):
        value = f"{draw(st.sampled_from(['like', 'dislike']))}|{key.split(':')[2]}"
    return cand(key, value, origin=draw(st.sampled_from(["heuristic", "llm"])))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(candidates(), max_size=4), max_size=6))
def test_never_two_active_under_one_key_and_nothing_is_lost(turns: list[list[dict[str, Any]]]) -> None:
    memories: list[dict[str, Any]] = []
    for number, turn in enumerate(turns):
        after = remember(memories, *turn, message_id=f"m{number}")["memories"]
        assert [m["memory_id"] for m in after][: len(memories)] == [m["memory_id"] for m in memories]
        memories = after
        active = [m["memory_key"] for m in memories if m["status"] == "ACTIVE"]
        assert len(active) == len(set(active))
        assert all(
            0 <= m["confidence"] <= 1 and round(m["confidence"], 2) == m["confidence"] for m in memories
        )
        ids = {m["memory_id"] for m in memories}
        assert all(m["superseded_by"] in ids for m in memories if m["status"] == "SUPERSEDED")


def test_two_active_records_handed_in_become_one(memory: Make) -> None:
    old = memory("a", "fact:school", "KAIST")
    new = memory("b", "fact:school", "MIT", last_confirmed_at="2026-10-05T00:00:00Z")
    assert [m["status"] for m in remember([new, old])["memories"]] == ["ACTIVE", "SUPERSEDED"]


def test_an_opposite_stance_reaches_the_same_thing_under_another_name(memory: Make) -> None:
    held = [memory("a", "pref:movie_genre:horror_movies", "like|horror movies")]
    answer = remember(held, cand("pref:movie_genre:horror_films", "dislike|horror films"))
    assert [m["status"] for m in answer["memories"]] == ["SUPERSEDED", "ACTIVE"]
    assert answer["memories"][1]["confidence"] == 0.55
    assert kinds(answer) == ["created", "superseded", "contradicted"]


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("pref:movie_genre:funny_horror_films", "dislike|funny horror films"),
        ("pref:music:horror_movies", "dislike|horror movies"),
    ],
)
def test_another_thing_or_kind_keeps_both(memory: Make, key: str, value: str) -> None:
    held = [memory("a", "pref:movie_genre:horror_movies", "like|horror movies")]
    answer = remember(held, cand(key, value))
    assert [m["status"] for m in answer["memories"]] == ["ACTIVE", "ACTIVE"]


SAME = [
    ("pref:music:jazz", "pref:music:jazz_music"),
    ("pref:music:재즈", "pref:music:재즈_음악"),
    ("pref:movie_genre:horror", "pref:movie_genre:horror_movies"),
    ("pref:movie_genre:horror_films", "pref:movie_genre:horror_movies"),
    ("pref:food:spicy", "pref:food:spicy_food"),
    ("pref:food:cucumber", "pref:food:cucumbers"),
    ("pref:food:스시", "pref:food:초밥"),
    ("pref:music:the_beatles", "pref:music:beatles"),
]
APART = [
    ("pref:drink:coffee", "pref:drink:iced_coffee"),
    ("pref:music:jazz", "pref:music:modern_jazz"),
    ("pref:music:pop", "pref:music:k_pop"),
    ("pref:music:k_pop", "pref:music:j_pop"),
    ("pref:movie_genre:drama", "pref:movie_genre:k_dramas"),
    ("pref:hobby:plan_a", "pref:hobby:plan_b"),
    ("pref:food:포도", "pref:food:포"),
    ("pref:music:music", "pref:music:jazz_music"),
    ("pref:movie_genre:horror", "pref:game:horror_games"),
    ("pref:music:soul", "pref:food:soul_food"),
    ("pref:food:hot_dogs", "pref:food:cold_dogs"),
    ("fact:home_city", "fact:current_city"),
    ("pref:music:jazz", "pref:music:재즈"),  # every script stays as it is written
]


@pytest.mark.rule("P78")
@pytest.mark.parametrize(("one", "other"), SAME)
def test_a_noun_that_only_repeats_the_category_makes_no_second_memory(
    memory: Make, one: str, other: str
) -> None:
    assert same_thing(one, other, default()) and same_thing(other, one, default())
    for held, said in ((one, other), (other, one)):
        value = said.rsplit(":", 1)[1].replace("_", " ")
        answer = remember([memory("a", held, "like|x")], cand(said, f"like|{value}"))
        assert kinds(answer) == ["confirmed"]
        assert [m["confidence"] for m in answer["memories"]] == [0.75]


@pytest.mark.parametrize(("one", "other"), APART)
def test_what_says_more_or_is_of_another_kind_stays_apart(one: str, other: str) -> None:
    assert not same_thing(one, other, default()) and not same_thing(other, one, default())


@pytest.mark.rule("P76")
@pytest.mark.parametrize(("one", "other"), SAME)
def test_a_suppressed_thing_does_not_come_back_under_another_name(one: str, other: str) -> None:
    value = other.rsplit(":", 1)[1].replace("_", " ")
    barred = {"suppressed_memory_keys": [one, "fact:school"]}
    answer = remember([], cand(other, f"like|{value}"), controls=barred)
    assert kinds(answer) == ["skipped"] and answer["memories"] == []
    lifted = remember([], cand(other, f"like|{value}"), controls=barred, explicit=True)
    assert kinds(lifted) == ["created", "restored"]
    assert lifted["controls"]["suppressed_memory_keys"] == ["fact:school"]
