"""Tenants kept apart by PostgreSQL itself: every row has one, and a transaction sees the rows of the one it acts for.

A transaction says whom it acts for in the setting `clew.tenant`: `t:` and the tenant's name, or `*` for whoever runs
the database. One that says nothing sees nothing. The rules hold for the owner of the tables too; only a superuser
stands above them, so a server should not be one.
"""

from __future__ import annotations

from collections.abc import Collection

import sqlalchemy as sa

from clew.ports.store import TENANT

# Holds nobody's rows.
_FREE = frozenset({"alembic_version"})
# Only for whoever runs the database.
_OURS = frozenset({"door_secrets"})
_SETTING = "current_setting('clew.tenant', true)"
_MINE = f"'t:' || tenant = {_SETTING}"
_ALL = f"{_SETTING} = '*'"
_TELL = sa.text("SELECT set_config('clew.tenant', :tenant, true)")

# Whose a new row is when it was not written for one tenant: as what it belongs to. Words that all share are nobody's.
_FUNCTIONS = {
    "clew_as_user": """SELECT coalesce((SELECT tenant FROM users WHERE user_id = NEW.user_id), NEW.tenant)
        INTO NEW.tenant""",
    "clew_as_conversation": """SELECT coalesce((SELECT tenant FROM conversations
        WHERE conversation_id = NEW.conversation_id), NEW.tenant) INTO NEW.tenant""",
    "clew_as_source": """SELECT CASE WHEN left(NEW.conversation, 1) = chr(10) THEN NULL ELSE coalesce(
        (SELECT tenant FROM conversations WHERE conversation_id = NEW.conversation),
        (SELECT tenant FROM users WHERE user_id = NEW.owner), NEW.tenant) END INTO NEW.tenant""",
    "clew_as_turn": """SELECT coalesce((SELECT tenant FROM recall_sources
        WHERE conversation = NEW.conversation), NEW.tenant) INTO NEW.tenant""",
    "clew_as_number": "SELECT tenant FROM recall_sources WHERE number = NEW.number INTO NEW.tenant",
}
# Numbers are one row for all tenants.
_NEXT_NUMBER = """CREATE OR REPLACE FUNCTION clew_next_source() RETURNS integer LANGUAGE sql VOLATILE
    SET clew.tenant = '*' AS $$ SELECT coalesce(max(number), 0) + 1 FROM recall_sources $$"""


def told(tenant: str | None) -> str:
    return "*" if tenant is None else f"t:{tenant}"


def begin(connection: sa.Connection) -> None:
    """The first statement of every transaction."""
    connection.execute(_TELL, {"tenant": told(TENANT.get())})


def next_source(connection: sa.Connection) -> int:
    return int(connection.execute(sa.text("SELECT clew_next_source()")).scalar_one())


def enforced(connection: sa.Connection) -> bool:
    """Whether this role is one that the rules hold for."""
    query = "SELECT NOT (rolsuper OR rolbypassrls) FROM pg_roles WHERE rolname = current_user"
    return bool(connection.execute(sa.text(query)).scalar())


def enforce(connection: sa.Connection, names: Collection[str] | None = None) -> None:
    """Put these tables, or all there are, under the rules; for a migration, on PostgreSQL. Twice does no harm."""
    connection.execute(sa.text("SELECT set_config('clew.tenant', '*', true)"))
    there = set(sa.inspect(connection).get_table_names())
    # Those that others are asked about come first.
    order = ["users", "conversations", "recall_sources", *sorted(there)]
    wanted = [n for n in dict.fromkeys(order) if n in there - _FREE and (names is None or n in names)]
    for name in wanted:
        _column(connection, name)
    for name, body in _FUNCTIONS.items():
        connection.execute(
            sa.text(
                f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS "
                f"$$ BEGIN {body}; RETURN NEW; END $$"
            )
        )
    connection.execute(sa.text(_NEXT_NUMBER))
    for name in wanted:
        _rules(connection, name)


def _column(connection: sa.Connection, name: str) -> None:
    columns = _columns(connection, name)
    if "tenant" in columns:
        return
    run = connection.exec_driver_sql
    run(f'ALTER TABLE "{name}" ADD COLUMN tenant text DEFAULT \'\'')
    run(f'ALTER TABLE "{name}" ALTER COLUMN tenant SET DEFAULT coalesce(substr({_SETTING}, 3), \'\')')
    if name == "users":
        run("UPDATE users SET tenant = d.tenant FROM door_users d WHERE d.user_id = users.user_id AND d.tenant <> ''")
    elif name == "recall_sources":
        run(
            "UPDATE recall_sources SET tenant = u.tenant FROM users u WHERE u.user_id = recall_sources.owner "
            "AND u.tenant <> ''"
        )
        run(
            "UPDATE recall_sources SET tenant = c.tenant FROM conversations c "
            "WHERE c.conversation_id = recall_sources.conversation AND c.tenant <> ''"
        )
        run("UPDATE recall_sources SET tenant = NULL WHERE left(conversation, 1) = chr(10)")
    elif name == "recall_turns":
        _as(connection, name, "recall_sources", "conversation")
    elif "number" in columns and name.startswith("recall_"):
        _as(connection, name, "recall_sources", "number")
    elif "user_id" in columns:
        _as(connection, name, "users", "user_id")
    elif "conversation_id" in columns:
        _as(connection, name, "conversations", "conversation_id")
    elif name == "door_items":
        # An owner of one user's items is a list: what for, tenant, name.
        run("UPDATE door_items SET tenant = coalesce(owner::json ->> 1, '') WHERE left(owner, 1) = '['")


def _columns(connection: sa.Connection, name: str) -> set[str]:
    """By name alone: a column may have a type that only an extension knows."""
    query = "SELECT column_name FROM information_schema.columns WHERE table_schema = current_schema()"
    return set(connection.execute(sa.text(f"{query} AND table_name = :name"), {"name": name}).scalars())


def _as(connection: sa.Connection, name: str, other: str, by: str) -> None:
    connection.exec_driver_sql(
        f'UPDATE "{name}" SET tenant = o.tenant FROM {other} o WHERE o.{by} = "{name}".{by} '
        "AND o.tenant IS DISTINCT FROM ''"
    )


def _rules(connection: sa.Connection, name: str) -> None:
    run = connection.exec_driver_sql
    seen = _ALL if name in _OURS else f"tenant IS NULL OR {_MINE} OR {_ALL}"
    run(f'ALTER TABLE "{name}" ENABLE ROW LEVEL SECURITY')
    run(f'ALTER TABLE "{name}" FORCE ROW LEVEL SECURITY')
    run(f'DROP POLICY IF EXISTS clew_tenant ON "{name}"')
    run(f'CREATE POLICY clew_tenant ON "{name}" USING ({seen}) WITH CHECK ({seen})')
    columns = _columns(connection, name)
    always, when = "", f"WHEN ({_ALL})"
    match name:
        case "users" | "door_users" | "door_keys":
            return
        case "recall_sources":
            function, when = "clew_as_source", always
        case "recall_turns":
            function, when = "clew_as_turn", always
        case _ if name.startswith("recall_") and "number" in columns:
            function, when = "clew_as_number", always
        case _ if "user_id" in columns:
            function = "clew_as_user"
        case _ if "conversation_id" in columns:
            function = "clew_as_conversation"
        case _:
            return
    run(f'DROP TRIGGER IF EXISTS clew_tenant ON "{name}"')
    run(f'CREATE TRIGGER clew_tenant BEFORE INSERT ON "{name}" FOR EACH ROW {when} EXECUTE FUNCTION {function}()')
