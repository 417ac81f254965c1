"""Both databases keep the store's promise; each has a few of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from clew.adapters.store import links, tables, turns_index
from clew.adapters.store.schema import HEAD, VERSIONS, bring_up_to_date, current_version
from clew.adapters.store.sql import SqlStore
from clew.errors import InvalidInput, StoreCorrupt, StoreFailure, StoreLocked, StoreNewer, StoreReadOnly
from clew.model.link import CausalLink, ConsequenceType, IntentType, Strength
from clew.model.rows import put_message
from clew.ports.store import Store
from clew.testing.store import StoreContract, event, message


class TestSqlite(StoreContract):
    @pytest.fixture
    def make_store(self, tmp_path: Path) -> Iterator[Callable[[], Store]]:
        opened: list[SqlStore] = []

        def make() -> Store:
            opened.append(SqlStore(f"sqlite:///{tmp_path}/clew-{len(opened)}.db"))
            return opened[-1]

        yield make
        for store in opened:
            store.close()


class TestPostgres(StoreContract):
    @pytest.fixture
    def make_store(self, fresh_postgres: Callable[[], str]) -> Iterator[Callable[[], Store]]:
        opened: list[SqlStore] = []

        def make() -> Store:
            opened.append(SqlStore(fresh_postgres()))
            return opened[-1]

        yield make
        for store in opened:
            store.close()


def test_the_same_events_give_the_same_hashes_on_both_databases(
    tmp_path: Path, fresh_postgres: Callable[[], str]
) -> None:
    hashes = []
    for url in (f"sqlite:///{tmp_path}/clew.db", fresh_postgres()):
        store = SqlStore(url)
        with store.write("c1") as session:
            session.append([event("said", put_message(message(1)), put_message(message(2)))])
            hashes.append(session.state_hash())
        store.close()
    assert hashes[0] == hashes[1]


@pytest.mark.parametrize("backend", ["sqlite", "postgres"])
def test_the_schema_grows_from_empty_and_from_every_older_version(
    backend: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    for start in (None, *VERSIONS[:-1]):
        if backend == "sqlite":
            url = f"sqlite:///{tmp_path}/from-{start}.db"
            engine = sa.create_engine(url)
        else:
            url = request.getfixturevalue("empty_postgres")()
            engine = sa.create_engine(url.replace("postgresql://", "postgresql+psycopg://"))
        if start:
            bring_up_to_date(engine, start)
            with engine.begin() as connection:
                connection.execute(
                    sa.insert(tables.USERS),
                    {
                        "user_id": "old",
                        "state": "CREATED",
                        "answers": "{}",
                        "created_at": "2026-01-01T00:00:00Z",
                    },
                )
        engine.dispose()
        store = SqlStore(url)
        assert current_version(store.engine) == HEAD
        with store.read() as session:
            assert (session.user("old") is not None) == (start is not None)
        inspector = sa.inspect(store.engine)
        for table in tables.METADATA.sorted_tables:
            columns = {c["name"]: bool(c["nullable"]) for c in inspector.get_columns(table.name)}
            columns.pop("tenant", None)  # PostgreSQL's own, beside what the journal rebuilds
            assert columns == {c.name: bool(c.nullable) for c in table.columns}, table.name
            indexes = {i["name"] for i in inspector.get_indexes(table.name)}
            assert {i.name for i in table.indexes} <= indexes, table.name
        names = set(inspector.get_table_names())
        assert {*links.METADATA.tables, *turns_index.INDEX_METADATA.tables} <= names
        store.close()


def test_a_database_from_a_newer_version_is_refused_and_left_alone(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/clew.db"
    store = SqlStore(url)
    with store.engine.connect() as connection, connection.begin():
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    store.close()
    with pytest.raises(StoreNewer, match="9999"):
        SqlStore(url)


def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    file = tmp_path / "notes.db"
    file.write_text("these are my notes, not a database, and they are long enough to have a header" * 20)
    with pytest.raises(StoreCorrupt, match=r"notes\.db"):
        SqlStore(f"sqlite:///{file}")
    assert file.read_text().startswith("these are my notes")


def test_a_read_only_database_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "clew.db"
    SqlStore(f"sqlite:///{file}").close()
    store = SqlStore(f"sqlite:///file:{file}?mode=ro&uri=true")
    with pytest.raises(StoreReadOnly), store.write("c1") as session:
        session.append([event("said", put_message(message(1)))])
    store.close()
    assert not (tmp_path / "file:").exists()


def test_a_locked_database_says_so(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/clew.db"
    store, other = SqlStore(url, wait_seconds=0.05), SqlStore(url, wait_seconds=0.05)
    with other.write("c1"), pytest.raises(StoreLocked, match="locked"), store.write("c1"):
        pass
    store.close()
    other.close()


@pytest.mark.parametrize("url", ["", "mysql://x/y", "not a url"])
def test_an_unusable_url_is_refused(url: str) -> None:
    with pytest.raises(InvalidInput):
        SqlStore(url)


def test_a_directory_is_no_database(tmp_path: Path) -> None:
    with pytest.raises(StoreFailure):
        SqlStore(f"sqlite:///{tmp_path}")


def test_links_are_replaced_and_asked_on_both_databases(
    tmp_path: Path, fresh_postgres: Callable[[], str]
) -> None:
    found = [
        CausalLink(
            id="link-1",
            session_id="s1",
            actor="Ana",
            intent_text="Can I open the door?",
            intent_type=IntentType.QUESTION,
            intent_strength=Strength.WEAK,
            intent_anchor_index=0,
            consequence_text="Yes, you open the door.",
            consequence_type=ConsequenceType.INFORMATION,
            consequence_anchor_index=1,
            distance=1,
            score=0.97,
            claimed=True,
            created_at_ms=0,
        )
    ]
    for url in (f"sqlite:///{tmp_path}/links.db", fresh_postgres()):
        store = SqlStore(url)
        for _ in range(2):
            with store.write("links") as session:
                links.replace_session(session.connection, "s1", found, param_hash="x")
        with store.read() as session:
            kept = links.find(session.connection, "s1", actor="Ana")
            assert [k.id for k in kept] == [f.id for f in found]
            assert links.find(session.connection, "s1", actor="Nobody") == []
        store.close()


def test_memories_by_key_and_by_id_are_found_through_an_index(tmp_path: Path) -> None:
    store = SqlStore(f"sqlite:///{tmp_path}/clew.db")
    asked: list[str] = []
    with store.read() as session:
        driver = session.connection.connection.driver_connection
        assert driver is not None
        driver.set_trace_callback(asked.append)
        session.memories_about("u1", "f1", keys=["fact:school", "fact:major"], ids=["m1", "m2"])
        driver.set_trace_callback(None)
        selects = [sql for sql in asked if sql.startswith("SELECT")]
        assert len(selects) == 2
        plans = [" ".join(str(row) for row in driver.execute(f"EXPLAIN QUERY PLAN {sql}")) for sql in selects]
    store.close()
    assert "memory_key=?" in plans[0], plans[0]
    assert "memory_id=?" in plans[1], plans[1]
