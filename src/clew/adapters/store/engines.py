"""Connections to the two databases: how each is opened, recognised and begun."""

from __future__ import annotations

import random
import sqlite3
import time
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy import event as sa_event
from sqlalchemy import exc as sa_exc

from clew.adapters.store import private, quick, tenancy
from clew.adapters.store.failures import is_locked
from clew.errors import InvalidInput, StoreCorrupt, StoreFailure

Waiting = AbstractContextManager[Any]

# "CLEW" in ASCII: what a SQLite file of ours says of itself.
APPLICATION_ID = 0x434C4557
# By these a file from before there was an application id is known.
_OURS = frozenset({"alembic_version", "users", "conversations", "messages", "journal", "leases"})
_CONNECTIONS = 32
_FIRST_PAUSE, _LONGEST_PAUSE = 0.001, 0.05


def parse(url: str) -> sa.URL:
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


def make(url: sa.URL, *, durable: bool, wait_seconds: float) -> sa.Engine:
    if url.get_backend_name() == "postgresql":
        return _postgres(url, wait_seconds)
    return _sqlite(url, durable=durable, wait_seconds=wait_seconds)


def _postgres(url: sa.URL, wait_seconds: float) -> sa.Engine:
    engine = sa.create_engine(
        url, pool_pre_ping=True, pool_timeout=wait_seconds, max_overflow=_CONNECTIONS - 5
    )

    @sa_event.listens_for(engine, "do_connect")
    def _open(dialect: Any, record: Any, given: Any, named: Any) -> Any:
        # Looked at first: with another encoding not even the version of the server can be read.
        connection = dialect.connect(*given, **named)
        encoding = connection.info.parameter_status("server_encoding")
        if encoding != "UTF8":
            connection.close()
            made = "CREATE DATABASE clew ENCODING 'UTF8' TEMPLATE template0"
            raise StoreFailure(f"the database keeps texts as {encoding}, and Clew writes UTF8; make one with {made}")
        return connection

    @sa_event.listens_for(engine, "connect")
    def _configure(connection: Any, record: Any) -> None:
        with connection.cursor() as cursor:
            cursor.execute(f"SET lock_timeout = {max(1, int(wait_seconds * 1000))}")
        connection.commit()

    sa_event.listen(engine, "begin", tenancy.begin)
    return engine


def _sqlite(url: sa.URL, *, durable: bool, wait_seconds: float) -> sa.Engine:
    file = private.file_of(url)
    # A URI names a database that is there already; its folder is not ours to make.
    if file is not None and not (url.database or "").startswith("file:"):
        private.make_folder(file.parent)
        private.make_file(file)
    pooled = {"pool_timeout": wait_seconds, "max_overflow": _CONNECTIONS - 5} if file else {}
    engine = sa.create_engine(
        url, connect_args={"timeout": wait_seconds, "check_same_thread": False}, **pooled
    )
    known = False

    @sa_event.listens_for(engine, "connect")
    def _configure(connection: sqlite3.Connection, record: Any) -> None:
        nonlocal known
        try:
            connection.isolation_level = None  # we say BEGIN ourselves
            if not known:
                _recognise(connection, str(file or url.database))
                known = True
            _patiently(lambda: connection.execute("PRAGMA journal_mode=WAL").fetchone(), wait_seconds)
            connection.execute(f"PRAGMA synchronous={'FULL' if durable else 'NORMAL'}")
            connection.execute("PRAGMA secure_delete=ON")
        except BaseException:
            connection.close()
            raise

    @sa_event.listens_for(engine, "begin")
    def _begin(connection: sa.Connection) -> None:
        # The driver is asked directly: a turn begins some twenty times, and the layers cost more than that.
        driver: Any = connection.connection.driver_connection
        if connection.get_execution_options().get("clew_write"):
            _patiently(lambda: quick.run(driver, "BEGIN IMMEDIATE", []), wait_seconds)
        else:
            quick.run(driver, "BEGIN", [])

    return engine


def checkpoint(connection: sqlite3.Connection, seconds: float) -> bool:
    """Empty the write-ahead log; False when readers held on to it all the time."""
    until, pause = time.monotonic() + seconds, _FIRST_PAUSE
    while True:
        (kept, _, _) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if not kept or time.monotonic() + pause > until:
            return not kept
        time.sleep(pause)
        pause = min(2 * pause, _LONGEST_PAUSE)


def _recognise(connection: sqlite3.Connection, name: str) -> None:
    """Before anything is written: an empty file, one of ours, or none of our business."""
    (mark,) = connection.execute("PRAGMA application_id").fetchone()
    if mark == APPLICATION_ID:
        return
    tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if mark == 0 and (not tables or tables >= _OURS):
        return
    raise StoreCorrupt(f"{name} is a SQLite database of another program; name another file for Clew")


def _patiently(step: Any, seconds: float) -> None:
    """SQLite does not wait in every case in which it says that it is locked."""
    until, pause = time.monotonic() + seconds, _FIRST_PAUSE
    while True:
        try:
            step()
        except (sqlite3.OperationalError, sa_exc.OperationalError) as why:
            if not is_locked(why) or time.monotonic() + pause > until:
                raise
            # Not all at once again.
            time.sleep(pause * random.uniform(0.5, 1))
            pause = min(2 * pause, _LONGEST_PAUSE)
        else:
            return
