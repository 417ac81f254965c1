"""The REST door over real HTTP: turns, memories, access, bad input; and schemathesis over its description."""

from __future__ import annotations

import asyncio
import base64
import hmac
import io
import itertools
import json
import threading
import time
import uuid
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import jwt
import pytest
import schemathesis
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from hypothesis import HealthCheck, Phase, given, settings

from clew.engine import service
from clew.engine.bootstrap import open_doors
from clew.errors import InvalidInput
from clew.faces.http.access import Caller
from clew.faces.http.app import make_app
from clew.faces.http.settings import Settings
from clew.model.canonical import iso
from tests.clients.serving import Served, make, running, serving


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("rest") / "talk.db", rate="", max_bytes=300_000) as found:
        yield found


@pytest.fixture
def api(served: Served) -> Iterator[httpx.Client]:
    served.voice.before = None
    with httpx.Client(base_url=served.url, timeout=10) as client:
        yield client


def conversation(api: httpx.Client, user: str) -> str:
    return str(api.post(f"/v1/users/{user}/conversations", json={}).json()["conversation_id"])


def turn(api: httpx.Client, where: str, text: str, number: int | str, **more: Any) -> httpx.Response:
    name = str(uuid.UUID(int=number)) if isinstance(number, int) else number
    return api.post(f"/v1/conversations/{where}/turns", json={"message_id": name, "text": text}, **more)


_number = iter(range(1, 10**6))


def fresh() -> int:
    return next(_number)


def test_a_turn_is_taken_once(api: httpx.Client) -> None:
    where, number = conversation(api, "ann"), fresh()
    first = turn(api, where, "I live in Lisbon", number)
    body = first.json()
    assert first.status_code == 200 and body["reply"] and not body["replayed"]
    assert [c["key"] for c in body["memories"]] == ["fact:current_city"] and body["reasons"]
    again = turn(api, where, "I live in Lisbon", number)
    assert again.headers["Idempotent-Replayed"] == "true" and again.json()["reply"] == body["reply"]
    other = turn(api, where, "I live in Rome", number)
    assert other.status_code == 422 and other.json()["code"] == "message_reused"


def test_a_message_in_flight_is_409_and_many_copies_are_answered_once(api: httpx.Client, served: Served) -> None:
    where, number = conversation(api, "bea"), fresh()
    entered, leave = threading.Event(), threading.Event()
    served.voice.before = lambda: (entered.set(), leave.wait(5))
    with ThreadPoolExecutor(1) as background:
        first = background.submit(turn, api, where, "I love ramen", number)
        assert entered.wait(5)
        busy = turn(api, where, "I love ramen", number)
        assert busy.status_code == 409 and busy.json()["code"] == "turn_in_progress" and busy.headers["Retry-After"]
        leave.set()
        assert first.result().status_code == 200
    served.voice.before = None
    copies = asyncio.run(at_once(api, where, "I love sushi", 10**7, 256))
    assert {c.status_code for c in copies} <= {200, 409}
    answered = [c.json() for c in copies if c.status_code == 200]
    assert len({c["reply"] for c in answered}) == 1 and [c["replayed"] for c in answered].count(False) == 1
    said = api.get(f"/v1/conversations/{where}/messages").json()["items"]
    assert [m["text"] for m in said if m["role"] == "user"] == ["I love ramen", "I love sushi"]


async def at_once(api: httpx.Client, where: str, text: str, number: int, count: int) -> list[httpx.Response]:
    """Every copy has a connection of its own, and all of them are sent before the first answer is read."""
    body = {"message_id": str(uuid.UUID(int=number)), "text": text}
    limits = httpx.Limits(max_connections=count)
    async with httpx.AsyncClient(base_url=api.base_url, timeout=60, limits=limits) as client:
        sent = (client.post(f"/v1/conversations/{where}/turns", json=body) for _ in range(count))
        return list(await asyncio.gather(*sent))


def test_a_client_that_leaves_in_the_middle_of_a_stream_loses_nothing(api: httpx.Client, served: Served) -> None:
    where, number = conversation(api, "lea"), fresh()
    entered, leave = threading.Event(), threading.Event()
    served.voice.before = lambda: (entered.set(), leave.wait(10))
    body = {"message_id": str(uuid.UUID(int=number)), "text": "I love ramen"}
    at = f"{served.url}/v1/conversations/{where}/turns"
    with pytest.raises(httpx.ReadTimeout), httpx.Client(timeout=0.3) as leaving:
        leaving.post(at, json=body, headers={"Accept": "text/event-stream"})
    assert entered.wait(5)
    assert turn(api, where, "I love ramen", number).status_code == 409
    leave.set()
    for _ in range(200):
        again = turn(api, where, "I love ramen", number)
        if again.status_code == 200:
            break
        threading.Event().wait(0.02)
    assert again.json()["replayed"] and again.json()["memories"] == []
    said = api.get(f"/v1/conversations/{where}/messages").json()["items"]
    assert [m["role"] for m in said] == ["user", "assistant"]
    assert [m["key"] for m in api.get("/v1/users/lea/memories").json()["items"]] == ["pref:food:ramen"]


def test_a_turn_streams_after_the_gate(api: httpx.Client) -> None:
    where, number = conversation(api, "cyd"), fresh()
    with api.stream(
        "POST", f"/v1/conversations/{where}/turns", headers={"Accept": "text/event-stream"},
        json={"message_id": str(uuid.UUID(int=number)), "text": "I love ramen"},
    ) as events:  # fmt: skip
        lines = list(events.iter_lines())
    data = [json.loads(x[6:]) for x in lines if x.startswith("data: ")]
    assert "".join(d["text"] for d in data[:-1]) == data[-1]["reply"]
    assert data[-1]["memories"][0]["key"] == "pref:food:ramen"


def test_a_model_that_fails_is_a_problem_and_the_turn_may_be_sent_again(api: httpx.Client, served: Served) -> None:
    where, number = conversation(api, "dan"), fresh()

    def broken() -> None:
        raise RuntimeError("secret detail of the model")

    served.voice.before = broken
    down = turn(api, where, "I love ramen", number)
    assert down.status_code == 503 and down.json()["code"] == "model_unavailable" and down.json()["retryable"]
    assert down.headers["content-type"] == "application/problem+json"
    served.voice.before = None
    assert turn(api, where, "I love ramen", number).status_code == 200


def test_why_again_and_unsay(api: httpx.Client, served: Served) -> None:
    where, number = conversation(api, "eve"), fresh()
    name = str(uuid.UUID(int=number))
    turn(api, where, "I love ramen", number)
    why = api.get(f"/v1/conversations/{where}/turns/{name}/why").json()
    assert any("route." in line for line in why["story"]) and why["trace"]["route"]["pipeline"] == "FRIEND_CHAT"
    served.voice.says = "Another answer altogether, my friend."
    other = api.post(f"/v1/conversations/{where}/turns/{name}/again").json()
    served.voice.says = "That sounds good, tell me more."
    assert "Another answer" in other["reply"] and other["memories"] == []
    gone = api.delete(f"/v1/conversations/{where}/turns/{name}").json()
    assert gone[0]["reason"] == "withdraw.source_withdrawn"
    assert api.get("/v1/users/eve/memories").json()["items"] == []


def test_memories_are_added_found_edited_paused_forgotten_and_brought_back(api: httpx.Client) -> None:
    at = "/v1/users/fay/memories"
    assert api.post(at, json={"text": "I live in Lisbon and I love ramen", "message_id": "x"}).json()["changes"]
    assert api.post(at, json={"text": "I live in Lisbon and I love ramen", "message_id": "x"}).json()["replayed"]
    city, ramen = api.get(at).json()["items"]
    assert (city["value"], ramen["key"]) == ("Lisbon", "pref:food:ramen")
    hits = api.post(f"{at}/search", json={"query": "which city?"}).json()
    assert hits[0]["why"] and {h["kind"] for h in hits} <= {"memory", "said"}
    block = api.post(f"{at}/context", json={"query": "food", "tokens": 200}).json()
    assert "You like ramen" in block["text"] and ramen["id"] in block["ids"]
    porto = api.patch(f"{at}/{city['id']}", json={"value": "Porto"}).json()
    assert porto["value"] == "Porto" and porto["id"] != city["id"]
    history = api.get(f"{at}/{porto['id']}/history").json()
    assert [v["status"] for v in history["versions"]] == ["SUPERSEDED", "ACTIVE"]
    assert list(history["sources"].values()) == ["I live in Lisbon and I love ramen"]
    assert api.patch(f"{at}/{ramen['id']}", json={"paused": True}).json()["paused"]
    assert "ramen" not in api.post(f"{at}/context", json={"query": "food"}).json()["text"]
    assert api.delete(f"{at}/{ramen['id']}").json()[0]["kind"] == "invalidated"
    assert api.post(f"{at}/{ramen['id']}/restore").json()[-1]["kind"] == "restored"
    assert api.post(f"{at}/forget", json={"what": "ramen"}).json()[0]["kind"] == "invalidated"
    assert api.post(f"{at}/undo").json()[0]["kind"] == "restored"
    assert api.post(at, json={"key": "fact:current_city", "value": "Rome"}).json()["changes"]
    then = api.get(at, params={"as_of": porto["created_at"]}).json()["items"]
    assert "Rome" not in [m["value"] for m in then]
    assert api.delete(f"{at}/{ramen['id']}", params={"erase": True}).json() == []
    assert api.get(f"{at}/{ramen['id']}").status_code == 404


def test_lists_come_in_pages_and_as_lines(api: httpx.Client) -> None:
    at = "/v1/users/gil/memories"
    for food in ("ramen", "sushi", "pasta", "soup", "rice"):
        api.post(at, json={"text": f"I love {food}"})
    seen, cursor = [], None
    while True:
        page = api.get(at, params={"limit": 2, **({"cursor": cursor} if cursor else {})}).json()
        seen += [m["key"] for m in page["items"]]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert len(seen) == len(set(seen)) == 5
    lines = api.get(at, params={"limit": 2}, headers={"Accept": "application/jsonl"})
    assert lines.headers["content-type"].startswith("application/jsonl") and lines.headers["X-Next-Cursor"]
    assert [json.loads(x)["key"] for x in lines.text.splitlines()] == seen[:2]
    assert api.get(at, params={"cursor": "%%%"}).status_code == 422


def test_a_user_has_a_profile_controls_an_export_and_an_end(api: httpx.Client, tmp_path: Path) -> None:
    assert api.get("/v1/users/hal").status_code == 404
    made = api.put("/v1/users/hal", json={"profile": {"preferred_name": "Hal", "country_or_region": "pt"}}).json()
    assert made["profile"]["country_or_region"] == "PT" and made["state"] == "ACTIVE"
    assert api.patch("/v1/users/hal/profile", json={"shoe_size": 44}).status_code == 422
    told = api.patch("/v1/users/hal/controls", json={"suppressed_topics": ["POLITICS"]}).json()
    assert told["controls"]["suppressed_topics"] == ["POLITICS"]
    assert api.patch("/v1/users/hal/controls", json={"suppressed_topics": ["SHOES"]}).status_code == 422
    api.post("/v1/users/hal/memories", json={"text": "I live in Reykjavik"})
    bundle = api.get("/v1/users/hal/export").content
    assert "memories.jsonl" in zipfile.ZipFile(io.BytesIO(bundle)).namelist()
    assert "hal" in api.get("/v1/users", params={"limit": 200}).json()["items"]
    receipt = api.delete("/v1/users/hal").json()
    assert receipt["clean"] and receipt["removed"]["memories"] == 1
    assert api.get("/v1/users/hal/memories").status_code == 404
    back = api.post("/v1/import", content=bundle, headers={"content-type": "application/zip"})
    assert back.status_code == 200 and back.json()["memories"] == 1
    assert api.get("/v1/users/hal/memories").json()["items"][0]["value"] == "Reykjavik"


def test_threads_kernels_ground_links_and_transcripts(api: httpx.Client) -> None:
    where = conversation(api, "ivy")
    told = api.post(
        f"/v1/conversations/{where}/threads", json={"add": [{"type": "QUEST", "text": "Find the lost key"}]}
    ).json()
    assert told["accepted"] and api.get(f"/v1/conversations/{where}/threads").json()[0]["text"] == "Find the lost key"
    done = api.post(f"/v1/conversations/{where}/threads", json={"resolve": [told["added"][0]["id"]]}).json()
    assert done["resolved"] == [told["added"][0]["id"]]
    asked = {"a": "i love my dog very much", "b": "i hate my dog very much", "as": "decision"}
    assert api.post("/v1/kernels/similar", json=asked).json()["guard"] == "antonym"
    bad = api.post("/v1/kernels/similar", json={"a": "x"})
    assert bad.status_code == 422 and bad.json()["errors"][0]["pointer"] == "/b"
    assert api.post("/v1/kernels/telepathy", json={}).status_code == 404
    said = (("Kai", "I try the door"), ("DM", "It opens"))
    lines = [{"index": n, "speaker": who, "text": text} for n, (who, text) in enumerate(said)]
    assert api.post("/v1/links", json={"session_id": "s", "lines": lines, "dm": ["DM"]}).json()["links"]
    content = "".join(json.dumps(x) + "\n" for x in lines)
    stored = api.put("/v1/users/ivy/transcripts/one", content=content, headers={"content-type": "application/jsonl"})
    assert stored.json()["added"] == 2
    found = api.post("/v1/users/ivy/transcripts/one/recall", json={"query": "door", "k": 1}).json()
    one_call = api.post("/v1/users/ivy/memories/search", json={"query": "door", "kinds": ["transcript"]}).json()
    assert one_call and {hit["kind"] for hit in one_call} == {"transcript"} and one_call[0]["parts"]
    none = {"query": "door", "kinds": ["transcript"], "speaker": "nobody there"}
    assert api.post("/v1/users/ivy/memories/search", json=none).json() == []
    assert found["results"][0]["text"] == "I try the door"
    assert api.post("/v1/users/ivy/transcripts/two/recall", json={"query": "door"}).status_code == 404


def test_operations(api: httpx.Client) -> None:
    assert api.get("/healthz").text == "ok" and api.get("/readyz").text == "ready"
    assert 'clew_requests_total{method="GET",route="/healthz"' in api.get("/metrics").text
    assert api.get("/v1/policy").json()["fingerprint"]
    assert api.get("/healthz", headers={"x-request-id": "abc123"}).headers["x-request-id"] == "abc123"


# -- bad input ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "kind", "status"),
    [
        (b'{"message_id": ', "application/json", 422),
        (b"\xff\xfe", "application/json", 422),
        (b'{"message_id": "x", "text": "hi"}', "application/json", 422),
        (b'{"message_id": "00000000-0000-0000-0000-00000000000g", "text": "hi"}', "application/json", 422),
        (b'{"message_id": "00000000-0000-0000-0000-000000000001", "text": ""}', "application/json", 422),
        (b'{"message_id": "00000000-0000-0000-0000-000000000001", "text": "a\\u0000b"}', "application/json", 422),
        (b'{"message_id": "00000000-0000-0000-0000-000000000001", "text": "hi", "x": 1}', "application/json", 422),
        (b'{"message_id": "00000000-0000-0000-0000-000000000001", "text": "hi"}', "text/plain", 415),
        (b'{"message_id": "00000000-0000-0000-0000-000000000001", "text": "hi"}', "", 415),
        (b"message_id=1&text=hi", "application/x-www-form-urlencoded", 415),
        (b"[" * 100_000, "application/json", 400),
        (b'{"text": "' + b"a" * 400_000 + b'"}', "application/json", 413),
    ],
)
def test_bad_bodies_are_problems(api: httpx.Client, content: bytes, kind: str, status: int) -> None:
    where = conversation(api, "jan")
    answer = api.post(f"/v1/conversations/{where}/turns", content=content, headers={"content-type": kind})
    assert answer.status_code == status, answer.text
    body = answer.json()
    assert answer.headers["content-type"] == "application/problem+json"
    assert {"type", "title", "status", "detail", "code"} <= set(body) and body["status"] == status


def test_a_body_without_a_length_is_bounded_too(api: httpx.Client) -> None:
    def endless() -> Iterator[bytes]:
        for _ in range(1000):
            yield b"a" * 1000

    assert api.post("/v1/kernels/read", content=endless()).status_code == 413


def test_ids_that_name_nothing_are_not_found(api: httpx.Client) -> None:
    for path in ("/v1/conversations/none", "/v1/users/nobody/memories", "/v1/users/ann/memories/none", "/v1/none"):
        answer = api.get(path)
        assert answer.status_code == 404 and answer.json()["code"] == "not_found"


def test_a_foreign_page_cannot_reach_an_open_server(api: httpx.Client) -> None:
    assert api.get("/v1/policy", headers={"host": "evil.example"}).status_code == 421
    assert api.get("/v1/policy", headers={"origin": "https://evil.example"}).status_code == 421
    # Names that only begin or end like ours, and origins that name nobody.
    for origin in ("http://localhost.evil.example", "http://evil.example/://localhost", "null", "http://[", "file://"):
        assert api.get("/v1/policy", headers={"origin": origin}).status_code == 421, origin
    assert api.get("/v1/policy", headers={"host": "localhost.evil.example"}).status_code == 421
    for origin in ("http://localhost:3000", "http://127.0.0.1", "http://[::1]:3000"):
        assert api.get("/v1/policy", headers={"origin": origin}).status_code == 200, origin


# -- access ---------------------------------------------------------------------------------------


def test_elsewhere_than_here_a_server_needs_a_key(tmp_path: Path) -> None:
    parts = make(f"sqlite:///{tmp_path / 'a.db'}")
    with pytest.raises(InvalidInput, match="clew keys new"):
        make_app(parts, Settings(host="0.0.0.0"))
    assert make_app(parts, Settings(host="0.0.0.0", admin_key="k", needs_key=True), mcp=False)
    parts.store.close()


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Served, Any]]:
    signing = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    folder = tmp_path_factory.mktemp("guarded")
    with serving(
        folder / "talk.db", needs_key=True, jwks="http://127.0.0.1:9/jwks", issuer="here", rate="40/minute"
    ) as found:
        public = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(signing.public_key()))

        class Known:
            def get_signing_key_from_jwt(self, token: str) -> Any:
                return jwt.PyJWK({**public, "alg": "RS256"})

        found.app.state.desk.jwks = Known()
        yield found, signing


def client_with(served: Served, key: str) -> httpx.Client:
    return httpx.Client(base_url=served.url, headers={"Authorization": f"Bearer {key}"}, timeout=10)


def test_keys_open_their_own_tenant_only(guarded: tuple[Served, Any]) -> None:
    served, _ = guarded
    tables, at = served.app.state.desk.tables, iso(served.parts.clock.now())
    _, red = tables.make_key("red", "red", None, at)
    _, blue = tables.make_key("blue", "blue", None, at)
    _, ann = tables.make_key("ann", "red", "ann", at)
    with client_with(served, red) as reds, client_with(served, blue) as blues, client_with(served, ann) as anns:
        assert httpx.get(f"{served.url}/v1/me").status_code == 401
        assert httpx.get(f"{served.url}/v1/me").headers["WWW-Authenticate"].startswith("Bearer")
        assert reds.get("/v1/me").json() == {"tenant": "red", "user": None}
        for user in ("ann", "bob"):
            reds.post(f"/v1/users/{user}/memories", json={"text": "I live in Lisbon"})
        where = conversation(reds, "ann")
        memory = reds.get("/v1/users/ann/memories").json()["items"][0]["id"]
        # Another tenant: not there, rather than not allowed.
        assert blues.get("/v1/users/ann").status_code == 404
        assert blues.get(f"/v1/conversations/{where}").status_code == 404
        assert turn(blues, where, "hello", fresh()).status_code == 404
        blues.put("/v1/users/ann")
        assert blues.get(f"/v1/users/ann/memories/{memory}").status_code == 404
        assert blues.get("/v1/users").json()["items"] == ["ann"]
        # A user's key acts for that user, whatever a header says.
        assert anns.get("/v1/users/bob/memories").status_code == 404
        assert anns.get(f"/v1/conversations/{where}").status_code == 200
        body = {"model": "clew/friend", "messages": [{"role": "user", "content": "I love ramen"}], "user": "bob"}
        anns.post("/openai/v1/chat/completions", json=body, headers={"X-Clew-User": "bob"})
        assert "pref:food:ramen" in [m["key"] for m in reds.get("/v1/users/ann/memories").json()["items"]]
        assert len(reds.get("/v1/users/bob/memories").json()["items"]) == 1
        assert anns.post("/v1/import", content=b"x", headers={"content-type": "application/zip"}).status_code == 422


def test_whoever_runs_the_server_makes_tenants_by_their_keys(tmp_path: Path) -> None:
    with (
        serving(tmp_path / "a.db", needs_key=True, admin_key="operator", rate="") as served,
        client_with(served, "operator") as us,
    ):
        made = us.post("/v1/keys", json={"name": "first", "tenant": "green"}).json()
        with client_with(served, made["key"]) as greens:
            assert greens.put("/v1/users/ann").status_code == 200
            for answer in (greens.get("/v1/tenants"), greens.get("/v1/keys"), greens.post("/v1/keys", json={"name": "x"}),
                           greens.delete(f"/v1/keys/{made['id']}")):  # fmt: skip
                assert answer.status_code == 403 and answer.json()["code"] == "forbidden"
            assert us.get("/v1/tenants").json()["items"] == [{"tenant": "green", "users": 1, "keys": 1}]
            held = us.get("/v1/keys").json()["items"]
            assert [k["name"] for k in held] == ["first"] and made["key"] not in json.dumps(held)
            assert us.delete(f"/v1/keys/{made['id']}").status_code == 204
            assert us.delete(f"/v1/keys/{made['id']}").status_code == 404
            assert greens.get("/v1/me").status_code == 401
        assert us.get("/v1/tenants").json()["items"] == [{"tenant": "green", "users": 1, "keys": 0}]


def test_on_an_open_server_nobody_makes_keys_from_afar(api: httpx.Client) -> None:
    assert api.post("/v1/keys", json={"name": "mine"}).status_code == 403
    assert api.get("/v1/me").status_code == 200


def test_revoking_the_last_key_does_not_open_a_server_that_others_can_reach(tmp_path: Path) -> None:
    parts = make(f"sqlite:///{tmp_path / 'a.db'}")
    tables, at = open_doors(parts.store), iso(parts.clock.now())
    made, secret = tables.make_key("only", "", None, at)
    with running(make_app(parts, Settings(host="0.0.0.0"), mcp=False)) as url:
        assert httpx.get(f"{url}/v1/users", headers={"Authorization": f"Bearer {secret}"}).status_code == 200
        tables.revoke_key(made.id, at)
        for headers in ({}, {"Authorization": f"Bearer {secret}"}):
            assert httpx.get(f"{url}/v1/users", headers=headers).status_code == 401
    parts.store.close()


def test_forged_and_revoked_keys_are_refused(guarded: tuple[Served, Any]) -> None:
    served, _ = guarded
    tables, at = served.app.state.desk.tables, iso(served.parts.clock.now())
    made, secret = tables.make_key("old", "t", None, at)
    assert secret.encode() not in Path(served.parts.store.engine.url.database).read_bytes()
    for wrong in (secret[:-1] + "x", "clew__", f"clew_{made.id}_", "a.b.c", "Bearer"):
        with client_with(served, wrong) as client:
            assert client.get("/v1/me").status_code == 401, wrong
    with client_with(served, secret) as client:
        assert client.get("/v1/me").status_code == 200
        tables.revoke_key(made.id, at)
        assert client.get("/v1/me").status_code == 401


def b64(claims: dict[str, Any]) -> str:
    return base64.urlsafe_b64encode(json.dumps(claims).encode()).decode().rstrip("=")


def test_signed_tokens_act_for_their_subject(guarded: tuple[Served, Any]) -> None:
    served, signing = guarded
    now = int(time.time())
    good = {"sub": "zoe", "tenant": "red", "iss": "here", "exp": now + 60}
    other = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    for claims, key, status in (
        (good, signing, 200),
        ({**good, "exp": now - 60}, signing, 401),
        ({**good, "iss": "there"}, signing, 401),
        ({k: v for k, v in good.items() if k != "sub"}, signing, 401),
        (good, other, 401),
    ):
        with client_with(served, jwt.encode(claims, key, algorithm="RS256")) as client:
            answer = client.get("/v1/me")
            assert answer.status_code == status
            if status == 200:
                assert answer.json() == {"tenant": "red", "user": "zoe"}
    good_one = jwt.encode(good, signing, algorithm="RS256")
    head, claims_, mark = good_one.split(".")
    public = signing.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    as_secret = hmac.new(public, f"{b64({'alg': 'HS256', 'typ': 'JWT'})}.{claims_}".encode(), "sha256").digest()
    for forged in (
        jwt.encode(good, None, algorithm="none"),
        # Signed with the public key as if it were a shared secret.
        f"{b64({'alg': 'HS256', 'typ': 'JWT'})}.{claims_}.{base64.urlsafe_b64encode(as_secret).decode().rstrip('=')}",
        # Another's claims under a signature that was good for one's own.
        f"{head}.{b64({**good, 'sub': 'ann'})}.{mark}",
        f"{head}.{claims_}.",
        jwt.encode({**good, "nbf": now + 600}, signing, algorithm="RS256"),
        jwt.encode({**good, "sub": 7}, signing, algorithm="RS256"),
    ):
        with client_with(served, forged) as client:
            assert client.get("/v1/me").status_code == 401, forged


def test_a_key_is_limited_and_told_when_to_come_back(guarded: tuple[Served, Any]) -> None:
    served, _ = guarded
    _, secret = served.app.state.desk.tables.make_key("busy", "t", None, iso(served.parts.clock.now()))
    with client_with(served, secret) as client:
        answers = [client.get("/v1/me") for _ in range(45)]
        assert [a.status_code for a in answers].count(200) == 40
        assert answers[-1].status_code == 429 and answers[-1].headers["Retry-After"]
        shaped = client.get("/openai/v1/models")
        assert shaped.status_code == 429 and shaped.json()["error"]["type"] == "rate_limit_error"


# -- the description ------------------------------------------------------------------------------


@schemathesis.serializer("application/zip", "application/jsonl")
def as_bytes(ctx: Any, value: Any) -> Any:
    return value.encode("utf-8", "replace") if isinstance(value, str) else bytes(getattr(value, "data", b"x"))


def test_the_description_holds_for_whatever_is_sent(tmp_path: Path) -> None:
    """schemathesis asks every operation with made-up input: no 5xx, no status or shape that is not documented.

    Half of the questions are about somebody who is there, so that they get beyond "not found".
    """
    parts = make(f"sqlite:///{tmp_path / 'a.db'}")
    app = make_app(parts, Settings(rate=""), mcp=False)
    place = app.state.desk.place(Caller(), "ann", create=True)
    service.learn(parts, place, "I live in Lisbon", message_id=str(uuid.UUID(int=1)))
    there = {
        "user": "ann",
        "conversation_id": place.conversation.conversation_id,
        "message_id": str(uuid.UUID(int=1)),
        "memory_id": service.memories(parts, place)[0].memory_id,
        "name": "read",
    }
    schema = schemathesis.openapi.from_asgi("/openapi.json", app)
    operations = [o.ok() for o in schema.get_all_operations()]
    assert len(operations) > 30
    checks = [schemathesis.checks.not_a_server_error, schemathesis.checks.status_code_conformance]
    checks += [schemathesis.checks.content_type_conformance, schemathesis.checks.response_schema_conformance]
    turns = itertools.count()

    def ask(case: Any) -> None:
        # Erasing the one user whom all questions are about would end the game.
        if next(turns) % 2 and case.path_parameters and case.method != "DELETE":
            case.path_parameters = {k: there.get(k, v) for k, v in case.path_parameters.items()}
        case.call_and_validate(checks=checks)

    bounded = settings(
        max_examples=6,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    for operation in operations:
        bounded(given(case=operation.as_strategy())(ask))()
    parts.store.close()
