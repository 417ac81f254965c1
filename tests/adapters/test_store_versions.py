"""A database file of an earlier version opens, keeps what it holds, and replays."""

from __future__ import annotations

import shutil
import sqlite3
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pytest

from clew.adapters.store.sql import SqlStore
from clew.engine.replay import rebuild
from clew.model.event import Event
from clew.model.memory import MemoryRecord, MemoryStatus, MemoryType
from clew.model.rows import put_memory

# Written by the version before 0004: two users, English and Korean, twenty turns, corrections and an undo each.
OLD = Path(__file__).parents[1] / "fixtures" / "clew_v0003.db"
AT = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.fixture
def old(tmp_path: Path) -> Path:
    shutil.copy(OLD, tmp_path / "clew.db")
    return tmp_path / "clew.db"


def _tables(file: Path) -> dict[str, tuple[list[str], list[tuple[object, ...]]]]:
    with sqlite3.connect(file) as connection:
        names = [
            name
            for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            if name not in ("alembic_version", "sqlite_sequence")
        ]
        out = {}
        for name in names:
            columns = [row[1] for row in connection.execute(f"PRAGMA table_info({name})")]
            rows = sorted(map(repr, connection.execute(f"SELECT {', '.join(columns)} FROM {name}")))
            out[name] = (columns, rows)
    connection.close()
    return out  # type: ignore[return-value]


def test_a_database_of_the_version_before_opens_keeps_every_value_and_replays(
    old: Path, tmp_path: Path
) -> None:
    before = _tables(old)
    store, fresh = SqlStore(f"sqlite:///{old}"), SqlStore(f"sqlite:///{tmp_path}/fresh.db")
    comparison = rebuild(store, fresh)
    assert comparison.entries == 104
    assert comparison.identical, comparison.differing
    store.close()
    fresh.close()
    assert len(before["messages"][1]) == 40 and len(before["memories"][1]) == 10
    with sqlite3.connect(old) as connection:
        for name, (columns, rows) in before.items():
            now = sorted(map(repr, connection.execute(f"SELECT {', '.join(columns)} FROM {name}")))
            assert now == rows, name
    connection.close()


def test_memories_of_an_old_journal_are_about_the_user_and_not_sensitive(old: Path) -> None:
    store = SqlStore(f"sqlite:///{old}")
    with store.read() as session:
        (conversation,) = session.conversations_of("u-jun")
        memories = session.memories("u-jun", conversation.friend_id)
    store.close()
    assert {m.memory_value for m in memories} >= {"부산", "like|김치"}
    assert {(m.subject, m.attribute, m.statement, m.when_start, m.sensitive) for m in memories} == {
        ("self", None, None, None, False)
    }


def test_who_and_when_a_memory_is_about_is_read_back_unchanged(old: Path, tmp_path: Path) -> None:
    store, fresh = SqlStore(f"sqlite:///{old}"), SqlStore(f"sqlite:///{tmp_path}/fresh.db")
    told = MemoryRecord(
        memory_id="m-new",
        type=MemoryType.FACT,
        memory_key="fact:sister_city",
        memory_value="Faro",
        confidence=Decimal("0.60"),
        status=MemoryStatus.ACTIVE,
        created_at=AT,
        last_confirmed_at=AT,
        subject="sister",
        attribute="city",
        statement="my sister moves to Faro in June",
        when_start=datetime(2026, 6, 1, tzinfo=UTC),
        when_end=datetime(2026, 7, 1, tzinfo=UTC),
        when_text="in June",
        sensitive=True,
    )
    with store.write("user:u-jun") as session:
        session.append([Event("memory.changed", AT, "u-jun", "p", changes=(put_memory("u-jun", "f", told),))])
    with store.read() as session:
        assert session.memories("u-jun", "f") == [told]
    assert rebuild(store, fresh).identical
    store.close()
    fresh.close()
