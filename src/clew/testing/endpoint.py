"""A chat-completions server on loopback that misbehaves on purpose.

The mode is the first part of the path, so one server rehearses every failure:
`Endpoint().url("slow")` is the base URL of an endpoint that answers too late.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

REPLY = "Nice to hear from you."


class Endpoint:
    """Starts on a free port; `seen` holds every request (mode, headers, body)."""

    def __init__(self, slow_seconds: float = 5.0, proposes: Callable[[str], str] = lambda said: "{}") -> None:
        """`proposes`: what the mode of that name answers where JSON is asked for, given the user's message."""
        self.proposes = proposes
        self.seen: list[tuple[str, dict[str, str], dict[str, Any]]] = []
        self.slow_seconds = slow_seconds
        self.closing = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
        self._server.daemon_threads = True
        self._server.endpoint = self  # type: ignore[attr-defined]
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    def url(self, mode: str = "ok") -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/{mode}/v1"

    def __enter__(self) -> Endpoint:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, why: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def count(self, mode: str) -> int:
        return sum(seen == mode for seen, _, _ in self.seen)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    @property
    def endpoint(self) -> Endpoint:
        return self.server.endpoint  # type: ignore[attr-defined, no-any-return]

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("content-length", "0"))) or b"{}")
        mode = self.path.split("/")[1]
        self.endpoint.seen.append((mode, dict(self.headers.items()), body))
        MODES[mode](self, body)

    def log_message(self, format: str, *args: Any) -> None:
        """A server under test says nothing on the terminal."""

    def send(self, status: int, body: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def complete(self, content: Any, **more: Any) -> None:
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": content}}
        usage = {"prompt_tokens": 7, "completion_tokens": 5, "total_tokens": 12}
        answer = {"object": "chat.completion", "model": "rehearsed", "choices": [choice], "usage": usage}
        self.send(200, json.dumps({**answer, **more}).encode())


Answers = Callable[[_Handler, dict[str, Any]], None]


def _ok(handler: _Handler, body: dict[str, Any]) -> None:
    wanted = body.get("response_format")
    handler.complete(json.dumps(_sample(wanted["json_schema"]["schema"])) if wanted else REPLY)


def _proposes(handler: _Handler, body: dict[str, Any]) -> None:
    """A model that writes and also says what to remember."""
    said = str(body["messages"][-1]["content"])
    handler.complete(handler.endpoint.proposes(said) if body.get("response_format") else REPLY)


def _asked_slowly(handler: _Handler, body: dict[str, Any]) -> None:
    """Answers people at once, and takes too long over what to remember."""
    (_slow if body.get("response_format") else _ok)(handler, body)


def _sample(schema: dict[str, Any]) -> Any:
    """The smallest value that fits."""
    if "enum" in schema:
        return schema["enum"][0]
    if schema.get("type") == "object":
        return {name: _sample(schema["properties"][name]) for name in schema.get("required", ())}
    plain: dict[str, Any] = {"array": [], "string": "x", "boolean": True, "number": 1, "integer": 1}
    return plain.get(schema.get("type", ""))


def _slow(handler: _Handler, body: dict[str, Any]) -> None:
    handler.endpoint.closing.wait(handler.endpoint.slow_seconds)
    handler.close_connection = True


def _drip(handler: _Handler, body: dict[str, Any]) -> None:
    """Never silent for long, never done."""
    handler.send_response(200)
    handler.send_header("content-length", "100000")
    handler.end_headers()
    ends = time.monotonic() + handler.endpoint.slow_seconds
    try:
        while time.monotonic() < ends and not handler.endpoint.closing.wait(0.02):
            handler.wfile.write(b" ")
            handler.wfile.flush()
    except OSError:
        pass
    handler.close_connection = True


def _cut(handler: _Handler, body: dict[str, Any]) -> None:
    handler.send_response(200)
    handler.send_header("content-length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"choices": [')
    handler.close_connection = True


def _busy(status: int, retry_after: str | None, *, then_ok: bool) -> Answers:
    def answer(handler: _Handler, body: dict[str, Any]) -> None:
        if then_ok and handler.endpoint.count(handler.path.split("/")[1]) % 2 == 0:
            return _ok(handler, body)
        headers = {} if retry_after is None else {"retry_after": retry_after}
        return handler.send(status, b'{"error": {"message": "too busy"}}', **headers)

    return answer


def _status(status: int, message: str) -> Answers:
    return lambda handler, body: handler.send(status, json.dumps({"error": {"message": message}}).encode())


def _raw(body: bytes) -> Answers:
    return lambda handler, _: handler.send(200, body)


def _says(content: Any) -> Answers:
    return lambda handler, _: handler.complete(content)


MODES: dict[str, Answers] = {
    "ok": _ok,
    "proposes": _proposes,
    "slow-json": _asked_slowly,
    "slow": _slow,
    "drip": _drip,
    "cut": _cut,
    "busy-once": _busy(429, "0", then_ok=True),
    "busy": _busy(429, "0", then_ok=False),
    "busy-long": _busy(429, "3600", then_ok=False),
    "busy-silent": _busy(429, None, then_ok=False),
    "restarting": _busy(503, "0", then_ok=True),
    "down": _busy(503, "0", then_ok=False),
    "broken": _status(500, "out of memory"),
    "no-key": _status(401, "no such key"),
    "no-model": _status(404, "no such model"),
    "moved": _status(301, "elsewhere"),
    "html": _raw(b"<html>hello</html>"),
    "not-utf8": _raw(b"\xff\xfe\x00"),
    "list": _raw(b"[]"),
    "no-choices": _raw(b'{"choices": []}'),
    "deep": _raw(b"[" * 100_000),
    "huge": _raw(b" " * 4_100_000),
    "empty": _says(""),
    "blank": _says(" \n\x00"),
    "null": _says(None),
    "number": _says(5),
    "long": _says("word " * 100_000),
    "parts": _says([{"type": "text", "text": "Two "}, {"type": "text", "text": "parts."}]),
    "thinking": _says("<think>hm, hm</think>\n\nYes."),
    "fenced": _says('```json\n{"likes": true}\n```'),
    "prose": _says("Sure! You like tea."),
}
