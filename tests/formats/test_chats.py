"""Exports of other programs."""

from __future__ import annotations

import io
import json
import sqlite3
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import clew
from clew.errors import InvalidInput
from clew.formats.chat import read_chats
from clew.formats.chat.first_person import as_said


def gpt_node(name: str, parent: str | None, role: str, text: str) -> dict[str, object]:
    message = {"id": name, "author": {"role": role}, "content": {"parts": [text]}, "create_time": 1_770_000_000.5}
    return {"id": name, "parent": parent, "children": [], "message": message}


CHATGPT = [
    {
        "id": "c1",
        "current_node": "d",
        "mapping": {
            "root": {"id": "root", "parent": None, "children": ["a"], "message": None},
            "a": gpt_node("a", "root", "user", "I live in Lisbon"),
            "b": gpt_node("b", "a", "assistant", "dropped"),
            "c": gpt_node("c", "a", "assistant", "Nice."),
            "d": gpt_node("d", "c", "user", "I love ramen"),
        },
    }
]
CLAUDE = [
    {
        "uuid": "u1",
        "chat_messages": [
            {"uuid": "1", "sender": "human", "text": "I live in Lisbon", "created_at": "2026-01-02T03:04:05Z"},
            {"uuid": "2", "sender": "assistant", "content": [{"type": "text", "text": "Nice."}]},
            {"uuid": "3", "sender": "human", "text": "I love ramen"},
        ],
    }
]
MEM0 = {
    "results": [
        {"id": "1", "memory": "I live in Lisbon", "user_id": "kim", "created_at": "2026-01-02T03:04:05+00:00"},
        {"id": "2", "memory": "I love ramen", "user_id": "kim"},
    ]
}
TAVERN = "\n".join(
    json.dumps(x)
    for x in (
        {"user_name": "You", "character_name": "Mira", "create_date": "2026-01-02", "chat_metadata": {}},
        {"name": "Mira", "is_user": False, "mes": "Hello!", "send_date": "2026-01-02T03:04:05Z"},
        {"name": "You", "is_user": True, "mes": "I live in Lisbon", "send_date": "2026-01-02T03:04:06Z"},
        {"name": "Mira", "is_user": False, "mes": "Nice.", "swipes": ["Nice.", "Oh."], "swipe_id": 0},
        {"name": "You", "is_user": True, "mes": "I love ramen"},
        {"name": "System", "is_system": True, "mes": "I hate tea"},
    )
)


def chroma(path: Path) -> bytes:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE embedding_metadata (id INTEGER, key TEXT, string_value TEXT)")
    rows = [(1, "chroma:document", "I live in Lisbon"), (1, "user", "kim"), (2, "chroma:document", "I love ramen")]
    connection.executemany("INSERT INTO embedding_metadata VALUES (?, ?, ?)", rows)
    connection.commit()
    connection.close()
    return path.read_bytes()


def zipped(document: object) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("conversations.json", json.dumps(document))
    return out.getvalue()


@pytest.fixture(params=["chatgpt", "chatgpt zip", "claude", "mem0", "sillytavern", "chroma"])
def export(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, bytes]:
    made = {
        "chatgpt": lambda: json.dumps(CHATGPT).encode(),
        "chatgpt zip": lambda: zipped(CHATGPT),
        "claude": lambda: json.dumps(CLAUDE).encode(),
        "mem0": lambda: json.dumps(MEM0).encode(),
        "sillytavern": lambda: TAVERN.encode(),
        "chroma": lambda: chroma(tmp_path / "chroma.sqlite3"),
    }
    return request.param.split()[0], made[request.param]()


def test_each_export_is_known_by_its_structure_and_learned_once(export: tuple[str, bytes], tmp_path: Path) -> None:
    kind, data = export
    (chat,) = read_chats(data)
    assert chat.format == kind
    assert [s.text for s in chat.said if s.role == "user"] == ["I live in Lisbon", "I love ramen"]
    assert "dropped" not in [s.text for s in chat.said]
    file = tmp_path / "export"
    file.write_bytes(data)
    user = "kim" if kind == "mem0" else "me"
    with clew.Memory(tmp_path / "talk.db", embedder=False) as memory:
        assert memory.import_(file)["memories"] == 2
        assert memory.import_(file)["memories"] == 0
        assert [m.key for m in memory.all(user=user)] == ["fact:current_city", "pref:food:ramen"]
        entries = memory.lorebook(user=user)["data"]["entries"]
        assert entries[0]["comment"] == "fact:current_city" and "Lisbon" in entries[0]["keys"]
        assert entries[0]["extensions"]["clew"]["memory_id"] == memory.all(user=user)[0].id


@pytest.mark.parametrize(
    ("noted", "said"),
    [
        ("User lives in Lisbon", "I live in Lisbon"), ("Lives in Lisbon", "I live in Lisbon"), ("Name is Alex", "My name is Alex"),
        ("The user's sister is called Mina", "My sister is called Mina"), ("Is allergic to peanuts", "I am allergic to peanuts"),
        ("Has a dog", "I have a dog"), ("Studies law", "I study law"), ("Watches birds", "I watch birds"),
        ("User doesn't drink coffee", "I don't drink coffee"), ("I live in Lisbon", "I live in Lisbon"), ("", ""),
        ("Its colour is red", "Its colour is red"), ("리스본에 살아요", "리스본에 살아요"), ("Business trip on Monday", "Business trip on Monday"),
    ],
)  # fmt: skip
def test_a_fact_that_was_noted_is_learned_as_the_user_would_say_it(noted: str, said: str) -> None:
    assert as_said(noted) == said


def test_what_mem0_really_keeps_becomes_memories(tmp_path: Path) -> None:
    facts = ("Name is Alex", "Lives in Lisbon", "User is allergic to peanuts", "Loves ramen")
    rows = [{"id": str(n), "memory": fact, "user_id": "kim", "metadata": None} for n, fact in enumerate(facts)]
    file = tmp_path / "mem0.json"
    file.write_text(json.dumps({"results": rows}), encoding="utf-8")
    with clew.Memory(tmp_path / "talk.db", embedder=False) as memory:
        memory.import_(file)
        values = {m.value for m in memory.all(user="kim")}
    assert {"Alex", "Lisbon"} <= values and any("peanut" in v for v in values) and any("ramen" in v for v in values)


@pytest.mark.parametrize(
    "data", [b"", b"{}", b"[]", b"\xff", b"hello", b"SQLite format 3\x00" + b"x" * 99, b"PK\x03\x04",
             b'[{"mapping": {"a": 3}}]', b'[{"chat_messages": [3]}]', b"[" * 100_000],
)  # fmt: skip
def test_what_is_no_export_is_refused(data: bytes) -> None:
    with pytest.raises(InvalidInput):
        read_chats(data)


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.recursive(st.none() | st.text(max_size=5), lambda c: st.lists(c) | st.dictionaries(
    st.sampled_from(["mapping", "chat_messages", "results", "memory", "message", "parent", "sender", "text"]), c)))
def test_any_json_is_an_export_or_refused(document: object) -> None:
    with suppress(InvalidInput):
        read_chats(json.dumps(document).encode())
