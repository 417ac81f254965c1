"""Users of a tenant: sign-up, profile, controls, and everything of theirs out, in and gone."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from clew.engine import identity, service
from clew.engine.parts import user_lock
from clew.errors import InvalidInput, NotFound
from clew.faces.http.access import HOME, Caller, Desk, Who, desk_of
from clew.faces.http.paging import LINES, Wanted, listed, read_cursor, write_cursor
from clew.faces.http.problems import Refused, answers
from clew.faces.http.schemas import ControlsIn, Page, ReceiptOut, UserIn, UserOut
from clew.kernel.reach.wishes import FOR_EVER
from clew.model.account import User
from clew.model.canonical import iso, plain
from clew.model.event import Event
from clew.model.fields import Fields
from clew.model.profile import UserControls
from clew.model.rows import put_controls, put_user
from clew.model.topic import TopicId

router = APIRouter(prefix="/v1", tags=["users"], responses=answers())


@router.get("/me")
async def me(caller: Who) -> dict[str, str | None]:
    """Whom the key acts for."""
    return {"tenant": caller.tenant, "user": caller.user}


@router.get("/users", response_model=Page[str], responses=LINES)
async def users(request: Request, caller: Who, part: Wanted) -> Any:
    desk = desk_of(request)
    if caller.user is not None:
        return listed(request, [caller.user], None)  # type: ignore[list-item]
    after = read_cursor(part.cursor) or ""
    found = await desk.run(desk.tables.users, caller.tenant, after, part.limit + 1)
    more = write_cursor(found[part.limit - 1]) if len(found) > part.limit else None
    return listed(request, found[: part.limit], more)  # type: ignore[arg-type]


@router.put("/users/{user}", response_model=UserOut)
async def put_user_(
    user: str, request: Request, caller: Who, body: UserIn | None = None
) -> Any:
    """Make a user, or find one; no onboarding is needed. A profile's answers are taken as they come."""
    desk = desk_of(request)

    def work() -> dict[str, Any]:
        given = body or UserIn()
        place = desk.place(caller, user, create=True, persona=given.persona)
        if given.profile:
            _answer(desk, place.user.user_id, given.profile)
        return _told(desk, user, place.user.user_id)

    return await desk.run(work)


@router.get("/users/{user}", response_model=UserOut)
async def get_user(user: str, request: Request, caller: Who) -> Any:
    desk = desk_of(request)
    return await desk.run(lambda: _told(desk, user, _known(desk, caller, user).user_id))


@router.patch("/users/{user}/profile", response_model=UserOut)
async def patch_profile(
    user: str, body: dict[str, Any], request: Request, caller: Who
) -> Any:
    """Answers of the onboarding, one by one or all together; an unknown question is refused by name."""
    desk = desk_of(request)

    def work() -> dict[str, Any]:
        found = _known(desk, caller, user)
        _answer(desk, found.user_id, body)
        return _told(desk, user, found.user_id)

    return await desk.run(work)


@router.patch("/users/{user}/controls", response_model=UserOut)
async def patch_controls(
    user: str, body: ControlsIn, request: Request, caller: Who
) -> Any:
    desk = desk_of(request)
    given = body.model_dump(exclude_unset=True)

    def work() -> dict[str, Any]:
        found = _known(desk, caller, user)
        with desk.parts.store.write(user_lock(found.user_id)) as session:
            controls = _controls(session.controls(found.user_id), given, desk.parts.clock.now())
            session.append([_event(desk, found.user_id, "controls.changed", put_controls(found.user_id, controls))])
        return _told(desk, user, found.user_id)

    return await desk.run(work)


@router.delete("/users/{user}", response_model=ReceiptOut)
async def erase(user: str, request: Request, caller: Who) -> Any:
    """Erase everything of a user. The receipt says where a search of the database still finds their words."""
    desk = desk_of(request)

    def work() -> dict[str, Any]:
        found = _known(desk, caller, user)
        return service.erase(desk.parts, found.user_id).as_dict()

    return await desk.run(work)


@router.get(
    "/users/{user}/export", responses={200: {"content": {"application/zip": {"schema": {"type": "string"}}}}}
)
async def export(user: str, request: Request, caller: Who) -> Response:
    """Everything of a user as one zip file."""
    desk = desk_of(request)
    data = await desk.run(lambda: service.export_bytes(desk.parts, _known(desk, caller, user).user_id))
    return Response(data, media_type="application/zip")


_ZIP = {"application/zip": {"schema": {"type": "string", "format": "binary"}}}


@router.post(
    "/import", openapi_extra={"requestBody": {"content": _ZIP, "required": True}}, responses=answers()
)
async def import_(
    request: Request,
    caller: Who,
    user: str | None = Query(None, min_length=1, max_length=400, description="Whose it becomes; a tenant must say."),
) -> dict[str, int]:
    """Take in such a file. For a named user every id is made anew; without a name it stays its own user's."""
    desk = desk_of(request)
    name = user or caller.user
    if name is not None and not caller.may_act_for(name):
        raise NotFound(f"no user {name!r}", pointer="/user")
    if name is None and caller.tenant != HOME:
        raise InvalidInput("name the user whose it becomes: ?user=NAME", pointer="/user")
    if request.headers.get("content-type", "").partition(";")[0] not in ("application/zip", "application/octet-stream"):
        raise Refused(415, "send application/zip")
    data = await request.body()

    def work() -> dict[str, int]:
        into = caller.user_id(name) if name is not None else None
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "import.zip"
            path.write_bytes(data)
            taken = service.take_in(desk.parts, path, into=into)
        if name is not None and into is not None:
            desk.tables.note_user(caller.tenant, name, into, iso(desk.parts.clock.now()))
        return taken

    return await desk.run(work)


def _known(desk: Desk, caller: Caller, user: str) -> User:
    if not caller.may_act_for(user):
        raise NotFound(f"no user {user!r}", pointer="/user")
    return service.known(desk.parts, user, tenant=caller.tenant or None)


def _told(desk: Desk, name: str, user_id: str) -> dict[str, Any]:
    with desk.parts.store.read() as session:
        user, controls = session.user(user_id), session.controls(user_id)
    if user is None:
        raise NotFound(f"no user {name!r}", pointer="/user")
    return {
        "user": name,
        "user_id": user_id,
        "state": user.state.value,
        "created_at": iso(user.created_at),
        "profile": plain(user.answers),
        "controls": plain(controls),
    }


def _answer(desk: Desk, user_id: str, given: dict[str, Any]) -> None:
    """The same checks as in the onboarding, for somebody who is here already."""
    with desk.parts.store.write(user_lock(user_id)) as session:
        user = session.user(user_id)
        assert user is not None
        answers_, controls = identity.read_answers(given, user.answers, session.controls(user_id))
        changed = replace(user, answers=answers_)
        puts = (put_user(changed), put_controls(user_id, controls))
        session.append([_event(desk, user_id, "onboarding.answered", *puts)])


def _controls(before: UserControls, given: dict[str, Any], now: datetime) -> UserControls:
    changes: dict[str, Any] = {}
    if given.get("proactive_messages_enabled") is not None:
        changes["proactive_messages_enabled"] = given["proactive_messages_enabled"]
    if given.get("mute") is not None:
        hours = {"24h": 24, "7d": 168}.get(given["mute"])
        off = None if given["mute"] == "off" else FOR_EVER
        changes["mute_until"] = now + timedelta(hours=hours) if hours else off
    if "mute_until" in given:
        changes["mute_until"] = given["mute_until"]
        if given["mute_until"] is not None and not 1 < given["mute_until"].year < 9999:
            raise InvalidInput("mute_until is too far away", pointer="/mute_until")
    if given.get("suppressed_topics") is not None:
        topics = [Fields({"topic": t}, "/suppressed_topics").enum("topic", TopicId) for t in given["suppressed_topics"]]
        changes["suppressed_topics"] = tuple(dict.fromkeys(topics))
    return replace(before, **changes)


def _event(desk: Desk, user_id: str, kind: str, *changes: Any) -> Event:
    return Event(
        kind=kind, at=desk.parts.clock.now(), user_id=user_id, policy=desk.parts.policy.fingerprint, changes=changes
    )
