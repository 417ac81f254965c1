"""Reading a chat completion request: who, which conversation, what was said, and what kind of request it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from clew.errors import InvalidInput, NotFound
from clew.faces.http.access import Caller
from clew.faces.openai.conversing import Asked
from clew.faces.openai.history import ShownTurn
from clew.faces.openai.tasks import is_task
from clew.faces.python.memory import content_text

PERSONA, MEMORY = "clew/", "memory/"
ANYONE = "clew/friend"
# First present wins.
USER_HEADERS = ("x-clew-user", "x-openwebui-user-id")
CONVERSATION_HEADERS = ("x-clew-conversation", "x-openwebui-chat-id", "x-conversation-id")
MESSAGE_HEADERS = ("idempotency-key", "x-openwebui-message-id")
_ROLES = ("system", "developer", "user", "assistant", "tool", "function")


@dataclass(frozen=True, slots=True)
class Completion:
    body: Mapping[str, Any]
    messages: tuple[dict[str, Any], ...]
    model: str
    # The model to pass on to, for memory/<model>.
    upstream: str | None
    asked: Asked
    task: bool
    stream: bool
    usage: bool


def read(body: Any, headers: Mapping[str, str], caller: Caller, personas: tuple[str, ...]) -> Completion:
    if not isinstance(body, dict):
        raise InvalidInput("the body is a JSON object", pointer="/")
    model = body.get("model")
    if not isinstance(model, str) or not model:
        raise InvalidInput("model is required", pointer="/model")
    messages = _messages(body.get("messages"))
    said, continues = _said(messages)
    system = "\n".join(m["text"] for m in messages if m["role"] in ("system", "developer"))
    upstream, friend, persona = _who(model, headers, personas)
    options = body.get("stream_options")
    stream = flag(body, "stream")
    if upstream is None and body.get("n") not in (None, 1):
        raise InvalidInput("n is 1: a message has one answer", pointer="/n")
    task = is_task(
        said[-1].text if said else "", system, headers.get("x-clew-generation"), headers.get("x-clew-task")
    )
    if not said:
        raise InvalidInput("messages hold nothing that a user said", pointer="/messages")
    asked = Asked(
        caller=caller,
        user=_user(body, headers, caller),
        friend=friend,
        persona=persona,
        said=tuple(said),
        conversation=_conversation(body, headers),
        token=_token(body, headers),
        retried=headers.get("x-stainless-retry-count", "0") not in ("", "0"),
        continues=continues,
    )
    return Completion(
        body=body,
        messages=tuple(messages),
        model=model,
        upstream=upstream,
        asked=asked,
        task=task,
        stream=stream,
        usage=stream and isinstance(options, dict) and options.get("include_usage") is True,
    )


def flag(body: Mapping[str, Any], name: str) -> bool:
    given = body.get(name)
    if given not in (None, True, False):
        raise InvalidInput(f"{name} is true or false", pointer=f"/{name}")
    return given is True


def _messages(given: Any) -> list[dict[str, Any]]:
    if not isinstance(given, list) or not given:
        raise InvalidInput("messages is a list with at least one message", pointer="/messages")
    out = []
    for number, item in enumerate(given):
        pointer = f"/messages/{number}"
        if not isinstance(item, dict) or item.get("role") not in _ROLES:
            raise InvalidInput(f"a message has a role: {', '.join(_ROLES)}", pointer=f"{pointer}/role")
        out.append({**item, "text": content_text(item.get("content"), f"{pointer}/content")})
    return out


def _said(messages: list[dict[str, Any]]) -> tuple[list[ShownTurn], bool]:
    """Pairs of message and reply; whether the request goes on after a tool call instead of a user's words."""
    out: list[ShownTurn] = []
    last = ""
    for message in messages:
        role, text = message["role"], message["text"]
        if role == "user" and text.strip():
            if last == "user" and out and out[-1].reply is None:
                out[-1] = ShownTurn(f"{out[-1].text}\n{text}")
            else:
                out.append(ShownTurn(text))
            last = "user"
        elif role == "assistant" and out:
            before = out[-1].reply
            out[-1] = ShownTurn(out[-1].text, f"{before}\n{text}" if before and text else before or text)
            last = "assistant"
        elif role in ("tool", "function"):
            last = "tool"
    if last == "tool" and out:
        out[-1] = ShownTurn(out[-1].text)
        return out, True
    if out and last == "assistant":
        # A client that ends with a reply asks for its continuation: answered like the message before it.
        out[-1] = ShownTurn(out[-1].text)
    return out, False


def _who(
    model: str, headers: Mapping[str, str], personas: tuple[str, ...]
) -> tuple[str | None, str | None, str | None]:
    """(upstream model, friend, persona)."""
    named = unquote(headers.get("x-clew-persona", "")).strip() or None
    if model.startswith(MEMORY):
        return model.removeprefix(MEMORY), named, None
    if model in (ANYONE, "clew"):
        return None, named, named if named in personas else None
    if model.startswith(PERSONA) and (persona := model.removeprefix(PERSONA)) in personas:
        return None, persona, persona
    raise NotFound(f"no model {model!r}; GET /openai/v1/models lists them", pointer="/model")


def _user(body: Mapping[str, Any], headers: Mapping[str, str], caller: Caller) -> str:
    if caller.user is not None:
        return caller.user
    given: list[Any] = [unquote(headers.get(name, "")) for name in USER_HEADERS]
    given += [body.get("user"), body.get("safety_identifier")]
    return next((g.strip() for g in given if isinstance(g, str) and g.strip()), "me")


def _conversation(body: Mapping[str, Any], headers: Mapping[str, str]) -> str | None:
    metadata = body.get("metadata")
    told = metadata.get("conversation_id") if isinstance(metadata, dict) else None
    given = [headers.get(name) for name in CONVERSATION_HEADERS] + [told]
    return next((g.strip()[:400] for g in given if isinstance(g, str) and g.strip()), None)


def _token(body: Mapping[str, Any], headers: Mapping[str, str]) -> str | None:
    given = [headers.get(name) for name in MESSAGE_HEADERS] + [body.get("message_id")]
    found = next((g.strip().strip('"') for g in given if isinstance(g, str) and g.strip()), None)
    return found[:400] if found else None
