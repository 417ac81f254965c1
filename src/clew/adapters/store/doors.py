"""What only the doors need to know: keys, names, lineages, loose items. Beside the history, never part of it.

No message text is kept there: a lineage keeps keyed hashes, a key its hash.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Table

from clew.adapters.store.door_tables import ITEMS, KEYS, LINEAGE, SECRETS, USERS
from clew.adapters.store.queries import insert_in
from clew.adapters.store.sql import SqlStore
from clew.frozen import dataclass
from clew.ports.store import acting_for


@dataclass(frozen=True, slots=True)
class Key:
    id: str
    name: str
    tenant: str
    user: str | None
    created_at: str
    revoked_at: str | None


@dataclass(frozen=True, slots=True)
class Node:
    """One user message of a conversation as a client re-sends it: where it stands, and which turn it became."""

    base: str
    branch: int
    node: str
    parent: str
    user_id: str
    message_id: str
    depth: int
    generation: int = 0
    token: str | None = None
    live: bool = True


class DoorTables:
    def __init__(self, store: SqlStore) -> None:
        self._store = store
        self.engine = store.engine
        self._secret: bytes | None = None

    def _guarded(self) -> AbstractContextManager[None]:
        return self._store._guarded()

    def _read(self, query: Any) -> list[Any]:
        with self._guarded(), self.engine.connect() as connection:
            return list(connection.execute(query))

    def _write(self, *statements: Any) -> int:
        touched = 0
        with self._guarded(), self.engine.connect() as connection:
            connection = connection.execution_options(clew_write=True)
            with connection.begin():
                for statement in statements:
                    touched += connection.execute(statement).rowcount
        return touched

    def _upsert(self, table: Table, row: dict[str, Any], *, keep: bool = False) -> Any:
        keys = [c.name for c in table.primary_key]
        statement = insert_in(self.engine.dialect.name)(table).values(**row)
        if keep:
            return statement.on_conflict_do_nothing(index_elements=keys)
        others = {name: statement.excluded[name] for name in row if name not in keys}
        return statement.on_conflict_do_update(index_elements=keys, set_=others)

    # -- keys --------------------------------------------------------------------------------

    def make_key(self, name: str, tenant: str, user: str | None, at: str) -> tuple[Key, str]:
        """The key and its secret; only the hash is kept, so it is shown this once."""
        key_id, secret = secrets.token_hex(6), secrets.token_urlsafe(32)
        row = {
            "id": key_id, "hash": _hashed(secret), "name": name, "tenant": tenant, "user": user,
            "created_at": at, "revoked_at": None,
        }  # fmt: skip
        self._write(sa.insert(KEYS).values(**row))
        return Key(key_id, name, tenant, user, at, None), f"clew_{key_id}_{secret}"

    def key(self, given: str) -> Key | None:
        """The key that this secret opens; None for a wrong, unknown or revoked one."""
        head, _, rest = given.partition("_")
        key_id, _, secret = rest.partition("_")
        if head != "clew" or not secret:
            return None
        for row in self._read(sa.select(KEYS).where(KEYS.c.id == key_id)):
            if row.revoked_at is None and hmac.compare_digest(row.hash, _hashed(secret)):
                return _key(row)
        return None

    def all_keys(self) -> list[Key]:
        return [_key(r) for r in self._read(sa.select(KEYS).order_by(KEYS.c.created_at, KEYS.c.id))]

    def any_key(self) -> bool:
        return bool(self._read(sa.select(KEYS.c.id).where(KEYS.c.revoked_at.is_(None)).limit(1)))

    def revoke_key(self, key_id: str, at: str) -> bool:
        statement = sa.update(KEYS).where(KEYS.c.id == key_id, KEYS.c.revoked_at.is_(None))
        return self._write(statement.values(revoked_at=at)) > 0

    # -- names -------------------------------------------------------------------------------

    def note_user(self, tenant: str, name: str, user_id: str, at: str) -> None:
        row = {"tenant": tenant, "name": name, "user_id": user_id, "created_at": at}
        self._write(self._upsert(USERS, row, keep=True))

    def users(self, tenant: str, after: str, limit: int) -> list[str]:
        query = sa.select(USERS.c.name).where(USERS.c.tenant == tenant, USERS.c.name > after)
        return [r.name for r in self._read(query.order_by(USERS.c.name).limit(limit))]

    def tenants(self) -> dict[str, int]:
        """Every tenant that has a key or a user, with the number of its users."""
        count = sa.func.count().label("users")
        found = {key.tenant: 0 for key in self.all_keys()}
        return found | {
            r.tenant: r.users for r in self._read(sa.select(USERS.c.tenant, count).group_by(USERS.c.tenant))
        }

    def owner_of(self, user_id: str) -> tuple[str, str] | None:
        """(tenant, name) of an id; None for one that came by another door."""
        rows = self._read(sa.select(USERS).where(USERS.c.user_id == user_id))
        return (rows[0].tenant, rows[0].name) if rows else None

    # -- lineage -----------------------------------------------------------------------------

    def nodes(self, base: str) -> list[Node]:
        query = sa.select(LINEAGE).where(LINEAGE.c.base == base)
        rows = self._read(query.order_by(LINEAGE.c.branch, LINEAGE.c.depth, LINEAGE.c.node))
        return [Node(**{**r._mapping, "live": bool(r.live)}) for r in rows]

    def node_of(self, user_id: str, message_id: str) -> Node | None:
        """Where a message of this user stands, in the newest branch that holds it."""
        query = sa.select(LINEAGE).where(LINEAGE.c.user_id == user_id, LINEAGE.c.message_id == message_id)
        rows = self._read(query.order_by(LINEAGE.c.branch.desc()).limit(1))
        return Node(**{**rows[0]._mapping, "live": bool(rows[0].live)}) if rows else None

    def put_nodes(self, nodes: Iterable[Node]) -> None:
        rows = [
            {name: getattr(n, name) for name in Node.__dataclass_fields__} | {"live": int(n.live)} for n in nodes
        ]
        if rows:
            self._write(*(self._upsert(LINEAGE, row) for row in rows))

    # -- loose items -------------------------------------------------------------------------

    def put_items(self, owner: str, rows: Sequence[tuple[str, str, Any]], at: str) -> None:
        """(space, key, value); a value of None removes the item."""
        steps: list[Any] = []
        for space, key, value in rows:
            if value is None:
                steps.append(
                    sa.delete(ITEMS).where(
                        ITEMS.c.owner == owner, ITEMS.c.space == space, ITEMS.c.key == key
                    )
                )
                continue
            row = {"owner": owner, "space": space, "key": key, "value": json.dumps(value, ensure_ascii=False)}
            first = self._upsert(ITEMS, {**row, "created_at": at, "updated_at": at}, keep=True)
            again = (
                sa.update(ITEMS)
                .where(ITEMS.c.owner == owner, ITEMS.c.space == space, ITEMS.c.key == key)
                .values(value=row["value"], updated_at=at)
            )
            steps += [first, again]
        if steps:
            self._write(*steps)

    def item(self, owner: str, space: str, key: str) -> Any | None:
        query = sa.select(ITEMS).where(ITEMS.c.owner == owner, ITEMS.c.space == space, ITEMS.c.key == key)
        rows = self._read(query)
        return rows[0] if rows else None

    def items(self, owner: str, prefix: str = "") -> list[Any]:
        query = sa.select(ITEMS).where(ITEMS.c.owner == owner)
        rows = self._read(query.order_by(ITEMS.c.space, ITEMS.c.key))
        inside = prefix.rstrip(".") + "."
        return [r for r in rows if not prefix or r.space == prefix or r.space.startswith(inside)]

    # -- secret ------------------------------------------------------------------------------

    def keyed(self, *parts: str) -> str:
        """A hash that only this database can make: names and texts cannot be guessed from it."""
        if self._secret is None:
            with acting_for(None):  # no tenant may read it
                row = {"name": "lineage", "value": secrets.token_hex(32)}
                self._write(self._upsert(SECRETS, row, keep=True))
                found = self._read(sa.select(SECRETS.c.value).where(SECRETS.c.name == "lineage"))
            self._secret = bytes.fromhex(found[0].value)
        told = json.dumps(parts, ensure_ascii=False).encode("utf-8", "surrogatepass")
        return hmac.new(self._secret, told, hashlib.sha256).hexdigest()


def _hashed(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def _key(row: Any) -> Key:
    return Key(row.id, row.name, row.tenant, row.user, row.created_at, row.revoked_at)
