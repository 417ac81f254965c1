"""The MCP door, driven by the real client: in process, over standard input, over HTTP."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from mcp import Client, StdioServerParameters

from clew.adapters.store.doors import DoorTables
from clew.faces.mcp.desk import Desk, Whose
from clew.faces.mcp.server import make_server
from clew.formats.graph import read_graph, write_graph
from clew.model.canonical import iso
from tests.clients.serving import make, serving


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    parts = make(f"sqlite:///{tmp_path / 'talk.db'}")
    yield Desk(parts, DoorTables(parts.store), Whose("alex"))
    parts.store.close()


def drive(server: Any, script: Callable[[Client], Awaitable[None]], **more: Any) -> None:
    async def main() -> None:
        async with Client(server, **more) as client:
            await script(client)

    asyncio.run(main())


async def call(client: Client, tool: str, **arguments: Any) -> Any:
    answer = await client.call_tool(tool, arguments)
    assert not answer.is_error, answer.content
    found = answer.structured_content
    return found["result"] if found is not None and set(found) == {"result"} else found


TOOLS = {
    "search_memories", "list_memories", "get_memory", "get_context", "add_memory", "update_memory", "forget", "undo",
    "list_episodes", "list_decisions", "record_decision", "take_turn", "explain", "ground", "list_threads", "open_thread", "resolve_thread",
}  # fmt: skip


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_an_agent_remembers_finds_corrects_and_forgets(desk: Desk, mode: Any) -> None:
    async def script(client: Client) -> None:
        tools = {t.name: t for t in (await client.list_tools()).tools}
        assert set(tools) == TOOLS
        assert tools["forget"].annotations.destructive_hint and tools["search_memories"].annotations.read_only_hint
        added = await call(client, "add_memory", text="I live in Lisbon and I love ramen", source="m1")
        assert added["event"] == "ADDED"
        assert {c["key"] for c in added["changes"]} >= {"fact:current_city", "pref:food:ramen"}
        again = await call(client, "add_memory", text="I live in Lisbon and I love ramen", source="m1")
        assert again["event"] == "NOTED"
        moved = await call(client, "add_memory", text="actually I moved to Porto")
        assert moved["event"] == "SUPERSEDED"
        hits = await call(client, "search_memories", query="which city?", limit=3)
        assert "Porto" in " ".join(h["text"] for h in hits) and "Lisbon" not in " ".join(h["text"] for h in hits)
        page = await call(client, "list_memories", limit=1)
        assert len(page["memories"]) == 1 and page["next_cursor"]
        rest = await call(client, "list_memories", limit=20, cursor=page["next_cursor"])
        assert page["memories"][0]["id"] not in {m["id"] for m in rest["memories"]} and rest["next_cursor"] is None
        assert {m["key"] for m in (*page["memories"], *rest["memories"])} >= {"fact:current_city", "pref:food:ramen"}
        city = next(
            c["id"] for c in moved["changes"] if (c["kind"], c["key"]) == ("created", "fact:current_city")
        )
        one = await call(client, "get_memory", memory_id=city)
        assert [v["value"] for v in one["history"]] == ["Lisbon", "Porto"] and one["sources"]
        edited = await call(client, "update_memory", memory_id=city, value="Rome")
        assert edited["value"] == "Rome"
        block = await call(client, "get_context", query="food")
        assert '"you" is the user' in block and any("ramen" in x for x in block.splitlines() if x.startswith("{"))
        assert (await call(client, "forget", what="ramen"))[0]["kind"] == "invalidated"
        assert (await call(client, "undo"))[0]["kind"] == "restored"
        assert await call(client, "explain", turn_id=added["message_id"])

    drive(make_server(desk), script, mode=mode)


def test_turns_threads_and_grounding(desk: Desk) -> None:
    async def script(client: Client) -> None:
        turn = await call(client, "take_turn", text="I love ramen", message_id="t1")
        assert turn["reply"] and (await call(client, "take_turn", text="I love ramen", message_id="t1"))["replayed"]
        opened = await call(client, "open_thread", type="QUEST", text="Find the lost key")
        assert (await call(client, "list_threads"))[0]["text"] == "Find the lost key"
        assert (await call(client, "resolve_thread", thread_id=opened["added"][0]))["resolved"] == opened["added"]
        shown = [{"id": "a", "label": "report.pdf"}, {"id": "b", "label": "notes.txt"}]
        assert (await call(client, "ground", text="the second one", candidates=shown))["choice_id"] == "b"
        resources = {str(r.uri) for r in (await client.list_resources()).resources}
        assert "clew://policy" in resources
        held = json.loads((await client.read_resource("clew://memories/main")).contents[0].text)
        assert held[0]["key"] == "pref:food:ramen"
        assert {p.name for p in (await client.list_prompts()).prompts} == {"remember_this", "session_recap"}

    drive(make_server(desk), script)


def test_a_field_that_no_tool_has_is_refused_by_its_name(desk: Desk) -> None:
    async def script(client: Client) -> None:
        answer = await client.call_tool("add_memory", {"content": "I live in Leeds", "user_id": "somebody"})
        assert answer.is_error and "user_id" in answer.content[0].text
        held = await client.call_tool("list_memories", {})
        assert "Leeds" not in held.content[0].text

    drive(make_server(desk), script)


def test_a_failure_tells_the_model_its_code(desk: Desk) -> None:
    async def script(client: Client) -> None:
        for tool, arguments, code in (
            ("get_memory", {"memory_id": "none"}, "not_found"),
            ("add_memory", {}, "invalid_input"),
            ("add_memory", {"key": "nonsense", "value": "x"}, "invalid_input"),
            ("open_thread", {"type": "LOVE", "text": "x"}, "invalid_input"),
        ):
            answer = await client.call_tool(tool, arguments)
            assert answer.is_error and f"{code}: " in answer.content[0].text

    drive(make_server(desk), script)


# -- the reference server -------------------------------------------------------------------------

ANN = {"name": "Ann", "entityType": "person", "observations": ["likes tea"]}
BOB = {"name": "Bob", "entityType": "person", "observations": []}
KNOWS = {"from": "Ann", "to": "Bob", "relationType": "knows"}
SCRIPT: list[tuple[str, dict[str, Any]]] = [
    ("read_graph", {}),
    ("create_entities", {"entities": [ANN, BOB]}),
    ("create_entities", {"entities": [ANN]}),
    ("create_relations", {"relations": [KNOWS, {**KNOWS, "relationType": "pays"}]}),
    ("create_relations", {"relations": [KNOWS]}),
    ("add_observations", {"observations": [{"entityName": "Bob", "contents": ["sails", "likes tea"]}]}),
    ("add_observations", {"observations": [{"entityName": "Bob", "contents": ["sails", "sings"]}]}),
    ("add_observations", {"observations": [{"entityName": "Nobody", "contents": ["x"]}]}),
    ("search_nodes", {"query": "TEA"}),
    ("search_nodes", {"query": "sail"}),
    ("open_nodes", {"names": ["Ann", "Nobody"]}),
    ("delete_observations", {"deletions": [{"entityName": "Bob", "observations": ["sails"]}]}),
    ("delete_observations", {"deletions": [{"entityName": "Nobody", "observations": ["sails"]}]}),
    ("delete_relations", {"relations": [{**KNOWS, "relationType": "pays"}]}),
    ("read_graph", {}),
    ("delete_entities", {"entityNames": ["Ann", "Nobody"]}),
    ("read_graph", {}),
]
NINE = sorted({tool for tool, _ in SCRIPT})


async def played(client: Client) -> list[Any]:
    out: list[Any] = []
    for tool, arguments in SCRIPT:
        answer = await client.call_tool(tool, arguments)
        out.append("error" if answer.is_error else answer.structured_content)
    return out


def test_the_nine_tools_of_the_reference_server(desk: Desk) -> None:
    async def script(client: Client) -> None:
        tools = {t.name for t in (await client.list_tools()).tools}
        assert set(NINE) <= tools and len(NINE) == 9
        answers = await played(client)
        done = {"success": True, "message": "Observations deleted successfully"}
        assert answers[0] == {"entities": [], "relations": []}
        assert answers[2] == {"entities": []} and answers[4] == {"relations": []}
        assert answers[6] == {"results": [{"entityName": "Bob", "addedObservations": ["sings"]}]}
        assert answers[7] == "error" and answers[12] == done
        assert [e["name"] for e in answers[8]["entities"]] == ["Ann", "Bob"] and len(answers[10]["relations"]) == 2
        assert answers[16] == {
            "entities": [{"name": "Bob", "entityType": "person", "observations": ["likes tea", "sings"]}],
            "relations": [],
        }

    drive(make_server(desk, graph_tools=True), script)


@pytest.mark.skipif("CLEW_REFERENCE_MEMORY" not in os.environ, reason="names the reference server's index.js")
def test_the_reference_server_answers_the_same(desk: Desk, tmp_path: Path) -> None:
    answers: list[list[Any]] = []

    async def script(client: Client) -> None:
        answers.append(await played(client))

    drive(make_server(desk, graph_tools=True), script)
    environment = {"MEMORY_FILE_PATH": str(tmp_path / "memory.jsonl"), "PATH": os.environ["PATH"]}
    drive(
        StdioServerParameters(command="node", args=[os.environ["CLEW_REFERENCE_MEMORY"]], env=environment),
        script,
        mode="legacy",
    )
    assert answers[0] == answers[1]


def test_its_file_comes_in_and_goes_out_unchanged() -> None:
    lines = "\n".join(
        json.dumps(x, separators=(",", ":"))
        for x in ({"type": "entity", **ANN}, {"type": "entity", **BOB}, {"type": "relation", **KNOWS})
    )
    assert write_graph(read_graph(lines)) == lines
    with pytest.raises(Exception, match="line 2"):
        read_graph(lines.splitlines()[0] + "\n{")


# -- transports -----------------------------------------------------------------------------------


def test_over_standard_input_one_line_of_configuration_is_enough(tmp_path: Path) -> None:
    file = tmp_path / "memory.jsonl"
    file.write_text(json.dumps({"type": "entity", **ANN}), encoding="utf-8")
    clew = str(Path(sys.executable).parent / "clew")
    db = f"sqlite:///{tmp_path / 'talk.db'}"

    async def script(client: Client) -> None:
        assert (await call(client, "add_memory", text="I live in Lisbon"))["event"] == "ADDED"
        assert (await call(client, "list_memories"))["memories"][0]["value"] == "Lisbon"

    server = StdioServerParameters(command=clew, args=["mcp", "--db", db, "--no-embed"])
    drive(server, script)


def test_over_http_every_request_says_who_calls(tmp_path: Path) -> None:
    with serving(tmp_path / "talk.db", needs_key=True) as served:
        tables, at = served.app.state.desk.tables, iso(served.parts.clock.now())
        keys = {user: tables.make_key(user, "t", user, at)[1] for user in ("ann", "bob")}
        assert httpx.post(f"{served.url}/mcp", json={}).status_code == 401

        def request(key: str, method: str, number: int = 1, **params: Any) -> Any:
            body = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
            headers = {"Authorization": f"Bearer {key}", "Accept": "application/json, text/event-stream"}
            return httpx.post(f"{served.url}/mcp", json=body, headers=headers, timeout=10).json()

        for user, text in (("ann", "I live in Lisbon"), ("bob", "I live in Oslo")):
            request(keys[user], "tools/call", name="add_memory", arguments={"text": text})
        for user, city in (("ann", "Lisbon"), ("bob", "Oslo")):
            answer = request(keys[user], "tools/call", name="list_memories", arguments={})
            assert [m["value"] for m in answer["result"]["structuredContent"]["memories"]] == [city]


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_over_http_the_real_client_works(tmp_path: Path, mode: Any) -> None:
    async def script(client: Client) -> None:
        assert (await call(client, "add_memory", text="I live in Lisbon"))["event"] == "ADDED"
        assert set(NINE) <= {t.name for t in (await client.list_tools()).tools}

    with serving(tmp_path / "talk.db") as served:
        drive(f"{served.url}/mcp", script, mode=mode)
