"""Responses that are kept under their id: read again, gone on from, deleted.

The words stand in the conversation alone; what is kept here is the frame that the client gave around them.
A response that is deleted cannot be read or gone on from; the conversation and what was learned in it stay.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from clew.engine.bootstrap import Node
from clew.engine.service import Place
from clew.errors import NotFound
from clew.faces.http.access import Caller, Desk
from clew.faces.openai.request import Completion
from clew.model.account import Message
from clew.model.canonical import iso

_UUID = 32
_CALLS, _FRAME = "calls", "response"
_DELETED = {"deleted": True}


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a response stands: whose it is, and which message it answers."""

    name: str
    place: Place
    node: Node
    user: str
    owner: str


@dataclass(frozen=True, slots=True)
class Kept:
    """One response, put together again from its frame and from what was said."""

    frame: dict[str, Any]
    reply: Message | None
    calls: tuple[dict[str, Any], ...]


def response_id(message_id: str, mark: str) -> str:
    """`mark` tells replies to one message apart."""
    return f"resp_{message_id.replace('-', '')}{mark.replace('-', '')[:8]}"


def keep_frame(
    desk: Desk, completion: Completion, name: str, frame: dict[str, Any], calls: list[dict[str, Any]]
) -> None:
    """The frame, and calls that wait for their results: the client sends the results alone."""
    rows: list[tuple[str, str, Any]] = [(_FRAME, name, frame)]
    if calls:
        rows.append((_CALLS, name, {"calls": calls}))
    desk.tables.put_items(_owner(completion.asked.caller, completion.asked.user), rows, iso(desk.parts.clock.now()))


def standing(desk: Desk, caller: Caller, name: Any, pointer: str | None = None) -> Standing:
    missing = NotFound(f"response {str(name)[:80]!r} not found", pointer=pointer)
    digits = str(name).removeprefix("resp_")[:_UUID]
    if len(digits) != _UUID or not digits.isalnum():
        raise missing
    message_id = "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))
    with desk.parts.store.read() as session:
        said = session.message(message_id)
    if said is None:
        raise missing
    place = desk.conversation(caller, said.conversation_id)
    node = desk.tables.node_of(place.user.user_id, message_id)
    found = desk.tables.owner_of(place.user.user_id)
    if node is None or not node.live or found is None:
        raise missing
    at = Standing(str(name), place, node, found[1], _owner(caller, found[1]))
    if _item(desk, at, _FRAME) == _DELETED:
        raise missing
    return at


def waiting_calls(desk: Desk, at: Standing) -> list[dict[str, Any]]:
    held = _item(desk, at, _CALLS)
    return list(held["calls"]) if held else []


def retrieve(desk: Desk, caller: Caller, name: str) -> Kept:
    at = standing(desk, caller, name)
    frame = _item(desk, at, _FRAME)
    if frame is None:  # the client asked for it not to be kept
        raise NotFound(f"response {name[:80]!r} not found")
    with desk.parts.store.read() as session:
        reply = session.message(frame["reply_id"]) if frame.get("reply_id") else None
    calls = waiting_calls(desk, at)
    if reply is None and not calls:
        raise NotFound(f"response {name[:80]!r} not found")
    return Kept(frame, reply, tuple(calls[0]["tool_calls"]) if calls else ())


def delete(desk: Desk, caller: Caller, name: str) -> None:
    at = standing(desk, caller, name)
    if _item(desk, at, _FRAME) is None:
        raise NotFound(f"response {name[:80]!r} not found")
    rows: list[tuple[str, str, Any]] = [(_FRAME, name, _DELETED), (_CALLS, name, None)]
    desk.tables.put_items(at.owner, rows, iso(desk.parts.clock.now()))


def _item(desk: Desk, at: Standing, space: str) -> Any:
    held = desk.tables.item(at.owner, space, at.name)
    return json.loads(held.value) if held is not None else None


def _owner(caller: Caller, user: str) -> str:
    return json.dumps(["responses", caller.tenant or None, user], ensure_ascii=False)
