"""Reading other programs' exports; which one it is, is told by its structure, never by its name."""

from __future__ import annotations

import io
import json
import sqlite3
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from clew.errors import InvalidInput
from clew.formats.chat.first_person import as_said

MOST_BYTES = 500_000_000
_SQLITE = b"SQLite format 3\x00"


@dataclass(frozen=True, slots=True)
class ChatLine:
    id: str
    role: Literal["user", "assistant"]
    text: str
    at: datetime | None = None
    # Whose memory it is, where the export names one.
    user: str | None = None


@dataclass(frozen=True, slots=True)
class Exported:
    format: str
    conversation: str
    said: tuple[ChatLine, ...]


def read_chats(data: bytes) -> list[Exported]:
    if len(data) > MOST_BYTES:
        raise InvalidInput(f"{len(data):,} bytes; at most {MOST_BYTES:,} are read", pointer="/")
    if data.startswith(b"PK"):
        data = _unpacked(data)
    if data.startswith(_SQLITE):
        return [_chroma(data)]
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as why:
        raise InvalidInput(f"not UTF-8 at byte {why.start}", pointer="/") from None
    try:
        document = json.loads(text)
    except RecursionError as why:
        raise InvalidInput(f"too deeply nested: {why}", pointer="/") from None
    except ValueError:
        return [_sillytavern(text)]
    for name, fits, read in _KINDS:
        if fits(document):
            try:
                return [e for e in read(document) if e.said]
            except (KeyError, TypeError, AttributeError, ValueError) as why:
                raise InvalidInput(f"a {name} export that cannot be read: {why!r}", pointer="/") from None
    raise InvalidInput("not an export of ChatGPT, Claude, SillyTavern, mem0 or Chroma", pointer="/")


def _unpacked(data: bytes) -> bytes:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive, archive.open("conversations.json") as member:
            found = member.read(MOST_BYTES + 1)
    except (zipfile.BadZipFile, KeyError, NotImplementedError, RuntimeError) as why:
        raise InvalidInput(f"no conversations.json in this file: {why}", pointer="/") from None
    if len(found) > MOST_BYTES:
        raise InvalidInput(f"conversations.json unpacks to more than {MOST_BYTES:,} bytes", pointer="/")
    return found


def _rows(document: Any) -> list[Any]:
    return document if isinstance(document, list) else [document]


def _is_chatgpt(document: Any) -> bool:
    return any(isinstance(c, Mapping) and isinstance(c.get("mapping"), Mapping) for c in _rows(document))


def _chatgpt(document: Any) -> Iterator[Exported]:
    """A tree of messages; the talk as it was shown is the path from the current one up to the root."""
    for n, chat in enumerate(_rows(document)):
        nodes = chat["mapping"]
        at, path, seen = chat.get("current_node") or _leaf(nodes), [], set()
        while at in nodes and at not in seen:
            seen.add(at)
            path.append(nodes[at])
            at = nodes[at].get("parent")
        said: list[Any] = []
        for node in reversed(path):
            message = node.get("message") or {}
            role = (message.get("author") or {}).get("role")
            parts = (message.get("content") or {}).get("parts") or ()
            text = "\n".join(p for p in parts if isinstance(p, str)).strip()
            if role in ("user", "assistant") and text:
                at = _seconds(message.get("create_time"))
                said.append(ChatLine(str(message.get("id", len(said))), role, text, at))
        yield Exported("chatgpt", str(chat.get("conversation_id") or chat.get("id") or n), tuple(said))


def _leaf(nodes: Mapping[str, Any]) -> str | None:
    return next((k for k in reversed(list(nodes)) if not nodes[k].get("children")), None)


def _is_claude(document: Any) -> bool:
    return any(isinstance(c, Mapping) and isinstance(c.get("chat_messages"), list) for c in _rows(document))


def _claude(document: Any) -> Iterator[Exported]:
    for n, chat in enumerate(_rows(document)):
        said: list[Any] = []
        for m in chat["chat_messages"]:
            blocks = m.get("content") if isinstance(m.get("content"), list) else ()
            text = m.get("text") or "\n".join(b.get("text", "") for b in blocks if b.get("type") == "text")
            role: Literal["user", "assistant"] = "user" if m.get("sender") == "human" else "assistant"
            if text.strip():
                said.append(ChatLine(str(m.get("uuid", len(said))), role, text.strip(), _iso(m.get("created_at"))))
        yield Exported("claude", str(chat.get("uuid", n)), tuple(said))


def _is_mem0(document: Any) -> bool:
    rows = document.get("results") if isinstance(document, Mapping) else document
    return isinstance(rows, list) and any(isinstance(r, Mapping) and isinstance(r.get("memory"), str) for r in rows)


def _mem0(document: Any) -> Iterator[Exported]:
    rows = document["results"] if isinstance(document, Mapping) else document
    said = [
        ChatLine(str(r.get("id", n)), "user", as_said(r["memory"].strip()), _iso(r.get("created_at")), r.get("user_id"))
        for n, r in enumerate(rows)
        if isinstance(r, Mapping) and isinstance(r.get("memory"), str) and r["memory"].strip()
    ]
    yield Exported("mem0", "mem0", tuple(said))


_KINDS: tuple[tuple[str, Callable[[Any], bool], Callable[[Any], Iterator[Exported]]], ...] = (
    ("ChatGPT", _is_chatgpt, _chatgpt),
    ("Claude", _is_claude, _claude),
    ("mem0", _is_mem0, _mem0),
)


def _sillytavern(text: str) -> Exported:
    """JSON Lines: a header, then messages; the swipe that is shown counts."""
    rows: list[Any] = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            try:
                rows.append(json.loads(line))
            except (ValueError, RecursionError) as why:
                raise InvalidInput(f"line {number} is not JSON: {why}", pointer=f"/{number}") from None
    if not rows or not isinstance(rows[0], Mapping) or not {"user_name", "character_name"} & set(rows[0]):
        raise InvalidInput("not an export of ChatGPT, Claude, SillyTavern, mem0 or Chroma", pointer="/")
    head, said = rows[0], []
    for n, row in enumerate(rows[1:]):
        if not isinstance(row, Mapping) or row.get("is_system") is True or not str(row.get("mes", "")).strip():
            continue
        role: Literal["user", "assistant"] = "user" if row.get("is_user") is True else "assistant"
        said.append(ChatLine(str(n), role, str(row["mes"]).strip(), _iso(row.get("send_date"))))
    name = f"{head.get('character_name', '')} {head.get('create_date', '')}".strip()
    return Exported("sillytavern", name, tuple(said))


def _chroma(data: bytes) -> Exported:
    """The documents of a Chroma folder's chroma.sqlite3, read-only, from a copy."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "chroma.sqlite3"
        path.write_bytes(data)
        connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        try:
            rows = connection.execute(
                "SELECT id, string_value FROM embedding_metadata WHERE key = 'chroma:document' ORDER BY id"
            ).fetchall()
        except sqlite3.Error as why:
            raise InvalidInput(f"not a Chroma store: {why}", pointer="/") from None
        finally:
            connection.close()
    said = tuple(ChatLine(str(i), "user", text.strip()) for i, text in rows if isinstance(text, str) and text.strip())
    return Exported("chroma", "chroma", said)


def _seconds(value: Any) -> datetime | None:
    try:
        return datetime.fromtimestamp(float(value), UTC) if value is not None else None
    except (ValueError, OverflowError, OSError, TypeError):
        return None


def _iso(value: Any) -> datetime | None:
    try:
        at = datetime.fromisoformat(str(value))
    except ValueError:
        return None
    return at if at.tzinfo else at.replace(tzinfo=UTC)
