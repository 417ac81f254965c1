"""Reading a request of the Responses API: as the chat completion it amounts to, with what came before it.

A client of this API may leave the history to the server: `previous_response_id` names the reply it goes on from,
`conversation` the conversation it goes on in. What was said there is put before what it sends.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from clew.engine.bootstrap import Node
from clew.errors import InvalidInput, NotFound
from clew.faces.http.access import Caller, Desk
from clew.faces.openai.conversing import base_of
from clew.faces.openai.request import Completion, flag, read
from clew.faces.openai.responses_kept import standing, waiting_calls

_SAME = ("temperature", "top_p", "parallel_tool_calls", "metadata", "user", "safety_identifier", "message_id")


@dataclass(frozen=True, slots=True)
class Before:
    """What the client left to the server."""

    base: str
    user: str
    friend_id: str
    messages: tuple[dict[str, Any], ...]


def read_response(
    desk: Desk, body: Any, headers: Mapping[str, str], caller: Caller, personas: tuple[str, ...]
) -> Completion:
    if not isinstance(body, dict):
        raise InvalidInput("the body is a JSON object", pointer="/")
    before = None
    if (named := body.get("previous_response_id")) is not None:
        before = _after_reply(desk, caller, named)
    chat = _as_chat(body, before.messages if before else ())
    if before and not any(chat.get(name) for name in ("user", "safety_identifier")):
        chat["user"] = before.user
    completion = _read(chat, headers, caller, personas)
    if before is None and (talk := _conversation(body)):
        completion = replace(completion, asked=replace(completion.asked, conversation=talk))
        before = _in_conversation(desk, completion)
        if before:
            chat = _as_chat(body, before.messages)
            completion = _read({**chat, "user": before.user}, headers, caller, personas)
    if before is None:
        return completion
    if completion.asked.user != before.user:
        raise NotFound("that response belongs to another user", pointer="/previous_response_id")
    asked = completion.asked
    place = desk.place(caller, asked.user, create=True, friend=asked.friend, persona=asked.persona)
    # Another friend knows nothing of it: for them it is a history they are told.
    same = place.friend.friend_id == before.friend_id
    return replace(completion, asked=replace(asked, base=before.base if same else None))


def _read(
    chat: dict[str, Any], headers: Mapping[str, str], caller: Caller, personas: tuple[str, ...]
) -> Completion:
    try:
        return read(chat, headers, caller, personas)
    except InvalidInput as why:
        # The caller knows no "messages".
        pointer = "/input" if (why.pointer or "").startswith("/messages") else why.pointer
        raise InvalidInput(why.message.replace("messages", "input"), pointer=pointer) from None


def _conversation(body: Mapping[str, Any]) -> str | None:
    given = body.get("conversation")
    name = given.get("id") if isinstance(given, dict) else given
    if name is None:
        return None
    if not isinstance(name, str) or not name.strip():
        raise InvalidInput("conversation is a name, or an object with an id", pointer="/conversation")
    return name.strip()[:400]


def _after_reply(desk: Desk, caller: Caller, name: Any) -> Before:
    at = standing(desk, caller, name, "/previous_response_id")
    messages = (*_told(desk, at.node), *waiting_calls(desk, at))
    return Before(at.node.base, at.user, at.place.friend.friend_id, messages)


def _in_conversation(desk: Desk, completion: Completion) -> Before | None:
    """The end of a conversation by its name; None where nothing was said in it."""
    asked = completion.asked
    live = [n for n in desk.tables.nodes(base_of(desk, asked)[0]) if n.live]
    if not live:
        return None
    last = max(live, key=lambda n: (n.branch, n.depth))
    place = desk.place(asked.caller, asked.user, create=True, friend=asked.friend, persona=asked.persona)
    return Before(last.base, asked.user, place.friend.friend_id, tuple(_told(desk, last)))


def _told(desk: Desk, node: Node) -> Iterator[dict[str, Any]]:
    """Everything said on the way to this node, as messages."""
    on = {n.node: n for n in desk.tables.nodes(node.base) if n.branch == node.branch}
    path = [node]
    while path[-1].parent in on:
        path.append(on[path[-1].parent])
    with desk.parts.store.read() as session:
        for step in reversed(path):
            said, reply = session.message(step.message_id), session.reply_to(step.message_id)
            if said is not None:
                yield {"role": "user", "content": said.text}
            if reply is not None and reply.text:
                yield {"role": "assistant", "content": reply.text}


def _as_chat(body: Mapping[str, Any], before: tuple[dict[str, Any], ...]) -> dict[str, Any]:
    chat: dict[str, Any] = {name: body[name] for name in _SAME if body.get(name) is not None}
    chat |= {"model": body.get("model"), "stream": flag(body, "stream")}
    rules = body.get("instructions")
    head = [{"role": "system", "content": rules}] if isinstance(rules, str) and rules else []
    chat["messages"] = [*head, *before, *_messages(body.get("input"))]
    if body.get("max_output_tokens") is not None:
        chat["max_tokens"] = body["max_output_tokens"]
    if body.get("tools"):
        chat["tools"] = [_tool(t, n) for n, t in enumerate(body["tools"])]
        choice = body.get("tool_choice")
        if isinstance(choice, dict) and "name" in choice:
            choice = {"type": "function", "function": {"name": choice["name"]}}
        if choice is not None:
            chat["tool_choice"] = choice
    shape = (body.get("text") or {}).get("format") if isinstance(body.get("text"), dict) else None
    if isinstance(shape, dict) and shape.get("type") == "json_schema":
        wanted = {k: v for k, v in shape.items() if k != "type"}
        chat["response_format"] = {"type": "json_schema", "json_schema": wanted}
    elif isinstance(shape, dict) and shape.get("type") == "json_object":
        chat["response_format"] = {"type": "json_object"}
    return chat


def _messages(given: Any) -> Iterator[dict[str, Any]]:
    if isinstance(given, str):
        yield {"role": "user", "content": given}
        return
    if not isinstance(given, list):
        raise InvalidInput("input is a text or a list of items", pointer="/input")
    for number, item in enumerate(given):
        if not isinstance(item, dict):
            raise InvalidInput("an item is an object", pointer=f"/input/{number}")
        kind = item.get("type", "message")
        if kind == "message":
            yield {"role": item.get("role"), "content": _content(item.get("content"))}
        elif kind == "function_call":
            called = {"name": item.get("name"), "arguments": item.get("arguments", "{}")}
            call = {"id": item.get("call_id"), "type": "function", "function": called}
            yield {"role": "assistant", "content": None, "tool_calls": [call]}
        elif kind == "function_call_output":
            told = item.get("output")
            told = told if isinstance(told, str) else json.dumps(told, ensure_ascii=False)
            yield {"role": "tool", "tool_call_id": item.get("call_id"), "content": told}
        # Anything else (a reasoning item, a reference) is the other server's own.


def _content(given: Any) -> Any:
    if not isinstance(given, list):
        return given
    out = []
    for part in given:
        if isinstance(part, dict) and part.get("type") == "input_image":
            out.append({"type": "image_url", "image_url": {"url": part.get("image_url")}})
        elif isinstance(part, dict) and isinstance(part.get("text"), str):
            out.append({"type": "text", "text": part["text"]})
    return out


def _tool(tool: Any, number: int) -> dict[str, Any]:
    if not isinstance(tool, dict) or tool.get("type") != "function":
        raise InvalidInput("only tools of type function are passed on", pointer=f"/tools/{number}/type")
    return {"type": "function", "function": {k: v for k, v in tool.items() if k != "type" and v is not None}}
