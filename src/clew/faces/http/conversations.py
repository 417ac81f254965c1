"""Conversations: turns, exactly once, whole or as events after the gate; history, threads, why."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import StreamingResponse
from starlette.responses import JSONResponse, Response

from clew.engine import service, weaving
from clew.engine.service import Place
from clew.errors import ClewError, InvalidInput
from clew.faces.http.access import Desk, Who, desk_of
from clew.faces.http.paging import LINES, Wanted, listed
from clew.faces.http.paging_marks import page
from clew.faces.http.problems import answers, of_error
from clew.faces.http.schemas import (
    ChangeOut,
    ConversationIn,
    ConversationOut,
    MessageOut,
    Page,
    ThreadsIn,
    TurnIn,
    TurnOut,
)
from clew.faces.python.chat import pieces
from clew.faces.python.results import changes
from clew.kernel.weave.intake import read_adds
from clew.kernel.weave.report import Report
from clew.model.canonical import iso, plain
from clew.model.exchange import Outcome
from clew.model.rows import as_row

router = APIRouter(prefix="/v1", tags=["conversations"], responses=answers())
_ALIVE_SECONDS = 5.0
# Rooms whose reasons an answer carries.
_EXPLAINED = ("route", "correction", "recall", "gate", "relate")
_EVENTS = {"text/event-stream": {"schema": {"type": "string"}}}
_MODEL_PROBLEMS = answers(502, 504)


@router.post("/users/{user}/conversations", response_model=ConversationOut)
async def open_conversation(
    user: str, body: ConversationIn, request: Request, caller: Who
) -> Any:
    """The conversation of this name; made when it is not there yet."""
    desk = desk_of(request)
    place = await desk.run(
        desk.place, caller, user, conversation=body.name, create=True, friend=body.friend, persona=body.persona
    )
    return _conversation(place)


@router.get("/users/{user}/conversations", response_model=Page[ConversationOut], responses=LINES)
async def conversations(user: str, request: Request, caller: Who, part: Wanted) -> Any:
    desk = desk_of(request)

    def work() -> tuple[list[dict[str, Any]], str | None]:
        place = desk.place(caller, user)
        found = service.conversations(desk.parts, place.user.user_id)
        shown, more = part.of(found, lambda c: c.conversation_id)
        return [_conversation(service.place_of(desk.parts, c.conversation_id)) for c in shown], more

    return listed(request, *await desk.run(work))


@router.get("/conversations/{conversation_id}", response_model=ConversationOut)
async def conversation(conversation_id: str, request: Request, caller: Who) -> Any:
    desk = desk_of(request)
    return _conversation(await desk.run(desk.conversation, caller, conversation_id))


@router.post(
    "/conversations/{conversation_id}/turns",
    response_model=TurnOut,
    responses={**_MODEL_PROBLEMS, 200: {"content": _EVENTS}},
)
async def take_turn(
    conversation_id: str, body: TurnIn, request: Request, caller: Who
) -> Response:
    """One turn. The same message_id gives the stored reply with `Idempotent-Replayed: true`.

    With `Accept: text/event-stream` the reply comes in pieces, once the whole draft has passed the gate.
    """
    desk = desk_of(request)

    def work() -> tuple[Place, Outcome]:
        place = desk.conversation(caller, conversation_id)
        return place, service.say(desk.parts, place, body.text, body.message_id)

    job = asyncio.create_task(desk.run(work))
    if "text/event-stream" in request.headers.get("accept", ""):
        await asyncio.wait([job], timeout=2)
        if job.done() and (why := job.exception()):
            raise why
        return StreamingResponse(_stream(desk, request, job), media_type="text/event-stream")
    place, outcome = await job
    request.state.turn = outcome.message_id
    headers = {"Idempotent-Replayed": "true"} if outcome.replayed else None
    return JSONResponse(await desk.run(_turn, desk, place, outcome), headers=headers)


@router.post(
    "/conversations/{conversation_id}/turns/{message_id}/again",
    response_model=TurnOut,
    responses=_MODEL_PROBLEMS,
)
async def again(
    conversation_id: str,
    message_id: str,
    request: Request,
    caller: Who,
    generation: int = Query(1, ge=1, le=1000),
) -> Any:
    """Another reply to an answered message; it takes the place of the old one and teaches nothing twice."""
    desk = desk_of(request)

    def work() -> dict[str, Any]:
        place = desk.conversation(caller, conversation_id)
        service.trace(desk.parts, message_id, place.user.user_id)
        return _turn(desk, place, service.regenerate(desk.parts, message_id, generation))

    return await desk.run(work)


@router.delete("/conversations/{conversation_id}/turns/{message_id}", response_model=list[ChangeOut])
async def unsay(
    conversation_id: str, message_id: str, request: Request, caller: Who
) -> Any:
    """Withdraw a message: what rested on it alone is no longer held, what it replaced holds again."""
    desk = desk_of(request)

    def work() -> list[dict[str, Any]]:
        place = desk.conversation(caller, conversation_id)
        events = service.withdraw(desk.parts, place.scope, [message_id])
        return [c.as_dict() for c in changes(desk.parts, place, events)]

    return await desk.run(work)


@router.get("/conversations/{conversation_id}/turns/{message_id}/why")
async def why(
    conversation_id: str, message_id: str, request: Request, caller: Who
) -> dict[str, Any]:
    """Why the turn went as it did: as a story, and as the trace it is told from."""
    desk = desk_of(request)

    def work() -> dict[str, Any]:
        place = desk.conversation(caller, conversation_id)
        found = service.trace(desk.parts, message_id, place.user.user_id)
        return {"story": service.why(desk.parts, message_id, place.user.user_id), "trace": dict(found.body)}

    return await desk.run(work)


@router.get("/conversations/{conversation_id}/messages", response_model=Page[MessageOut], responses=LINES)
async def messages(
    conversation_id: str,
    request: Request,
    caller: Who,
    cursor: str | None = Query(None, max_length=400),
    limit: int = Query(50, ge=1, le=500),
) -> Any:
    """The history, oldest first."""
    desk = desk_of(request)

    def work() -> tuple[list[dict[str, Any]], str | None]:
        found = service.messages(desk.parts, desk.conversation(caller, conversation_id))
        shown, more = page(found, lambda m: f"{m.position:012d}", cursor, limit)
        return [
            {
                "message_id": m.message_id,
                "role": m.role,
                "text": m.text,
                "at": iso(m.at),
                "reply_to": m.reply_to,
                "position": m.position,
            }
            for m in shown
        ], more

    return listed(request, *await desk.run(work))


@router.get("/conversations/{conversation_id}/threads")
async def threads(
    conversation_id: str, request: Request, caller: Who
) -> list[dict[str, Any]]:
    """Open loops, oldest first."""
    desk = desk_of(request)

    def work() -> list[dict[str, Any]]:
        place = desk.conversation(caller, conversation_id)
        with desk.parts.store.read() as session:
            return [as_row(thread) for thread in session.threads(place.conversation.conversation_id)]

    return await desk.run(work)


@router.post("/conversations/{conversation_id}/threads")
async def propose(
    conversation_id: str, body: ThreadsIn, request: Request, caller: Who
) -> dict[str, Any]:
    """Add and resolve under the thread contract; a rejected proposal changes nothing."""
    desk = desk_of(request)

    def work() -> dict[str, Any]:
        place = desk.conversation(caller, conversation_id)
        policy = desk.parts.policy
        report = Report(policy.weave, body.mode)
        adds = [add for _, add in read_adds(body.add, policy.weave, report)]
        if report.diagnostics and body.mode == "strict":
            raise InvalidInput("; ".join(d.message for d in report.diagnostics), pointer="/add")
        verdict = weaving.propose(desk.parts, place.conversation, adds, body.resolve, mode=body.mode)
        told = [*report.diagnostics, *verdict.diagnostics]
        return {
            "accepted": verdict.accepted,
            "added": plain(list(verdict.added)),
            "resolved": list(verdict.resolved),
            "diagnostics": [d.as_dict() for d in told],
        }

    return await desk.run(work)


def _conversation(place: Place) -> dict[str, Any]:
    return {
        "conversation_id": place.conversation.conversation_id,
        "user_id": place.user.user_id,
        "friend_id": place.friend.friend_id,
        "persona": place.friend.assignment.template_id,
        "created_at": iso(place.conversation.created_at),
    }


def _turn(desk: Desk, place: Place, outcome: Outcome) -> dict[str, Any]:
    return {
        "message_id": outcome.message_id,
        "conversation_id": outcome.conversation_id,
        "reply_id": outcome.reply_id,
        "reply": outcome.reply,
        "pipeline": outcome.pipeline.value,
        "memories": [c.as_dict() for c in changes(desk.parts, place, outcome.memory_events)],
        "surfaced_memory_ids": list(outcome.surfaced_memory_ids),
        "replayed": outcome.replayed,
        "reasons": [reason.as_dict() for reason in outcome.told.reasons(_EXPLAINED)],
    }


async def _stream(desk: Desk, request: Request, job: asyncio.Task[tuple[Place, Outcome]]) -> AsyncIterator[str]:
    while not job.done():
        await asyncio.wait([job], timeout=_ALIVE_SECONDS)
        if not job.done():
            yield ": thinking\n\n"
    why = job.exception()
    if why is not None:
        known = why if isinstance(why, ClewError) else ClewError("an unexpected error")
        yield _event("problem", of_error(known))
        return
    place, outcome = job.result()
    request.state.turn = outcome.message_id
    for piece in pieces(outcome.reply or ""):
        yield _event("delta", {"text": piece})
    yield _event("turn", await desk.run(_turn, desk, place, outcome))


def _event(name: str, body: Any) -> str:
    return f"event: {name}\ndata: {json.dumps(body, ensure_ascii=False)}\n\n"
