"""A writer behind any OpenAI-compatible URL: Ollama, vLLM, llama.cpp, a hosted one.

The whole call, its one retry included, stays within the request's timeout: also while names are
looked up and while a status line, headers, interim replies or chunk extensions drip in.
No error shows the key, nor what stands before the host or after the path of the URL.
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
import re
import threading
import time
import weakref
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import unquote

from clew.adapters.llm.answer import json_format, usable
from clew.errors import (
    InvalidInput,
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
_KEY = re.compile(r"[\x21-\x7e]*")
_LOGIN = re.compile(r"//(.*)@")


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
        base, mark, query = url.partition("?")
        base = base.rstrip("/")
        path = base if base.endswith("/chat/completions") else f"{base}/chat/completions"
        self._url = path + mark + query
        self._model = model
        self._extra = dict(extra or {})
        self._sleep = sleep
        self._clock = clock
        self._shown = _LOGIN.sub("//", self._url).partition("?")[0]
        self._secrets = _secrets(self._url, key)
        headers = {"Authorization": f"Bearer {_checked(key)}"} if key else {}
        # A proxy from the environment is for the world outside, not for a model on this machine.
        near = any(f"://{host}" in base for host in ("localhost", "127.0.0.1", "[::1]"))
        self._make: Callable[[], httpx.Client] = lambda: httpx.Client(headers=headers, trust_env=not near)
        self._client = self._make()
        self._closed = False
        # A writer nobody holds any more leaves no open connection behind.
        self._open = [self._client]
        weakref.finalize(self, _close_all, self._open)

    @property
    def name(self) -> str:
        return f"endpoint:{self._model or 'default'}"

    def close(self) -> None:
        self._closed = True
        _close_all(self._open)

    def write(self, request: WriterRequest) -> WriterAnswer:
        deadline = self._clock() + request.timeout_seconds
        status, headers, body = self._ask(request, deadline)
        if status in _RETRIED:
            wait = _wait(headers.get("retry-after"))
            if wait >= deadline - self._clock():
                raise _RETRIED[status](f"{self._shown} answered {status}; try again in {wait:.0f} s")
            self._sleep(wait)
            status, _, body = self._ask(request, deadline)
        if status in _RETRIED:
            raise _RETRIED[status](f"{self._shown} answered {status} twice")
        if not 200 <= status < 300:
            hint = f"; {_HINTS[status]}" if status in _HINTS else ""
            kind = ModelRefused if 400 <= status < 500 else ModelUnavailable
            raise kind(self._clean(f"{self._shown} answered {status}{hint}: {_said(body)}"))
        return self._answer(body, request)

    def _ask(self, request: WriterRequest, deadline: float) -> tuple[int, httpx.Headers, bytes]:
        """A helper thread talks, this one holds the watch: a socket's own limit begins anew with every byte."""
        left = deadline - self._clock()
        if left <= 0:
            raise self._late(request)
        if self._closed:
            raise ModelUnavailable(f"{self._shown}: this writer is closed")
        call = _Call(self._client, self._url, self._body(request), left)
        if not call.done.wait(left):
            # Closing its connection ends the helper with the next byte it hears.
            stuck, self._client = self._client, self._make()
            self._open[:] = [self._client]
            stuck.close()
            raise self._late(request)
        why = call.failed
        if why is None:
            return call.answer
        if isinstance(why, httpx.TimeoutException):
            raise self._late(request) from None
        if isinstance(why, _TooMuch):
            raise ModelGarbage(f"{self._shown} sent more than {_MOST_BYTES} bytes") from None
        # Whatever a library says of a bad host, port, proxy or answer: the endpoint cannot be used.
        raise ModelUnavailable(self._clean(f"{self._shown}: {str(why) or type(why).__name__}")) from None

    def _late(self, request: WriterRequest) -> ModelTimeout:
        return ModelTimeout(f"{self._shown} gave no answer in {request.timeout_seconds:g} s")

    def _clean(self, text: str) -> str:
        for secret in self._secrets:
            text = text.replace(secret, "[hidden]")
        return text

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
            raise ModelGarbage(f"{self._shown} answered something else than a chat completion") from None
        usage = answer.get("usage")
        usage = usage if isinstance(usage, dict) else {}
        return WriterAnswer(
            text=text,
            model=str(answer.get("model") or self.name),
            prompt_tokens=_count(usage.get("prompt_tokens")),
            completion_tokens=_count(usage.get("completion_tokens")),
        )


class _TooMuch(Exception):
    """More bytes than any answer has."""


class _Call:
    """One request in a thread of its own; `done` is set when there is an answer or a failure."""

    def __init__(self, client: httpx.Client, url: str, body: dict[str, Any], seconds: float) -> None:
        self.done = threading.Event()
        self.answer: tuple[int, httpx.Headers, bytes] = (0, httpx.Headers(), b"")
        self.failed: Exception | None = None
        self._given = (client, url, body, seconds)
        threading.Thread(target=self._run, name="clew-endpoint", daemon=True).start()

    def _run(self) -> None:
        client, url, body, seconds = self._given
        try:
            with client.stream("POST", url, json=body, timeout=seconds) as response:
                self.answer = (response.status_code, response.headers, self._read(response))
        except Exception as why:
            self.failed = why
        finally:
            self.done.set()

    def _read(self, response: httpx.Response) -> bytes:
        body = bytearray()
        for chunk in response.iter_bytes():
            body += chunk
            if len(body) > _MOST_BYTES:
                raise _TooMuch
        return bytes(body)


def _close_all(clients: list[httpx.Client]) -> None:
    for client in clients:
        client.close()


def _checked(key: str) -> str:
    """A header can carry nothing else, and the library's own complaint would show the key."""
    fits = _KEY.match(key)
    at = fits.end() if fits else 0
    if at < len(key):
        what = "a line break" if key[at] in "\r\n" else "a space" if key[at] == " " else "a character beyond ASCII"
        raise InvalidInput(f"the endpoint's key holds {what} at position {at}", pointer="CLEW_API_KEY")
    return key


def _secrets(url: str, key: str | None) -> tuple[str, ...]:
    """Every spelling in which the key or the URL's login could come back in a message, longest first."""
    found = {key or ""}
    if login := _LOGIN.search(url):
        user, _, password = login[1].partition(":")
        found |= {login[1], unquote(login[1]), password or user, unquote(password or user)}
    found |= {value for pair in url.partition("?")[2].split("&") if (value := pair.partition("=")[2])}
    return tuple(sorted(filter(None, found), key=len, reverse=True))


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
