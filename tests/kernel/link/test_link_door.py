from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from clew import kernels
from clew.errors import InvalidInput
from clew.kernel.door import call
from tests.kernel.link.talk import ask

VECTORS = json.loads((Path(__file__).parents[2] / "vectors" / "link.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", VECTORS["cases"], ids=lambda case: case["name"])
def test_golden_vectors(case: dict[str, Any]) -> None:
    answer = call("links", case["in"])
    shown = [{key: link[key] for key in case["out"]["fields"]} for link in answer["links"]]
    assert [list(row.values()) for row in shown] == case["out"]["links"]


def test_the_answer_has_the_fields_of_the_contract() -> None:
    answer = ask(
        "Al: I open the door.", "DM: It opens.", dm=["DM"], traces=True, at="2026-01-02T03:04:05.678Z"
    )
    assert {"links", "mask", "metrics", "traces", "policy", "reasons"} <= set(answer)
    assert set(answer["links"][0]) >= {
        "id", "session_id", "actor", "intent_text", "intent_type", "intent_strength", "intent_anchor_index",
        "consequence_text", "consequence_type", "consequence_anchor_index", "distance", "score", "claimed",
        "created_at_ms",
    }  # fmt: skip
    assert answer["links"][0]["created_at_ms"] == 1767323045678
    assert json.loads(json.dumps(answer)) == answer


def test_the_python_door_is_the_same() -> None:
    rows = [{"index": 0, "speaker": "A", "text": "Is it on?"}, {"index": 1, "speaker": "B", "text": "Yes."}]
    assert kernels.links(session_id="s", lines=rows) == call("links", {"session_id": "s", "lines": rows})


def test_an_empty_transcript_is_answered() -> None:
    answer = ask()
    assert answer["links"] == [] and answer["metrics"]["coverage"] is None


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"session_id": ""}, "/session_id"),
        ({"lines": None}, "/lines"),
        ({"lines": [{"index": 0, "speaker": "A"}]}, "/lines/0/text"),
        ({"lines": [{"index": -1, "speaker": "A", "text": ""}]}, "/lines/0/index"),
        ({"lines": [{"index": "0", "speaker": "A", "text": ""}]}, "/lines/0/index"),
        ({"lines": ["A: hi"]}, "/lines/0"),
        ({"lines": [{"index": 0, "speaker": "A", "text": "\ud800"}]}, "/lines/0/text"),
        ({"params": {"profile": "fast"}}, "/params/profile"),
        ({"params": {"k_local": 0}}, "/params/k_local"),
        ({"params": {"k_locale": 3}}, "/params/k_locale"),
        ({"params": {"tau": 0}}, "/params/tau"),
        ({"excluded": [{"start_index": 2, "end_index": 1, "reason": "noise"}]}, "/excluded/0/end_index"),
        ({"excluded": [{"start_index": 0, "end_index": 1, "reason": "dull"}]}, "/excluded/0/reason"),
        ({"players": ["Nobody"]}, "/players"),
        ({"at": "yesterday"}, "/at"),
    ],
)
def test_bad_input_names_the_field(change: dict[str, Any], pointer: str) -> None:
    good = {"session_id": "s", "lines": [{"index": 0, "speaker": "A", "text": "Is it on?"}]}
    with pytest.raises(InvalidInput) as why:
        call("links", {**good, **change})
    assert why.value.pointer == pointer


def test_a_silent_game_master_is_said() -> None:
    answer = ask("Al: I open the door.", dm=["DM"])
    assert "link.dm_silent" in [r["rule"] for r in answer["reasons"]]
    answer = ask("DM: It opens.", dm=["DM"], players=["Al"])
    assert "link.players_silent" in [r["rule"] for r in answer["reasons"]]


def test_metrics_count_by_type_strength_distance_and_fanout() -> None:
    answer = ask(
        "Al: I open the door.",
        "Bo: Is it dark inside?",
        "DM: You see nothing.",
        "Al: Let's go to bed now.",
        dm=["DM"],
    )
    metrics = answer["metrics"]
    assert metrics["by_type"]["propose"] == {"links": 1, "claimed": 0, "rate": 0.0}
    assert metrics["by_strength"]["strong"] == {"links": 2, "claimed": 1, "rate": 0.5}
    assert metrics["distance"]["histogram"] == {"1": 1, "2": 1}
    assert metrics["fanout"] == {"2": 1} and metrics["contested"] == [2]
    assert metrics["strong_share"] == 2 / 3
