"""`/openai/v1/responses`: the same turns in the shape of the Responses API, whole or as its train of events."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, StreamingResponse
from starlette.responses import Response

from clew.engine import service
from clew.errors import ClewError
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
from clew.faces.openai.request import Completion
from clew.faces.openai.responses_kept import delete, keep_frame, response_id, retrieve
from clew.faces.openai.responses_request import read_response
from clew.faces.openai.upstream import (
    Upstream,
    delta_calls,
    delta_text,
    joined_calls,
    reply_text,
    with_context,
)
from clew.faces.python.chat import pieces
from clew.model.canonical import derived_id
from clew.model.exchange import Outcome

router = APIRouter(prefix="/openai/v1", include_in_schema=False)
_ECHOED = ("instructions", "metadata", "previous_response_id", "temperature", "top_p", "max_output_tokens")


@router.post("/responses")
async def responses(request: Request, caller: Who) -> Response:
    desk = desk_of(request)
    body = await json_body(request)
    asked = await desk.run(
        read_response, desk, body, request.headers, caller, service.personas(desk.parts)
    )
    return await respond(request, desk, asked, Train(desk, asked, body))


@router.get("/responses/{name}")
async def get_response(name: str, request: Request, caller: Who) -> Response:
    """A response that was given, as it was given. With `store: false` it was not kept."""
    desk = desk_of(request)
    kept = await desk.run(retrieve, desk, caller, name)
    text = kept.reply.text if kept.reply else ""
    return JSONResponse({**kept.frame["head"], "output": _output(name, text, kept.calls)})


@router.delete("/responses/{name}")
async def delete_response(name: str, request: Request, caller: Who) -> Response:
    """It can no longer be read or gone on from; the conversation and what was learned in it stay."""
    desk = desk_of(request)
    await desk.run(delete, desk, caller, name)
    return JSONResponse({"id": name, "object": "response", "deleted": True})


class Train:
    """One response, and the events that tell it piece by piece, numbered from nought."""

    def __init__(self, desk: Desk, asked: Completion, body: dict[str, Any]) -> None:
        self.desk, self.asked, self._body = desk, asked, body
        self._created, self._next = now(desk), 0
        self.id = response_id(derived_id("task", asked.asked.said[-1].text), "0" * 8)

    def named(self, outcome: Outcome | None) -> None:
        if outcome is not None:
            self.id = response_id(outcome.message_id, outcome.reply_id or "0" * 8)

    def head(self, status: str) -> dict[str, Any]:
        return {
            "id": self.id,
            "object": "response",
            "created_at": self._created,
            "status": status,
            "model": self.asked.model,
            "output": [],
            "error": None,
            "incomplete_details": None,
            "parallel_tool_calls": self._body.get("parallel_tool_calls") is not False,
            "tool_choice": self._body.get("tool_choice") or "auto",
            "tools": self._body.get("tools") or [],
            "usage": None,
            **{name: self._body.get(name) for name in _ECHOED},
        }

    def answer(self) -> Answer:
        found = answered(self.desk, self.asked)
        reply, outcome, _ = found
        if outcome is not None:
            self.keep(self.whole(reply, outcome), outcome, [])
        return found

    def keep(self, whole: dict[str, Any], outcome: Outcome | None, calls: list[dict[str, Any]]) -> None:
        """The frame of a response, for who reads it again; the words stand in the conversation."""
        if self._body.get("store") is False and not calls:
            return
        head = {name: value for name, value in whole.items() if name not in ("output", "clew")}
        frame = {"head": head, "reply_id": outcome.reply_id if outcome else None}
        keep_frame(self.desk, self.asked, self.id, frame, calls)

    def whole(
        self, reply: str, outcome: Outcome | None, calls: list[dict[str, Any]] | None = None
    ) -> dict[str, Any]:
        self.named(outcome)
        counted = usage(self.desk, self.asked, reply)
        return self.head("completed") | {
            "output": _output(self.id, reply, calls or ()),
            "usage": {
                "input_tokens": counted["prompt_tokens"],
                "input_tokens_details": {"cached_tokens": 0},
                "output_tokens": counted["completion_tokens"],
                "output_tokens_details": {"reasoning_tokens": 0},
                "total_tokens": counted["total_tokens"],
            },
            "clew": ours(outcome),
        }

    @property
    def item(self) -> str:
        return _item_id(self.id)

    def event(self, kind: str, **more: Any) -> str:
        told = {"type": kind, "sequence_number": self._next, **more}
        self._next += 1
        return f"event: {kind}\ndata: {json.dumps(told, ensure_ascii=False)}\n\n"

    def begins(self) -> Iterator[str]:
        for kind in ("response.created", "response.in_progress"):
            yield self.event(kind, response=self.head("in_progress"))
        yield self.event("response.output_item.added", output_index=0, item=_message(self.id, "", "in_progress"))
        yield self._piece("response.content_part.added", part=_part(""))

    def adds(self, text: str) -> str:
        return self._piece("response.output_text.delta", delta=text, logprobs=[])

    def ends(self, whole: dict[str, Any], text: str) -> Iterator[str]:
        yield self._piece("response.output_text.done", text=text, logprobs=[])
        yield self._piece("response.content_part.done", part=_part(text))
        yield self.event("response.output_item.done", output_index=0, item=_message(self.id, text))
        calls = [item for item in whole["output"] if item["type"] == "function_call"]
        for number, item in enumerate(calls, 1):
            waiting = {**item, "status": "in_progress", "arguments": ""}
            yield self.event("response.output_item.added", output_index=number, item=waiting)
            yield self.event(
                "response.function_call_arguments.done",
                item_id=item["id"],
                output_index=number,
                name=item["name"],
                arguments=item["arguments"],
            )
            yield self.event("response.output_item.done", output_index=number, item=item)
        yield self.event("response.completed", response=whole)

    def told(self, reply: str, outcome: Outcome | None) -> Iterator[str]:
        whole = self.whole(reply, outcome)
        yield from self.begins()
        yield from (self.adds(piece) for piece in pieces(reply))
        yield from self.ends(whole, reply)

    async def around(self, upstream: Upstream) -> Response:
        return await _with_memory(self, upstream)

    def fails(self, why: ClewError) -> str:
        told = error_body(why.status, why.code, why.message, why.pointer)["error"]
        assert isinstance(told, dict)
        return self.event("error", **{k: v for k, v in told.items() if k != "type"})

    def _piece(self, kind: str, **more: Any) -> str:
        return self.event(kind, item_id=self.item, output_index=0, content_index=0, **more)


async def _with_memory(train: Train, upstream: Upstream) -> Response:
    desk, asked = train.desk, train.asked
    if asked.task:
        ready, block = None, ""
    else:
        ready, block = await desk.run(open_turn, desk, asked)
        train.id = response_id(ready.message_id, f"{ready.generation:08x}")
        if (again := given_before(asked, train, ready)) is not None:
            return again
    body = with_context(asked, block)
    if asked.stream:
        lines = upstream.stream(body)
        first = await anext(lines, "")  # an error of the upstream is told by the status line
        return StreamingResponse(
            _relay(train, lines, first, ready), media_type=EVENTS, headers=NO_CACHE
        )
    status, answer = await upstream.complete(body)
    if status >= 400:
        return JSONResponse(answer, status_code=status)
    reply, calls = reply_text(answer), joined_calls([answer])
    outcome = await desk.run(_closed, train, ready, reply, calls) if ready else None
    return JSONResponse(_of_upstream(train, reply, outcome, calls))


def _of_upstream(
    train: Train, reply: str, outcome: Outcome | None, calls: list[dict[str, Any]]
) -> dict[str, Any]:
    """Under the name that was given out before the upstream answered."""
    name = train.id
    whole = train.whole(reply, outcome, calls)
    train.id = name
    return {**whole, "id": name, "output": [
        {**item, "id": train.item} if item["type"] == "message" else item for item in whole["output"]
    ]}  # fmt: skip


async def _relay(
    train: Train, lines: AsyncIterator[str], first: str, ready: conversing.Ready | None
) -> AsyncIterator[str]:
    """The upstream's text as it comes; what was said is kept even if the client leaves in the middle."""
    text, chunks, ended = [delta_text(first)], [delta_calls(first)], False
    outcome: Outcome | None = None
    try:
        for event in train.begins():
            yield event
        if text[0]:
            yield train.adds(text[0])
        async for line in lines:
            chunks.append(delta_calls(line))
            if piece := delta_text(line):
                text.append(piece)
                yield train.adds(piece)
        ended = True
    except ClewError as why:
        yield train.fails(why)
    finally:
        reply, calls = "".join(text), joined_calls(chunks)
        if ready is not None:
            outcome = await asyncio.shield(train.desk.run(_closed, train, ready, reply, calls))
    if ended:
        for event in train.ends(_of_upstream(train, reply, outcome, calls), reply):
            yield event


def _closed(
    train: Train, ready: conversing.Ready, reply: str, calls: list[dict[str, Any]]
) -> Outcome | None:
    outcome = close(train.desk, train.asked, ready, reply)
    waiting = [{"role": "assistant", "content": reply or None, "tool_calls": calls}] if calls else []
    train.keep(_of_upstream(train, reply, outcome, calls), outcome, waiting)
    return outcome


def _output(name: str, text: str, calls: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    said = [_message(name, text)] if text or not calls else []
    return [*said, *(_call_item(c) for c in calls)]


def _message(name: str, text: str, status: str = "completed") -> dict[str, Any]:
    content = [_part(text)] if status == "completed" else []
    return {"id": _item_id(name), "type": "message", "role": "assistant", "status": status, "content": content}


def _item_id(name: str) -> str:
    return "msg_" + name.removeprefix("resp_")


def _part(text: str) -> dict[str, Any]:
    return {"type": "output_text", "text": text, "annotations": [], "logprobs": []}


def _call_item(call: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": f"fc_{call['id']}",
        "type": "function_call",
        "status": "completed",
        "call_id": call["id"],
        "name": call["function"]["name"],
        "arguments": call["function"]["arguments"],
    }
