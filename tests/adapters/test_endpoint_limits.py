"""An endpoint's time limit holds whatever drips, and its errors keep secrets."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Iterator

import pytest

from clew.adapters.llm.endpoint import EndpointWriter
from clew.errors import InvalidInput, ModelFailure, ModelTimeout, ModelUnavailable
from clew.ports.llm import PromptMessage, WriterRequest

KEY, PASSWORD = "sk-very-secret-1234", "p%40ss"
HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n"
# What comes at once, and what then drips for ever.
DRIPS = {
    "status line": (b"HTTP/1.1 200 ", b"O"),
    "headers": (b"HTTP/1.1 200 OK\r\n", b"x: y\r\n"),
    "one long header": (b"HTTP/1.1 200 OK\r\nx: ", b"y"),
    "interim replies": (b"", b"HTTP/1.1 103 Early Hints\r\n\r\n"),
    "chunk extensions": (HEAD + b"transfer-encoding: chunked\r\n\r\n5;a=", b"b"),
    "chunks": (HEAD + b"transfer-encoding: chunked\r\n\r\n", b"1\r\n \r\n"),
}


def ask(seconds: float) -> WriterRequest:
    return WriterRequest("reply", (PromptMessage("user", "hi"),), timeout_seconds=seconds)


@contextlib.contextmanager
def server(first: bytes, then: bytes = b"") -> Iterator[int]:
    listening = socket.create_server(("127.0.0.1", 0))
    over = threading.Event()

    def serve() -> None:
        with contextlib.suppress(OSError):
            while not over.is_set():
                connection, _ = listening.accept()
                with connection:
                    connection.recv(65536)
                    connection.sendall(first)
                    while then and not over.wait(0.02):
                        connection.sendall(then)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield listening.getsockname()[1]
    finally:
        over.set()
        with contextlib.suppress(OSError):
            listening.shutdown(socket.SHUT_RDWR)
        listening.close()
        thread.join(5)


@pytest.mark.parametrize("name", DRIPS)
def test_the_time_limit_holds_while_it_drips(name: str) -> None:
    with server(*DRIPS[name]) as port:
        writer = EndpointWriter(f"http://127.0.0.1:{port}/v1", "m")
        for _ in range(2):  # the writer is usable again after a timeout
            began = time.monotonic()
            with pytest.raises(ModelFailure) as caught:
                writer.write(ask(0.4))
            assert time.monotonic() - began < 3
            assert isinstance(caught.value, (ModelTimeout, ModelUnavailable))
        if name != "one long header" and name != "status line":
            assert isinstance(caught.value, ModelTimeout)
        writer.close()


ECHO = (
    b"HTTP/1.1 401 No\r\ncontent-type: text/plain\r\nconnection: close\r\n\r\n"
    b"wrong key sk-very-secret-1234 for ann:p@ss or p%40ss or tok-77\x1b[31m"
)


def test_no_error_shows_the_key_or_the_login_of_the_url() -> None:
    with server(ECHO) as port:
        urls = [f"http://ann:{PASSWORD}@127.0.0.1:{port}/v1?token=tok-77"]
        urls += [f"http://ann:{PASSWORD}@127.0.0.1:{bad}/v1" for bad in (1, 99999, "abc", -1)]
        urls += [f"http://ann:{PASSWORD}@[::1/v1", f"http://ann:{PASSWORD}@nowhere.invalid/v1"]
        for url in urls:
            with pytest.raises(ModelFailure) as caught:
                EndpointWriter(url, "m", KEY).write(ask(3))
            for secret in (KEY, PASSWORD, "p@ss", "tok-77"):
                assert secret not in caught.value.message, caught.value.message


@pytest.mark.parametrize(
    ("key", "word"), [("abc\n", "line break"), ("a\r\nX: y", "line break"), ("ключ", "ASCII"), ("a b", "space")]
)
def test_a_key_that_no_header_can_carry_is_a_configuration_error(key: str, word: str) -> None:
    with pytest.raises(InvalidInput, match=word) as caught:
        EndpointWriter("http://127.0.0.1:1/v1", "m", key)
    assert caught.value.pointer == "CLEW_API_KEY"
    assert key.strip() not in caught.value.message.replace("a space", "").replace("a line break", "")
