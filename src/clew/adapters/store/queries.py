"""The statements of a turn, each built once: to build one costs more than to run it.

Values come in when a statement runs. A list is a parameter too, so that one statement serves lists of any length.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite

from clew.adapters.store import tables as t
from clew.model.memory import MemoryStatus

_M, _W = t.MEMORIES, t.MEMORY_TERMS
_SCOPE = (_M.c.user_id == sa.bindparam("user"), _M.c.friend_id == sa.bindparam("friend"))
_ACTIVE = (*_SCOPE, _M.c.status == MemoryStatus.ACTIVE.value)
_BY_AGE = (_M.c.created_at.desc(), _M.c.memory_id)


def listed(column: sa.Column[Any], name: str) -> sa.ColumnElement[bool]:
    return column.in_(sa.bindparam(name, expanding=True))


MEMORIES_ALL = sa.select(_M).where(*_SCOPE).order_by(_M.c.created_at, _M.c.memory_id)
MEMORIES_WITH = (
    sa.select(_M).where(*_SCOPE, listed(_M.c.status, "statuses")).order_by(_M.c.created_at, _M.c.memory_id)
)
# With every status named the index by scope and key is used.
MEMORIES_BY_KEY = sa.select(_M).where(*_SCOPE, listed(_M.c.status, "statuses"), listed(_M.c.memory_key, "keys"))
MEMORIES_BY_ID = sa.select(_M).where(listed(_M.c.memory_id, "ids"))
MEMORIES_BY_ATTRIBUTE = (
    sa.select(_M)
    .where(*_SCOPE, listed(_M.c.attribute, "attributes"), listed(_M.c.status, "statuses"))
    .order_by(*_BY_AGE)
    .limit(sa.bindparam("most", type_=sa.Integer))
)
MEMORIES_NEWEST = sa.select(_M).where(*_ACTIVE).order_by(*_BY_AGE).limit(sa.bindparam("most", type_=sa.Integer))
MEMORIES_PINNED = (
    sa.select(_M.c.memory_id).where(*_ACTIVE, _M.c.pinned == 1).limit(sa.bindparam("most", type_=sa.Integer))
)
MEMORIES_LED_TO = (
    sa.select(_W.c.memory_id)
    .where(_W.c.user_id == sa.bindparam("user"), _W.c.friend_id == sa.bindparam("friend"))
    .where(_W.c.term == sa.bindparam("term"))
    .limit(sa.bindparam("most", type_=sa.Integer))
)
TERMS_OF_MEMORY_GONE = sa.delete(_W).where(_W.c.memory_id == sa.bindparam("memory"))
LAST_POSITION = sa.select(sa.func.max(t.MESSAGES.c.position)).where(
    t.MESSAGES.c.conversation_id == sa.bindparam("conversation")
)
LEASE_GONE = sa.delete(t.LEASES).where(t.LEASES.c.message_id == sa.bindparam("message"))
SHOWN = sa.select(t.CONTINUITY.c.body).where(t.CONTINUITY.c.conversation_id == sa.bindparam("conversation"))


@cache
def by(table: sa.Table, names: tuple[str, ...]) -> sa.Select[Any]:
    return sa.select(table).where(*(table.c[name] == sa.bindparam(name) for name in names))


LAST_REPLY_TO = by(t.MESSAGES, ("reply_to",)).order_by(t.MESSAGES.c.generation.desc()).limit(1)
# Held to the end of the write, so that no two entries of a user take one place.
HEAD = by(t.JOURNAL_HEADS, ("user_id",)).with_for_update()


@cache
def last(table: sa.Table, by_role: bool) -> sa.Select[Any]:
    query = sa.select(table).where(table.c.conversation_id == sa.bindparam("conversation"))
    if by_role:
        query = query.where(table.c.role == sa.bindparam("role"))
    return query.order_by(table.c.position.desc()).limit(sa.bindparam("most"))


LAST_TEXTS = last(t.MESSAGES, True).with_only_columns(t.MESSAGES.c.text)


def key_begins(dialect: str) -> tuple[sa.ColumnElement[bool], ...]:
    """As each database can look it up in an index: both compare bytes, PostgreSQL by operators of its own.

    Not by LIKE: under row-level security PostgreSQL would look at the rows first, and at the index never.
    """
    key, start, end = _M.c.memory_key, sa.bindparam("start", type_=sa.Text), sa.bindparam("end", type_=sa.Text)
    if dialect == "postgresql":
        return key.bool_op("~>=~")(start), key.bool_op("~<~")(end)
    return key >= start, key < end


@cache
def memories_beginning(dialect: str) -> sa.Select[Any]:
    most = sa.bindparam("most", type_=sa.Integer)
    return sa.select(_M).where(*_ACTIVE, *key_begins(dialect)).limit(most)


@cache
def insert(table: sa.Table) -> sa.Insert:
    return sa.insert(table)


def insert_in(dialect: str) -> Any:
    """The insert that knows what to do with a row that is there already; only the database at hand is loaded."""
    if dialect == "postgresql":
        from sqlalchemy.dialects import postgresql

        return postgresql.insert
    return sqlite.insert


@cache
def upsert(dialect: str, table: sa.Table) -> Any:
    keys = [c.name for c in table.primary_key]
    statement = insert_in(dialect)(table)
    others = {c.name: statement.excluded[c.name] for c in table.columns if c.name not in keys}
    return statement.on_conflict_do_update(index_elements=keys, set_=others)
