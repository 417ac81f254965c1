"""The seven doors of the memory room: shapes, bad input, size, and the recorded cases."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from clew.errors import InvalidInput
from clew.kernel.door import call

AT = "2026-11-15T10:00:00Z"
Make = Callable[..., dict[str, Any]]
CASES = json.loads((Path(__file__).parents[2] / "vectors" / "remember.json").read_text(encoding="utf-8"))

BASE: dict[str, dict[str, Any]] = {
    "extract": {"text": "I love sushi", "at": AT, "timezone": "UTC"},
    "remember": {"memories": [], "candidates": [], "controls": {}, "message_id": "m1", "at": AT},
    "correct": {
        "text": "hello",
        "memories": [],
        "controls": {},
        "surfaced_memory_ids": [],
        "message_id": "m1",
        "at": AT,
        "timezone": "UTC",
    },
    "learn": {"facts": [], "new": {"subject": "x", "content": "y", "confidence": 0.5}, "at": AT},
    "episode": {"ongoing": [], "new": {"user_id": "u", "summary": "s"}, "at": AT},
    "decide_record": {"frame": "task", "tools": [], "response_text": "x"},
    "thin": {"decisions": []},
}
OUT = {
    "extract": {"candidates"},
    "remember": {"memories", "events"},
    "correct": {"command", "targets", "memories", "controls", "events", "clarify"},
    "learn": {"facts", "events"},
    "episode": {"reuse", "similarity"},
    "decide_record": {"record"},
    "thin": {"kept", "dropped"},
}


@pytest.mark.parametrize("name", BASE)
def test_every_door_answers_with_its_fields_its_reasons_and_the_policy(name: str) -> None:
    answer = call(name, BASE[name])
    assert OUT[name] | {"reasons", "policy"} <= set(answer)
    assert json.loads(json.dumps(answer, ensure_ascii=False)) == answer


@pytest.mark.parametrize(
    ("name", "change", "pointer"),
    [
        ("extract", {"text": None}, "/text"),
        ("extract", {"text": 5}, "/text"),
        ("extract", {"at": "yesterday"}, "/at"),
        ("extract", {"at": "2026-11-15T10:00:00"}, "/at"),
        ("extract", {"timezone": "Mars/Base"}, "/timezone"),
        ("extract", {"vector": [1.0, 2.0]}, "/vector"),
        ("extract", {"vector": ["x"]}, "/vector/0"),
        ("remember", {"message_id": ""}, "/message_id"),
        ("remember", {"memories": {}}, "/memories"),
        ("remember", {"candidates": "x"}, "/candidates"),
        ("remember", {"controls": {"suppressed_topics": ["CHEESE"]}}, "/controls/suppressed_topics/0"),
        ("correct", {"surfaced_memory_ids": [1]}, "/surfaced_memory_ids/0"),
        ("correct", {"timezone": "x"}, "/timezone"),
        ("learn", {"new": None}, "/new"),
        ("learn", {"supersede": "all"}, "/supersede"),
        ("learn", {"new": {"subject": "x", "content": "y", "confidence": 2}}, "/new/confidence"),
        ("episode", {"new": {"summary": "s"}}, "/new/user_id"),
        ("decide_record", {"tools": "search"}, "/tools"),
        ("thin", {"decisions": [{"id": "a"}]}, "/decisions/0/text"),
    ],
)
def test_bad_input_names_the_field(name: str, change: dict[str, Any], pointer: str) -> None:
    with pytest.raises(InvalidInput) as why:
        call(name, {**BASE[name], **change})
    assert why.value.pointer == pointer


def test_a_record_of_unknown_status_is_an_error_and_nothing_is_lost(memory: Make) -> None:
    bad = memory("a", "fact:school", "KAIST", status="MAYBE")
    with pytest.raises(InvalidInput) as why:
        call("remember", {**BASE["remember"], "memories": [bad]})
    assert why.value.pointer == "/memories/0/status"


def test_two_records_with_one_id_are_an_error(memory: Make) -> None:
    twice = [memory("a", "fact:school", "KAIST"), memory("a", "fact:major", "law")]
    with pytest.raises(InvalidInput) as why:
        call("remember", {**BASE["remember"], "memories": twice})
    assert why.value.pointer == "/memories/1/memory_id"


@pytest.mark.parametrize("unit", ["i love sushi and ", "i ", "forget ", "나는 정말 좋아해 ", "i found ", '"'])
def test_a_hundred_thousand_characters_are_answered(unit: str) -> None:
    text = unit * (100_000 // len(unit))
    assert call("extract", {**BASE["extract"], "text": text})["candidates"] is not None
    assert call("correct", {**BASE["correct"], "text": text})["command"] in ("none", "forget_target")


@pytest.mark.parametrize("case", CASES, ids=[c["name"] for c in CASES])
def test_a_recorded_case_still_holds(case: dict[str, Any]) -> None:
    answer = call(case["kernel"], case["in"])
    assert {k: answer[k] for k in case["out"]} == case["out"]


FACT = {"id": "f", "subject": "x", "content": "y", "confidence": 0.5, "active": True, "learned_at": AT}
DECISION = {"id": "d", "text": "use it", "outcome": "pending", "created_at": AT}


@pytest.mark.parametrize(
    ("name", "more", "pointer"),
    [
        (
            "learn",
            {
                "facts": [{**FACT, "vector": [1.0, 0.0]}],
                "new": {"subject": "x", "content": "z", "confidence": 0.5, "vector": [1.0]},
            },
            "/facts/0/vector",
        ),
        ("learn", {"facts": [FACT, FACT]}, "/facts/1/id"),
        ("thin", {"decisions": [DECISION, DECISION]}, "/decisions/1/id"),
        (
            "similar",
            {"a": "x", "b": "y", "as": "memory", "vector_a": [1.0, 0.0], "vector_b": [1.0]},
            "/vector_b",
        ),
    ],
)
def test_vectors_of_two_spaces_and_ids_used_twice_are_errors(
    name: str, more: dict[str, Any], pointer: str
) -> None:
    with pytest.raises(InvalidInput) as why:
        call(name, {**BASE.get(name, {}), **more})
    assert why.value.pointer == pointer


def test_extract_tells_whose_which_when_and_in_whose_words() -> None:
    answer = call("extract", {"text": "I moved to Porto in 2019.", "at": AT, "timezone": "UTC"})
    event = next(c for c in answer["candidates"] if c["type"] == "RELATIONSHIP_EVENT")
    assert event["when"] == {
        "start": "2019-01-01T00:00:00Z",
        "end": "2020-01-01T00:00:00Z",
        "text": "in 2019",
    }
    assert (event["subject"], event["attribute"], event["statement"], event["sensitive"]) == (
        "self",
        "event",
        "I moved to Porto in 2019.",
        False,
    )


def test_remember_takes_what_extract_gives_and_closes_what_is_over() -> None:
    held = {
        "memory_id": "a", "type": "FACT", "memory_key": "fact:employer", "memory_value": "Deloitte",
        "confidence": 0.6, "status": "ACTIVE", "created_at": AT, "source_message_ids": ["m0"],
    }  # fmt: skip
    given = {
        "memories": [held], "candidates": [], "controls": {}, "message_id": "m1", "at": AT,
        "endings": [{"subject": "self", "attribute": "employer", "statement": "I left Deloitte"}],
    }  # fmt: skip
    answer = call("remember", given)
    assert (answer["memories"][0]["status"], answer["memories"][0]["invalid_reason"]) == (
        "INVALID",
        "user_ended",
    )
    assert answer["events"] == [{"kind": "invalidated", "memory_id": "a", "reason": "user_ended"}]


def test_a_note_goes_in_and_comes_out_of_remember() -> None:
    extracted = call("extract", {"text": "Remember: the key is under the pot", "at": AT, "timezone": "UTC"})
    given = {
        "memories": [],
        "controls": {},
        "message_id": "m1",
        "at": AT,
        "candidates": extracted["candidates"],
    }
    (note,) = call("remember", given)["memories"]
    assert (note["type"], note["memory_value"]) == ("NOTE", "the key is under the pot")


def test_a_forgotten_value_is_in_the_controls_by_hash_and_stays_out() -> None:
    base = {"message_id": "m1", "at": AT, "controls": {}}
    nurse = {"type": "FACT", "key": "fact:occupation", "value": "nurse"}
    held = call("remember", {**base, "memories": [], "candidates": [nurse]})["memories"]
    said = {"text": "forget my job", "timezone": "UTC", "surfaced_memory_ids": [held[0]["memory_id"]]}
    gone = call("correct", {**base, **said, "memories": held, "message_id": "m2"})
    barred = gone["controls"]["suppressed_values"]
    assert len(barred) == 1
    again = {
        **base,
        "memories": gone["memories"],
        "controls": {"suppressed_values": barred},
        "message_id": "m3",
    }
    answer = call("remember", {**again, "candidates": [{**nurse, "value": "Nurse"}]})
    assert [e["reason"] for e in answer["events"]] == ["remember.suppressed_value"]
