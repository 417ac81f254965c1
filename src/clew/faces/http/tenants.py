"""Tenants and keys, for whoever runs the server: a tenant is there as soon as a key names it."""

from __future__ import annotations

from collections import Counter
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from clew.errors import NotFound
from clew.faces.http.access import OPERATOR, Caller, Who, desk_of
from clew.faces.http.paging import LINES, Wanted, listed
from clew.faces.http.problems import Refused, answers
from clew.faces.http.schemas import KeyIn, KeyMadeOut, KeyOut, Page, TenantOut
from clew.model.canonical import iso
from clew.ports.store import acting_for

router = APIRouter(prefix="/v1", tags=["tenants"], responses=answers(403))


@router.get("/tenants", response_model=Page[TenantOut], responses=LINES)
async def tenants(request: Request, caller: Who, part: Wanted) -> Any:
    """By name; the empty name is that of this database's own users."""
    _operator(caller)
    desk = desk_of(request)

    def work() -> tuple[list[dict[str, Any]], str | None]:
        with acting_for(None):
            users = desk.tables.tenants()
            keys = Counter(key.tenant for key in desk.tables.all_keys() if key.revoked_at is None)
        shown, more = part.of(sorted(users), lambda name: f"t{name}")
        return [{"tenant": name, "users": users[name], "keys": keys[name]} for name in shown], more

    return listed(request, *await desk.run(work))


@router.get("/keys", response_model=Page[KeyOut], responses=LINES)
async def keys(request: Request, caller: Who, part: Wanted) -> Any:
    """Oldest first, revoked ones too; never their secrets."""
    _operator(caller)
    desk = desk_of(request)

    def work() -> tuple[list[dict[str, Any]], str | None]:
        with acting_for(None):
            found = desk.tables.all_keys()
        shown, more = part.of(found, lambda key: f"{key.created_at}|{key.id}")
        return [_told(key) for key in shown], more

    return listed(request, *await desk.run(work))


@router.post("/keys", response_model=KeyMadeOut)
async def make_key(body: KeyIn, request: Request, caller: Who) -> Any:
    """A key for a tenant, or for one user of it."""
    _operator(caller)
    desk = desk_of(request)

    def work() -> dict[str, Any]:
        with acting_for(None):
            made, secret = desk.tables.make_key(body.name, body.tenant, body.user, iso(desk.parts.clock.now()))
        return {**_told(made), "key": secret}

    return await desk.run(work)


@router.delete("/keys/{key_id}", status_code=204)
async def revoke_key(key_id: str, request: Request, caller: Who) -> Response:
    """At once. To rotate a key: make a new one, then revoke the old."""
    _operator(caller)
    desk = desk_of(request)

    def work() -> None:
        with acting_for(None):
            if not desk.tables.revoke_key(key_id, iso(desk.parts.clock.now())):
                raise NotFound(f"no key {key_id!r} that is not revoked already", pointer="/key_id")

    await desk.run(work)
    return Response(status_code=204)


def _operator(caller: Caller) -> None:
    if caller.key != OPERATOR:
        raise Refused(403, "only the key in CLEW_SERVER_KEY may do this; or use `clew keys` where the server runs")


def _told(key: Any) -> dict[str, Any]:
    return {name: getattr(key, name) for name in ("id", "name", "tenant", "user", "created_at", "revoked_at")}
