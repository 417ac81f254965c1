"""A trace is read into fields; one of an earlier version, with rooms or fields missing, is read too."""

from __future__ import annotations

import ast
import shutil
from pathlib import Path

import pytest

from clew.adapters.store.sql import SqlStore
from clew.engine.story import kept_line, one_line, short_story, story
from clew.model.notes import GateNote, HeardNote, MemoryNote, ModelNote, SafetyNote
from clew.model.trace import TurnTrace, section
from clew.model.verdict import Reason
from tests.house.tree import PACKAGE, modules

OLD = Path(__file__).parents[1] / "fixtures" / "clew_v0003.db"
BODY = {
    "heard": {"language": "en", "flags": ["is_question"], "emotion": {"valence": -0.5, "strong": True}, "topics": []},
    "route": {"pipeline": "FRIEND_CHAT", "reasons": [{"rule": "route.chat", "detail": ""}]},
    "remember": {"events": [{"kind": "created", "memory_id": "m", "reason": "remember.new", "words": "You sail"}]},
    "relate": {"delta": 2, "score": 12, "stage": "STRANGER", "reasons": []},
    "gate": {"path": "repair", "violations": [{"code": "LEAK", "detail": "x"}], "surfaced": ["m"], "reasons": []},
    "draft": {"writer": "composer", "reasons": []},
    "ground": {"rule": "ground.named", "reasons": [{"rule": "ground.named", "detail": "d"}]},
    "timings_ms": {"heard": 1.5, "route": 0.5},
    "policy": "abc",
}


def test_every_room_becomes_fields() -> None:
    trace = TurnTrace.of(BODY)
    assert trace.heard.valence == -0.5 and trace.heard.strong and trace.heard.flags == ("is_question",)
    assert trace.route.pipeline == "FRIEND_CHAT" and trace.route.reasons == (Reason("route.chat"),)
    assert trace.memory == (MemoryNote("created", "m", "remember.new", None, None, "You sail"),)
    assert trace.gate is not None and trace.gate.path == "repair" and trace.gate.surfaced == ("m",)
    assert trace.bond is not None and (trace.bond.delta, trace.bond.score) == (2, 12)
    assert trace.writer == "composer" and trace.policy == "abc" and trace.timings_ms["heard"] == 1.5
    assert trace.correction is None and trace.answer is None and trace.plan is None and trace.reach is None
    assert trace.reasons(("ground", "route")) == (Reason("ground.named", "d"), Reason("route.chat"))


def test_what_a_room_notes_is_read_back_as_it_was_written() -> None:
    heard = HeardNote("en", flags=("is_question",), safety=SafetyNote("none", True), reasons=(Reason("read.x", "y"),))
    body = section(heard)
    assert body["safety"] == {"class": "none", "crisis": True} and body["reasons"] == [{"rule": "read.x", "detail": "y"}]
    assert TurnTrace.of({"heard": body}).heard == heard


def test_what_was_not_said_is_not_stored() -> None:
    assert section(GateNote("refusal")) == {"path": "refusal", "reasons": []}
    gate = TurnTrace.of({"gate": section(GateNote("refusal"))}).gate
    assert gate is not None and gate.violations is None
    assert "failed" not in section(ModelNote("m", 1)) and section(ModelNote("m", failed="x"))["failed"] == "x"  # type: ignore[arg-type]


def test_a_turn_that_kept_nothing_says_so() -> None:
    assert one_line(TurnTrace.of({})) == "nothing was kept" and kept_line(TurnTrace.of({})) == ""


def test_what_was_kept_is_said_as_politely_as_the_user_writes() -> None:
    event = {"kind": "created", "memory_id": "m", "reason": "remember.new", "words": "너는 목포에 살아"}
    trace = TurnTrace.of({"heard": {"language": "ko"}, "remember": {"events": [event]}})
    assert kept_line(trace, heard="저 목포 살아요").endswith("목포에 사세요")
    assert kept_line(trace, heard="나 목포 살아").endswith("목포에 살아")


@pytest.mark.parametrize("room", sorted(BODY))
def test_a_trace_without_a_room_is_told_all_the_same(room: str) -> None:
    trace = TurnTrace.of({name: facts for name, facts in BODY.items() if name != room})
    assert story(trace) and short_story(trace) and one_line(trace)


@pytest.mark.parametrize("room", sorted(set(BODY) - {"timings_ms", "policy"}))
def test_a_room_without_its_fields_is_told_all_the_same(room: str) -> None:
    trace = TurnTrace.of({**BODY, room: {"reasons": []}})
    assert story(trace) and short_story(trace) and one_line(trace)


def test_stored_traces_of_an_earlier_version_are_told_in_full(tmp_path: Path) -> None:
    shutil.copy(OLD, tmp_path / "clew.db")
    store = SqlStore(f"sqlite:///{tmp_path}/clew.db")
    with store.read() as session:
        talks = [talk for user in session.users() for talk in session.conversations_of(user.user_id)]
        traces = [trace for talk in talks for trace in session.traces(talk.conversation_id)]
    store.close()
    assert len(traces) == 20
    told = [trace.told for trace in traces]
    assert all(t.route.pipeline and t.heard.language and t.timings_ms and t.policy for t in told)
    assert sum(len(t.memory) for t in told) == sum(len(x.body["remember"]["events"]) for x in traces) > 0
    assert sum(t.correction is not None for t in told) == sum("correction" in x.body for x in traces) > 0
    assert all(f"Route: {t.route.pipeline}" in " ".join(story(t)) for t in told)


def test_no_face_and_no_room_of_the_engine_reads_a_trace_by_string_keys() -> None:
    found = set()
    for path in modules("engine", "faces"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            inner = node.value if isinstance(node, (ast.Subscript, ast.Attribute)) else None
            reads = isinstance(node, ast.Subscript) or (isinstance(node, ast.Attribute) and node.attr == "get")
            if not reads:
                continue
            name = inner.attr if isinstance(inner, ast.Attribute) else getattr(inner, "id", "")
            owner = getattr(inner.value, "id", "") if isinstance(inner, ast.Attribute) else ""
            if name == "trace" or (name == "body" and owner in ("trace", "found")):
                found.add(path.relative_to(PACKAGE).as_posix())
    assert found == set()
