"""A change of state: what happened, under which policy, and the rows it leaves behind.

The journal holds these in order; the tables are what remains when they are applied.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import datetime
from typing import Any

from clew.frozen import dataclass

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Put:
    """This row now stands in this table, whatever stood there under the same key."""

    table: str
    row: Row


@dataclass(frozen=True, slots=True)
class Add(Put):
    """This row is new; where one stands under the same key already, the whole write fails."""


@dataclass(frozen=True, slots=True)
class Drop:
    """The rows of this table that match are gone."""

    table: str
    match: Row


@dataclass(frozen=True, slots=True)
class Event:
    kind: str
    at: datetime
    user_id: str
    policy: str
    message_id: str | None = None
    changes: tuple[Put | Drop, ...] = ()
    # What cannot be computed again: clock readings, seeds, a model's raw answer.
    note: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Entry:
    """An event as the journal numbers it."""

    seq: int
    event: Event
