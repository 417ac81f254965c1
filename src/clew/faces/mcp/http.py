"""MCP over streamable HTTP, behind the same keys as the other doors."""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote

from fastapi import FastAPI
from mcp.server.transport_security import TransportSecuritySettings
from starlette.requests import Request
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from clew.faces.http import problems
from clew.faces.http.access import Desk as HttpDesk
from clew.faces.http.access import caller_of
from clew.faces.http.problems import Refused
from clew.faces.mcp.desk import Desk, Whose
from clew.faces.mcp.server import make_server


class Guarded:
    """Who calls is decided for every request, not once per session."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope)
        try:
            caller = await caller_of(request)
        except Refused as why:
            body = problems.document(why.status, why.code, why.detail)
            await problems.respond(body, why.headers)(scope, receive, send)
            return
        named = unquote(request.headers.get("x-clew-user", "")).strip()
        friend = unquote(request.headers.get("x-clew-persona", "")).strip() or None
        scope["clew.whose"] = Whose(caller.user or named or "me", caller.tenant or None, friend)
        await self._app(scope, receive, send)


def mount(app: FastAPI) -> None:
    http: HttpDesk = app.state.desk
    desk = Desk(http.parts, http.tables, Whose("me"), http.workers)
    server: Any = make_server(desk, graph_tools=True, shared=True)
    inner = server.streamable_http_app(
        streamable_http_path="/mcp",
        stateless_http=True,
        json_response=True,
        max_request_body_size=http.settings.max_bytes,
        # The host's name is checked at the outer door already.
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )
    app.router.routes.append(Route("/mcp", endpoint=Guarded(inner), include_in_schema=False))
    app.state.running.append(server.session_manager.run)
