"""What the tests of both OpenAI dialects share: a server, the real SDK before it, a model behind it, a look inside."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.responses import JSONResponse, StreamingResponse
from openai import OpenAI

from clew.engine import service
from clew.model.memory import MemoryStatus
from tests.clients.serving import Served, running, serving


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("openai") / "talk.db") as found:
        yield found


@pytest.fixture
def client(served: Served) -> Iterator[OpenAI]:
    served.voice.says, served.voice.before = "That sounds good, tell me more.", None
    served.voice.asked.clear()
    with OpenAI(base_url=served.openai, api_key="anything", max_retries=0) as found:
        yield found


@pytest.fixture(scope="module")
def upstream() -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Any OpenAI-compatible model: it answers with what it was told, or calls a tool."""
    app, seen = FastAPI(), []

    @app.get("/v1/models")
    def models() -> Any:
        return {"object": "list", "data": [{"id": "big-one", "object": "model", "created": 0, "owned_by": "x"}]}

    @app.post("/v1/chat/completions")
    def complete(body: dict[str, Any]) -> Any:
        seen.append(body)
        if body["model"] == "broken":
            return JSONResponse({"error": {"message": "no", "type": "x", "param": None, "code": "y"}}, 429)
        head = {"id": "u", "created": 0, "model": body["model"]}
        message: dict[str, Any] = {"role": "assistant", "content": "Understood."}
        if body.get("tools") and body["messages"][-1]["role"] == "user":
            call = {"id": "t1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
            message = {"role": "assistant", "content": None, "tool_calls": [call]}
        if not body.get("stream"):
            choice = {"index": 0, "message": message, "finish_reason": "stop"}
            return {**head, "object": "chat.completion", "choices": [choice]}
        parts = [{"role": "assistant", "content": ""}, {"content": "Under"}, {"content": "stood."}]
        lines = [
            "data: " + json.dumps({**head, "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": d}]})
            for d in parts
        ]
        return StreamingResponse(iter(f"{x}\n\n" for x in [*lines, "data: [DONE]"]), media_type="text/event-stream")

    with running(app) as url:
        yield f"{url}/v1", seen


def keys(served: Served, who: str, status: MemoryStatus | None = MemoryStatus.ACTIVE) -> list[str]:
    place = service.arrive(served.parts, who)
    return sorted(m.memory_key for m in service.memories(served.parts, place, status=status))


def said_in(served: Served, who: str) -> list[str]:
    """Everything that stands in the user's conversations."""
    found = service.conversations(served.parts, service.arrive(served.parts, who).user.user_id)
    places = [service.place_of(served.parts, c.conversation_id) for c in found]
    return [m.text for place in places for m in service.messages(served.parts, place)]
