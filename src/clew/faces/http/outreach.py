"""Messages that the friend writes first: the inbox, why nothing came, app events, reminders, channels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from clew.engine import inbox
from clew.engine.parts import Parts
from clew.engine.service import Place
from clew.errors import InvalidInput
from clew.faces.http.access import Caller, Desk, Who, desk_of
from clew.faces.http.paging import LINES, Part, Wanted, listed
from clew.faces.http.problems import answers
from clew.faces.http.schemas import (
    ChannelIn,
    ChannelOut,
    EventIn,
    EventOut,
    OutreachOut,
    Page,
    ReminderIn,
    ReminderOut,
    SeenIn,
    SeenOut,
    SilenceOut,
)
from clew.model.canonical import iso
from clew.model.language import HOUSE
from clew.model.outreach import Channel, Outreach, Reminder

T = TypeVar("T")
# In which language a reason is told.
Spoken = Annotated[str, Query(max_length=8)]
# Years of messages to one user; older ones are in an export.
_MOST = 10_000
router = APIRouter(prefix="/v1/users/{user}", tags=["outreach"], responses=answers())


@router.get("/inbox", response_model=Page[OutreachOut], responses=LINES)
async def get_inbox(
    user: str, request: Request, caller: Who, part: Wanted, language: Spoken = HOUSE, unseen: bool = False
) -> Any:
    """What was delivered, newest first."""

    def find(parts: Parts, who: str) -> list[Outreach]:
        return inbox.messages(parts, who, unseen=unseen, most=_MOST)

    return await _messages(request, caller, user, part, language, find)


@router.post("/inbox/seen", response_model=SeenOut)
async def seen(user: str, body: SeenIn, request: Request, caller: Who) -> Any:
    """Mark messages as seen; without ids all of them."""

    def work(desk: Desk, at: Place) -> dict[str, int]:
        return {"seen": inbox.seen(desk.parts, at.user.user_id, body.ids)}

    return await _mine(request, caller, user, work)


@router.get("/outreach", response_model=Page[OutreachOut], responses=LINES)
async def attempts(user: str, request: Request, caller: Who, part: Wanted, language: Spoken = HOUSE) -> Any:
    """Every attempt with what became of it: delivered, acknowledged, ignored, or not sent and why; newest first."""

    def find(parts: Parts, who: str) -> list[Outreach]:
        return inbox.attempts(parts, who, _MOST)

    return await _messages(request, caller, user, part, language, find)


@router.get("/outreach/why", response_model=SilenceOut)
async def why(user: str, request: Request, caller: Who, language: Spoken = HOUSE) -> Any:
    """Would the friend write now? If not, the rule and one sentence for the user."""

    def work(desk: Desk, at: Place) -> dict[str, Any]:
        looked, told = inbox.why_silent(desk.parts, at.user.user_id, at.friend.friend_id, language)
        return {
            "would_send": looked.skip is None,
            "skip_reason": looked.skip.value if looked.skip else None,
            "told": told,
            "reasons": [r.as_dict() for r in looked.reasons],
        }

    return await _mine(request, caller, user, work)


@router.post("/events", response_model=EventOut)
async def event(user: str, body: EventIn, request: Request, caller: Who) -> Any:
    """The app was opened, or the user replied elsewhere. The same event_id counts once."""

    def work(desk: Desk, at: Place) -> dict[str, Any]:
        who = at.user.user_id
        if body.type == "reply":
            return {"retention_ids": inbox.replied_elsewhere(desk.parts, who, body.at), "reason": None}
        made = inbox.app_opened(
            desk.parts, who, notification_id=body.notification_id, at=body.at, event_id=body.event_id or ""
        )
        return {"retention_ids": [made.retention_id] if made.retention_id else [], "reason": made.reason}

    return await _mine(request, caller, user, work)


@router.get("/reminders", response_model=Page[ReminderOut], responses=LINES)
async def reminders(user: str, request: Request, caller: Who) -> Any:
    """What was promised and is still to come, soonest first."""
    found = await _mine(request, caller, user, lambda desk, at: inbox.reminders(desk.parts, at.user.user_id))
    return listed(request, [_reminder(r) for r in found], None)


@router.post("/reminders", response_model=ReminderOut)
async def remind(user: str, body: ReminderIn, request: Request, caller: Who) -> Any:
    """Outside caps, gaps and windows: it was asked for. The same words at the same moment are one promise."""

    def work(desk: Desk, at: Place) -> Reminder:
        return inbox.remind(
            desk.parts, at.user.user_id, at.friend.friend_id, at.conversation.conversation_id, body.text, body.due_at,
            body.language,
        )  # fmt: skip

    return _reminder(await _mine(request, caller, user, work))


@router.delete("/reminders/{reminder_id}", response_model=ReminderOut)
async def cancel(user: str, reminder_id: str, request: Request, caller: Who) -> Any:
    def work(desk: Desk, at: Place) -> Reminder:
        return inbox.cancel_reminder(desk.parts, at.user.user_id, reminder_id)

    return _reminder(await _mine(request, caller, user, work))


@router.get("/channels", response_model=Page[ChannelOut], responses=LINES)
async def channels(user: str, request: Request, caller: Who) -> Any:
    """Where messages go beside the inbox; never their secrets."""
    found = await _mine(request, caller, user, lambda desk, at: inbox.channels(desk.parts, at.user.user_id))
    return listed(request, [_channel(c) for c in found], None)


@router.post("/channels", response_model=ChannelOut)
async def add_channel(user: str, body: ChannelIn, request: Request, caller: Who) -> Any:
    """A webhook with a secret that signs it, or a Web Push subscription with its keys."""
    given = body.secret if body.secret is not None else body.keys
    if given is None:
        raise InvalidInput("secret is required", pointer="/secret")

    def work(desk: Desk, at: Place) -> Channel:
        return inbox.add_channel(desk.parts, at.user.user_id, body.kind, body.address, given or body.keys or {})

    return _channel(await _mine(request, caller, user, work))


@router.delete("/channels/{channel_id}", status_code=204)
async def remove_channel(user: str, channel_id: str, request: Request, caller: Who) -> Response:
    await _mine(
        request, caller, user, lambda desk, at: inbox.remove_channel(desk.parts, at.user.user_id, channel_id)
    )
    return Response(status_code=204)


async def _mine(request: Request, caller: Caller, user: str, work: Callable[[Desk, Place], T]) -> T:
    """What is done for the user that the path names, where the caller may act for them."""
    desk = desk_of(request)
    return await desk.run(lambda: work(desk, desk.place(caller, user)))


async def _messages(
    request: Request,
    caller: Caller,
    user: str,
    part: Part,
    language: str,
    find: Callable[[Parts, str], list[Outreach]],
) -> Any:
    def work(desk: Desk, at: Place) -> tuple[list[dict[str, Any]], str | None]:
        found = sorted(find(desk.parts, at.user.user_id), key=_mark, reverse=True)
        shown, more = part.of(found, _mark, falling=True)
        return [_message(desk, m, language) for m in shown], more

    return listed(request, *await _mine(request, caller, user, work))


def _mark(message: Outreach) -> str:
    return f"{iso(message.created_at)} {message.retention_id}"


def _message(desk: Desk, message: Outreach, language: str) -> dict[str, Any]:
    return {
        "id": message.retention_id,
        "notification_id": message.notification_id,
        "conversation_id": message.conversation_id,
        "kind": message.kind.value,
        "status": message.status.value,
        "text": message.text,
        "channel": message.channel,
        "created_at": iso(message.created_at),
        "delivered_at": iso(message.delivered_at) if message.delivered_at else None,
        "seen_at": iso(message.seen_at) if message.seen_at else None,
        "acknowledged_by": message.acknowledged_by.value if message.acknowledged_by else None,
        "reason": message.reason,
        "told": inbox.told(message, language, desk.parts),
    }


def _reminder(reminder: Reminder) -> dict[str, Any]:
    return {
        "id": reminder.reminder_id,
        "text": reminder.text,
        "due_at": iso(reminder.due_at),
        "timezone": reminder.timezone,
        "status": reminder.status.value,
        "created_at": iso(reminder.created_at),
    }


def _channel(channel: Channel) -> dict[str, Any]:
    return {
        "id": channel.channel_id,
        "kind": channel.kind,
        "address": channel.address,
        "created_at": iso(channel.created_at),
    }
