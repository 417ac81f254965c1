"""Reminders: a promise with a moment, set in the same write as the words that asked for it, kept by a job.

What was asked for is outside caps, gaps and windows, and comes also to who is muted: they asked for it.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

from clew.engine.delivering import hand_over
from clew.engine.parts import Parts, user_lock
from clew.engine.turn_state import Turn
from clew.kernel.reach.telling import words_of
from clew.model.canonical import derived_id, sha256
from clew.model.event import Event, Put
from clew.model.job import Job, JobKind
from clew.model.outreach import AttemptStatus, MessageKind, Outreach, Reminder, ReminderStatus
from clew.model.rows import put_reminder
from clew.ports.store import Session


def reminder_of(turn: Turn, text: str, due: datetime, at: datetime) -> Reminder:
    assert turn.conversation is not None
    return Reminder(
        reminder_id=derived_id("reminder", turn.incoming.message_id, text, due),
        user_id=turn.user.user_id,
        friend_id=turn.conversation.friend_id,
        conversation_id=turn.conversation.conversation_id,
        text=text,
        due_at=due,
        timezone=turn.user.answers.client_timezone or "UTC",
        status=ReminderStatus.SET,
        created_at=at,
        language=turn.read.language,
        message_id=turn.incoming.message_id,
    )


def job_of(reminder: Reminder) -> Job:
    return Job(
        job_id(reminder.reminder_id), JobKind.REMIND, reminder.due_at, reminder.created_at,
        user_id=reminder.user_id, payload={"reminder_id": reminder.reminder_id},
    )  # fmt: skip


def job_id(reminder_id: str) -> str:
    return f"{JobKind.REMIND}:{reminder_id}"


def keep_promise(parts: Parts, job: Job) -> dict[str, Any]:
    """The message that was asked for, once: the promise is marked kept in the same write."""
    now = parts.clock.now()
    with parts.store.write(user_lock(job.user_id or "")) as session:
        reminder = session.reminder(job.payload["reminder_id"])
        if reminder is None or reminder.status is not ReminderStatus.SET:
            return {"kept": False}
        hand_over(parts, session, _message(parts, reminder, now), now, _kept(reminder, now))
    return {"kept": True}


def cancel(parts: Parts, session: Session, reminders: list[Reminder], at: datetime) -> list[Event]:
    """Taken back before they were due."""
    session.cancel_jobs([job_id(r.reminder_id) for r in reminders])
    puts = [put_reminder(replace(r, status=ReminderStatus.CANCELLED)) for r in reminders]
    if not puts:
        return []
    user_id = reminders[0].user_id
    event = Event(
        kind="reminder.cancelled", at=at, user_id=user_id, policy=parts.policy.fingerprint, changes=tuple(puts)
    )
    return [event]


def _message(parts: Parts, reminder: Reminder, now: datetime) -> Outreach:
    words = words_of(reminder.language, parts.policy)
    ways = words.reminder if reminder.text else words.asked_message
    way = ways[int(sha256(reminder.reminder_id)[:8], 16) % len(ways)]
    retention_id = derived_id("outreach", "reminder", reminder.reminder_id)
    return Outreach(
        retention_id=retention_id,
        user_id=reminder.user_id,
        friend_id=reminder.friend_id,
        conversation_id=reminder.conversation_id,
        kind=MessageKind.REMINDER,
        status=AttemptStatus.SCHEDULED,
        text=way.format(what=reminder.text),
        created_at=now,
        about=reminder.reminder_id,
        notification_id=derived_id("notification", retention_id),
    )


def _kept(reminder: Reminder, now: datetime) -> Put:
    return put_reminder(replace(reminder, status=ReminderStatus.KEPT, kept_at=now))
