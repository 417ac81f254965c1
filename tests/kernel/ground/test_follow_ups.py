"""Follow-ups over lists of six kinds, English and Korean: tests/vectors/ground_follow_ups.json.

`expect` names what is right, best first: an id to execute, or an act, or `clarify`. Errors were read in
the `dev` half only; the `held` half is scored.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from clew.kernel.door import call

VECTORS = json.loads(
    (Path(__file__).parents[2] / "vectors" / "ground_follow_ups.json").read_text(encoding="utf-8")
)
SCOPE = {"kind": "chat", "instance_id": "room-1"}


def read(case: dict[str, Any]) -> str:
    payload = {
        "text": case["text"],
        "candidates": VECTORS["lists"][case["list"]],
        "continuity": {"activeOptionSetId": "set-1", "activeScope": SCOPE},
        "scope": SCOPE,
        "option_set_id": "set-1",
        "at": "2026-03-01T10:00:00Z",
    }
    if case["offered"] is not None:
        payload["last_offered_id"] = case["offered"]
    answer = call("ground", payload)
    if answer["outcome"] == "execute":
        # Several at once are told apart from one: where one was asked for, "several" is no answer.
        return "several" if len(answer.get("choice_ids", ())) > 1 else str(answer["choice_id"])
    asks = answer["outcome"] == "clarify" and answer["act"] in ("select", "other")
    return "clarify" if asks else str(answer["act"])


@pytest.mark.parametrize(
    "case", [c for c in VECTORS["cases"] if c["half"] == "dev"], ids=lambda case: case["text"]
)
def test_a_follow_up_is_read(case: dict[str, Any]) -> None:
    assert read(case) in case["expect"]


def test_the_half_that_was_not_read_does_nothing_wrong_and_little_else() -> None:
    held = [c for c in VECTORS["cases"] if c["half"] == "held"]
    ids = {candidate["id"] for pool in VECTORS["lists"].values() for candidate in pool}
    got = [(read(c), c) for c in held]
    assert [c["text"] for found, c in got if found in ids and found not in c["expect"]] == []
    assert sum(found in c["expect"] for found, c in got) * 10 >= len(held) * 9
