"""Whatever comes through a kernel door: one answer that can be written, or an error that names the field."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from clew import policy as policies
from clew.errors import ClewError
from clew.faces.cli.kernel import answers
from clew.kernel.door import DOORS, call

MOMENT = "2026-01-02T12:00:00Z"
MEMORY = {
    "memory_id": "m1",
    "type": "FACT",
    "memory_key": "fact:current_city",
    "memory_value": "Oslo",
    "confidence": 0.6,
    "status": "ACTIVE",
    "created_at": MOMENT,
    "last_confirmed_at": MOMENT,
    "source_message_ids": ["x"],
}
CANDIDATE = {"type": "FACT", "key": "fact:current_city", "value": "Bergen", "confidence": 0.6}
STATE = {"relationship_stage": "STRANGER", "rapport_score": 5, "sessions_count": 1, "decay_applied_weeks": 0}
CONTROLS = {"suppressed_memory_keys": [], "suppressed_topics": ["POLITICS"]}
SCOPE = {"kind": "chat", "instance_id": "x"}
DECISION = {"id": "d", "text": "use x", "outcome": "ok", "created_at": MOMENT, "confidence": 0.5}
NEW_FACT = {"subject": "s", "attribute": "a", "content": "d", "confidence": 0.5, "origin": "stated"}

# One good object for each kernel.
GOOD: dict[str, dict[str, Any]] = {
    "read": {"text": "I love ramen", "previous": ["hi"]},
    "route": {"text": "hi", "user_state": "ACTIVE", "age_band": "18-24", "source": "chat", "previous": []},
    "extract": {"text": "I live in Oslo", "at": MOMENT, "timezone": "UTC"},
    "remember": {
        "memories": [MEMORY],
        "candidates": [CANDIDATE],
        "controls": CONTROLS,
        "message_id": "a",
        "at": MOMENT,
    },
    "correct": {
        "text": "forget that",
        "memories": [MEMORY],
        "controls": CONTROLS,
        "surfaced_memory_ids": ["m1"],
        "previous": [],
        "message_id": "a",
        "at": MOMENT,
        "timezone": "UTC",
    },
    "learn": {
        "facts": [{**NEW_FACT, "id": "f", "active": True, "learned_at": MOMENT}],
        "new": NEW_FACT,
        "at": MOMENT,
    },
    "episode": {
        "ongoing": [{"id": "e", "user_id": "u", "summary": "fix it", "started_at": MOMENT, "ended_at": None}],
        "new": {"user_id": "u", "summary": "fix it"},
        "at": MOMENT,
    },
    "decide_record": {"frame": "task", "tools": ["x"], "response_text": "Here is"},
    "thin": {"decisions": [DECISION, {**DECISION, "id": "e"}]},
    "similar": {"a": "i love x", "b": "i hate x", "as": "decision"},
    "threads": {
        "threads": [{"id": "td-1", "type": "QUEST", "text": "find x", "urgency": "HIGH"}],
        "add": [{"type": "QUEST", "text": "Goal: find y; success when z", "urgency": "LOW"}],
        "resolve": ["td-1"],
        "next_id": 2,
    },
    "ground": {
        "text": "the second",
        "candidates": [{"id": "a", "label": "A", "sublabel": "s"}, {"id": "b", "label": "B"}],
        "continuity": {"activeOptionSetId": "o", "activeScope": SCOPE},
        "scope": SCOPE,
        "option_set_id": "o",
        "at": MOMENT,
        "llm": [{"decision": "select", "choice_id": "a", "confidence": 0.9}],
    },
    "links": {
        "session_id": "s",
        "lines": [
            {"index": 0, "speaker": "A", "text": "I search the room"},
            {"index": 1, "speaker": "DM", "text": "You find a key"},
        ],
        "dm": ["DM"],
        "params": {"profile": "best", "k_local": 5},
        "traces": True,
    },
    "relate": {"state": STATE, "text": "hi", "at": MOMENT, "session": {"short_replies": 0}},
    "decay": {"state": STATE, "at": MOMENT},
    "acknowledge": {
        "now": MOMENT,
        "attempts": [{"delivered_at": "2026-01-01T00:00:00Z", "status": "DELIVERED", "notification_id": "n"}],
        "replies": [{"at": MOMENT}],
        "opens": [{"at": MOMENT, "notification_id": "n"}],
    },
    "reach": {
        "now": MOMENT,
        "timezone": "UTC",
        "stage": "FRIEND",
        "controls": {"proactive_messages_enabled": True},
        "last_interaction_at": "2026-01-01T00:00:00Z",
        "attempts": [{"delivered_at": MOMENT, "status": "DELIVERED"}],
        "backoff": 1,
        "memories": [MEMORY],
    },
    "gate": {
        "reply": "Hi there",
        "style": {},
        "stage": "STRANGER",
        "pipeline": "FRIEND_CHAT",
        "user_text": "hi",
        "surfaced_memory_ids": [],
        "recent_replies": ["x"],
        "memories": [MEMORY],
    },
    "cast": {"seed": 1, "window": [{"combo_key": "a:b", "assigned_at": MOMENT}], "now": MOMENT},
}
JUNK: list[Any] = [
    None, True, 0, -1, 1.5, 1e308, 10**40, -(10**40), "", " ", "x", "\x00", "a" * 2000, "가" * 500, "👩‍👩‍👧🏽" * 50,
    "\u202e\u200b", "2026-13-45T00:00:00Z", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "2026-01-01",
    "America/../x", "|||", "a:b:c", "{claim}", "%s", "\\", [], {}, [None], [[]], [{}], {"": ""}, {"x": {"y": [1]}},
]  # fmt: skip
ROUNDS = 120


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if at:
        yield at
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in inside:
        yield from places(item, (*at, key))


def spoiled(good: dict[str, Any], dice: random.Random) -> dict[str, Any]:
    """The good object with one to three places taken away, doubled or filled with junk."""
    out = copy.deepcopy(good)
    for _ in range(dice.randint(1, 3)):
        where = list(places(out))
        if not where:
            break
        *path, last = dice.choice(where)
        holder: Any = out
        for key in path:
            holder = holder[key]
        roll = dice.random()
        if roll < 0.2 and isinstance(holder, dict):
            del holder[last]
        elif roll < 0.3 and isinstance(holder, list):
            holder.append(holder[last])
        else:
            holder[last] = copy.deepcopy(dice.choice(JUNK))
    return out


def test_every_kernel_has_a_good_object_here() -> None:
    assert sorted(GOOD) == sorted(DOORS)


@pytest.mark.parametrize("name", sorted(GOOD))
def test_a_spoiled_object_is_answered_or_refused_by_name(name: str) -> None:
    policy, dice = policies.default(), random.Random(name)
    call(name, GOOD[name], policy=policy)
    refused = 0
    for _ in range(ROUNDS):
        payload = spoiled(GOOD[name], dice)
        try:
            answer = call(name, payload, mode=dice.choice(["strict", "repair"]), policy=policy)
        except ClewError as why:
            assert why.message and why.pointer is not None, payload
            refused += 1
        else:
            json.dumps(answer, ensure_ascii=False, allow_nan=False).encode("utf-8")
    assert 0 < refused < ROUNDS


LINES = [
    b'{"text": NaN}',
    b'{"text": "x", "previous": [1e999]}',
    rb'{"text": "\ud800"}',
    rb'{"text": "x", "previous": ["\udfff"]}',
    b'{"text": "\xff"}',
    b'{"text": "x"',
    b'{"text": ' + b"9" * 5000 + b"}",
    b"[" * 100_000,
    b"[]",
    b"null",
    b"7",
]


@pytest.mark.parametrize("name", ["read", "threads", "remember"])
def test_a_line_that_is_no_object_gets_an_error_and_the_next_its_answer(name: str) -> None:
    good = json.dumps(GOOD[name]).encode()
    lines = [line for bad in LINES for line in (bad, good)]
    out = list(answers(name, lines, "repair", policies.default()))
    assert len(out) == len(lines)
    assert all(a["error"]["code"] == "invalid_input" and "pointer" in a["error"] for a in out[::2])
    assert all(a == out[1] and "policy" in a for a in out[1::2])


@pytest.mark.parametrize("name", ["read", "route", "relate", "extract", "gate"])
def test_a_long_text_costs_no_more_than_its_length(name: str) -> None:
    """Eight times the text may take sixteen times as long, but not sixty-four."""
    import time

    policy = policies.default()
    field = "user_text" if name == "gate" else "text"

    def cost(times: int) -> float:
        text = "I want to kill myself, no i live in Oslo. " * times
        began = time.process_time()
        call(name, {**GOOD[name], field: text}, policy=policy)
        return time.process_time() - began

    cost(5)
    small = min(cost(50) for _ in range(3))
    assert min(cost(400) for _ in range(2)) < max(small, 0.002) * 24
