"""Rows of proactive messages, reminders, app opens and channels, and the page of users that the hourly look reads."""

from __future__ import annotations

import json
from collections.abc import Collection
from datetime import datetime
from functools import lru_cache
from typing import Any, TypeVar

import sqlalchemy as sa

from clew.adapters.store import quick
from clew.adapters.store import tables as t
from clew.model.account import Lease, Message
from clew.model.canonical import iso
from clew.model.memory import MemoryRecord
from clew.model.outreach import (
    Attempt,
    AttemptStatus,
    Channel,
    DueUser,
    MessageKind,
    Outreach,
    Reminder,
    ReminderStatus,
)
from clew.model.profile import UserControls, UserState
from clew.model.relationship import RelationshipState, Stage
from clew.model.rows import from_row

T = TypeVar("T")


# What a turn reads again and again, and what never changes once it is read.
KEPT: tuple[type, ...] = (Message, MemoryRecord)


def noun(kind: type[T], row: Any) -> T:
    """A row of the database as a plain mapping, which answers faster than the row does."""
    if kind in KEPT:
        found: T = same_row(kind, row._fields, tuple(row))  # type: ignore[arg-type]
        return found
    return from_row(kind, dict(zip(row._fields, row, strict=True)))


@lru_cache(maxsize=1024)
def same_row(kind: type[Any], names: tuple[str, ...], values: tuple[Any, ...]) -> Any:
    return from_row(kind, dict(zip(names, values, strict=True)))


_ONE_OUTREACH = sa.select(t.OUTREACH).where(t.OUTREACH.c.retention_id == sa.bindparam("id"))
_OUTREACH_OF = (
    sa.select(t.OUTREACH)
    .where(t.OUTREACH.c.user_id == sa.bindparam("user"), t.OUTREACH.c.created_at >= sa.bindparam("since"))
    .order_by(t.OUTREACH.c.created_at.desc(), t.OUTREACH.c.retention_id)
    .limit(sa.bindparam("most"))
)
_REMINDERS_OF = sa.select(t.REMINDERS).where(t.REMINDERS.c.user_id == sa.bindparam("user"))
_REMINDERS_STANDING = _REMINDERS_OF.where(t.REMINDERS.c.status == sa.bindparam("status"))


class ReachingRows:
    """Part of a session; everything is read by an index and bounded."""

    connection: sa.Connection

    def outreach(self, retention_id: str) -> Outreach | None:
        row = self.connection.execute(_ONE_OUTREACH, {"id": retention_id}).first()
        return None if row is None else noun(Outreach, row)

    def outreach_of(self, user_id: str, since: datetime | None = None, most: int = 400) -> list[Outreach]:
        """The newest, oldest first."""
        asked = {"user": user_id, "since": iso(since) if since is not None else "", "most": most}
        rows = quick.rows(self.connection, _OUTREACH_OF, asked)
        return [noun(Outreach, r) for r in rows][::-1]

    def reminder(self, reminder_id: str) -> Reminder | None:
        row = self.connection.execute(sa.select(t.REMINDERS).where(t.REMINDERS.c.reminder_id == reminder_id)).first()
        return None if row is None else noun(Reminder, row)

    def reminders_of(self, user_id: str, status: ReminderStatus | None = ReminderStatus.SET) -> list[Reminder]:
        query = _REMINDERS_OF if status is None else _REMINDERS_STANDING
        asked = {"user": user_id} | ({} if status is None else {"status": status.value})
        found = [noun(Reminder, row) for row in quick.rows(self.connection, query, asked)]
        return sorted(found, key=lambda x: (x.due_at, x.reminder_id))

    def channels_of(self, user_id: str) -> list[Channel]:
        c = t.CHANNELS
        query = sa.select(c).where(c.c.user_id == user_id, c.c.removed_at.is_(None)).order_by(c.c.channel_id)
        return [noun(Channel, row) for row in self.connection.execute(query)]

    def candidates(self, after: tuple[str, str], before: str | None, most: int) -> list[DueUser]:
        """One page of all friendships behind `after`, by user and friend."""
        r, u, c = t.RELATIONSHIPS, t.USERS, t.CONTROLS
        bonds = sa.select(r.c.user_id, r.c.friend_id, r.c.relationship_stage, r.c.last_interaction_at)
        bonds = bonds.where(_behind(r, after))
        if before is not None:
            bonds = bonds.where(r.c.user_id < before)
        # The page is cut before the join: joined first, PostgreSQL may walk through all users before it.
        p = bonds.order_by(r.c.user_id, r.c.friend_id).limit(most).subquery()
        query = sa.select(p, u.c.state, u.c.answers, c.c.proactive_messages_enabled, c.c.mute_until).select_from(
            p.outerjoin(u, u.c.user_id == p.c.user_id).outerjoin(c, c.c.user_id == p.c.user_id)
        )
        rows = self.connection.execute(query.order_by(p.c.user_id, p.c.friend_id))
        return [_candidate(row) for row in rows]

    def attempts_of(self, user_ids: Collection[str], since: datetime) -> dict[str, tuple[Attempt, ...]]:
        """What was sent to these users since then without being asked for, oldest first; one query."""
        o = t.OUTREACH
        asked = sa.select(o.c.user_id, o.c.delivered_at, o.c.status, o.c.notification_id, o.c.created_at).where(
            o.c.user_id.in_(sorted(user_ids)), o.c.created_at >= iso(since), o.c.kind != MessageKind.REMINDER.value
        )
        sent: dict[str, list[Attempt]] = {}
        for user_id, at, status, note, made in self.connection.execute(asked.order_by(o.c.created_at)):
            on_its_way = status == AttemptStatus.SCHEDULED.value
            known = AttemptStatus.DELIVERED if on_its_way else AttemptStatus(status)
            sent.setdefault(user_id, []).append(Attempt(_moment(made if on_its_way else at), known, note))
        return {user_id: tuple(found) for user_id, found in sent.items()}

    def silent(
        self, after: tuple[str, str], before: str | None, most: int, until: datetime
    ) -> list[tuple[str, str, RelationshipState]]:
        """One page of the friendships that were silent since then."""
        r = t.RELATIONSHIPS
        query = sa.select(r).where(_behind(r, after), r.c.last_interaction_at < iso(until), r.c.rapport_score > 0)
        if before is not None:
            query = query.where(r.c.user_id < before)
        rows = self.connection.execute(query.order_by(r.c.user_id, r.c.friend_id).limit(most))
        return [(row.user_id, row.friend_id, noun(RelationshipState, row)) for row in rows]

    def all_leases(self, most: int = 500) -> list[Lease]:
        """Messages that are being answered, or were to be."""
        query = sa.select(t.LEASES).order_by(t.LEASES.c.message_id).limit(most)
        return [noun(Lease, row) for row in self.connection.execute(query)]

    def conversation_ids(self, after: str, most: int) -> list[str]:
        c = t.CONVERSATIONS.c.conversation_id
        return list(self.connection.execute(sa.select(c).where(c > after).order_by(c).limit(most)).scalars())


def _behind(r: sa.Table, after: tuple[str, str]) -> sa.ColumnElement[bool]:
    """Behind this user and friend, in the order of the index."""
    user, friend = after
    return sa.tuple_(r.c.user_id, r.c.friend_id) > sa.tuple_(sa.literal(user), sa.literal(friend))


def _moment(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)


def _zone(answers: str | None) -> str:
    """A damaged row costs its own user a message, not everybody theirs."""
    try:
        return str(json.loads(answers or "{}").get("client_timezone") or "")
    except (ValueError, AttributeError):
        return ""


def _candidate(row: Any) -> DueUser:
    enabled = row.proactive_messages_enabled
    return DueUser(
        user_id=row.user_id,
        friend_id=row.friend_id,
        active=row.state == UserState.ACTIVE.value,
        stage=Stage(row.relationship_stage),
        timezone=_zone(row.answers),
        controls=UserControls(True if enabled is None else bool(enabled), _moment(row.mute_until)),
        last_interaction_at=_moment(row.last_interaction_at),
    )
