"""Nouns as flat rows and back. Every value is text, integer or null, so that all stores hold the same bytes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from datetime import datetime
from decimal import Decimal
from enum import Enum
from functools import cache
from types import NoneType
from typing import Any, TypeVar

from clew.errors import InvalidInput
from clew.model.account import Conversation, Friend, Lease, Message, Trace, User
from clew.model.canonical import canonical_json, iso
from clew.model.event import Add, Put
from clew.model.memory import MemoryRecord
from clew.model.outreach import Channel, Opened, Outreach, Reminder
from clew.model.profile import UserControls
from clew.model.relationship import RelationshipState
from clew.model.thread import KeptThread
from clew.model.typed import from_row as from_row
from clew.model.typed import readers

T = TypeVar("T")
Row = dict[str, Any]
_AS_IT_IS = (NoneType, int, str)


def text_or_number(value: Any) -> Any:
    if type(value) in _AS_IT_IS:
        return value
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, (int, str)):
        return value
    if isinstance(value, datetime):
        return iso(value)
    if isinstance(value, Decimal):
        return f"{value:.2f}"
    return canonical_json(value)


def as_row(noun: Any) -> Row:
    return {name: text_or_number(getattr(noun, name)) for name in _names(noun.__class__)}


@cache
def _names(kind: type[Any]) -> tuple[str, ...]:
    return tuple(f.name for f in fields(kind))


def put_user(user: User) -> Put:
    return Put("users", as_row(user))


def put_controls(user_id: str, controls: UserControls) -> Put:
    return Put("controls", {"user_id": user_id, **as_row(controls)})


def put_friend(friend: Friend) -> Put:
    row = as_row(friend)
    return Add(
        "friends",
        {**row, "combo_key": friend.assignment.combo_key, "assigned_at": iso(friend.assignment.assigned_at)},
    )


def put_conversation(conversation: Conversation) -> Put:
    return Add("conversations", as_row(conversation))


def put_message(message: Message) -> Put:
    """What was said is said once: never written over."""
    return Add("messages", as_row(message))


def put_memory(user_id: str, friend_id: str, memory: MemoryRecord) -> Put:
    return Put("memories", {"user_id": user_id, "friend_id": friend_id, **as_row(memory)})


def put_relationship(user_id: str, friend_id: str, state: RelationshipState) -> Put:
    return Put("relationships", {"user_id": user_id, "friend_id": friend_id, **as_row(state)})


def put_trace(trace: Trace) -> Put:
    return Add("traces", as_row(trace))


def put_thread(thread: KeptThread) -> Put:
    return Put("threads", as_row(thread))


def put_outreach(message: Outreach) -> Put:
    return Put("outreach", as_row(message))


def add_outreach(message: Outreach) -> Put:
    """A new one: where the same attempt was made already, the whole write fails."""
    return Add("outreach", as_row(message))


def put_reminder(reminder: Reminder) -> Put:
    return Put("reminders", as_row(reminder))


def put_open(opened: Opened) -> Put:
    return Put("app_opens", as_row(opened))


def put_channel(channel: Channel) -> Put:
    return Put("channels", as_row(channel))


def lease_row(lease: Lease) -> Row:
    return as_row(lease)


# What a row of each table must hold, for data that comes from outside.
NOUNS: dict[str, tuple[type, tuple[str, ...]]] = {
    "users": (User, ()),
    "controls": (UserControls, ("user_id",)),
    "friends": (Friend, ("combo_key", "assigned_at")),
    "conversations": (Conversation, ()),
    "messages": (Message, ()),
    "memories": (MemoryRecord, ("user_id", "friend_id")),
    "relationships": (RelationshipState, ("user_id", "friend_id")),
    "traces": (Trace, ()),
    "threads": (KeptThread, ()),
    "outreach": (Outreach, ()),
    "reminders": (Reminder, ()),
    "app_opens": (Opened, ()),
    "channels": (Channel, ()),
}
_LOOSE: dict[str, tuple[str, ...]] = {
    "continuity": ("conversation_id", "user_id", "body"),
}


# Columns that bundles of earlier versions do not have, with what they then mean.
_LATER: dict[str, Row] = {
    "controls": {"suppressed_values": "[]"},
    "messages": {"generation": 0},
    "memories": {
        "subject": "self",
        "attribute": None,
        "statement": None,
        "when_start": None,
        "when_end": None,
        "when_text": None,
        "sensitive": 0,
    },
}


def grown(table: str, row: Mapping[str, Any]) -> Row:
    """A row of an earlier version with the columns that were added since."""
    return {**_LATER.get(table, {}), **row}


def check_row(table: str, row: Mapping[str, Any], pointer: str) -> None:
    """Refuse a row that is not exactly one of ours."""
    if table in _LOOSE:
        wanted = set(_LOOSE[table])
    elif table in NOUNS:
        kind, more = NOUNS[table]
        wanted = {f.name for f in fields(kind)} | set(more)
    else:
        raise InvalidInput(f"no table {table!r}", pointer=pointer)
    if set(row) != wanted:
        odd = sorted(set(row) ^ wanted)
        raise InvalidInput(f"{table}: {odd[0]} is missing or unknown", pointer=f"{pointer}/{odd[0]}")
    if any(not isinstance(v, (str, int, NoneType)) for v in row.values()):
        raise InvalidInput(f"{table}: only text, integers and nulls are stored", pointer=pointer)
    for name, _, read in readers(NOUNS[table][0]) if table in NOUNS else ():
        try:
            value = read(row[name])
        except (ValueError, TypeError, KeyError, ArithmeticError) as why:
            raise InvalidInput(f"{table}: {name}: {why}", pointer=f"{pointer}/{name}") from None
        if isinstance(value, datetime) and value.tzinfo is None:
            raise InvalidInput(f"{table}: {name}: time needs an offset", pointer=f"{pointer}/{name}")
