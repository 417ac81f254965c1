"""Events as journal rows and back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from clew.model.canonical import canonical_json, iso
from clew.model.event import Add, Drop, Entry, Event, Put


def journal_row(event: Event) -> dict[str, Any]:
    return {
        "kind": event.kind,
        "at": iso(event.at),
        "user_id": event.user_id,
        "policy": event.policy,
        "message_id": event.message_id,
        "changes": canonical_json([_change(c) for c in event.changes]),
        "note": canonical_json(dict(event.note)),
    }


def as_entry(row: Mapping[str, Any]) -> Entry:
    changes = tuple(_read(c) for c in json.loads(row["changes"]))
    event = Event(
        kind=row["kind"],
        at=datetime.fromisoformat(row["at"]),
        user_id=row["user_id"],
        policy=row["policy"],
        message_id=row["message_id"],
        changes=changes,
        note=json.loads(row["note"]),
    )
    return Entry(row["seq"], event)


def _read(change: Mapping[str, Any]) -> Put | Drop:
    if "add" in change:
        return Add(change["table"], change["add"])
    if "put" in change:
        return Put(change["table"], change["put"])
    return Drop(change["table"], change["drop"])


def _change(change: Put | Drop) -> dict[str, Any]:
    if isinstance(change, Add):
        return {"table": change.table, "add": dict(change.row)}
    if isinstance(change, Put):
        return {"table": change.table, "put": dict(change.row)}
    return {"table": change.table, "drop": dict(change.match)}
