"""On PostgreSQL the database itself keeps tenants apart: a session of one reads nothing of another, by any query."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import httpx
import psycopg
import pytest
import sqlalchemy as sa
from click.testing import CliRunner
from openai import OpenAI

from clew.adapters.store import engines, queries
from clew.adapters.store.door_tables import METADATA
from clew.adapters.store.schema import bring_up_to_date
from clew.adapters.store.tables import STATE as METADATA_OF_STATE
from clew.adapters.store.tenancy import told
from clew.engine import service
from clew.engine.bootstrap import bare_store, open_doors
from clew.errors import NotFound
from clew.faces.cli.doctor import doctor
from clew.ports.store import acting_for
from tests.clients.serving import Served, serving
from tests.house.tree import ROOT

AT = "2026-01-01T00:00:00Z"
# What an operator is told to run.
_PAGE = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
GRANTS = _PAGE.partition("```sql\n")[2].partition("```")[0]


@dataclass
class Roles:
    owner: str
    app: str


@pytest.fixture
def roles(empty_postgres: Callable[[], str]) -> Iterator[Roles]:
    """A database brought up to date by its owner, and a role that only reads and writes rows."""
    url = sa.make_url(empty_postgres())
    role, word = f"app_{secrets.token_hex(4)}", secrets.token_hex(8)
    with psycopg.connect(url.render_as_string(hide_password=False), autocommit=True) as owner:
        for line in GRANTS.replace("clew_app", role).replace("change-me", word).split(";"):
            if line.strip():
                owner.execute(line)  # type: ignore[arg-type]
        bare_store(url.render_as_string(hide_password=False)).close()
        app = url.set(username=role, password=word).render_as_string(hide_password=False)
        yield Roles(url.render_as_string(hide_password=False), app)
        owner.execute(f"DROP OWNED BY {role} CASCADE")  # type: ignore[arg-type]
        owner.execute(f"DROP ROLE {role}")  # type: ignore[arg-type]


def tables(url: str) -> list[str]:
    with psycopg.connect(url) as connection:
        found = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        return sorted(name for (name,) in found if name != "alembic_version")


def rows(url: str, tenant: str | None, *, silent: bool = False) -> dict[str, list[Any]]:
    """Everything a session sees that acts for this tenant, by raw SQL."""
    with psycopg.connect(url) as connection:
        if not silent:
            connection.execute("SELECT set_config('clew.tenant', %s, true)", [told(tenant)])
        return {
            name: connection.execute(f'SELECT * FROM "{name}"').fetchall()  # type: ignore[arg-type]
            for name in tables(url)
        }


def talk(served: Served, key: str, tenant: str, city: str) -> str:
    """Something of a tenant at every door; gives the id of its conversation."""
    headers = {"Authorization": f"Bearer {key}"}
    with httpx.Client(base_url=served.url, headers=headers, timeout=60) as api:
        made = api.post("/v1/users/ann/conversations", json={}).json()["conversation_id"]
        turn = {"message_id": "11111111-1111-4111-8111-" + tenant.encode().hex()[:12].ljust(12, "0"), "text": city}
        assert api.post(f"/v1/conversations/{made}/turns", json=turn).status_code == 200
        line = f'{{"index": 0, "speaker": "Kai", "text": "the bridge of {city}"}}\n'
        stored = api.put(
            "/v1/users/ann/transcripts/one", content=line, headers={"content-type": "application/jsonl"}
        )
        assert stored.status_code == 200
        asked = {"query": "which bridge?", "k": 1}
        hits = api.post("/v1/users/ann/transcripts/one/recall", json=asked).json()["results"]
        assert hits[0]["text"] == f"the bridge of {city}"
        graph = {
            "jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": "create_entities", "arguments": {
                "entities": [{"name": city, "entityType": "place", "observations": [f"a bridge in {city}"]}]}},
        }  # fmt: skip
        accept = {"accept": "application/json, text/event-stream", "x-clew-user": "ann"}
        told_ = api.post("/mcp", json=graph, headers=accept)
        assert told_.status_code == 200 and city in told_.text, told_.text
    with OpenAI(base_url=served.openai, api_key=key, max_retries=0) as client:
        client.responses.create(model="clew/friend", input=f"I live in {city}", user="ann")
    return str(made)


@pytest.fixture
def two(roles: Roles) -> Iterator[tuple[Roles, Served, dict[str, str], dict[str, str]]]:
    with serving(roles.app) as served:
        doors = open_doors(served.parts.store)
        keys = {name: doors.make_key(name, name, None, AT)[1] for name in ("north", "south")}
        made = {
            name: talk(served, keys[name], name, city) for name, city in (("north", "Reykjavik"), ("south", "Santiago"))
        }
        yield roles, served, keys, made


def test_a_second_tenants_session_reads_nothing_of_the_first(
    two: tuple[Roles, Served, dict[str, str], dict[str, str]],
) -> None:
    roles, _, _, _ = two
    everything = rows(roles.app, None)
    filled = {name for name, found in everything.items() if found}
    assert filled >= {
        "users", "friends", "conversations", "messages", "memories", "journal", "traces", "recall_turns",
        "recall_sources", "recall_runs", "door_users", "door_keys", "door_items", "door_lineage", "door_secrets",
    }  # fmt: skip
    north, south, home = (rows(roles.app, name) for name in ("north", "south", ""))
    assert "Reykjavik" in str(north) and "Santiago" in str(south)
    assert "Santiago" not in str(north) and "Reykjavik" not in str(south)
    for name, found in everything.items():
        shared = [r for r in found if r in north[name] and r in south[name]]
        # Vectors of words that everybody uses are nobody's.
        assert not shared or name in ("recall_sources", "recall_terms"), name
        assert len(north[name]) + len(south[name]) - len(shared) == len(found) or name == "door_secrets", name
    assert north["door_secrets"] == [] and not any(home[name] for name in ("users", "messages", "memories", "journal"))


def test_a_session_that_says_nothing_sees_nothing(
    two: tuple[Roles, Served, dict[str, str], dict[str, str]],
) -> None:
    found = rows(two[0].app, None, silent=True)
    assert {name for name, held in found.items() if held} <= {"recall_sources", "recall_terms"}
    # Nor does one that acted for somebody a moment ago.
    with psycopg.connect(two[0].app) as connection:
        connection.execute("SELECT set_config('clew.tenant', 't:north', true)")
        connection.commit()
        assert connection.execute("SELECT count(*) FROM messages").fetchone() == (0,)


def test_a_tenant_can_neither_change_nor_plant_rows_of_another(
    two: tuple[Roles, Served, dict[str, str], dict[str, str]],
) -> None:
    roles, _, _, made = two
    with psycopg.connect(roles.app) as connection:
        connection.execute("SELECT set_config('clew.tenant', 't:south', true)")
        assert connection.execute("DELETE FROM messages WHERE text LIKE '%Reykjavik%'").rowcount == 0
        assert connection.execute("UPDATE memories SET memory_value = 'x'").rowcount == len(
            rows(roles.app, "south")["memories"]
        )
        connection.rollback()
        connection.execute("SELECT set_config('clew.tenant', 't:south', true)")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute(
                "INSERT INTO leases (message_id, conversation_id, text, owner, claimed_at, expires_at, tenant) "
                "VALUES ('m', %s, '', '', '', '', 'north')",
                [made["north"]],
            )


def test_the_engine_itself_finds_nothing_of_another_tenant(
    two: tuple[Roles, Served, dict[str, str], dict[str, str]],
) -> None:
    """A check that was forgotten in the code would not show another tenant's rows."""
    _, served, _, made = two
    with acting_for("south"), pytest.raises(NotFound):
        service.place_of(served.parts, made["north"])
    with acting_for("north"):
        assert service.place_of(served.parts, made["north"]).conversation.conversation_id == made["north"]


def test_a_message_id_of_another_tenant_is_refused_and_changes_nothing(
    two: tuple[Roles, Served, dict[str, str], dict[str, str]],
) -> None:
    roles, served, keys, made = two
    taken = next(r[0] for r in rows(roles.app, "north")["messages"] if "Reykjavik" in r)
    before = rows(roles.app, "north")
    answer = httpx.post(
        f"{served.url}/v1/conversations/{made['south']}/turns",
        json={"message_id": taken, "text": "hello there"},
        headers={"Authorization": f"Bearer {keys['south']}"},
        timeout=60,
    )
    assert answer.status_code == 409, answer.text
    assert rows(roles.app, "north") == before


def test_what_whoever_runs_the_server_writes_for_a_tenants_user_is_the_tenants(
    two: tuple[Roles, Served, dict[str, str], dict[str, str]],
) -> None:
    """A worker that acts for nobody in particular: what it writes belongs to whom it is about."""
    roles, served, _, made = two
    outcome = service.say(served.parts, service.place_of(served.parts, made["north"]), "I bought a red kite")
    assert outcome.reply
    assert "red kite" in str(rows(roles.app, "north")["messages"])
    assert "red kite" in str(rows(roles.app, "north")["journal"])
    for other in ("south", ""):
        assert "red kite" not in str(rows(roles.app, other))
    with acting_for("north"):
        place = service.place_of(served.parts, made["north"])
        assert service.find(served.parts, place, "the red kite", k=3)


def test_an_erasure_under_these_rules_is_clean(
    two: tuple[Roles, Served, dict[str, str], dict[str, str]],
) -> None:
    roles, served, keys, _ = two
    headers = {"Authorization": f"Bearer {keys['north']}"}
    receipt = httpx.delete(f"{served.url}/v1/users/ann", headers=headers, timeout=60).json()
    assert receipt["rewritten"] and "Reykjavik" not in str(rows(roles.app, None))
    assert "Santiago" in str(rows(roles.app, None))


def test_the_doctor_says_whether_the_rules_hold_for_the_role(roles: Roles) -> None:
    asked = CliRunner()
    assert "keeps tenants apart" in asked.invoke(doctor, ["--db", roles.app]).output
    assert "docs/operations.md" in asked.invoke(doctor, ["--db", roles.owner]).output


def test_the_rules_do_not_keep_an_index_from_being_used(roles: Roles) -> None:
    """A condition that PostgreSQL does not trust is checked row by row behind the rules."""
    store = bare_store(roles.app)
    memories = METADATA_OF_STATE["memories"]
    with acting_for("north"), store.read() as session:
        dialect = session.connection.dialect
        begins = queries.key_begins(dialect.name)
        query = sa.select(memories).where(memories.c.user_id == "u", memories.c.friend_id == "f", *begins)
        told_ = query.params(start="fact:", end="fact;").compile(dialect=dialect, compile_kwargs={"literal_binds": True})
        session.connection.execute(sa.text("SET LOCAL enable_seqscan = off"))
        plan = "\n".join(session.connection.exec_driver_sql(f"EXPLAIN {told_}").scalars())
    store.close()
    looked_up = next(line for line in plan.splitlines() if "Index Cond" in line)
    assert "memory_key ~>=~" in looked_up and "memory_key ~<~" in looked_up, plan


def test_every_table_is_under_the_rules(roles: Roles) -> None:
    """A migration that adds a table puts it under them too: `tenancy.enforce`."""
    with psycopg.connect(roles.owner) as connection:
        found = connection.execute(
            "SELECT relname, relrowsecurity AND relforcerowsecurity AND EXISTS "
            "(SELECT 1 FROM pg_policies p WHERE p.tablename = relname) FROM pg_class "
            "WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"
        ).fetchall()
    assert [name for name, under in found if not under] == ["alembic_version"]


def test_rows_from_before_get_the_tenant_of_their_user(empty_postgres: Callable[[], str]) -> None:
    url = empty_postgres()
    engine = engines.make(engines.parse(url), durable=True, wait_seconds=10)
    bring_up_to_date(engine, "0005")
    with engine.begin() as connection:
        METADATA.create_all(connection)
        run = connection.exec_driver_sql
        for tenant, user in (("north", "u1"), ("", "u2")):
            run(f"INSERT INTO users VALUES ('{user}', 'ACTIVE', '{{}}', '{AT}')")
            run(f"INSERT INTO door_users VALUES ('{tenant}', 'ann', '{user}', '{AT}')")
            run(f"INSERT INTO conversations VALUES ('c-{user}', '{user}', 'f', '{AT}')")
            run(f"INSERT INTO leases VALUES ('m-{user}', 'c-{user}', '', '', '{AT}', '{AT}')")
            run(f"INSERT INTO recall_sources (conversation, number) VALUES ('c-{user}', {user[1]})")
        run("INSERT INTO recall_sources (conversation, number) VALUES (E'\\nspace', 9)")
        run(f"""INSERT INTO door_items VALUES ('["graph", "north", "ann"]', 'graph', 'graph', '{{}}', '{AT}', '{AT}')""")
    assert bring_up_to_date(engine)
    with engine.connect() as connection:
        run = connection.exec_driver_sql
        assert set(run("SELECT user_id, tenant FROM users")) == {("u1", "north"), ("u2", "")}
        assert set(run("SELECT message_id, tenant FROM leases")) == {("m-u1", "north"), ("m-u2", "")}
        assert set(run("SELECT number, tenant FROM recall_sources")) == {(1, "north"), (2, ""), (9, None)}
        assert run("SELECT tenant FROM door_items").scalar() == "north"
    engine.dispose()
