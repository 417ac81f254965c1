"""What the doors keep beside the history, table by table, and how it goes with its user.

A row belongs to a user by id, by name, or by a namespace that names them: ids are made from names, so that a name
tells whose it is.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Column, Index, Integer, MetaData, Table, Text

from clew.model.canonical import derived_id

METADATA = MetaData()


def _text(name: str, *, key: bool = False, null: bool = False) -> Column[str]:
    return Column(name, Text, primary_key=key, nullable=null)


KEYS = Table(
    "door_keys", METADATA,
    _text("id", key=True), _text("hash"), _text("name"), _text("tenant"), _text("user", null=True),
    _text("created_at"), _text("revoked_at", null=True),
)  # fmt: skip
# Names are kept for listing only; ids are made from names.
USERS = Table(
    "door_users", METADATA,
    _text("tenant", key=True), _text("name", key=True), _text("user_id"), _text("created_at"),
    Index("door_users_by_id", "user_id"),
)  # fmt: skip
LINEAGE = Table(
    "door_lineage", METADATA,
    _text("base", key=True), Column("branch", Integer, primary_key=True), _text("node", key=True),
    _text("parent"), _text("user_id"), _text("message_id"), Column("generation", Integer, nullable=False),
    _text("token", null=True), Column("live", Integer, nullable=False), Column("depth", Integer, nullable=False),
    Index("door_lineage_by_user", "user_id"),
)  # fmt: skip
ITEMS = Table(
    "door_items", METADATA,
    _text("owner", key=True), _text("space", key=True), _text("key", key=True), _text("value"),
    _text("created_at"), _text("updated_at"),
    Index("door_items_by_space", "owner", "space"),
)  # fmt: skip
SECRETS = Table("door_secrets", METADATA, _text("name", key=True), _text("value"))


def texts_of(connection: sa.Connection, user_id: str) -> list[str]:
    """What stands there of a user: their names, and every text in their loose items."""
    told = list(connection.execute(sa.select(USERS.c.name).where(USERS.c.user_id == user_id)).scalars())
    for where in _items_of(connection, user_id):
        for value in connection.execute(sa.select(ITEMS.c.value).where(where)).scalars():
            told += _strings(json.loads(value))
    return told


def erase(connection: sa.Connection, user_id: str) -> dict[str, int]:
    """Rows removed, by table. A key that acts for the user goes too: it opens nothing any more."""
    keys = connection.execute(sa.select(KEYS).where(KEYS.c.user.is_not(None))).all()
    mine = [k.id for k in keys if _is(user_id, k.tenant, k.user)]
    steps: dict[Table, list[sa.ColumnElement[bool]]] = {
        ITEMS: list(_items_of(connection, user_id)),
        KEYS: [KEYS.c.id.in_(mine)] if mine else [],
        LINEAGE: [LINEAGE.c.user_id == user_id],
        USERS: [USERS.c.user_id == user_id],
    }
    return {
        table.name: sum(connection.execute(sa.delete(table).where(where)).rowcount for where in wheres)
        for table, wheres in steps.items()
    }


def _items_of(connection: sa.Connection, user_id: str) -> Iterator[sa.ColumnElement[bool]]:
    """Places of loose items that belong to the user: one of their own, or a namespace with their name in it."""
    for owner, space in connection.execute(sa.select(ITEMS.c.owner, ITEMS.c.space).distinct()).all():
        if owner.startswith("["):
            _, tenant, name = json.loads(owner)
            found = _is(user_id, tenant, name)
        else:
            found = any(_is(user_id, None, label) for label in space.split("."))
        if found:
            yield sa.and_(ITEMS.c.owner == owner, ITEMS.c.space == space)


def _is(user_id: str, tenant: str | None, name: str) -> bool:
    return user_id in (name, derived_id("user", tenant, name) if tenant else derived_id("user", name))


def _strings(value: Any) -> list[str]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return [text for item in value for text in _strings(item)]
    return [value] if isinstance(value, str) else []
