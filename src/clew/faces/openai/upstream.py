"""Memory for somebody else's model: the request goes on with what is known, the answer comes back as it is."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

import httpx

from clew.errors import ModelRefused, ModelTimeout, ModelUnavailable
from clew.faces.http.settings import Settings
from clew.faces.openai.request import Completion

# Ours alone; the upstream would refuse or log them.
_OURS = ("message_id", "clew")


class Upstream:
    def __init__(self, settings: Settings) -> None:
        self._url = settings.upstream.rstrip("/")
        headers = {"Authorization": f"Bearer {settings.upstream_key}"} if settings.upstream_key else {}
        near = any(f"://{host}" in self._url for host in ("localhost", "127.0.0.1", "[::1]"))
        self._client = httpx.AsyncClient(headers=headers, timeout=settings.upstream_timeout, trust_env=not near)

    async def close(self) -> None:
        await self._client.aclose()

    async def models(self) -> list[str]:
        """What the upstream lists; nothing when it does not answer."""
        try:
            response = await self._client.get(f"{self._url}/models", timeout=5)
            return [str(m["id"]) for m in response.json()["data"]]
        except (httpx.HTTPError, ValueError, KeyError, TypeError):
            return []

    async def complete(self, body: Mapping[str, Any]) -> tuple[int, dict[str, Any]]:
        try:
            response = await self._client.post(f"{self._url}/chat/completions", json=body)
        except httpx.TimeoutException:
            raise ModelTimeout("the upstream model gave no answer in time") from None
        except httpx.HTTPError as why:
            raise ModelUnavailable(f"the upstream model: {type(why).__name__}") from None
        try:
            answer = response.json()
        except ValueError:
            raise ModelUnavailable(f"the upstream answered {response.status_code} without JSON") from None
        if not isinstance(answer, dict):
            raise ModelUnavailable("the upstream answered something else than an object")
        return response.status_code, answer

    async def stream(self, body: Mapping[str, Any]) -> AsyncIterator[str]:
        """Lines of the upstream's own events."""
        try:
            async with self._client.stream("POST", f"{self._url}/chat/completions", json=body) as response:
                if response.status_code >= 400:
                    raw = (await response.aread()).decode("utf-8", "replace")
                    raise ModelRefused(f"the upstream answered {response.status_code}: {raw[:300]}")
                async for line in response.aiter_lines():
                    yield line
        except httpx.TimeoutException:
            raise ModelTimeout("the upstream model gave no answer in time") from None
        except httpx.HTTPError as why:
            raise ModelUnavailable(f"the upstream model: {type(why).__name__}") from None


def with_context(request: Completion, block: str) -> dict[str, Any]:
    """The same request for the upstream's model; what is known stands behind the client's own instructions."""
    body = {k: v for k, v in request.body.items() if k not in _OURS}
    body["model"] = request.upstream
    messages = [dict(m) for m in request.body["messages"]]
    if block:
        at = next((n for n, m in enumerate(messages) if m.get("role") not in ("system", "developer")), len(messages))
        messages.insert(at, {"role": "system", "content": block})
    body["messages"] = messages
    return body


def reply_text(answer: Mapping[str, Any]) -> str:
    try:
        content = answer["choices"][0]["message"].get("content")
    except (KeyError, IndexError, TypeError, AttributeError):
        return ""
    return content if isinstance(content, str) else ""


def delta_text(line: str) -> str:
    """The text that one line of events adds."""
    if not line.startswith("data:"):
        return ""
    try:
        content = json.loads(line[5:])["choices"][0]["delta"].get("content")
    except (ValueError, KeyError, IndexError, TypeError, AttributeError):
        return ""
    return content if isinstance(content, str) else ""


def delta_calls(line: str) -> dict[str, Any]:
    """What one line of events adds to calls of tools, as the answer it is a part of."""
    if not line.startswith("data:"):
        return {}
    try:
        return {"choices": [{"message": json.loads(line[5:])["choices"][0]["delta"]}]}
    except (ValueError, KeyError, IndexError, TypeError):
        return {}


def joined_calls(answers: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Calls of tools, put together from a whole answer or from the pieces of a stream."""
    calls: dict[int, dict[str, Any]] = {}
    for answer in answers:
        try:
            parts = answer["choices"][0]["message"].get("tool_calls") or []
        except (KeyError, IndexError, TypeError, AttributeError):
            continue
        for number, part in enumerate(parts):
            given = part.get("function") or {}
            call = calls.setdefault(
                part.get("index", number),
                {"id": "", "type": "function", "function": {"name": "", "arguments": ""}},
            )
            call["id"] = part.get("id") or call["id"]
            call["function"]["name"] += given.get("name") or ""
            call["function"]["arguments"] += given.get("arguments") or ""
    return [calls[n] for n in sorted(calls)]
