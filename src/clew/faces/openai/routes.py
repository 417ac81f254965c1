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
    EVENTS,
    NO_CACHE,
    Answer,
    answered,
    close,
    given_before,
    now,
    open_turn,
    ours,
    respond,
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
    return await respond(request, desk, asked, Completions(desk, asked))


class Completions:
    """One answer in the shape of chat completions."""

    def __init__(self, desk: Desk, asked: Completion) -> None:
        self.desk, self.asked = desk, asked

    def answer(self) -> Answer:
        return answered(self.desk, self.asked)

    def whole(self, reply: str, outcome: Outcome | None) -> dict[str, Any]:
        message = {"role": "assistant", "content": reply, "refusal": None}
        return {
            **self._head("chat.completion", outcome),
            "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": "stop"}],
            "usage": usage(self.desk, self.asked, reply),
            "clew": ours(outcome),
        }

    def told(self, reply: str, outcome: Outcome | None) -> list[str]:
        head, last = self._head("chat.completion.chunk", outcome), {"usage": None} if self.asked.usage else {}

        def chunk(delta: dict[str, Any], finish: str | None = None, **more: Any) -> str:
            choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
            return _event({**head, "choices": [choice], **last, **more})

        out = [chunk({"role": "assistant", "content": ""})]
        out += [chunk({"content": piece}) for piece in pieces(reply)]
        out.append(chunk({}, "stop", clew=ours(outcome)))
        if self.asked.usage:
            out.append(_event({**head, "choices": [], "usage": usage(self.desk, self.asked, reply)}))
        return [*out, "data: [DONE]\n\n"]

    def fails(self, why: ClewError) -> str:
        return _event(error_body(why.status, why.code, why.message, why.pointer))

    async def around(self, upstream: Upstream) -> Response:
        desk, asked = self.desk, self.asked
        if asked.task:
            return await _passed(desk, asked, upstream, with_context(asked, ""), None)
        ready, block = await desk.run(open_turn, desk, asked)
        again = given_before(asked, self, ready)
        return again or await _passed(desk, asked, upstream, with_context(asked, block), ready)

    def _head(self, kind: str, outcome: Outcome | None) -> dict[str, Any]:
        return {
            "id": _id(self.asked, outcome),
            "object": kind,
            "created": now(self.desk),
            "model": self.asked.model,
            "system_fingerprint": f"kp_{self.desk.parts.policy.fingerprint[:12]}",
        }


async def _passed(
    desk: Desk, asked: Completion, upstream: Upstream, body: dict[str, Any], ready: conversing.Ready | None
) -> Response:
    if asked.stream:
        events = upstream.stream(body)
        first = await anext(events, "")  # an error of the upstream is told by the status line
        return StreamingResponse(
            _relay(desk, asked, events, first, ready), media_type=EVENTS, headers=NO_CACHE
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


def _event(body: dict[str, Any]) -> str:
    return f"data: {json.dumps(body, ensure_ascii=False)}\n\n"
