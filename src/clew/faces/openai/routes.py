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
from clew.errors import ClewError, NotFound
from clew.faces.http.access import Desk, Who, desk_of
from clew.faces.http.bodies import json_body
from clew.faces.openai import conversing
from clew.faces.openai.answering import (
    ALIVE_SECONDS,
    NO_CACHE,
    PATIENCE_SECONDS,
    Answer,
    close,
    headers,
    now,
    open_turn,
    ours,
    task,
    turn,
    usage,
)
from clew.faces.openai.errors import body as error_body
from clew.faces.openai.request import ANYONE, MEMORY, PERSONA, Completion, read
from clew.faces.openai.upstream import Upstream, delta_text, reply_text, with_context
from clew.faces.python.chat import pieces
from clew.model.canonical import derived_id
from clew.model.exchange import Outcome

router = APIRouter(prefix="/openai/v1", include_in_schema=False)


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
    job = asyncio.create_task(desk.run(task if asked.task else turn, desk, asked))
    if not asked.stream:
        reply, outcome, replayed = await job
        return JSONResponse(_whole(desk, asked, reply, outcome), headers=headers(replayed))
    await asyncio.wait([job], timeout=PATIENCE_SECONDS)
    if job.done() and (why := job.exception()):
        raise why
    replayed = job.result()[2] if job.done() else False
    return StreamingResponse(
        _stream(desk, asked, job), media_type="text/event-stream", headers=headers(replayed) | NO_CACHE
    )


def _whole(desk: Desk, asked: Completion, reply: str, outcome: Outcome | None) -> dict[str, Any]:
    return {
        "id": _id(asked, outcome),
        "object": "chat.completion",
        "created": now(desk),
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
        "usage": usage(desk, asked, reply),
        "clew": ours(outcome),
    }


async def _stream(
    desk: Desk, asked: Completion, job: asyncio.Task[Answer]
) -> AsyncIterator[str]:
    """Nothing of a draft is sent before the gate has passed it; until then a sign of life."""
    while not job.done():
        await asyncio.wait([job], timeout=ALIVE_SECONDS)
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
        "created": now(desk),
        "model": asked.model,
        "system_fingerprint": _fingerprint(desk),
    }
    last = {"usage": None} if asked.usage else {}

    def chunk(delta: dict[str, Any], finish: str | None = None, **more: Any) -> str:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
        return _event({**head, "choices": [choice], **last, **more})

    out = [chunk({"role": "assistant", "content": ""})]
    out += [chunk({"content": piece}) for piece in pieces(reply)]
    out.append(chunk({}, "stop", clew=ours(outcome)))
    if asked.usage:
        out.append(_event({**head, "choices": [], "usage": usage(desk, asked, reply)}))
    return [*out, "data: [DONE]\n\n"]


async def _with_memory(desk: Desk, asked: Completion, upstream: Upstream) -> Response:
    if asked.task:
        body = with_context(asked, "")
        return await _passed(desk, asked, upstream, body, None)
    ready, block = await desk.run(open_turn, desk, asked)
    if ready.replay is not None and ready.replay.reply:
        reply = ready.replay.reply
        if asked.stream:
            events = chunks(desk, asked, reply, ready.replay)
            return StreamingResponse(iter(events), media_type="text/event-stream", headers=headers(True))
        return JSONResponse(_whole(desk, asked, reply, ready.replay), headers=headers(True))
    return await _passed(desk, asked, upstream, with_context(asked, block), ready)


async def _passed(
    desk: Desk, asked: Completion, upstream: Upstream, body: dict[str, Any], ready: conversing.Ready | None
) -> Response:
    if asked.stream:
        events = upstream.stream(body)
        first = await anext(events, "")  # an error of the upstream is told by the status line
        return StreamingResponse(
            _relay(desk, asked, events, first, ready), media_type="text/event-stream", headers=NO_CACHE
        )
    status, answer = await upstream.complete(body)
    if status >= 400:
        return JSONResponse(answer, status_code=status)
    outcome = await desk.run(close, desk, asked, ready, reply_text(answer)) if ready else None
    return JSONResponse({**answer, "model": asked.model, "clew": ours(outcome)})


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
            await asyncio.shield(desk.run(close, desk, asked, ready, "".join(told)))


def _id(asked: Completion, outcome: Outcome | None) -> str:
    made = outcome.reply_id if outcome and outcome.reply_id else derived_id("task", asked.asked.said[-1].text)
    return f"chatcmpl-{made}"


def _fingerprint(desk: Desk) -> str:
    return f"kp_{desk.parts.policy.fingerprint[:12]}"


def _event(body: dict[str, Any]) -> str:
    return f"data: {json.dumps(body, ensure_ascii=False)}\n\n"
