"""Who is calling: a key, a token, or anybody on this machine.

A user's key acts for that user, whatever a header says.
"""

from __future__ import annotations

import asyncio
import hmac
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated, Any, TypeVar

from fastapi import Depends, Request

from clew.engine import service
from clew.engine.bootstrap import DoorTables
from clew.engine.parts import Parts
from clew.engine.service import Place
from clew.errors import NotFound
from clew.faces.http.problems import Refused
from clew.faces.http.settings import Settings
from clew.model.canonical import iso
from clew.ports.store import TENANT, acting_for

T = TypeVar("T")
# The tenant of a server that has none: the same users as in the terminal and in Python.
HOME = ""
# The key that was given from outside: whoever runs the server.
OPERATOR = "admin"
_CHALLENGE = {"WWW-Authenticate": 'Bearer realm="clew"'}


@dataclass(frozen=True, slots=True)
class Caller:
    tenant: str = HOME
    user: str | None = None
    key: str = "local"

    def may_act_for(self, user: str) -> bool:
        return self.user is None or self.user == user

    def user_id(self, user: str) -> str:
        return service.user_id(user, self.tenant or None)


@dataclass
class Desk:
    """What every request shares: the engine, the door's own tables, the settings, a few threads."""

    parts: Parts
    tables: DoorTables
    settings: Settings
    workers: Any
    started: float = field(default_factory=time.monotonic)
    limiter: Any = None
    jwks: Any = None
    in_flight: int = 0

    async def run(self, call: Callable[..., T], *args: Any, **kwargs: Any) -> T:
        """The engine is synchronous: it works on a thread, and a caller who leaves does not stop it."""
        from contextvars import copy_context
        from functools import partial

        context = copy_context()
        loop = asyncio.get_running_loop()
        job = loop.run_in_executor(self.workers, partial(context.run, call, *args, **kwargs))
        return await asyncio.shield(job)

    def place(
        self, caller: Caller, user: str, *, conversation: str = service.MAIN, create: bool = False, **more: Any
    ) -> Place:
        if not caller.may_act_for(user):
            raise NotFound(f"no user {user!r}", pointer="/user")
        found = service.arrive(
            self.parts, user, tenant=caller.tenant or None, conversation=conversation, create=create, **more
        )
        if create:
            self.tables.note_user(caller.tenant, user, found.user.user_id, iso(self.parts.clock.now()))
        return found

    def conversation(self, caller: Caller, conversation_id: str) -> Place:
        """By id; one of another tenant or user is not there."""
        found = service.place_of(self.parts, conversation_id)
        if caller.user is not None:
            mine = found.user.user_id == caller.user_id(caller.user)
        elif owner := self.tables.owner_of(found.user.user_id):
            mine = owner[0] == caller.tenant
        else:
            mine = caller.tenant == HOME  # came by the terminal or by Python
        if not mine:
            raise NotFound(f"no conversation {conversation_id!r}", pointer="/conversation_id")
        return found


def desk_of(request: Request) -> Desk:
    desk: Desk = request.app.state.desk
    return desk


async def caller_of(request: Request) -> Caller:
    desk = desk_of(request)
    with acting_for(None):  # whose key it is, nobody knows yet
        caller = await desk.run(_known, desk, request.headers.get("authorization", ""))
    _limited(desk, caller)
    # From here to the end of the request the database shows this tenant's rows only.
    TENANT.set(caller.tenant)
    request.state.caller = caller
    return caller


Who = Annotated[Caller, Depends(caller_of)]


def _known(desk: Desk, header: str) -> Caller:
    scheme, _, token = header.partition(" ")
    token = token.strip()
    # Where others can reach it, revoking the last key does not open the door.
    if desk.settings.is_local and not desk.settings.needs_key and not desk.tables.any_key():
        return Caller()
    if scheme.lower() != "bearer" or not token:
        raise Refused(401, "send Authorization: Bearer with a key", _CHALLENGE)
    if token.count(".") == 2 and desk.settings.jwks:
        return _by_token(desk, token)
    if desk.settings.admin_key and hmac.compare_digest(token.encode(), desk.settings.admin_key.encode()):
        return Caller(key=OPERATOR)
    key = desk.tables.key(token)
    if key is None:
        raise Refused(401, "this key is not known, or was revoked", _CHALLENGE)
    return Caller(key.tenant, key.user, key.id)


def _by_token(desk: Desk, token: str) -> Caller:
    """A signed token: `sub` is the user it acts for, `tenant` the tenant."""
    import jwt

    try:
        if desk.jwks is None:
            desk.jwks = jwt.PyJWKClient(desk.settings.jwks, cache_keys=True)
        key = desk.jwks.get_signing_key_from_jwt(token)
        claims = jwt.decode(
            token,
            key.key,
            algorithms=["RS256", "ES256", "EdDSA"],
            audience=desk.settings.audience or None,
            issuer=desk.settings.issuer or None,
            options={"require": ["exp", "sub"], "verify_aud": bool(desk.settings.audience)},
        )
    except jwt.PyJWTError as why:
        raise Refused(401, f"this token is not valid: {type(why).__name__}", _CHALLENGE) from None
    return Caller(str(claims.get("tenant", HOME)), str(claims["sub"]), f"jwt:{claims['sub']}")


def _limited(desk: Desk, caller: Caller) -> None:
    if desk.limiter is None:
        return
    rate, window = desk.limiter
    if not window.hit(rate, caller.tenant, caller.key):
        raise Refused(429, f"more than {desk.settings.rate} with this key", {"Retry-After": "1"})
