"""What the tools share: the engine, whose memories a call is about, and failures that a model can read."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError

from clew.engine import service
from clew.engine.parts import Parts
from clew.engine.service import Place
from clew.errors import ClewError

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Whose:
    user: str
    tenant: str | None = None
    friend: str | None = None


@dataclass
class Desk:
    parts: Parts
    tables: Any
    default: Whose
    workers: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(4, "clew-mcp"))

    def whose(self, ctx: Context[Any]) -> Whose:
        """Over HTTP the request says who calls; on standard input it was said at the start."""
        try:
            request = ctx.request_context.request
        except (ValueError, AttributeError):
            request = None
        found = request.scope.get("clew.whose") if request is not None else None
        return found if isinstance(found, Whose) else self.default

    def place(self, whose: Whose, conversation: str = service.MAIN) -> Place:
        found = service.arrive(
            self.parts, whose.user, tenant=whose.tenant, friend=whose.friend, conversation=conversation
        )
        if self.tables is not None:
            from clew.model.canonical import iso

            self.tables.note_user(
                whose.tenant or "", whose.user, found.user.user_id, iso(self.parts.clock.now())
            )
        return found

    async def run(self, call: Callable[..., T], *args: Any) -> T:
        """Only a ToolError's words reach the model; they start with the code of the error."""
        try:
            # With the caller's context, which says whose rows the database may show.
            work = partial(copy_context().run, call, *args)
            return await asyncio.get_running_loop().run_in_executor(self.workers, work)
        except ClewError as why:
            raise ToolError(f"{why.code}: {why.message}") from why
