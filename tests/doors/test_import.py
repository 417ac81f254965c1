"""A bundle taken in by a tenant: for a user it names, with ids of its own, beside the one it came from."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

import httpx
import pytest

from clew.engine import service
from clew.engine.bootstrap import bare_store, open_doors
from clew.engine.replay import rebuild
from clew.ports.store import acting_for
from tests.clients.serving import Served, serving

AT = "2026-01-01T00:00:00Z"
ZIP = {"content-type": "application/zip"}


@dataclass
class Two:
    served: Served
    north: httpx.Client
    south: httpx.Client
    bundle: bytes
    only_kim: str


@pytest.fixture
def two(database: str) -> Iterator[Two]:
    with serving(database) as served:
        doors = open_doors(served.parts.store)
        keys = [doors.make_key(name, name, None, AT)[1] for name in ("north", "south")]
        kim = doors.make_key("kim's", "south", "kim", AT)[1]
        north, south = (
            httpx.Client(base_url=served.url, headers={"Authorization": f"Bearer {key}"}, timeout=60) for key in keys
        )
        with north, south:
            talk = north.post("/v1/users/ann/conversations", json={}).json()["conversation_id"]
            for n, text in enumerate(("I live in Reykjavik", "I love ramen", "what do you know about my city?")):
                body = {"message_id": f"22222222-2222-4222-8222-{n:012}", "text": text}
                assert north.post(f"/v1/conversations/{talk}/turns", json=body).status_code == 200
            yield Two(served, north, south, north.get("/v1/users/ann/export").content, kim)


def test_a_tenant_takes_a_bundle_in_for_a_user_it_names(two: Two, database: str) -> None:
    before = two.north.get("/v1/users/ann/memories").json()
    done = two.south.post("/v1/import", params={"user": "bea"}, content=two.bundle, headers=ZIP)
    assert done.status_code == 200 and done.json()["messages"] == 6, done.text
    held = two.south.get("/v1/users/bea/memories").json()["items"]
    assert {(m["key"], m["value"]) for m in held} == {(m["key"], m["value"]) for m in before["items"]}
    assert not {m["id"] for m in held} & {m["id"] for m in before["items"]}
    assert two.north.get("/v1/users/ann/memories").json() == before
    assert two.south.get("/v1/users").json()["items"] == ["bea"]
    assert two.south.get("/v1/users/ann/memories").status_code == 404

    # The talk goes on where it stood, and what was told leads to what was kept.
    talk = two.south.post("/v1/users/bea/conversations", json={}).json()["conversation_id"]
    said = two.south.get(f"/v1/conversations/{talk}/messages").json()["items"]
    assert next(m["text"] for m in said if m["role"] == "user") == "I live in Reykjavik"
    user = service.user_id("bea", "south")
    ids = {m["id"] for m in held}
    with acting_for("south"), two.served.parts.store.read() as session:
        rows = session.export_rows(user)
    assert all(set(json.loads(r["surfaced_memory_ids"])) <= ids for r in rows["messages"])
    assert not [r for lines in rows.values() for r in lines if service.user_id("ann", "north") in str(r)]
    two.served.voice.asked.clear()
    more = {"message_id": "33333333-3333-4333-8333-333333333333", "text": "what do you know about my city?"}
    assert two.south.post(f"/v1/conversations/{talk}/turns", json=more).status_code == 200
    assert "Reykjavik" in "".join(two.served.voice.asked)

    store = bare_store("sqlite:///:memory:")
    assert rebuild(two.served.parts.store, store).identical
    store.close()


def test_one_bundle_may_be_taken_in_for_two_users_but_over_nobody(two: Two) -> None:
    for name in ("bea", "cem"):
        assert two.south.post("/v1/import", params={"user": name}, content=two.bundle, headers=ZIP).status_code == 200
    again = two.south.post("/v1/import", params={"user": "bea"}, content=two.bundle, headers=ZIP)
    assert again.status_code == 422 and "already here" in again.json()["detail"]


def test_whose_it_becomes_is_the_keys_to_say(two: Two) -> None:
    unnamed = two.south.post("/v1/import", content=two.bundle, headers=ZIP)
    assert unnamed.status_code == 422 and unnamed.json()["errors"][0]["pointer"] == "/user"
    mine = {**ZIP, "Authorization": f"Bearer {two.only_kim}"}
    where = f"{two.served.url}/v1/import"
    other = httpx.post(where, params={"user": "bea"}, content=two.bundle, headers=mine, timeout=60)
    assert other.status_code == 404
    assert httpx.post(where, content=two.bundle, headers=mine, timeout=60).status_code == 200
    assert two.south.get("/v1/users/kim/memories").json()["items"]
