"""Causal links of a session, replaced whole; asked by actor, strength, span and event.

Functions take a connection, so that they live in whatever transaction the caller holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Column, Float, Index, Integer, MetaData, Table, Text

from clew.model.link import CausalLink, ConsequenceType, IntentType, Strength

METADATA = MetaData()
LINKS = Table(
    "causal_links",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("session_id", Text, nullable=False),
    Column("actor", Text, nullable=False),
    Column("intent_text", Text, nullable=False),
    Column("intent_type", Text, nullable=False),
    Column("intent_strength", Text, nullable=False),
    Column("intent_anchor_index", Integer, nullable=False),
    Column("consequence_text", Text),
    Column("consequence_type", Text),
    Column("consequence_anchor_index", Integer),
    Column("distance", Integer),
    Column("score", Float),
    Column("claimed", Integer, nullable=False),
    Column("created_at_ms", sa.BigInteger, nullable=False),
    Column("continuation", Integer, nullable=False),
    Column("event_id", Text),
    Column("param_hash", Text, nullable=False),
    Index("idx_causal_links_session", "session_id", "intent_anchor_index"),
    Index("idx_causal_links_session_actor", "session_id", "actor"),
    Index("idx_causal_links_strength", "session_id", "intent_strength"),
    Index("idx_causal_links_event", "session_id", "event_id"),
)
_FIELDS = (
    "id", "session_id", "actor", "intent_text", "intent_type", "intent_strength", "intent_anchor_index",
    "consequence_text", "consequence_type", "consequence_anchor_index", "distance", "score", "claimed",
    "created_at_ms", "continuation",
)  # fmt: skip
_BATCH = 500


def ensure(connection: sa.Connection) -> None:
    """Make the table where no migration has made it."""
    METADATA.create_all(connection, checkfirst=True)


def replace_session(
    connection: sa.Connection,
    session_id: str,
    links: Iterable[CausalLink],
    *,
    param_hash: str,
    events: Mapping[str, str] | None = None,
    include_unclaimed_weak: bool = False,
) -> int:
    """Delete the session's links and insert these, together; gives how many were written.

    Unclaimed weak links are left out unless asked for (ruling C6). `events` maps link ids to events.
    """
    rows = [
        _row(link, param_hash, (events or {}).get(link.id))
        for link in links
        if link.claimed or link.intent_strength is Strength.STRONG or include_unclaimed_weak
    ]
    with _together(connection):
        connection.execute(LINKS.delete().where(LINKS.c.session_id == session_id))
        for first in range(0, len(rows), _BATCH):
            connection.execute(LINKS.insert(), rows[first : first + _BATCH])
    return len(rows)


def find(
    connection: sa.Connection,
    session_id: str | None = None,
    *,
    actor: str | None = None,
    strength: Strength | None = None,
    span: tuple[int, int] | None = None,
    event_id: str | None = None,
    claimed: bool | None = None,
    limit: int | None = None,
) -> list[CausalLink]:
    """All conditions together, in order of session and place. A link meets a span when any part of it does."""
    wanted = sa.select(LINKS).order_by(LINKS.c.session_id, LINKS.c.intent_anchor_index, LINKS.c.id)
    for column, value in (
        (LINKS.c.session_id, session_id),
        (LINKS.c.actor, actor),
        (LINKS.c.intent_strength, None if strength is None else strength.value),
        (LINKS.c.event_id, event_id),
        (LINKS.c.claimed, None if claimed is None else int(claimed)),
    ):
        if value is not None:
            wanted = wanted.where(column == value)
    if span is not None:
        end = sa.func.coalesce(LINKS.c.consequence_anchor_index, LINKS.c.intent_anchor_index)
        wanted = wanted.where(LINKS.c.intent_anchor_index <= span[1], end >= span[0])
    if limit is not None:
        wanted = wanted.limit(limit)
    return [_link(dict(row)) for row in connection.execute(wanted).mappings()]


def _together(connection: sa.Connection) -> AbstractContextManager[Any]:
    """Inside the caller's transaction, or in one of our own."""
    return nullcontext() if connection.in_transaction() else connection.begin()


def _row(link: CausalLink, param_hash: str, event_id: str | None) -> dict[str, Any]:
    row = link.as_dict()
    # PostgreSQL holds no zero character.
    row = {k: v.replace("\0", "\ufffd") if isinstance(v, str) else v for k, v in row.items()}
    row["claimed"], row["continuation"] = int(link.claimed), int(link.continuation)
    return {**row, "param_hash": param_hash, "event_id": event_id}


def _link(row: Mapping[str, Any]) -> CausalLink:
    values = {name: row[name] for name in _FIELDS}
    values["intent_type"] = IntentType(values["intent_type"])
    values["intent_strength"] = Strength(values["intent_strength"])
    values["consequence_type"] = ConsequenceType(values["consequence_type"])
    values["claimed"], values["continuation"] = bool(values["claimed"]), bool(values["continuation"])
    return CausalLink(**values)
