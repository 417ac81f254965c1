"""What the doors keep of a user beside the history goes with the user."""

from __future__ import annotations

import httpx
import pytest
import sqlalchemy as sa

import clew
from clew.adapters.store.door_tables import METADATA
from clew.engine.bootstrap import open_doors
from clew.engine.service import user_id
from clew.errors import NotFound
from clew.faces.langgraph.store import ClewStore
from clew.faces.mcp import graph
from clew.faces.mcp.desk import Desk, Whose
from clew.formats.graph import Graph
from tests.clients.serving import Served, serving

SECRET = "the spare key lies under the blue flowerpot"


def rows(served: Served, text: str) -> dict[str, int]:
    """How many rows of each door table hold this text."""
    with served.parts.store.engine.connect() as connection:  # type: ignore[attr-defined]
        return {
            name: sum(text in str(tuple(row)) for row in connection.execute(sa.select(table)))
            for name, table in METADATA.tables.items()
        }


def fill(served: Served, name: str, key: str) -> None:
    """The same things kept for a user at every door."""
    desk = Desk(served.parts, open_doors(served.parts.store), Whose(name))
    note = {"name": "home", "entityType": "place", "observations": [f"{SECRET} of {name}"]}
    graph.save(desk, desk.default, Graph(entities=[note], relations=[]))
    with ClewStore(served.parts.store.url, embedder=False) as store:
        store.put(("notes", name), "one", {"text": f"{SECRET} of {name}"})
    served.voice.says = f"Good to hear from you, {name}, tell me more."
    said = {"role": "user", "content": f"I had soup today, says {name}"}
    asked = {"model": "clew/friend", "messages": [said], "user": name}
    headers = {"Authorization": f"Bearer {key}"}
    answer = httpx.post(f"{served.openai}/chat/completions", json=asked, headers=headers, timeout=60)
    assert answer.status_code == 200


def test_an_erasure_takes_what_every_door_kept(database: str) -> None:
    with serving(database) as served:
        tables = open_doors(served.parts.store)
        _, everybody = tables.make_key("all", "", None, "2026-01-01T00:00:00Z")
        for name in ("mira-of-the-harbour", "noor-of-the-harbour"):
            fill(served, name, everybody)
            tables.make_key(f"of {name}", "", name, "2026-01-01T00:00:00Z")
        before = rows(served, "mira-of-the-harbour")
        assert {name: bool(n) for name, n in before.items()} == {
            "door_keys": True, "door_users": True, "door_lineage": False, "door_items": True, "door_secrets": False,
        }  # fmt: skip
        headers = {"Authorization": f"Bearer {everybody}"}
        receipt = httpx.delete(f"{served.url}/v1/users/mira-of-the-harbour", headers=headers, timeout=60).json()
        assert receipt["clean"], receipt
        removed = {name: n for name, n in receipt["removed"].items() if name.startswith("door_")}
        assert removed == {"door_items": 2, "door_keys": 1, "door_lineage": 1, "door_users": 1}
        assert not any(rows(served, "mira-of-the-harbour").values())
        assert not any(rows(served, user_id("mira-of-the-harbour")).values())
        kept = rows(served, "noor-of-the-harbour")
        assert kept["door_items"] == 2 and kept["door_keys"] == 1 and kept["door_users"] == 1
        assert rows(served, user_id("noor-of-the-harbour"))["door_lineage"] == 1


def test_the_receipt_looks_for_what_the_doors_kept(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Left in place on purpose, a loose item is found by the search and told."""
    with ClewStore(database, embedder=False) as store:
        store.put(("notes", "mira"), "one", {"text": SECRET})
    with clew.Memory(database, embedder=False) as memory:
        memory.add("I live in Lisbon", user="mira")
        monkeypatch.setattr("clew.adapters.store.door_tables.erase", lambda connection, user: {})
        assert not memory.erase(user="mira").clean
        monkeypatch.undo()
        assert memory.erase(user="mira").clean


def test_somebody_with_loose_items_alone_can_be_erased(database: str) -> None:
    with ClewStore(database, embedder=False) as store:
        store.put(("notes", "mira"), "one", {"text": SECRET})
        store.put(("notes", "miranda"), "one", {"text": "kept"})
        with clew.Memory(database, embedder=False) as memory:
            receipt = memory.erase(user="mira")
            assert receipt.clean and receipt.removed["door_items"] == 1
            with pytest.raises(NotFound):
                memory.erase(user="nobody")
        assert store.get(("notes", "mira"), "one") is None
        assert store.get(("notes", "miranda"), "one") is not None
