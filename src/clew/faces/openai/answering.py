"""Answering a request that was read: by a turn of ours, as a task, or around somebody else's model."""

from __future__ import annotations

from typing import Any

from clew.engine import service
from clew.errors import ModelFailure
from clew.faces.http.access import Desk
from clew.faces.openai import conversing
from clew.faces.openai.request import Completion
from clew.faces.openai.tasks import title
from clew.kernel.text.normalize import normalize
from clew.kernel.text.tokens import token_estimate
from clew.model.exchange import Outcome
from clew.ports.llm import PromptMessage, WriterRequest

# (text, what became of it, whether it was given before)
Answer = tuple[str, Outcome | None, bool]
ALIVE_SECONDS = 5.0
# So long an error can still be told by the status line.
PATIENCE_SECONDS = 2.0
NO_CACHE = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}


def turn(desk: Desk, asked: Completion) -> Answer:
    with conversing.held(conversing.base_of(desk, asked.asked)[0]):
        ready = conversing.prepare(desk, asked.asked)
        outcome = conversing.answer(desk, ready)
        if ready.replay is None:
            conversing.note(desk, ready)
    return outcome.reply or "", outcome, outcome.replayed


def task(desk: Desk, asked: Completion) -> Answer:
    """Passed to the writer as it is; nothing is written down."""
    messages = tuple(
        PromptMessage("system" if m["role"] == "developer" else m["role"], m["text"])
        for m in asked.messages
        if m["role"] in ("system", "developer", "user", "assistant") and m["text"]
    )
    if desk.parts.writer.name != "composer":
        try:
            request = WriterRequest("reply", messages, max_tokens=200, temperature=0.2)
            return desk.parts.writer.write(request).text, None, False
        except ModelFailure:
            pass
    return title([{"content": m.content} for m in messages]), None, False


def open_turn(desk: Desk, asked: Completion) -> tuple[conversing.Ready, str]:
    with conversing.held(conversing.base_of(desk, asked.asked)[0]):
        ready = conversing.prepare(desk, asked.asked)
    block, _ = service.context(
        desk.parts, ready.place, ready.text, tokens=desk.settings.context_tokens
    )
    return ready, block


def close(desk: Desk, asked: Completion, ready: conversing.Ready, reply: str) -> Outcome | None:
    with conversing.held(ready.base):
        outcome = conversing.learn(desk, ready, reply)
        conversing.note(desk, ready)
    return outcome


def ours(outcome: Outcome | None) -> dict[str, Any]:
    if outcome is None:
        return {"task": True, "pipeline": None, "surfaced_memory_ids": [], "reasons": []}
    trace = outcome.trace
    reasons = [
        r for room in ("route", "correction", "recall", "gate") for r in (trace.get(room) or {}).get("reasons", ())
    ]
    return {
        "trace_id": outcome.message_id,
        "turn_id": outcome.message_id,
        "conversation_id": outcome.conversation_id,
        "pipeline": outcome.pipeline.value,
        "surfaced_memory_ids": list(outcome.surfaced_memory_ids),
        "memory_events": [
            {"kind": e["kind"], "label": e.get("label"), "reason": e["reason"]}
            for e in (trace.get("remember") or {}).get("events", ())
        ],
        "reasons": reasons,
    }


def usage(desk: Desk, asked: Completion, reply: str) -> dict[str, int]:
    policy = desk.parts.policy.text
    prompt = sum(token_estimate(normalize(m["text"]), policy) for m in asked.messages)
    completion = token_estimate(normalize(reply), policy)
    return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}


def now(desk: Desk) -> int:
    return int(desk.parts.clock.now().timestamp())


def headers(replayed: bool) -> dict[str, str]:
    return {"Idempotent-Replayed": "true"} if replayed else {}
