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
