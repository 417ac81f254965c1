"""A writer behind any OpenAI-compatible URL: Ollama, vLLM, llama.cpp, a hosted one.

The whole call, its one retry included, stays within the request's timeout.
What can go wrong has one row each:

slow                                  ModelTimeout
429, after one retry in time          ModelRateLimited
503, after one retry in time          ModelUnavailable
other 4xx (a wrong key, URL, model)   ModelRefused
other 5xx, refused, cut off           ModelUnavailable
not JSON, no text, too long           ModelGarbage
"""

from __future__ import annotations

import json
import time
import weakref
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from clew.adapters.llm.answer import json_format, usable
from clew.errors import (
    ModelFailure,
    ModelGarbage,
    ModelRateLimited,
    ModelRefused,
    ModelTimeout,
    ModelUnavailable,
)
from clew.ports.llm import WriterAnswer, WriterRequest

try:
    import httpx
except ModuleNotFoundError:
    raise ModelUnavailable("an endpoint writer needs httpx: install clew[endpoint]") from None

_RETRIED: dict[int, type[ModelFailure]] = {429: ModelRateLimited, 503: ModelUnavailable}
_HINTS = {401: "check the key", 403: "check the key", 404: "check the URL and the model name"}
_MOST_BYTES = 4_000_000
_PAUSE_SECONDS = 0.5


class EndpointWriter:
    def __init__(
        self,
        url: str,
        model: str,
        key: str | None = None,
        *,
        extra: Mapping[str, Any] | None = None,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`extra` is laid over the request's body; a None there removes a field."""
        base = url.rstrip("/")
        self._url = base if base.endswith("/chat/completions") else f"{base}/chat/completions"
        self._model = model
        self._extra = dict(extra or {})
        self._sleep = sleep
        self._clock = clock
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        # A proxy from the environment is for the world outside, not for a model on this machine.
        near = any(f"://{host}" in base for host in ("localhost", "127.0.0.1", "[::1]"))
        self._client = httpx.Client(headers=headers, trust_env=not near)
        # A writer nobody holds any more leaves no open connection behind.
        weakref.finalize(self, self._client.close)

    @property
    def name(self) -> str:
        return f"endpoint:{self._model or 'default'}"

    def close(self) -> None:
        self._client.close()

    def write(self, request: WriterRequest) -> WriterAnswer:
        deadline = self._clock() + request.timeout_seconds
        status, headers, body = self._ask(request, deadline)
        if status in _RETRIED:
            wait = _wait(headers.get("retry-after"))
            if wait >= deadline - self._clock():
                raise _RETRIED[status](f"{self._url} answered {status}; try again in {wait:.0f} s")
            self._sleep(wait)
            status, _, body = self._ask(request, deadline)
        if status in _RETRIED:
            raise _RETRIED[status](f"{self._url} answered {status} twice")
        if not 200 <= status < 300:
            hint = f"; {_HINTS[status]}" if status in _HINTS else ""
            kind = ModelRefused if 400 <= status < 500 else ModelUnavailable
            raise kind(f"{self._url} answered {status}{hint}: {_said(body)}")
        return self._answer(body, request)

    def _ask(self, request: WriterRequest, deadline: float) -> tuple[int, httpx.Headers, bytes]:
        left = deadline - self._clock()
        if left <= 0:
            raise ModelTimeout(f"{self._url} gave no answer in {request.timeout_seconds:g} s")
        try:
            with self._client.stream("POST", self._url, json=self._body(request), timeout=left) as response:
                return response.status_code, response.headers, self._read(response, deadline)
        except httpx.TimeoutException:
            raise ModelTimeout(f"{self._url} gave no answer in {request.timeout_seconds:g} s") from None
        except httpx.HTTPError as why:
            raise ModelUnavailable(f"{self._url}: {str(why) or type(why).__name__}") from None
        except (httpx.InvalidURL, RuntimeError, UnicodeError) as why:
            # A closed client is a RuntimeError, an unspeakable host a UnicodeError.
            raise ModelUnavailable(f"{self._url}: {why}") from None

    def _read(self, response: httpx.Response, deadline: float) -> bytes:
        """A server that drips a byte at a time never trips a read timeout, so the clock is asked here."""
        body = bytearray()
        for chunk in response.iter_bytes():
            body += chunk
            if len(body) > _MOST_BYTES:
                raise ModelGarbage(f"{self._url} sent more than {_MOST_BYTES} bytes")
            if self._clock() > deadline:
                raise httpx.ReadTimeout("deadline")
        return bytes(body)

    def _body(self, request: WriterRequest) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": self._model or None,
            "messages": [{"role": m.role, "content": m.content} for m in request.messages],
            "max_tokens": request.max_tokens,
            "temperature": request.temperature,
            "seed": request.seed,
        }
        if request.schema is not None:
            body["response_format"] = json_format(request.purpose, request.schema)
        return {k: v for k, v in {**body, **self._extra}.items() if v is not None}

    def _answer(self, body: bytes, request: WriterRequest) -> WriterAnswer:
        try:
            answer = json.loads(body)
            choice = answer["choices"][0]
            message = choice["message"]
            text = usable(_text(message), request)
        except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError):
            raise ModelGarbage(f"{self._url} answered something else than a chat completion") from None
        usage = answer.get("usage")
        usage = usage if isinstance(usage, dict) else {}
        return WriterAnswer(
            text=text,
            model=str(answer.get("model") or self.name),
            prompt_tokens=_count(usage.get("prompt_tokens")),
            completion_tokens=_count(usage.get("completion_tokens")),
        )


def _text(message: dict[str, Any]) -> Any:
    """Content is a string, or a list of parts of which the text ones count."""
    content = message.get("content")
    if isinstance(content, list):
        return "".join(p["text"] for p in content if p.get("type") == "text")
    return content


def _wait(header: str | None) -> float:
    """Retry-After is seconds or an HTTP date; anything else means a short pause."""
    if header is None:
        return _PAUSE_SECONDS
    try:
        return max(0.0, float(header))
    except ValueError:
        pass
    try:
        return max(0.0, (parsedate_to_datetime(header) - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError):
        return _PAUSE_SECONDS


def _said(body: bytes) -> str:
    try:
        message = json.loads(body)["error"]["message"]
    except (ValueError, KeyError, TypeError):
        message = body.decode("utf-8", "replace")
    return " ".join(str(message).split())[:200] or "nothing more"


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) else None
