"""The whole server as one application."""

from __future__ import annotations

import asyncio
import logging
import threading
import uuid
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager
from urllib.parse import urlsplit

from fastapi import FastAPI, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from clew import __version__
from clew.engine.bootstrap import open_doors
from clew.engine.jobs import Worker
from clew.engine.parts import Parts
from clew.faces.http import health, problems
from clew.faces.http.access import Desk
from clew.faces.http.problems import Refused
from clew.faces.http.settings import LOOPBACK, Settings
from clew.faces.http.tracing import traced
from clew.faces.openai.errors import shape

LOG = logging.getLogger("clew.http")


def make_app(parts: Parts, settings: Settings | None = None, *, mcp: bool = True) -> FastAPI:
    settings = settings or Settings()
    tables = open_doors(parts.store)
    settings.check(tables.any_key())
    desk = Desk(parts, tables, settings, ThreadPoolExecutor(settings.workers, "clew"))
    if settings.rate:
        from limits import parse
        from limits.storage import MemoryStorage
        from limits.strategies import MovingWindowRateLimiter

        desk.limiter = (parse(settings.rate), MovingWindowRateLimiter(MemoryStorage()))

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            for enter in app.state.running:
                await stack.enter_async_context(enter())
            health.mark(desk)
            yield
            if app.state.upstream is not None:
                await app.state.upstream.close()
            # Turns in flight are finished, not cut off.
            desk.workers.shutdown(wait=True)

    app = FastAPI(
        title="Clew",
        version=__version__,
        description="A conversation engine: the model proposes, Clew disposes.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        # The framework's own spans and logs hold paths with users' names in them; ours do not (tracing.py).
        telemetry={"tracing": False, "metrics": False, "logs": False, "auto_configure": False},
    )
    app.state.desk, app.state.running, app.state.upstream = desk, [], None
    if settings.worker:
        app.state.running.append(lambda: working(parts))
    if settings.upstream:
        from clew.faces.openai.upstream import Upstream

        app.state.upstream = Upstream(settings)
    problems.install(app)
    _mount(app, mcp)
    app.add_middleware(Around, desk=desk)
    return app


@asynccontextmanager
async def working(parts: Parts) -> AsyncIterator[None]:
    """Jobs are done on a thread of the server, for as long as it serves; the one under way is finished."""
    worker = Worker(parts)
    thread = threading.Thread(target=worker.forever, daemon=True, name="clew-worker")
    thread.start()
    try:
        yield
    finally:
        worker.stop.set()
        await asyncio.to_thread(thread.join, 20.0)


def _mount(app: FastAPI, mcp: bool) -> None:
    from clew.faces.http import console, conversations, memories, outreach, tenants, tools, users
    from clew.faces.openai import responses, routes

    for module in (console, health, tenants, users, conversations, memories, outreach, tools, routes, responses):
        app.include_router(module.router)
    if mcp:
        try:
            from clew.faces.mcp.http import mount
        except ModuleNotFoundError:
            return  # without clew[mcp] the other doors stay open
        mount(app)


class Around:
    """A request id, a check of the host's name, a size limit, one line in the log, one count."""

    def __init__(self, app: ASGIApp, desk: Desk) -> None:
        self.app, self.desk = app, desk

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request = Request(scope)
        given = request.headers.get("x-request-id", "")
        name = given if given.isalnum() and len(given) <= 64 else uuid.uuid4().hex
        request.state.request_id = name
        started, status = self.desk.parts.clock.stopwatch(), [500]

        async def told(message: Message) -> None:
            if message["type"] == "http.response.start":
                status[0] = message["status"]
                message["headers"] = [*message.get("headers", ()), (b"x-request-id", name.encode())]
            await send(message)

        with traced(scope["method"], request.headers, name) as found:
            try:
                _answers_to(self.desk, request)
                await self.app(scope, await _bounded(self.desk, request, receive), told)
            except Refused as why:
                if problems.under_openai(request):
                    response = shape(why.status, why.code, why.detail, None)
                else:
                    response = problems.respond(problems.document(why.status, why.code, why.detail))
                await response(scope, receive, told)
            finally:
                took = self.desk.parts.clock.stopwatch() - started
                route = getattr(scope.get("route"), "path", "other")
                health.count(scope["method"], route, status[0], took)
                found.ended(scope["method"], route, status[0])
                line = {"request": name, "trace": found.trace, "method": scope["method"], "route": route}
                turn = getattr(request.state, "turn", None)
                line |= {"turn": turn} if turn else {}
                LOG.info("request", extra={"told": {**line, "status": status[0], "ms": round(took * 1000, 1)}})


async def _bounded(desk: Desk, request: Request, receive: Receive) -> Receive:
    """At most so many bytes, counted as they come: a length in a header may lie."""
    if request.method in ("GET", "HEAD", "OPTIONS") or request.url.path.startswith("/mcp"):
        return receive
    most = desk.settings.max_import_bytes if request.url.path == "/v1/import" else desk.settings.max_bytes
    declared = request.headers.get("content-length", "0")
    if declared.isdigit() and int(declared) > most:
        raise Refused(413, f"at most {most:,} bytes are taken")
    body, more = bytearray(), True
    while more:
        message = await receive()
        if message["type"] != "http.request":
            break
        body += message.get("body", b"")
        more = message.get("more_body", False)
        if len(body) > most:
            raise Refused(413, f"at most {most:,} bytes are taken")
    given = [False]

    async def again() -> Message:
        if not given[0]:
            given[0] = True
            return {"type": "http.request", "body": bytes(body), "more_body": False}
        return await receive()

    return again


def _answers_to(desk: Desk, request: Request) -> None:
    """An open server on loopback must not be reached through a foreign page's name for it."""
    if desk.settings.needs_key or desk.settings.admin_key or desk.settings.jwks or not desk.settings.is_local:
        return
    host = request.headers.get("host", "").rpartition(":")
    name = host[0] if host[1] and host[2].isdigit() else request.headers.get("host", "")
    if name.lower() not in LOOPBACK and name.lower() not in desk.settings.hosts:
        raise Refused(421, f"this server answers to localhost only, not to {name[:80]!r}")
    origin = request.headers.get("origin", "")
    if origin and _host_of(origin) not in (*LOOPBACK, *desk.settings.hosts):
        raise Refused(421, f"a page of {origin[:80]!r} may not call this server")


def _host_of(origin: str) -> str:
    """The whole name: localhost.evil.example begins like one of ours, and is none."""
    try:
        return urlsplit(origin).hostname or ""
    except ValueError:
        return ""
