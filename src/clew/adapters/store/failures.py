"""What a database says when it cannot, as one of our own errors."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy import exc as sa_exc

from clew.errors import StoreConflict, StoreCorrupt, StoreFailure, StoreLocked, StoreReadOnly

_LOCKED = ("locked", "busy", "locking protocol", "lock timeout", "deadlock detected", "could not serialize")
_CORRUPT = (
    "not a database", "malformed", "could not decode to utf-8", "no such table", "no such column", "corrupt",
    "short read",
)  # fmt: skip
_CORRUPT_CODES = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_SHORT_READ = 522  # SQLITE_IOERR_SHORT_READ: the file ends before its last page


def translate(why: sa_exc.SQLAlchemyError, url: sa.URL) -> StoreFailure:
    where = url.database or str(url.host)
    if isinstance(why, sa_exc.TimeoutError):
        return StoreLocked(f"database {where}: every connection is in use; try again")
    cause = getattr(why, "orig", None) or why
    said = str(cause).strip()
    low = said.lower()
    code = getattr(cause, "sqlite_errorcode", 0) or 0
    if isinstance(why, sa_exc.IntegrityError) or "row-level security" in low:
        # Under row-level security an id of another tenant is taken, and not seen.
        return StoreConflict(f"database {where}: {said.splitlines()[0] if said else why}")
    if code == _SHORT_READ or code & 0xFF in _CORRUPT_CODES or _says(low, _CORRUPT):
        return StoreCorrupt(f"{where} is damaged or not a Clew database: {said}")
    if _says(low, _LOCKED):
        return StoreLocked(f"database {where} is locked by another process; try again")
    if "readonly" in low or "read-only" in low:
        return StoreReadOnly(f"database {where} is read-only")
    if "unable to open" in low:
        if Path(where).is_file():
            return StoreReadOnly(f"database {where} cannot be opened: the file or its folder is read-only")
        return StoreFailure(f"cannot open database file {where}: {said}")
    return StoreFailure(f"database {where}: {said.splitlines()[0] if said else why}")


def is_locked(why: BaseException) -> bool:
    return _says(str(getattr(why, "orig", why)).lower(), _LOCKED)


def _says(low: str, words: tuple[str, ...]) -> bool:
    return any(word in low for word in words)
