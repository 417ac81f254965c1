"""An attacker at every route: a key that acts for one user is used with another's name, headers and ids.

The routes are those of the application itself, so a new one is attacked as soon as it is there.
"""

from __future__ import annotations

import itertools
import json
import re
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from clew.engine import service
from clew.engine.bootstrap import open_doors
from clew.ports.store import acting_for
from tests.clients.serving import Served, serving

AT = "2026-01-01T00:00:00Z"
LATER = "2031-01-01T00:00:00Z"
SECRET = "Ouagadougou"
# Anybody may ask these; they know nobody.
OPEN = {"/healthz", "/readyz", "/metrics", "/openapi.json"}
OPERATORS = {"/v1/tenants", "/v1/keys", "/v1/keys/{key_id}"}
NOBODYS = {"/v1/policy", "/v1/me", "/v1/users", "/v1/kernels/{name}", "/v1/ground", "/v1/links"}
# Beside the OpenAPI document; each has a test of its own below.
ELSEWHERE = {
    "/openai/v1/models", "/openai/v1/models/{name:path}", "/openai/v1/chat/completions", "/openai/v1/responses",
    "/openai/v1/responses/{name}", "/mcp",
}  # fmt: skip
LIES = {"X-Clew-User": "ann", "X-OpenWebUI-User-Id": "ann", "X-Clew-Tenant": "red", "X-Forwarded-User": "ann"}
_numbers = itertools.count(1)


# Whom the keys act for; the last one is a namesake in another tenant.
WHO = {
    "red": ("red", None), "ann": ("red", "ann"), "bob": ("red", "bob"), "blue": ("blue", None), "blue ann": ("blue", "ann"),
}  # fmt: skip


@dataclass
class Scene:
    served: Served
    keys: list[str]
    # Path parameters of everything that ann has, and of the attacker's own.
    anns: dict[str, str]
    bobs: dict[str, str]
    response: str

    def client(self, who: str, **headers: str) -> httpx.Client:
        """With a key of its own: erasing a user, which is one of the attacks, takes that user's keys away."""
        self.keys.append(open_doors(self.served.parts.store).make_key(who, *WHO[who], AT)[1])
        told = {"Authorization": f"Bearer {self.keys[-1]}", **headers}
        return httpx.Client(base_url=self.served.url, headers=told, timeout=60)

    def of_ann(self) -> dict[str, list[Any]]:
        with acting_for("red"), self.served.parts.store.read() as session:
            return {name: list(rows) for name, rows in session.export_rows(service.user_id("ann", "red")).items()}


def fill(api: httpx.Client, user: str, words: str) -> dict[str, str]:
    """Something of a user behind every kind of id."""
    talk = api.post(f"/v1/users/{user}/conversations", json={}).json()["conversation_id"]
    message = str(uuid.UUID(int=next(_numbers)))
    done = api.post(f"/v1/conversations/{talk}/turns", json={"message_id": message, "text": f"I live in {words}"})
    assert done.status_code == 200, done.text
    memory = api.get(f"/v1/users/{user}/memories").json()["items"][0]["id"]
    reminder = api.post(f"/v1/users/{user}/reminders", json={"text": f"go to {words}", "due_at": LATER}).json()["id"]
    channel = api.post(
        f"/v1/users/{user}/channels",
        json={"kind": "webhook", "address": f"https://{words.lower()}.example/hook", "secret": f"the-long-{words}-secret"},
    ).json()["id"]
    api.post(f"/v1/conversations/{talk}/threads", json={"add": [{"type": "QUEST", "text": f"Find the key of {words}"}]})
    name = f"night-{words.lower()}"
    line = json.dumps({"index": 0, "speaker": "Kai", "text": f"the bridge of {words}"}) + "\n"
    stored = api.put(
        f"/v1/users/{user}/transcripts/{name}", content=line, headers={"content-type": "application/jsonl"}
    )
    assert stored.status_code == 200, stored.text
    return {
        "user": user, "conversation_id": talk, "message_id": message, "memory_id": memory, "reminder_id": reminder,
        "channel_id": channel, "name": name, "key_id": "none",
    }  # fmt: skip


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    with serving(tmp_path_factory.mktemp("routes") / "talk.db", needs_key=True, rate="") as served:
        found = Scene(served, [], {}, {}, "")
        with found.client("ann") as ann, found.client("bob") as bob:
            found.anns, found.bobs = fill(ann, "ann", SECRET), fill(bob, "bob", "Lima")
            body = {"model": "clew/friend", "input": f"I was born in {SECRET}"}
            found.response = ann.post("/openai/v1/responses", json=body).json()["id"]
        yield found


def operations(served: Served) -> list[tuple[str, str, dict[str, Any]]]:
    paths = served.app.openapi()["paths"]
    found = [(method.upper(), path, told) for path, row in paths.items() for method, told in row.items()]
    # Whoever erases themselves has no key afterwards.
    return sorted(found, key=lambda row: row[:2] == ("DELETE", "/v1/users/{user}"))


def example(served: Served, schema: dict[str, Any]) -> Any:
    """Something that fits a schema: every field that is required, as short as it may be."""
    if "$ref" in schema:
        return example(served, served.app.openapi()["components"]["schemas"][schema["$ref"].rpartition("/")[2]])
    if "anyOf" in schema:
        return example(served, schema["anyOf"][0])
    if "enum" in schema or "const" in schema:
        return schema.get("const", schema.get("enum", [None])[0])
    kind = schema.get("type")
    if kind == "object":
        rows = schema.get("properties", {})
        return {name: example(served, rows[name]) for name in schema.get("required", ())}
    if kind == "array":
        return []
    if kind == "string":
        formats = {"uuid": str(uuid.UUID(int=next(_numbers) + 10**6)), "date-time": LATER}
        return formats.get(schema.get("format", ""), "bridge")
    return {"integer": 1, "number": 1, "boolean": True}.get(str(kind))


# Beyond what a schema requires, so that the call gets as far as it can.
MORE: dict[str, dict[str, Any]] = {
    "POST /v1/users/{user}/memories": {"text": "I love soup"},
    "POST /v1/users/{user}/memories/forget": {"what": SECRET},
    "PATCH /v1/users/{user}/memories/{memory_id}": {"value": "Lima", "paused": True},
    "POST /v1/users/{user}/channels": {"kind": "webhook", "address": "https://evil.example/", "secret": "x" * 20},
    "PATCH /v1/users/{user}/profile": {"preferred_name": "Mallory"},
    "PATCH /v1/users/{user}/controls": {"suppressed_topics": ["POLITICS"]},
    "POST /v1/conversations/{conversation_id}/threads": {"add": [{"type": "QUEST", "text": "Find it"}]},
    "POST /v1/kernels/{name}": {"text": "hi"},
}


def ask(served: Served, api: httpx.Client, method: str, path: str, told: dict[str, Any], ids: dict[str, str]) -> Any:
    ids = {**ids, "name": "read"} if path == "/v1/kernels/{name}" else ids
    where = re.sub(r"{(\w+)}", lambda name: ids[name[1]], path)
    params = {"user": ids["user"]} if path == "/v1/import" else {}
    kinds = told.get("requestBody", {}).get("content", {})
    if not kinds:
        return api.request(method, where, params=params)
    kind, row = next(iter(kinds.items()))
    if kind != "application/json":
        content = b"PK" if kind == "application/zip" else b'{"index": 0, "speaker": "Kai", "text": "mine"}\n'
        return api.request(method, where, params=params, content=content, headers={"content-type": kind})
    body = example(served, row["schema"]) or {}
    return api.request(method, where, params=params, json={**body, **MORE.get(f"{method} {path}", {})})


def test_the_walk_meets_every_route_of_the_application(scene: Scene) -> None:
    described = {path for _, path, _ in operations(scene.served)}
    routes = {getattr(route, "path", "") for route in walk(scene.served.app.routes)}
    # The console is a file without data: tests/doors/test_console.py.
    assert routes == described | ELSEWHERE | {"/openapi.json", "/"}
    assert len(operations(scene.served)) > 45


def walk(routes: Any) -> Iterator[Any]:
    for route in routes:
        inner = getattr(getattr(route, "original_router", None), "routes", None)
        if inner is None:
            yield route
        else:
            yield from walk(inner)


def test_without_a_key_nothing_but_health_answers(scene: Scene) -> None:
    with httpx.Client(base_url=scene.served.url, headers=LIES, timeout=60) as api:
        for method, path, told in operations(scene.served):
            got = ask(scene.served, api, method, path, told, scene.anns)
            assert got.status_code == (200 if path in OPEN else 401), (method, path, got.text)
        for path in ELSEWHERE - {"/openai/v1/models"}:
            got = api.post(re.sub(r"{.*?}", "x", path), json={})
            assert got.status_code in (401, 405), path
        assert api.get("/openai/v1/models").status_code == 401


@pytest.mark.parametrize("who", ["bob", "blue", "blue ann"])
def test_with_another_users_name_in_the_path_nobody_is_there(scene: Scene, who: str) -> None:
    """Not 403: whether somebody is there is not told either. Nothing of theirs is changed."""
    before = scene.of_ann()
    assert SECRET in str(before)
    with scene.client(who, **LIES) as api:
        for method, path, told in operations(scene.served):
            if path in OPEN:
                continue
            got = ask(scene.served, api, method, path, told, scene.anns)
            where = (who, method, path, got.status_code, got.text[:300])
            assert SECRET not in got.text, where
            if path in OPERATORS:
                assert got.status_code == 403, where
            elif path in NOBODYS:
                assert got.status_code in (200, 422), where
            elif who == "bob" or "{conversation_id}" in path:
                assert got.status_code == 404, where
            else:  # a user of that name may be made in the other tenant: an empty one
                assert got.status_code in (200, 204, 404, 422), where
    assert scene.of_ann() == before


def test_with_another_users_ids_below_ones_own_name_nothing_is_found(scene: Scene) -> None:
    before = scene.of_ann()
    children = ("message_id", "memory_id", "reminder_id", "channel_id")
    with scene.client("bob", **LIES) as api:
        for method, path, told in operations(scene.served):
            taken = [name for name in children if f"{{{name}}}" in path]
            if not taken and "/transcripts/{name}/recall" not in path:
                continue
            ids = {**scene.bobs, **{name: scene.anns[name] for name in (*taken, "name")}}
            got = ask(scene.served, api, method, path, told, ids)
            assert got.status_code == 404 and SECRET not in got.text, (method, path, got.status_code, got.text[:300])
    assert scene.of_ann() == before


def test_a_users_key_lists_that_user_alone(scene: Scene) -> None:
    with scene.client("bob", **LIES) as api:
        assert api.get("/v1/users").json()["items"] == ["bob"]
        assert api.get("/v1/me").json() == {"tenant": "red", "user": "bob"}
    with scene.client("blue", **LIES) as api:
        assert api.get("/v1/me").json() == {"tenant": "blue", "user": None}


@pytest.mark.parametrize("who", ["bob", "blue", "blue ann"])
def test_the_openai_door_takes_a_header_for_no_more_than_the_key_allows(scene: Scene, who: str) -> None:
    before = scene.of_ann()
    scene.served.voice.asked.clear()
    with scene.client(who, **LIES, **{"X-Clew-Conversation": scene.anns["conversation_id"]}) as api:
        asked = [{"role": "user", "content": "where do I live?"}]
        more = {"user": "ann", "safety_identifier": "ann", "metadata": {"conversation_id": "main"}}
        answers = [
            api.post("/openai/v1/chat/completions", json={"model": "clew/friend", "messages": asked, **more}),
            api.post("/openai/v1/responses", json={"model": "clew/friend", "input": "where do I live?", **more}),
        ]
        for answer in answers:
            assert answer.status_code == 200 and SECRET not in answer.text
        goes_on = {"model": "clew/friend", "input": "and where?", "previous_response_id": scene.response}
        assert api.post("/openai/v1/responses", json=goes_on).status_code == 404
        for method in ("GET", "DELETE"):
            assert api.request(method, f"/openai/v1/responses/{scene.response}").status_code == 404
    assert SECRET not in "".join(scene.served.voice.asked)
    assert scene.of_ann() == before


@pytest.mark.parametrize("who", ["bob", "blue", "blue ann"])
def test_every_mcp_tool_and_resource_is_the_callers_own(scene: Scene, who: str) -> None:
    before = scene.of_ann()
    with scene.client(who, Accept="application/json, text/event-stream", **LIES) as api:

        def call(method: str, **params: Any) -> Any:
            body = {"jsonrpc": "2.0", "id": next(_numbers), "method": method, "params": params}
            got = api.post("/mcp", json=body)
            assert got.status_code == 200 and SECRET not in got.text, (method, params, got.text[:300])
            return got.json().get("result", {})

        tools = call("tools/list")["tools"]
        assert len(tools) > 20
        given = {
            "memory_id": scene.anns["memory_id"], "turn_id": scene.anns["message_id"], "what": scene.anns["memory_id"],
            "thread_id": "t", "message_id": scene.anns["message_id"], "source": scene.anns["message_id"],
            "conversation": scene.anns["conversation_id"], "query": "where is home?", "text": "where do I live?",
            "value": "Lima", "type": "QUEST", "decision": "to leave", "candidates": [{"id": "a", "label": "x"}],
        }  # fmt: skip
        for tool in tools:
            schema = tool["inputSchema"]
            wanted = {*schema.get("required", ()), *(set(schema["properties"]) & set(given))}
            wanted -= {"value", "type"} if tool["name"] in ("add_memory", "list_memories") else set()
            call("tools/call", name=tool["name"], arguments={k: given.get(k, []) for k in wanted})
        for uri in ("clew://memories/main", "clew://memories/ann", "memory://knowledge-graph", "clew://policy"):
            call("resources/read", uri=uri)
    assert scene.of_ann() == before


def test_nothing_of_a_secret_stands_in_the_answers_of_its_owner(scene: Scene) -> None:
    """A channel's secret goes in and never comes out, but for an export of one's own."""
    with scene.client("ann") as api:
        told = "".join(api.get(f"/v1/users/ann/{x}").text for x in ("channels", "outreach", "inbox", "memories"))
        assert f"the-long-{SECRET}-secret" not in told and SECRET in told


def test_the_database_file_holds_no_key(scene: Scene) -> None:
    data = Path(str(scene.served.parts.store.engine.url.database)).read_bytes()
    assert scene.keys and not [key for key in scene.keys if key.encode() in data]
