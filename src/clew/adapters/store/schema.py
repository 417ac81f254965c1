"""Bringing a database to the version this package writes; Alembic is loaded only when there is work."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import sqlalchemy as sa

from clew.errors import StoreNewer

# Every version this package knows, oldest first; the last is what it writes.
VERSIONS = ("0001", "0002", "0003", "0004", "0005", "0006")
HEAD = VERSIONS[-1]
# All processes that open one PostgreSQL database wait for this one lock before they change its tables.
_MIGRATION_LOCK = 0x434C4557_00000001


def current_version(engine: sa.Engine) -> str | None:
    with engine.connect() as connection:
        return _version(connection)


def bring_up_to_date(
    engine: sa.Engine,
    target: str = HEAD,
    waiting: Callable[[], AbstractContextManager[Any]] = nullcontext,
) -> bool:
    """Give whether anything had to be done; of many that start at once, one does it."""
    version = current_version(engine)
    if version == target:
        return False
    _refuse_newer(engine, version)
    with waiting(), engine.connect() as connection:
        writing = connection.execution_options(clew_write=True)
        with writing.begin():
            if engine.dialect.name == "postgresql":
                writing.execute(sa.select(sa.func.pg_advisory_xact_lock(_MIGRATION_LOCK)))
            version = _version(writing)  # another process may have been faster
            if version == target:
                return False
            _refuse_newer(engine, version)
            _upgrade(writing, target)
    return True


def _upgrade(connection: sa.Connection, target: str) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", "clew.adapters.store:migrations")
    config.attributes["connection"] = connection
    command.upgrade(config, target)


def _refuse_newer(engine: sa.Engine, version: str | None) -> None:
    if version is not None and version not in VERSIONS:
        raise StoreNewer(
            f"the database {engine.url.database} is at schema {version}, this Clew knows up to {HEAD}: upgrade Clew, "
            "or open it with the version that wrote it"
        )


def _version(connection: sa.Connection) -> str | None:
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    found = connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()
    return None if found is None else str(found)
