"""A finished turn as OpenTelemetry spans, after the GenAI conventions: one root, one child per room.

The trace of the turn already says what each room did and how long it took, so the spans are told afterwards.
Nothing is imported or sent unless the program has set OpenTelemetry up itself; texts are left out unless asked for.
"""

from __future__ import annotations

import os
import sys
from typing import Any

from clew.model.exchange import Outcome
from clew.model.trace import TurnTrace

CONTENT = "CLEW_TELEMETRY_CONTENT"
# Rooms that the conventions have a name for; the others keep their own.
_OPERATIONS = {"recall": "search_memory", "remember": "upsert_memory", "plan": "plan"}


def told(outcome: Outcome, persona: str, ended_ns: int, *, said: str = "") -> None:
    api = sys.modules.get("opentelemetry.trace")
    if api is None or not outcome.trace or outcome.replayed:
        return
    trace = outcome.told
    timings = trace.timings_ms
    at = ended_ns - int(sum(timings.values()) * 1e6)
    tracer = api.get_tracer("clew")
    root = tracer.start_span(
        f"invoke_agent {persona}", start_time=at, attributes=_root(outcome, trace.policy, persona, said)
    )
    context = api.set_span_in_context(root)
    for room, took in timings.items():
        end = at + int(took * 1e6)
        name, kind, attributes = _room(room, trace, api)
        child = tracer.start_span(name, context=context, kind=kind, start_time=at, attributes=attributes)
        child.end(end_time=end)
        at = end
    root.end(end_time=max(at, ended_ns))


def _root(outcome: Outcome, policy: str, persona: str, said: str) -> dict[str, Any]:
    out: dict[str, Any] = {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.provider.name": "clew",
        "gen_ai.agent.name": persona,
        "gen_ai.conversation.id": outcome.conversation_id,
        "gen_ai.response.id": outcome.reply_id or "",
        "clew.outcome": outcome.pipeline.value,
        "clew.policy.fingerprint": policy,
    }
    if os.environ.get(CONTENT) == "1":
        out["gen_ai.input.messages"] = said
        out["gen_ai.output.messages"] = outcome.reply or ""
    return out


def _room(room: str, trace: TurnTrace, api: Any) -> tuple[str, Any, dict[str, Any]]:
    attributes: dict[str, Any] = {"clew.room": room}
    if rules := [r.rule for r in trace.rules.get(room, ())]:
        attributes["clew.rule"] = rules
    if room == "draft":
        model = trace.writer or "composer"
        attributes |= {
            "gen_ai.operation.name": "chat",
            "gen_ai.provider.name": "clew",
            "gen_ai.request.model": model,
        }
        return f"chat {model}", api.SpanKind.CLIENT, attributes
    if operation := _OPERATIONS.get(room):
        attributes["gen_ai.operation.name"] = operation
        if room != "plan":
            counted = trace.recall.hits if room == "recall" else trace.memory
            attributes["gen_ai.memory.record.count"] = len(counted)
    return _OPERATIONS.get(room, room), api.SpanKind.INTERNAL, attributes
