"""The short way to SQLite reads what the long way reads."""

from __future__ import annotations

from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy import exc as sa_exc

from clew.adapters.store import queries, quick
from clew.adapters.store import tables as t
from clew.adapters.store.sql import SqlStore

NAMES = [f"u{n}" for n in range(9)]


@pytest.fixture
def store(tmp_path: Path) -> SqlStore:
    store = SqlStore(f"sqlite:///{tmp_path}/clew.db")
    with store.write("users") as session:
        rows = [{"user_id": n, "state": "ACTIVE", "answers": "{}", "created_at": f"2026-01-0{n[1]}"} for n in NAMES]
        session.connection.execute(sa.insert(t.USERS), rows)
    return store


LISTED = (
    sa.select(t.USERS)
    .where(queries.listed(t.USERS.c.user_id, "ids"), t.USERS.c.state == "ACTIVE")
    .order_by(t.USERS.c.user_id)
    .limit(sa.bindparam("most", type_=sa.Integer))
)


@pytest.mark.parametrize("size", range(len(NAMES) + 1))
def test_lists_of_every_length_find_the_same_rows(store: SqlStore, size: int) -> None:
    asked = {"ids": NAMES[:size], "most": 5}
    with store.read() as session:
        found = quick.rows(session.connection, LISTED, asked)
        long_way = session.connection.execute(LISTED, asked).all()
    assert [tuple(row) for row in found] == [tuple(row) for row in long_way]
    assert len(found) == min(size, 5)
    assert all(row._fields == long_way[0]._fields and row.user_id in NAMES for row in found)
    store.close()


def test_a_read_begins_the_transaction_and_sees_one_moment(store: SqlStore) -> None:
    one = queries.by(t.USERS, ("user_id",))
    with store.read() as session:
        assert quick.first(session.connection, one, {"user_id": "u9"}) is None
        with store.write("users") as other:
            new = {"user_id": "u9", "state": "ACTIVE", "answers": "{}", "created_at": "2026-01-09"}
            other.connection.execute(sa.insert(t.USERS), new)
        assert quick.first(session.connection, one, {"user_id": "u9"}) is None
    with store.read() as session:
        assert quick.first(session.connection, one, {"user_id": "u9"}).user_id == "u9"
    store.close()


def test_what_the_driver_refuses_is_told_in_the_same_way(store: SqlStore) -> None:
    gone = sa.select(sa.Table("nowhere", sa.MetaData(), sa.Column("a", sa.Text)))
    with store.engine.connect() as connection, pytest.raises(sa_exc.OperationalError):
        quick.rows(connection, gone, {})
    store.close()
