"""Turns as spans: names, parentage and rules; never a text, unless asked for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

import clew


@pytest.fixture(scope="module")
def exported() -> Iterator[InMemorySpanExporter]:
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    trace.set_tracer_provider(provider)
    yield exporter
    provider.shutdown()


def test_a_turn_is_one_tree_of_spans_without_content(exported: InMemorySpanExporter, tmp_path: Path) -> None:
    exported.clear()
    with clew.Chat(tmp_path / "a.db", user="alex", embedder=False) as chat:
        reply = chat.say("I live in Trondheim", message_id="1")
        chat.say("I live in Trondheim", message_id="1")
    spans = exported.get_finished_spans()
    (root,) = [s for s in spans if s.parent is None]
    assert root.name == f"invoke_agent {chat.persona}"
    assert root.attributes["gen_ai.conversation.id"] == chat.id
    assert root.attributes["clew.policy.fingerprint"] == chat.parts.policy.fingerprint
    children = {s.name: s for s in spans if s.parent is not None}
    assert {"search_memory", "upsert_memory", "plan", "route", "chat composer"} <= set(children)
    assert all(s.parent.span_id == root.context.span_id for s in children.values())
    assert "route.default" in children["route"].attributes["clew.rule"]
    assert children["upsert_memory"].attributes["gen_ai.memory.record.count"] == 1
    assert root.start_time <= children["route"].start_time <= children["route"].end_time <= root.end_time
    told = "".join(s.to_json() for s in spans)
    assert "Trondheim" not in told and reply.text not in told


def test_texts_are_there_when_asked_for(
    exported: InMemorySpanExporter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    exported.clear()
    monkeypatch.setenv("CLEW_TELEMETRY_CONTENT", "1")
    with clew.Chat(tmp_path / "a.db", user="alex", embedder=False) as chat:
        chat.say("I live in Trondheim")
    (root,) = [s for s in exported.get_finished_spans() if s.parent is None]
    assert root.attributes["gen_ai.input.messages"] == "I live in Trondheim"
