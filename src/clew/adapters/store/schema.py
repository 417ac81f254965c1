"""Bringing a database to the version this package writes; Alembic is loaded only when there is work."""

from __future__ import annotations

import sqlalchemy as sa

from clew.errors import StoreNewer

# Every version this package knows, oldest first; the last is what it writes.
VERSIONS = ("0001", "0002", "0003", "0004")
HEAD = VERSIONS[-1]


def current_version(engine: sa.Engine) -> str | None:
    with engine.connect() as connection:
        if not sa.inspect(connection).has_table("alembic_version"):
            return None
        return connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()


def bring_up_to_date(engine: sa.Engine, target: str = HEAD) -> None:
    version = current_version(engine)
    if version == target:
        return
    if version is not None and version not in VERSIONS:
        raise StoreNewer(
            f"the database {engine.url.database} is at schema {version}, this Clew knows up to {HEAD}: upgrade Clew, "
            "or open it with the version that wrote it"
        )
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", "clew.adapters.store:migrations")
    with engine.connect() as connection:
        writing = connection.execution_options(clew_write=True)
        with writing.begin():
            config.attributes["connection"] = writing
            command.upgrade(config, target)
