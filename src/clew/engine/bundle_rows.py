"""The rows of a bundle, judged as a whole before the first is written: one user, each row once, nothing dangling."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from clew.errors import InvalidInput
from clew.kernel.keep.keys import canonical, canonical_value
from clew.model.memory import MemoryRecord, MemoryStatus
from clew.model.rows import check_row, from_row
from clew.model.thread import ThreadType, Urgency
from clew.policy import Policy

Rows = Mapping[str, Sequence[Mapping[str, Any]]]

# What tells the rows of a table apart.
_KEYS: dict[str, tuple[str, ...]] = {
    "users": ("user_id",),
    "controls": ("user_id",),
    "friends": ("friend_id",),
    "conversations": ("conversation_id",),
    "messages": ("message_id",),
    "memories": ("memory_id",),
    "relationships": ("friend_id",),
    "traces": ("message_id",),
    "threads": ("conversation_id", "id"),
    "continuity": ("conversation_id",),
    "outreach": ("retention_id",),
    "reminders": ("reminder_id",),
    "app_opens": ("open_id",),
    "channels": ("channel_id",),
}
# A column that names a row of another table.
_NAMES = {"friend_id": "friends", "conversation_id": "conversations"}
_ONE_OF: dict[str, dict[str, tuple[str, ...]]] = {
    "messages": {"role": ("user", "assistant")},
    "threads": {
        "type": tuple(ThreadType),
        "urgency": tuple(Urgency),
        "status": ("open", "resolved"),
    },
}


def judged(rows: Rows, policy: Policy) -> str:
    """The id of the one user whose rows these are; anything wrong names file, line and field."""
    for table, found in sorted(rows.items()):
        for number, row in enumerate(found, 1):
            check_row(table, row, f"/{table}.jsonl/{number}")
    users = [str(row["user_id"]) for row in rows.get("users", ())]
    if len(users) != 1:
        raise InvalidInput(f"a bundle holds one user, this one {len(users)}", pointer="/users.jsonl")
    known = {name: {row[name] for row in rows.get(table, ())} for name, table in _NAMES.items()}
    for table, found in sorted(rows.items()):
        seen: set[tuple[Any, ...]] = set()
        for number, row in enumerate(found, 1):
            pointer = f"/{table}.jsonl/{number}"
            if row["user_id"] != users[0]:
                raise InvalidInput(f"a row of {table} belongs to another user", pointer=f"{pointer}/user_id")
            for name in _KEYS[table]:
                if not isinstance(row[name], str) or not row[name]:
                    raise InvalidInput(f"{table}: {name} is empty", pointer=f"{pointer}/{name}")
            mark = tuple(row[name] for name in _KEYS[table])
            if mark in seen:
                raise InvalidInput(
                    f"{table}: {mark[-1]!r} is there twice", pointer=f"{pointer}/{_KEYS[table][-1]}"
                )
            seen.add(mark)
            for name, ids in known.items():
                if name in row and row[name] not in ids:
                    raise InvalidInput(
                        f"{table}: no {name} {row[name]!r} in this bundle", pointer=f"{pointer}/{name}"
                    )
            for name, allowed in _ONE_OF.get(table, {}).items():
                if row[name] not in allowed:
                    raise InvalidInput(
                        f"{table}: {name} must be one of {', '.join(allowed)}; got {row[name]!r}",
                        pointer=f"{pointer}/{name}",
                    )
    _memories(rows.get("memories", ()), policy)
    return users[0]


def _memories(found: Sequence[Mapping[str, Any]], policy: Policy) -> None:
    """A memory from outside obeys the rules of one made here (rulings P81, P84)."""
    held: set[tuple[str, str]] = set()
    for number, row in enumerate(found, 1):
        record = from_row(MemoryRecord, row)
        known = canonical(record.memory_key, policy)
        pointer = f"/memories.jsonl/{number}"
        if known is None or known[0] is not record.type:
            raise InvalidInput(
                f"memories: {record.memory_key!r} is no key of a {record.type}",
                pointer=f"{pointer}/memory_key",
            )
        if canonical_value(record.type, record.memory_value) is None:
            raise InvalidInput(
                f"memories: {record.memory_value!r} is no value of a {record.type}",
                pointer=f"{pointer}/memory_value",
            )
        if not record.confidence.is_finite() or not 0 <= record.confidence <= 1:
            raise InvalidInput(
                "memories: confidence must be between 0 and 1", pointer=f"{pointer}/confidence"
            )
        slot = (str(row["friend_id"]), record.memory_key)
        if record.status is MemoryStatus.ACTIVE and slot in held:
            raise InvalidInput(
                f"memories: {record.memory_key} is ACTIVE twice", pointer=f"{pointer}/memory_key"
            )
        if record.status is MemoryStatus.ACTIVE:
            held.add(slot)
