"""One store over SQLAlchemy Core, for SQLite and PostgreSQL."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any

import sqlalchemy as sa
from sqlalchemy import exc as sa_exc

from clew.adapters.store import engines
from clew.adapters.store.failures import translate
from clew.adapters.store.private import SIDES, close_to_others, file_of
from clew.adapters.store.queue import queue_of
from clew.adapters.store.schema import bring_up_to_date
from clew.adapters.store.session import SqlSession
from clew.errors import ClewError
from clew.ports.store import WAIT_SECONDS, Terms, acting_for

# A search for what was erased sees our tables only; the server keeps more than that.
_SERVER_KEEPS = (
    "the server's own log may still hold statements or values (log_statement, log_min_duration_statement, errors)",
    "the server's write-ahead log, its archive, replicas and backups hold earlier pages until they are recycled",
)


class SqlStore:
    """Opens, migrates, and hands out transactions."""

    def __init__(
        self,
        url: str,
        *,
        durable: bool = True,
        terms: Terms | None = None,
        wait_seconds: float = WAIT_SECONDS,
    ) -> None:
        self.url = url
        self.wait_seconds = wait_seconds
        self._terms = terms
        self._parsed = engines.parse(url)
        self._file = file_of(self._parsed) if self._parsed.get_backend_name() == "sqlite" else None
        self.engine = engines.make(self._parsed, durable=durable, wait_seconds=wait_seconds)
        self._queue = queue_of(str(self._file.resolve())) if self._file else None
        try:
            with self._guarded():
                older = bring_up_to_date(self.engine, waiting=self._turn)
            if older and self._file:
                close_to_others(self._file)
        except BaseException:
            self.engine.dispose()
            raise

    @property
    def is_sqlite(self) -> bool:
        return self.engine.dialect.name == "sqlite"

    @property
    def identity(self) -> str:
        """Names the database itself, without a password: what else keeps its data can tell it from others."""
        return str(self._file.resolve()) if self._file else self._parsed.render_as_string(hide_password=True)

    @property
    def kept_elsewhere(self) -> tuple[str, ...]:
        """Where bytes of an erased user may be that this store cannot reach."""
        return () if self.is_sqlite else _SERVER_KEEPS

    @contextmanager
    def read(self) -> Iterator[SqlSession]:
        """One snapshot: every query of a read sees the same moment."""
        with self._guarded(), self.engine.connect() as connection:
            if not self.is_sqlite:
                connection = connection.execution_options(isolation_level="REPEATABLE READ")
            yield SqlSession(connection, self._terms)

    @contextmanager
    def write(self, *locks: str) -> Iterator[SqlSession]:
        with self._guarded(), self._turn(), self.engine.connect() as connection:
            connection = connection.execution_options(clew_write=True)
            with connection.begin():
                if not self.is_sqlite:
                    for lock in locks:
                        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_lock_number(lock))))
                yield SqlSession(connection, self._terms)

    def vacuum(self) -> bool:
        """After an erasure nothing of it may be left in free pages or in the write-ahead log.

        False: somebody reads an older moment, so that the write-ahead log could not be emptied.
        """
        with self._guarded(), self._turn():
            # Past the pool's own BEGIN: a vacuum cannot run inside a transaction.
            pooled = self.engine.raw_connection()
            try:
                driver = pooled.driver_connection
                assert driver is not None
                if not self.is_sqlite:
                    return self._vacuum_tables(driver)
                driver.execute("VACUUM")
                return engines.checkpoint(driver, self.wait_seconds)
            except sqlite3.Error as why:
                raise translate(sa_exc.DBAPIError(None, None, why), self._parsed) from why
            finally:
                pooled.close()

    def _vacuum_tables(self, driver: Any) -> bool:
        """A role that may not rewrite a table is told so by a warning, and the table is left as it is."""
        names = ", ".join(f'"{name}"' for name in sa.inspect(self.engine).get_table_names())
        left: list[str] = []
        driver.autocommit = True
        driver.add_notice_handler(told := lambda notice: left.append(notice.message_primary or ""))
        try:
            driver.execute(f"VACUUM FULL {names}")
        finally:
            driver.remove_notice_handler(told)
            driver.autocommit = False
        return not any("permission denied" in warning for warning in left)

    def find_words(self, words: Sequence[str]) -> dict[str, int]:
        """In SQLite's files byte by byte; in PostgreSQL in every text column of ours."""
        if self._file is not None:
            files = [self._file.with_name(self._file.name + end) for end in SIDES]
            return {f.name: _count(f.read_bytes(), words) for f in files if f.exists()}
        found: dict[str, int] = {}
        with self._guarded(), acting_for(None), self.engine.connect() as connection:
            for name in sa.inspect(connection).get_table_names():
                rows = connection.execute(sa.text(f'SELECT * FROM "{name}"'))
                found[name] = sum(_count(str(tuple(r)).encode(), words) for r in rows)
        return found

    def close(self) -> None:
        self.engine.dispose()

    def _turn(self) -> engines.Waiting:
        return self._queue.turn(self.wait_seconds) if self._queue else nullcontext()

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        try:
            yield
        except ClewError:
            raise
        except (sa_exc.DBAPIError, sa_exc.TimeoutError) as why:
            raise translate(why, self._parsed) from why


def open_store(
    url: str, *, durable: bool = True, terms: Terms | None = None, wait_seconds: float = WAIT_SECONDS
) -> SqlStore:
    return SqlStore(url, durable=durable, terms=terms, wait_seconds=wait_seconds)


def _count(data: bytes, words: Sequence[str]) -> int:
    return sum(1 for w in words if w.encode() in data or json.dumps(w)[1:-1].encode() in data)


def _lock_number(name: str) -> int:
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big", signed=True)
