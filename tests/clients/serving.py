"""A real server on loopback, in a thread of the test's own process."""

from __future__ import annotations

import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import uvicorn

from clew import policy as policies
from clew.adapters.delivery.webhook import WebhookSender
from clew.adapters.llm.called import CallableWriter
from clew.adapters.store.sql import SqlStore
from clew.adapters.system import SystemClock, SystemProcess
from clew.engine.bootstrap import MemoryTerms, make_index
from clew.engine.parts import Parts
from clew.faces.http.app import make_app
from clew.faces.http.settings import Settings


@dataclass
class Voice:
    """A model whose next words a test decides; it keeps what it was asked."""

    says: str = "That sounds good, tell me more."
    asked: list[str] = field(default_factory=list)
    before: Callable[[], None] | None = None

    def __call__(self, messages: list[dict[str, str]]) -> str:
        self.asked.append("\n".join(m["content"] for m in messages))
        if self.before is not None:
            self.before()
        return self.says


@dataclass
class Served:
    url: str
    app: Any
    parts: Parts
    voice: Voice

    @property
    def openai(self) -> str:
        return f"{self.url}/openai/v1"


def make(url: str, voice: Voice | None = None, **more: Any) -> Parts:
    policy = policies.default()
    store = SqlStore(url, durable=False, terms=MemoryTerms(policy))
    return Parts(
        store=store,
        index=make_index(store),
        writer=CallableWriter(voice or Voice(), "scripted"),
        clock=SystemClock(),
        process=SystemProcess(),
        policy=policy,
        senders={"webhook": WebhookSender()},
        **more,
    )


@contextmanager
def serving(url: str | Path, **settings: Any) -> Iterator[Served]:
    voice = Voice()
    parts = make(str(url) if "://" in str(url) else f"sqlite:///{url}", voice)
    app = make_app(parts, Settings(**settings))
    with running(app) as where:
        yield Served(where, app, parts, voice)
    parts.store.close()


@contextmanager
def running(app: Any) -> Iterator[str]:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        config = uvicorn.Config(app, log_level="error", timeout_graceful_shutdown=5, ws="none")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        while not server.started:
            thread.join(0.01)
            assert thread.is_alive(), "the server did not start"
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        server.should_exit = True
        thread.join(10)


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def until_ready(url: str, process: subprocess.Popen[str], seconds: float = 60) -> None:
    """Waits for a server that runs as a process of its own."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        assert process.poll() is None, process.communicate()
        try:
            if httpx.get(f"{url}/readyz", timeout=5).status_code == 200:
                return
        except httpx.HTTPError:
            time.sleep(0.05)
    raise AssertionError("the server did not become ready")
