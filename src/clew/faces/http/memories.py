"""Memories of a user: add, list, search, context, edit, pause, restore, forget, undo, history."""

from __future__ import annotations

from typing import Any, Literal

from fastapi import APIRouter, Query, Request
from pydantic import AwareDatetime

from clew.engine import rights, service
from clew.errors import InvalidInput
from clew.faces.http.access import Caller, Desk, Who, desk_of
from clew.faces.http.paging import LINES, Wanted, listed
from clew.faces.http.problems import answers
from clew.faces.http.schemas import (
    AddedOut,
    AddIn,
    ChangeOut,
    ContextIn,
    DecisionIn,
    EditIn,
    EpisodeOut,
    ForgetIn,
    HitOut,
    MemoryOut,
    NarrowIn,
    Page,
    SearchIn,
)
from clew.faces.python.memory import agent_work, exchanges
from clew.faces.python.opening import message_uuid
from clew.faces.python.results import Hit, Item, changes
from clew.model.canonical import iso, plain
from clew.model.memory import MemoryRecord, MemoryStatus

router = APIRouter(prefix="/v1/users/{user}/memories", tags=["memories"], responses=answers())
Friend = Query(None, max_length=200, min_length=1, description="One of several companions of the same user.")


@router.post("", response_model=AddedOut)
async def add(
    user: str, body: AddIn, request: Request, caller: Who, friend: str | None = Friend
) -> Any:
    """Take in a text, messages, or one key with its value; the same message_id is taken in once."""
    desk = desk_of(request)

    def work() -> dict[str, Any]:
        place = desk.place(caller, user, conversation=body.conversation, create=True, friend=friend)
        if body.key is not None:
            if body.value is None:
                raise InvalidInput("a key needs a value", pointer="/value")
            told = changes(desk.parts, place, service.put(desk.parts, place, body.key, body.value))
            return {"message_ids": [], "changes": [c.as_dict() for c in told], "replayed": False}
        if (body.text is None) == (body.messages is None):
            raise InvalidInput("send text, messages, or key and value", pointer="/text")
        what: Any = body.text if body.text is not None else [m.model_dump() for m in body.messages or ()]
        done = []
        told_here = exchanges(what)
        work_done = agent_work(what, body.frame, desk.parts.policy)
        for number, (text, reply, at) in enumerate(told_here):
            part = body.message_id if number == 0 or body.message_id is None else f"{body.message_id}#{number}"
            name = message_uuid(part, place.conversation.conversation_id)
            done.append(
                service.learn(
                    desk.parts,
                    place,
                    text,
                    reply=reply,
                    message_id=name,
                    at=at or _near(body.at),
                    worked=work_done[number],
                )
            )
        events = [e for o in done for e in o.memory_events]
        return {
            "message_ids": [o.message_id for o in done],
            "changes": [c.as_dict() for c in changes(desk.parts, place, events)],
            "replayed": bool(done) and all(o.replayed for o in done),
        }

    return await desk.run(work)


@router.get("", response_model=Page[MemoryOut], responses=LINES)
async def list_(
    user: str,
    request: Request,
    caller: Who,
    part: Wanted,
    friend: str | None = Friend,
    status: Literal["ACTIVE", "SUPERSEDED", "INVALID", "ALL"] = "ACTIVE",
    as_of: AwareDatetime | None = None,
    search: str = Query("", max_length=1000),
) -> Any:
    """Oldest first. `as_of` asks what was current then."""
    desk = desk_of(request)

    def work() -> tuple[list[dict[str, Any]], str | None]:
        place = desk.place(caller, user, friend=friend)
        wanted = None if status == "ALL" else MemoryStatus(status)
        found = service.memories(desk.parts, place, status=wanted, as_of=_near(as_of), search=search)
        shown, more = part.of(found, _mark)
        return [Item.of(m).as_dict() for m in shown], more

    return listed(request, *await desk.run(work))


@router.get("/episodes", response_model=list[EpisodeOut])
async def episodes(user: str, request: Request, caller: Who, friend: str | None = Friend) -> Any:
    """What was talked about, session by session, oldest first; one that goes on has no end."""
    desk = desk_of(request)
    return await desk.run(
        lambda: [plain(t) for t in service.episodes(desk.parts, desk.place(caller, user, friend=friend))]
    )


@router.post("/decisions", response_model=list[ChangeOut])
async def decide(user: str, body: DecisionIn, request: Request, caller: Who, friend: str | None = Friend) -> Any:
    """Record what an agent decided, and later what came of it."""
    desk = desk_of(request)

    def work() -> list[dict[str, Any]]:
        place = desk.place(caller, user, create=True, friend=friend)
        events = service.record_decision(desk.parts, place, body.decision, body.outcome)
        return [c.as_dict() for c in changes(desk.parts, place, events)]

    return await desk.run(work)


@router.get("/decisions", response_model=list[MemoryOut])
async def decisions(
    user: str, request: Request, caller: Who, friend: str | None = Friend, query: str = Query("", max_length=1000)
) -> Any:
    """Newest first, without near-identical ones; with a query those that share its words."""
    desk = desk_of(request)
    return await desk.run(
        lambda: [
            Item.of(m).as_dict()
            for m in service.decisions(desk.parts, desk.place(caller, user, friend=friend), query)
        ]
    )


@router.post("/search", response_model=list[HitOut])
async def search(
    user: str, body: SearchIn, request: Request, caller: Who, friend: str | None = Friend
) -> Any:
    """Memories, the user's own turns and their transcripts in one ranking, best first."""
    desk = desk_of(request)

    def work() -> list[dict[str, Any]]:
        place = desk.place(caller, user, friend=friend)
        here = None
        if body.conversation is not None:
            here = desk.place(caller, user, conversation=body.conversation, friend=friend)
        found = service.find(
            desk.parts,
            place,
            body.query,
            k=body.k,
            conversation=here.conversation.conversation_id if here else None,
            **_only(body),
        )
        return [Hit.of(f).as_dict() for f in found]

    return await desk.run(work)


def _only(body: NarrowIn) -> dict[str, Any]:
    times = {name: _near(getattr(body, name)) for name in ("as_of", "since", "until")}
    return {**times, "kinds": tuple(body.kinds), "speaker": body.speaker}


@router.post("/context")
async def context(
    user: str, body: ContextIn, request: Request, caller: Who, friend: str | None = Friend
) -> dict[str, Any]:
    """What is known, as one block of quoted data for any model's prompt."""
    desk = desk_of(request)

    def work() -> dict[str, Any]:
        place = desk.place(caller, user, friend=friend)
        block, kept = service.context(desk.parts, place, body.query, tokens=body.tokens, **_only(body))
        return {"text": block, "ids": [f.id for f in kept]}

    return await desk.run(work)


@router.post("/forget", response_model=list[ChangeOut])
async def forget_words(
    user: str, body: ForgetIn, request: Request, caller: Who, friend: str | None = Friend
) -> Any:
    """By words, by key or by id."""
    desk = desk_of(request)
    return await desk.run(_changed, desk, caller, user, friend, lambda p: service.forget(desk.parts, p, body.what))


@router.post("/undo", response_model=list[ChangeOut])
async def undo(
    user: str, request: Request, caller: Who, friend: str | None = Friend
) -> Any:
    """Take back the newest change of memory."""
    desk = desk_of(request)
    return await desk.run(_changed, desk, caller, user, friend, lambda p: rights.undo(desk.parts, p.scope))


@router.get("/{memory_id}", response_model=MemoryOut)
async def get(
    user: str, memory_id: str, request: Request, caller: Who, friend: str | None = Friend
) -> Any:
    desk = desk_of(request)
    return await desk.run(
        lambda: Item.of(service.memory(desk.parts, desk.place(caller, user, friend=friend), memory_id)).as_dict()
    )


@router.get("/{memory_id}/history")
async def history(
    user: str, memory_id: str, request: Request, caller: Who, friend: str | None = Friend
) -> dict[str, Any]:
    """Every version of what stands under its key, oldest first, with the user's own words."""
    desk = desk_of(request)

    def work() -> dict[str, Any]:
        place = desk.place(caller, user, friend=friend)
        record = service.memory(desk.parts, place, memory_id)
        found = service.history(desk.parts, place, record.memory_key)
        return {
            "key": record.memory_key,
            "versions": [Item.of(m).as_dict() for m in found],
            "sources": service.source_texts(desk.parts, found),
        }

    return await desk.run(work)


@router.patch("/{memory_id}", response_model=MemoryOut)
async def edit(
    user: str,
    memory_id: str,
    body: EditIn,
    request: Request,
    caller: Who,
    friend: str | None = Friend,
) -> Any:
    """A new value supersedes the old one and has an id of its own; a paused memory is kept and not used."""
    desk = desk_of(request)

    def work() -> dict[str, Any]:
        place = desk.place(caller, user, friend=friend)
        current = service.memory(desk.parts, place, memory_id).memory_id
        if body.paused is not None:
            rights.pause(desk.parts, place.scope, current, body.paused)
        if body.pinned is not None:
            rights.pin(desk.parts, place.scope, current, body.pinned)
        if body.value is not None:
            events = rights.edit(desk.parts, place.scope, current, body.value)
            current = next((e.memory_id for e in events if e.kind == "created" and e.memory_id), current)
        return Item.of(service.memory(desk.parts, place, current)).as_dict()

    return await desk.run(work)


@router.delete("/{memory_id}", response_model=list[ChangeOut])
async def delete(
    user: str,
    memory_id: str,
    request: Request,
    caller: Who,
    friend: str | None = Friend,
    erase: bool = Query(False, description="Remove it from tables and journal, beyond restoring."),
) -> Any:
    """Forget one memory: no longer used, not learned again from the same words, and restorable."""
    desk = desk_of(request)

    def work(place: Any) -> Any:
        if erase:
            rights.delete(desk.parts, place.scope, memory_id)
            return ()
        return rights.forget(desk.parts, place.scope, memory_id)

    return await desk.run(_changed, desk, caller, user, friend, work)


@router.post("/{memory_id}/restore", response_model=list[ChangeOut])
async def restore(
    user: str, memory_id: str, request: Request, caller: Who, friend: str | None = Friend
) -> Any:
    desk = desk_of(request)
    return await desk.run(
        _changed, desk, caller, user, friend, lambda p: rights.bring_back(desk.parts, p.scope, [memory_id])
    )


def _changed(desk: Desk, caller: Caller, user: str, friend: str | None, act: Any) -> list[dict[str, Any]]:
    place = desk.place(caller, user, friend=friend)
    return [c.as_dict() for c in changes(desk.parts, place, tuple(act(place)))]


def _mark(record: MemoryRecord) -> str:
    return f"{iso(record.created_at)}|{record.memory_id}"


def _near(at: Any) -> Any:
    """The calendar has ends; no zone may fall off them."""
    if at is not None and not 1 < at.year < 9999:
        raise InvalidInput("this time is too far away", pointer="/at")
    return at
