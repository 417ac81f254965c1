"""One store over SQLAlchemy Core, for SQLite and PostgreSQL (contracts §4)."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy import event as sa_event
from sqlalchemy import exc as sa_exc

from clew.adapters.store.schema import bring_up_to_date
from clew.adapters.store.session import SqlSession
from clew.errors import (
    ClewError,
    InvalidInput,
    StoreCorrupt,
    StoreFailure,
    StoreLocked,
    StoreReadOnly,
)
from clew.ports.store import Terms

_BUSY_MS = 5_000


class SqlStore:
    """Opens, migrates, and hands out transactions."""

    def __init__(self, url: str, *, durable: bool = True, terms: Terms | None = None) -> None:
        self.url = url
        self._terms = terms
        self._parsed = _parse(url)
        self.engine = _engine(self._parsed, durable=durable)
        try:
            with self._guarded():
                bring_up_to_date(self.engine)
        except BaseException:
            self.engine.dispose()
            raise

    @property
    def is_sqlite(self) -> bool:
        return self.engine.dialect.name == "sqlite"

    @contextmanager
    def read(self) -> Iterator[SqlSession]:
        with self._guarded(), self.engine.connect() as connection:
            yield SqlSession(connection, self._terms)

    @contextmanager
    def write(self, lock: str) -> Iterator[SqlSession]:
        with self._guarded(), self.engine.connect() as connection:
            connection = connection.execution_options(clew_write=True)
            with connection.begin():
                if not self.is_sqlite:
                    connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_lock_number(lock))))
                yield SqlSession(connection, self._terms)

    def vacuum(self) -> None:
        """After an erasure nothing of it may be left in free pages or in the write-ahead log."""
        if self.is_sqlite:
            steps = ("PRAGMA wal_checkpoint(TRUNCATE)", "VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)")
        else:
            steps = ("VACUUM FULL",)
        # Past the pool's own BEGIN: a vacuum cannot run inside a transaction.
        pooled = self.engine.raw_connection()
        try:
            driver = pooled.driver_connection
            assert driver is not None
            if not self.is_sqlite:
                driver.autocommit = True
            for step in steps:
                driver.execute(step)
        except sqlite3.Error as why:
            raise _translate(sa_exc.DBAPIError(None, None, why), self._parsed) from why
        finally:
            if not self.is_sqlite:
                pooled.driver_connection.autocommit = False  # type: ignore[union-attr]
            pooled.close()

    def find_words(self, words: Sequence[str]) -> dict[str, int]:
        """In SQLite's files byte by byte; in PostgreSQL in every text column of ours."""
        database = self._parsed.database
        if self.is_sqlite and database and database != ":memory:":
            files = [Path(database + end) for end in ("", "-wal", "-shm")]
            return {f.name: _count(f.read_bytes(), words) for f in files if f.exists()}
        found: dict[str, int] = {}
        with self._guarded(), self.engine.connect() as connection:
            for name in sa.inspect(connection).get_table_names():
                rows = connection.execute(sa.text(f'SELECT * FROM "{name}"'))
                found[name] = sum(_count(str(tuple(r)).encode(), words) for r in rows)
        return found

    def close(self) -> None:
        self.engine.dispose()

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        try:
            yield
        except ClewError:
            raise
        except sa_exc.DBAPIError as why:
            raise _translate(why, self._parsed) from why


def open_store(url: str, *, durable: bool = True, terms: Terms | None = None) -> SqlStore:
    return SqlStore(url, durable=durable, terms=terms)


def _parse(url: str) -> sa.URL:
    try:
        parsed = sa.make_url(url)
    except sa_exc.ArgumentError:
        raise InvalidInput(f"not a database URL: {url[:80]!r}", pointer="--db") from None
    if parsed.drivername in ("postgresql", "postgres"):
        parsed = parsed.set(drivername="postgresql+psycopg")
    if parsed.get_backend_name() not in ("sqlite", "postgresql"):
        raise InvalidInput(
            f"database must be sqlite:///… or postgresql://…, got {parsed.drivername!r}", pointer="--db"
        )
    if parsed.get_backend_name() == "sqlite" and (parsed.database or "").startswith("~"):
        parsed = parsed.set(database=str(Path(parsed.database or "").expanduser()))
    return parsed


def _engine(url: sa.URL, *, durable: bool) -> sa.Engine:
    if url.get_backend_name() == "postgresql":
        return sa.create_engine(url, pool_pre_ping=True)
    # A URI names a database that is there already; its folder is not ours to make.
    if url.database and url.database != ":memory:" and not url.database.startswith("file:"):
        folder = Path(url.database).parent
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as why:
            raise StoreFailure(f"cannot make the folder {folder} of the database: {why.strerror}") from None
    engine = sa.create_engine(url, connect_args={"timeout": _BUSY_MS / 1000, "check_same_thread": False})

    @sa_event.listens_for(engine, "connect")
    def _configure(connection: sqlite3.Connection, record: Any) -> None:
        connection.isolation_level = None  # we say BEGIN ourselves
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA busy_timeout={_BUSY_MS}")
        mode = cursor.execute("PRAGMA journal_mode=WAL").fetchone()
        del mode
        cursor.execute(f"PRAGMA synchronous={'FULL' if durable else 'NORMAL'}")
        cursor.execute("PRAGMA secure_delete=ON")
        cursor.close()

    @sa_event.listens_for(engine, "begin")
    def _begin(connection: sa.Connection) -> None:
        writes = connection.get_execution_options().get("clew_write")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def _count(data: bytes, words: Sequence[str]) -> int:
    return sum(1 for w in words if w.encode() in data or json.dumps(w)[1:-1].encode() in data)


def _lock_number(name: str) -> int:
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big", signed=True)


def _translate(why: sa_exc.DBAPIError, url: sa.URL) -> StoreFailure:
    where = url.database or str(url.host)
    said = str(why.orig)
    low = said.lower()
    if "locked" in low or "busy" in low:
        return StoreLocked(f"database {where} is locked by another process; try again")
    if "readonly" in low or "read-only" in low:
        return StoreReadOnly(f"database {where} is read-only")
    if "not a database" in low or "malformed" in low:
        return StoreCorrupt(f"{where} is not a Clew database: {said}")
    if "unable to open" in low:
        if Path(where).is_file():
            return StoreReadOnly(f"database {where} cannot be opened: the file or its folder is read-only")
        return StoreFailure(f"cannot open database file {where}: {said}")
    return StoreFailure(f"database {where}: {said.strip().splitlines()[0] if said.strip() else why}")
