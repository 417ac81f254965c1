"""What a user sees and says of proactive messages: the inbox, app opens, reminders, channels, why nothing came."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

from clew.engine import reminding
from clew.engine.parts import Parts, user_lock
from clew.engine.reaching import Looked, acknowledged_by_reply, look_at
from clew.errors import InvalidInput, NotFound
from clew.kernel.reach.attribute import attribute
from clew.kernel.reach.telling import not_sent
from clew.model.canonical import derived_id, iso
from clew.model.event import Event, Put
from clew.model.language import HOUSE
from clew.model.outreach import (
    AppOpen,
    AttemptStatus,
    Channel,
    Opened,
    Outreach,
    Reminder,
    ReminderStatus,
    Skip,
)
from clew.model.rows import put_channel, put_open, put_outreach, put_reminder
from clew.ports.store import Session

WEBHOOK, PUSH = "webhook", "webpush"
_MOST = 200
_SECRET_LEAST = 16


def messages(parts: Parts, user_id: str, *, unseen: bool = False, most: int = _MOST) -> list[Outreach]:
    """What was delivered, newest first."""
    with parts.store.read() as session:
        found = session.outreach_of(user_id, most=most)
    there = [m for m in found if m.delivered_at is not None and not (unseen and m.seen_at)]
    return there[::-1]


def attempts(parts: Parts, user_id: str, most: int = _MOST) -> list[Outreach]:
    """Every attempt with what became of it, newest first."""
    with parts.store.read() as session:
        return session.outreach_of(user_id, most=most)[::-1]


def seen(parts: Parts, user_id: str, retention_ids: list[str] | None = None) -> int:
    """Mark as seen; None: all that were delivered."""
    at = parts.clock.now()
    with parts.store.write(user_lock(user_id)) as session:
        fresh = [
            m
            for m in session.outreach_of(user_id)
            if m.delivered_at and not m.seen_at and (retention_ids is None or m.retention_id in retention_ids)
        ]
        if fresh:
            puts = [put_outreach(replace(m, seen_at=at)) for m in fresh]
            session.append([_event(parts, user_id, "outreach.seen", at, *puts)])
    return len(fresh)


def app_opened(
    parts: Parts, user_id: str, *, notification_id: str | None = None, at: datetime | None = None, event_id: str = ""
) -> Opened:
    """The app was opened; put down to a message where that can be told, else the reason why not is kept.

    The same event id counts once. A moment ahead of our clock is taken as now: nobody opens an app in the future.
    """
    now = parts.clock.now()
    moment = min(at or now, now)
    open_id = derived_id("open", user_id, event_id or iso(moment), notification_id or "")
    span = timedelta(hours=parts.policy.reach.ignored_hours)
    with parts.store.write(user_lock(user_id)) as session:
        if session.user(user_id) is None:
            raise NotFound(f"no user {user_id!r}", pointer="/user_id")
        sent = [m for m in session.outreach_of(user_id, moment - 2 * span) if m.unasked and m.delivered_at]
        found, reason = _put_down_to(parts, sent, AppOpen(moment, notification_id), now)
        if reason is None and found is None:
            reason = "reach.open_ambiguous"
        if found is None and notification_id and not _known(session, user_id, notification_id):
            reason = "reach.open_unknown_notification"
        opened = Opened(open_id, user_id, moment, notification_id, found.retention_id if found else None, reason)
        puts: list[Put] = [put_open(opened)]
        if found is not None:
            puts.append(put_outreach(found))
        session.append([_event(parts, user_id, "app.opened", now, *puts)])
    return opened


def replied_elsewhere(parts: Parts, user_id: str, at: datetime | None = None) -> list[str]:
    """The user answered outside of here: what was sent within a day before it is acknowledged. Their ids."""
    now = parts.clock.now()
    with parts.store.write(user_lock(user_id)) as session:
        puts = acknowledged_by_reply(session, user_id, min(at or now, now), parts)
        if puts:
            session.append([_event(parts, user_id, "outreach.acknowledged", now, *puts)])
    return [str(p.row["retention_id"]) for p in puts]


def _put_down_to(
    parts: Parts, sent: list[Outreach], opened: AppOpen, now: datetime
) -> tuple[Outreach | None, str | None]:
    span = timedelta(hours=parts.policy.reach.ignored_hours)
    near = [m for m in sent if m.delivered_at and timedelta(0) < opened.at - m.delivered_at <= span]
    if not near:
        return None, "reach.open_nothing_sent"
    every = [m.attempt for m in sent]
    for message in reversed(near):
        verdict = attribute(message.attempt, every, (), [opened], now, parts.policy.reach)
        if verdict.status is AttemptStatus.ACKNOWLEDGED:
            done = replace(
                message, status=verdict.status, acknowledged_by=message.acknowledged_by or verdict.by,
                acknowledged_at=message.acknowledged_at or opened.at, seen_at=message.seen_at or opened.at,
            )  # fmt: skip
            return done, None
    return None, None


def _known(session: Session, user_id: str, notification_id: str) -> bool:
    return any(m.notification_id == notification_id for m in session.outreach_of(user_id))


def why_silent(parts: Parts, user_id: str, friend_id: str, language: str = HOUSE) -> tuple[Looked, str]:
    """Why nothing would come now, as a rule and as a sentence; "" when something would."""
    looked = look_at(parts, user_id, friend_id)
    return looked, not_sent(looked.skip, language, parts.policy) if looked.skip else ""


def told(message: Outreach, language: str, parts: Parts) -> str:
    """Why an attempt was not sent, for the user to read; "" for one that was."""
    if message.status is not AttemptStatus.SKIPPED or not message.reason:
        return ""
    return not_sent(Skip(message.reason), language, parts.policy)


# -- reminders ------------------------------------------------------------------------------------


def reminders(parts: Parts, user_id: str) -> list[Reminder]:
    with parts.store.read() as session:
        return session.reminders_of(user_id)


def remind(
    parts: Parts, user_id: str, friend_id: str, conversation_id: str, text: str, due: datetime, language: str = HOUSE
) -> Reminder:
    """A reminder by the API; the same words at the same moment are one promise."""
    now = parts.clock.now()
    if due <= now:
        raise InvalidInput(f"{iso(due)} has passed", pointer="/due_at")
    if len(text) > parts.policy.engine.max_characters:
        raise InvalidInput("text is too long", pointer="/text")
    with parts.store.write(user_lock(user_id)) as session:
        user = session.user(user_id)
        zone = (user.answers.client_timezone if user else None) or "UTC"
        made = Reminder(
            derived_id("reminder", user_id, text, due), user_id, friend_id, conversation_id, text.strip(), due, zone,
            ReminderStatus.SET, now, language,
        )  # fmt: skip
        session.append([_event(parts, user_id, "reminder.set", now, put_reminder(made))])
        session.add_jobs([reminding.job_of(made)])
    return made


def cancel_reminder(parts: Parts, user_id: str, reminder_id: str) -> Reminder:
    with parts.store.write(user_lock(user_id)) as session:
        found = session.reminder(reminder_id)
        if found is None or found.user_id != user_id or found.status is not ReminderStatus.SET:
            raise NotFound(f"no reminder {reminder_id!r} that is still to come", pointer="/reminder_id")
        session.append(reminding.cancel(parts, session, [found], parts.clock.now()))
    return replace(found, status=ReminderStatus.CANCELLED)


# -- channels -------------------------------------------------------------------------------------


def channels(parts: Parts, user_id: str) -> list[Channel]:
    with parts.store.read() as session:
        return session.channels_of(user_id)


def add_channel(parts: Parts, user_id: str, kind: str, address: str, secret: str | Mapping[str, Any]) -> Channel:
    if kind not in parts.senders:
        known = ", ".join(sorted(parts.senders)) or "none"
        raise InvalidInput(f"no channel of kind {kind!r} here; known: {known}", pointer="/kind")
    parsed = urlsplit(address)
    if parsed.scheme not in ("http", "https") or not parsed.hostname or len(address) > 2000:
        raise InvalidInput("address must be an http(s) URL", pointer="/address")
    kept = secret if isinstance(secret, str) else json.dumps(dict(secret))
    if kind == WEBHOOK and len(kept) < _SECRET_LEAST:
        raise InvalidInput(f"secret needs {_SECRET_LEAST} characters at least", pointer="/secret")
    at = parts.clock.now()
    made = Channel(derived_id("channel", user_id, kind, address), user_id, kind, address, kept, at)
    with parts.store.write(user_lock(user_id)) as session:
        session.append([_event(parts, user_id, "channel.added", at, put_channel(made))])
    return made


def remove_channel(parts: Parts, user_id: str, channel_id: str) -> None:
    at = parts.clock.now()
    with parts.store.write(user_lock(user_id)) as session:
        found = [c for c in session.channels_of(user_id) if c.channel_id == channel_id]
        if not found:
            raise NotFound(f"no channel {channel_id!r}", pointer="/channel_id")
        session.append([_event(parts, user_id, "channel.removed", at, put_channel(replace(found[0], removed_at=at)))])


def _event(parts: Parts, user_id: str, kind: str, at: datetime, *puts: Put) -> Event:
    return Event(kind=kind, at=at, user_id=user_id, policy=parts.policy.fingerprint, changes=puts)
