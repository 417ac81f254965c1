"""`/openai/v1`: models and chat completions."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, StreamingResponse
from starlette.responses import Response

from clew.engine import service
from clew.errors import ClewError, ModelFailure, NotFound
from clew.faces.http.access import Desk, Who, desk_of
from clew.faces.http.bodies import json_body
from clew.faces.openai import conversing
from clew.faces.openai.errors import body as error_body
from clew.faces.openai.request import ANYONE, MEMORY, PERSONA, Completion, read
from clew.faces.openai.tasks import title
from clew.faces.openai.upstream import Upstream, delta_text, reply_text, with_context
from clew.faces.python.chat import pieces
from clew.kernel.text.normalize import normalize
from clew.kernel.text.tokens import token_estimate
from clew.model.canonical import derived_id
from clew.model.exchange import Outcome
from clew.ports.llm import PromptMessage, WriterRequest

router = APIRouter(prefix="/openai/v1", include_in_schema=False)
_ALIVE_SECONDS = 5.0
# So long an error can still be told by the status line.
_PATIENCE_SECONDS = 2.0


@router.get("/models")
async def models(request: Request, caller: Who) -> JSONResponse:
    desk = desk_of(request)
    names = [ANYONE, *(f"{PERSONA}{p}" for p in service.personas(desk.parts))]
    upstream: Upstream | None = request.app.state.upstream
    if upstream is not None:
        names += [f"{MEMORY}{name}" for name in await upstream.models()]
    rows = [{"id": name, "object": "model", "created": 0, "owned_by": "clew"} for name in names]
    return JSONResponse({"object": "list", "data": rows})


@router.get("/models/{name:path}")
async def model(name: str, request: Request, caller: Who) -> JSONResponse:
    known = (ANYONE, *(f"{PERSONA}{p}" for p in service.personas(desk_of(request).parts)))
    if name not in known and not (name.startswith(MEMORY) and request.app.state.upstream is not None):
        raise NotFound(f"no model {name!r}", pointer="/model")
    return JSONResponse({"id": name, "object": "model", "created": 0, "owned_by": "clew"})


@router.post("/chat/completions")
async def chat_completions(request: Request, caller: Who) -> Response:
    desk = desk_of(request)
    asked = read(await json_body(request), request.headers, caller, service.personas(desk.parts))
    if asked.upstream is not None:
        upstream: Upstream | None = request.app.state.upstream
        if upstream is None:
            raise NotFound("this server has no upstream; start it with --upstream URL", pointer="/model")
        return await _with_memory(desk, asked, upstream)
    job = asyncio.create_task(desk.run(_task if asked.task else _turn, desk, asked))
    if not asked.stream:
        reply, outcome, replayed = await job
        return JSONResponse(_whole(desk, asked, reply, outcome), headers=_headers(replayed))
    await asyncio.wait([job], timeout=_PATIENCE_SECONDS)
    if job.done() and (why := job.exception()):
        raise why
    replayed = job.result()[2] if job.done() else False
    return StreamingResponse(
        _stream(desk, asked, job), media_type="text/event-stream", headers=_headers(replayed) | _NO_CACHE
    )


_NO_CACHE = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}


def _headers(replayed: bool) -> dict[str, str]:
    return {"Idempotent-Replayed": "true"} if replayed else {}


def _turn(desk: Desk, asked: Completion) -> tuple[str, Outcome | None, bool]:
    with conversing.held(conversing.base_of(desk, asked.asked)[0]):
        ready = conversing.prepare(desk, asked.asked)
        outcome = conversing.answer(desk, ready)
        if ready.replay is None:
            conversing.note(desk, ready)
    return outcome.reply or "", outcome, outcome.replayed


def _task(desk: Desk, asked: Completion) -> tuple[str, None, bool]:
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


def _whole(desk: Desk, asked: Completion, reply: str, outcome: Outcome | None) -> dict[str, Any]:
    return {
        "id": _id(asked, outcome),
        "object": "chat.completion",
        "created": _now(desk),
        "model": asked.model,
        "system_fingerprint": _fingerprint(desk),
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": reply, "refusal": None},
                "logprobs": None,
                "finish_reason": "stop",
            }
        ],
        "usage": _usage(desk, asked, reply),
        "clew": _ours(outcome),
    }


async def _stream(
    desk: Desk, asked: Completion, job: asyncio.Task[tuple[str, Outcome | None, bool]]
) -> AsyncIterator[str]:
    """Nothing of a draft is sent before the gate has passed it; until then a sign of life."""
    while not job.done():
        await asyncio.wait([job], timeout=_ALIVE_SECONDS)
        if not job.done():
            yield ": thinking\n\n"
    why = job.exception()
    if why is not None:
        known = why if isinstance(why, ClewError) else ClewError("an unexpected error")
        yield _event(error_body(known.status, known.code, known.message, known.pointer))
        return
    reply, outcome, _ = job.result()
    for event in chunks(desk, asked, reply, outcome):
        yield event


def chunks(desk: Desk, asked: Completion, reply: str, outcome: Outcome | None) -> list[str]:
    head = {
        "id": _id(asked, outcome),
        "object": "chat.completion.chunk",
        "created": _now(desk),
        "model": asked.model,
        "system_fingerprint": _fingerprint(desk),
    }
    last = {"usage": None} if asked.usage else {}

    def chunk(delta: dict[str, Any], finish: str | None = None, **more: Any) -> str:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
        return _event({**head, "choices": [choice], **last, **more})

    out = [chunk({"role": "assistant", "content": ""})]
    out += [chunk({"content": piece}) for piece in pieces(reply)]
    out.append(chunk({}, "stop", clew=_ours(outcome)))
    if asked.usage:
        out.append(_event({**head, "choices": [], "usage": _usage(desk, asked, reply)}))
    return [*out, "data: [DONE]\n\n"]


async def _with_memory(desk: Desk, asked: Completion, upstream: Upstream) -> Response:
    if asked.task:
        body = with_context(asked, "")
        return await _passed(desk, asked, upstream, body, None)
    ready, block = await desk.run(_open, desk, asked)
    if ready.replay is not None and ready.replay.reply:
        reply = ready.replay.reply
        if asked.stream:
            events = chunks(desk, asked, reply, ready.replay)
            return StreamingResponse(iter(events), media_type="text/event-stream", headers=_headers(True))
        return JSONResponse(_whole(desk, asked, reply, ready.replay), headers=_headers(True))
    return await _passed(desk, asked, upstream, with_context(asked, block), ready)


def _open(desk: Desk, asked: Completion) -> tuple[conversing.Ready, str]:
    with conversing.held(conversing.base_of(desk, asked.asked)[0]):
        ready = conversing.prepare(desk, asked.asked)
    block, _ = service.context(
        desk.parts, ready.place, ready.text, tokens=desk.settings.context_tokens
    )
    return ready, block


def _close(desk: Desk, asked: Completion, ready: conversing.Ready, reply: str) -> Outcome | None:
    with conversing.held(ready.base):
        outcome = conversing.learn(desk, ready, reply)
        conversing.note(desk, ready)
    return outcome


async def _passed(
    desk: Desk, asked: Completion, upstream: Upstream, body: dict[str, Any], ready: conversing.Ready | None
) -> Response:
    if asked.stream:
        events = upstream.stream(body)
        first = await anext(events, "")  # an error of the upstream is told by the status line
        return StreamingResponse(
            _relay(desk, asked, events, first, ready), media_type="text/event-stream", headers=_NO_CACHE
        )
    status, answer = await upstream.complete(body)
    if status >= 400:
        return JSONResponse(answer, status_code=status)
    outcome = await desk.run(_close, desk, asked, ready, reply_text(answer)) if ready else None
    return JSONResponse({**answer, "model": asked.model, "clew": _ours(outcome)})


async def _relay(
    desk: Desk, asked: Completion, events: AsyncIterator[str], first: str, ready: conversing.Ready | None
) -> AsyncIterator[str]:
    """The upstream's stream as it comes; what was said is kept even if the client leaves in the middle."""
    told = [delta_text(first)]
    try:
        yield first + "\n"
        async for line in events:
            told.append(delta_text(line))
            yield line + "\n"
    except ClewError as why:
        yield _event(error_body(why.status, why.code, why.message, why.pointer))
    finally:
        if ready is not None:
            await asyncio.shield(desk.run(_close, desk, asked, ready, "".join(told)))


def _ours(outcome: Outcome | None) -> dict[str, Any]:
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


def _usage(desk: Desk, asked: Completion, reply: str) -> dict[str, int]:
    policy = desk.parts.policy.text
    prompt = sum(token_estimate(normalize(m["text"]), policy) for m in asked.messages)
    completion = token_estimate(normalize(reply), policy)
    return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}


def _id(asked: Completion, outcome: Outcome | None) -> str:
    made = outcome.reply_id if outcome and outcome.reply_id else derived_id("task", asked.asked.said[-1].text)
    return f"chatcmpl-{made}"


def _fingerprint(desk: Desk) -> str:
    return f"kp_{desk.parts.policy.fingerprint[:12]}"


def _now(desk: Desk) -> int:
    return int(desk.parts.clock.now().timestamp())


def _event(body: dict[str, Any]) -> str:
    return f"data: {json.dumps(body, ensure_ascii=False)}\n\n"
