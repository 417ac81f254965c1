"""Bringing a proactive message to the user: into the inbox at once, or by a job for each channel they have.

`delivered_at` is set where the message has arrived and nowhere else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from clew.engine.jobs import Again
from clew.engine.parts import Parts, user_lock
from clew.errors import DeliveryFailed, DeliveryRefused
from clew.kernel.reach.eligible import not_now
from clew.model.account import Message
from clew.model.canonical import derived_id
from clew.model.event import Event, Put
from clew.model.job import Job, JobKind
from clew.model.outreach import AttemptStatus, Channel, Outreach, Skip
from clew.model.rows import add_outreach, put_channel, put_message, put_outreach
from clew.model.turn import Source
from clew.ports.delivery import Parcel
from clew.ports.store import Session


def hand_over(
    parts: Parts, session: Session, message: Outreach, at: datetime, *more: Put, note: Mapping[str, Any] | None = None
) -> Outreach:
    """Inside the write that makes the message: delivered to the inbox now, or a job for each channel."""
    channels = [c for c in session.channels_of(message.user_id) if c.kind in parts.senders]
    if not channels:
        message = replace(message, status=AttemptStatus.DELIVERED, delivered_at=at)
        puts: tuple[Put, ...] = (add_outreach(message), put_message(_spoken(session, message, at)), *more)
    else:
        message = replace(message, channel=",".join(sorted({c.kind for c in channels})))
        puts = (add_outreach(message), *more)
        session.add_jobs(_jobs(message, channels, at))
    kind = "outreach.delivered" if message.delivered_at else "outreach.scheduled"
    session.append([_event(parts, message, kind, at, puts, note or {})])
    return message


def deliver(parts: Parts, job: Job) -> dict[str, Any]:
    """One message to one channel. It is looked at again first: the user may have muted, or written, meanwhile."""
    now = parts.clock.now()
    with parts.store.read() as session:
        message = session.outreach(job.payload["retention_id"])
        found = [c for c in session.channels_of(job.user_id or "") if c.channel_id == job.payload["channel_id"]]
        skip = _no_longer(parts, session, message, now) if message else Skip.GONE
    if message is None or message.status is AttemptStatus.SKIPPED:
        return {"skipped": Skip.GONE.value}
    if skip is not None or not found:
        return _give_up(parts, message, skip or Skip.DELIVERY_FAILED, now)
    channel = found[0]
    try:
        parts.senders[channel.kind].send(channel, _parcel(message, now), parts.policy.jobs.delivery_seconds)
    except DeliveryRefused as why:
        return {**_give_up(parts, message, Skip.DELIVERY_FAILED, now, channel), "error": why.message}
    except DeliveryFailed as why:
        if job.attempts >= parts.policy.jobs.attempts:
            return {**_give_up(parts, message, Skip.DELIVERY_FAILED, now), "error": why.message}
        raise Again(why.message) from None
    return _arrived(parts, message, parts.clock.now())


def _arrived(parts: Parts, message: Outreach, at: datetime) -> dict[str, Any]:
    with parts.store.write(user_lock(message.user_id)) as session:
        now = session.outreach(message.retention_id)
        if now is None or now.status is not AttemptStatus.SCHEDULED:
            return {"delivered": False}
        done = replace(now, status=AttemptStatus.DELIVERED, delivered_at=at)
        spoken = put_message(_spoken(session, done, at))
        session.append([_event(parts, done, "outreach.delivered", at, (put_outreach(done), spoken), {})])
    return {"delivered": True}


def _give_up(
    parts: Parts, message: Outreach, skip: Skip, at: datetime, refused: Channel | None = None
) -> dict[str, Any]:
    """Not sent, and the reason stands with it; a channel that refuses for good is taken off."""
    with parts.store.write(user_lock(message.user_id)) as session:
        now = session.outreach(message.retention_id)
        puts: list[Put] = [put_channel(replace(refused, removed_at=at))] if refused else []
        if now is not None and now.status is AttemptStatus.SCHEDULED and not _others(session, message, refused):
            puts.append(put_outreach(replace(now, status=AttemptStatus.SKIPPED, reason=skip.value)))
        if puts:
            session.append([_event(parts, message, "outreach.skipped", at, puts, {"reason": skip.value})])
    return {"skipped": skip.value}


def _others(session: Session, message: Outreach, refused: Channel | None) -> bool:
    """Is there another channel that may still get it through?"""
    if refused is None:
        return False
    left = [c for c in session.channels_of(message.user_id) if c.channel_id != refused.channel_id]
    jobs = (session.job(_job_id(message, c)) for c in left)
    return any(j is not None and j.status in ("queued", "running") for j in jobs)


def _no_longer(parts: Parts, session: Session, message: Outreach, now: datetime) -> Skip | None:
    """Why it should not go out any more. What was asked for is only held back by age."""
    if now - message.created_at > timedelta(hours=parts.policy.jobs.stale_hours):
        return Skip.DELIVERY_FAILED
    if not message.unasked:
        return None
    user = session.user(message.user_id)
    state = session.relationship(message.user_id, message.friend_id)
    if user is None:
        return Skip.GONE
    if state.last_interaction_at is not None and state.last_interaction_at > message.created_at:
        return Skip.RECENTLY_ACTIVE
    others = [
        m.attempt
        for m in session.outreach_of(message.user_id, now - timedelta(days=parts.policy.jobs.history_days))
        if m.retention_id != message.retention_id and m.unasked
    ]
    zone = user.answers.client_timezone or ""
    # The silence was long enough when it was made, and it has only grown since.
    found = not_now(
        now, zone, state.relationship_stage, session.controls(message.user_id), now - timedelta(days=3650), others, 1,
        parts.policy.reach,
    )  # fmt: skip
    return found[0] if found else None


def _jobs(message: Outreach, channels: Sequence[Channel], at: datetime) -> list[Job]:
    return [
        Job(
            _job_id(message, c), JobKind.DELIVER, at, at, user_id=message.user_id,
            payload={"retention_id": message.retention_id, "channel_id": c.channel_id},
        )
        for c in channels
    ]  # fmt: skip


def _job_id(message: Outreach, channel: Channel) -> str:
    return f"{JobKind.DELIVER}:{message.retention_id}:{channel.channel_id}"


def _spoken(session: Session, message: Outreach, at: datetime) -> Message:
    """The same words as a line of the conversation, said by the friend."""
    return Message(
        message_id=message.retention_id,
        conversation_id=message.conversation_id,
        user_id=message.user_id,
        role="assistant",
        text=message.text,
        at=at,
        source=Source.RETENTION.value,
        surfaced_memory_ids=(message.memory_id,) if message.memory_id else (),
        position=session.next_position(message.conversation_id),
    )


def _parcel(message: Outreach, at: datetime) -> Parcel:
    return Parcel(
        retention_id=message.retention_id,
        notification_id=message.notification_id or derived_id("notification", message.retention_id),
        user=message.user_id,
        conversation_id=message.conversation_id,
        kind=message.kind.value,
        text=message.text,
        at=at,
    )


def _event(
    parts: Parts, message: Outreach, kind: str, at: datetime, puts: Sequence[Put], note: Mapping[str, Any]
) -> Event:
    return Event(
        kind=kind, at=at, user_id=message.user_id, policy=parts.policy.fingerprint, message_id=message.retention_id,
        changes=tuple(puts), note=note,
    )  # fmt: skip
