"""Answering a request that was read: by a turn of ours, as a task, or around somebody else's model."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Iterable
from typing import Any, Protocol

from fastapi import Request
from fastapi.responses import JSONResponse, StreamingResponse
from starlette.responses import Response

from clew.engine import service
from clew.errors import ClewError, ModelFailure, NotFound
from clew.faces.http.access import Desk
from clew.faces.openai import conversing
from clew.faces.openai.request import Completion
from clew.faces.openai.tasks import title
from clew.faces.openai.upstream import Upstream
from clew.kernel.text.normalize import normalize
from clew.kernel.text.tokens import token_estimate
from clew.model.exchange import Outcome
from clew.ports.llm import PromptMessage, WriterRequest

EVENTS = "text/event-stream"
# (text, what became of it, whether it was given before)
Answer = tuple[str, Outcome | None, bool]
ALIVE_SECONDS = 5.0
# Rooms whose reasons an answer carries.
_EXPLAINED = ("route", "correction", "recall", "gate")
# So long an error can still be told by the status line.
PATIENCE_SECONDS = 2.0
NO_CACHE = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}


class Dialect(Protocol):
    """How one API tells an answer: whole, as events while it is made, or around somebody else's model."""

    def answer(self) -> Answer: ...
    def whole(self, reply: str, outcome: Outcome | None) -> dict[str, Any]: ...
    def told(self, reply: str, outcome: Outcome | None) -> Iterable[str]: ...
    def fails(self, why: ClewError) -> str: ...
    def around(self, upstream: Upstream) -> Awaitable[Response]: ...


async def respond(request: Request, desk: Desk, asked: Completion, dialect: Dialect) -> Response:
    """One request, answered here or around an upstream, whole or as events."""
    if asked.upstream is not None:
        upstream: Upstream | None = request.app.state.upstream
        if upstream is None:
            raise NotFound("this server has no upstream; start it with --upstream URL", pointer="/model")
        return await dialect.around(upstream)
    job = asyncio.create_task(desk.run(dialect.answer))
    if not asked.stream:
        reply, outcome, replayed = await job
        _noted(request, outcome)
        return JSONResponse(dialect.whole(reply, outcome), headers=headers(replayed))
    await asyncio.wait([job], timeout=PATIENCE_SECONDS)
    if job.done() and (why := job.exception()):
        raise why
    replayed = job.result()[2] if job.done() else False
    return StreamingResponse(_events(request, dialect, job), media_type=EVENTS, headers=headers(replayed) | NO_CACHE)


async def _events(request: Request, dialect: Dialect, job: asyncio.Task[Answer]) -> AsyncIterator[str]:
    """Nothing of a draft is sent before the gate has passed it; until then a sign of life."""
    while not job.done():
        await asyncio.wait([job], timeout=ALIVE_SECONDS)
        if not job.done():
            yield ": thinking\n\n"
    why = job.exception()
    if why is not None:
        yield dialect.fails(why if isinstance(why, ClewError) else ClewError("an unexpected error"))
        return
    reply, outcome, _ = job.result()
    _noted(request, outcome)
    for event in dialect.told(reply, outcome):
        yield event


def _noted(request: Request, outcome: Outcome | None) -> None:
    """For the log line: which turn `clew why` can tell of."""
    if outcome is not None:
        request.state.turn = outcome.message_id


def given_before(asked: Completion, dialect: Dialect, ready: conversing.Ready) -> Response | None:
    """The answer that this message got already, told again; None when it has none yet."""
    if ready.replay is None or not ready.replay.reply:
        return None
    if asked.stream:
        events = dialect.told(ready.replay.reply, ready.replay)
        return StreamingResponse(iter(events), media_type=EVENTS, headers=headers(True))
    return JSONResponse(dialect.whole(ready.replay.reply, ready.replay), headers=headers(True))


def answered(desk: Desk, asked: Completion) -> Answer:
    return _task(desk, asked) if asked.task else _turn(desk, asked)


def _turn(desk: Desk, asked: Completion) -> Answer:
    with conversing.held(conversing.base_of(desk, asked.asked)[0]):
        ready = conversing.prepare(desk, asked.asked)
        outcome = conversing.answer(desk, ready)
        if ready.replay is None:
            conversing.note(desk, ready)
    return outcome.reply or "", outcome, outcome.replayed


def _task(desk: Desk, asked: Completion) -> Answer:
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
    trace = outcome.told
    return {
        "trace_id": outcome.message_id,
        "turn_id": outcome.message_id,
        "conversation_id": outcome.conversation_id,
        "pipeline": outcome.pipeline.value,
        "surfaced_memory_ids": list(outcome.surfaced_memory_ids),
        "memory_events": [
            {"kind": change.kind, "label": change.label, "reason": change.reason} for change in trace.memory
        ],
        "reasons": [reason.as_dict() for reason in trace.reasons(_EXPLAINED)],
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
