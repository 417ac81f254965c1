"""A bundle's rows made those of another user: every id anew, so that one bundle may be taken in twice.

A name leads to an id, so what was found under a name before is found under it again: the user's first friend, a
friend by persona, the main conversation. Of other names only the id is known; they are found by listing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from clew.engine.bundle_rows import Rows
from clew.model.canonical import derived_id

# What the user or their friend said is left as it is, whatever it looks like.
_SAID = frozenset({"text", "memory_value", "statement", "answers"})
# Somebody else's ids.
_FOREIGN = frozenset({"notification_id"})
_UUID = re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b")


def resettled(rows: Rows, user_id: str, names: Iterable[str]) -> dict[str, list[dict[str, Any]]]:
    """`names` are those that a friend or a conversation may be known by."""
    (old,) = (str(row["user_id"]) for row in rows["users"])
    known = tuple(names)
    ids = {old: user_id}
    for row in rows.get("friends", ()):
        was = str(row["friend_id"])
        same = {derived_id("friend", old, name): derived_id("friend", user_id, name) for name in known}
        ids[was] = same.get(was) or derived_id("moved", user_id, was)
    for row in rows.get("conversations", ()):
        was, friend = str(row["conversation_id"]), str(row["friend_id"])
        there = (user_id, ids.get(friend, friend))
        same = {derived_id("conversation", old, friend): derived_id("conversation", *there)}
        same |= {
            derived_id("conversation", old, friend, name): derived_id("conversation", *there, name) for name in known
        }
        ids[was] = same.get(was) or derived_id("moved", user_id, was)
    for lines in rows.values():
        for row in lines:
            for column, value in row.items():
                if column.endswith("_id") and column not in _FOREIGN and isinstance(value, str):
                    ids.setdefault(value, derived_id("moved", user_id, value))
    return {table: [_moved(row, ids) for row in lines] for table, lines in rows.items()}


def _moved(row: Mapping[str, Any], ids: Mapping[str, str]) -> dict[str, Any]:
    return {name: value if name in _SAID else _renamed(value, ids) for name, value in row.items()}


def _renamed(value: Any, ids: Mapping[str, str]) -> Any:
    """Ids also stand inside JSON text; only those that cannot be anything else are looked for there."""
    if not isinstance(value, str):
        return value
    return ids.get(value) or _UUID.sub(lambda found: ids.get(found[0], found[0]), value)
