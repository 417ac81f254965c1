"""Lorebooks in and out. What is not understood stands in `raw` and goes out as it came."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from clew.errors import InvalidInput
from clew.model.key import last_words
from clew.model.memory import MemoryRecord
from clew.model.plan import Snippet

MOST_ENTRIES = 10_000
Shape = Literal["v3", "book", "world_info"]
_DECORATOR = re.compile(r"@@@?([a-z_]+)(?: (.*))?$")


@dataclass(frozen=True, slots=True)
class Entry:
    id: str
    keys: tuple[str, ...]
    content: str
    enabled: bool = True
    constant: bool = False
    selective: bool = False
    secondary: tuple[str, ...] = ()
    order: int = 0
    priority: int | None = None
    use_regex: bool = False
    case_sensitive: bool = False
    decorators: tuple[tuple[str, str], ...] = ()
    raw: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Lorebook:
    shape: Shape
    entries: tuple[Entry, ...]
    scan_depth: int | None = None
    token_budget: int | None = None
    recursive: bool = False
    raw: Mapping[str, Any] = field(default_factory=dict)


def read_lorebook(document: Mapping[str, Any] | bytes | str) -> Lorebook:
    if not isinstance(document, Mapping):
        try:
            document = json.loads(document)
        except (ValueError, RecursionError) as why:
            raise InvalidInput(f"the lorebook is not JSON: {why}", pointer="/") from None
    if not isinstance(document, Mapping):
        raise InvalidInput("a lorebook is a JSON object", pointer="/")
    shape: Shape = "book"
    book: Any = document
    if document.get("spec") == "lorebook_v3":
        shape, book = "v3", document.get("data")
    elif isinstance(document.get("entries"), Mapping):
        shape = "world_info"
    entries = book.get("entries") if isinstance(book, Mapping) else None
    rows = list(entries.values()) if isinstance(entries, Mapping) else entries
    if not isinstance(rows, list) or len(rows) > MOST_ENTRIES:
        raise InvalidInput(f"a lorebook has at most {MOST_ENTRIES:,} entries", pointer="/entries")
    read = _world_info if shape == "world_info" else _entry
    return Lorebook(
        shape=shape,
        entries=tuple(read(n, row) for n, row in enumerate(rows)),
        scan_depth=_number(book.get("scan_depth")),
        token_budget=_number(book.get("token_budget")),
        recursive=book.get("recursive_scanning") is True,
        raw=dict(document),
    )


def _entry(number: int, row: Any) -> Entry:
    if not isinstance(row, Mapping):
        raise InvalidInput("an entry is an object", pointer=f"/entries/{number}")
    decorators, content = _decorated(str(row.get("content", "")))
    return Entry(
        id=str(row.get("id", number)),
        keys=_texts(row.get("keys")),
        content=content,
        enabled=row.get("enabled", True) is not False,
        constant=row.get("constant") is True,
        selective=row.get("selective") is True,
        secondary=_texts(row.get("secondary_keys")),
        order=_number(row.get("insertion_order")) or 0,
        priority=_number(row.get("priority")),
        use_regex=row.get("use_regex") is True,
        case_sensitive=row.get("case_sensitive") is True,
        decorators=decorators,
        raw=dict(row),
    )


def _world_info(number: int, row: Any) -> Entry:
    """SillyTavern's own file: other names for the same things; a key between slashes is an expression."""
    if not isinstance(row, Mapping):
        raise InvalidInput("an entry is an object", pointer=f"/entries/{number}")
    keys = _texts(row.get("key"))
    decorators, content = _decorated(str(row.get("content", "")))
    return Entry(
        id=str(row.get("uid", number)),
        keys=tuple(k[1 : k.rindex("/")] if _slashed(k) else k for k in keys),
        content=content,
        enabled=row.get("disable") is not True,
        constant=row.get("constant") is True,
        selective=row.get("selective") is True and bool(row.get("keysecondary")),
        secondary=_texts(row.get("keysecondary")),
        order=_number(row.get("order")) or 0,
        use_regex=any(_slashed(k) for k in keys),
        case_sensitive=row.get("caseSensitive") is True,
        decorators=decorators,
        raw=dict(row),
    )


def _slashed(key: str) -> bool:
    return len(key) > 2 and key.startswith("/") and key.rindex("/") > 0


def write_lorebook(book: Lorebook) -> dict[str, Any]:
    """As it came, every field included."""
    rows = [dict(e.raw) for e in book.entries]
    if book.shape == "world_info":
        return {**book.raw, "entries": dict(zip(book.raw["entries"], rows, strict=True))}
    if book.shape == "v3":
        return {**book.raw, "data": {**book.raw["data"], "entries": rows}}
    return {**book.raw, "entries": rows}


def of_memories(records: Iterable[MemoryRecord], sentences: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Memories as a stand-alone lorebook: called up by the words of their values and keys."""
    entries = []
    for number, record in enumerate(sorted(records, key=lambda m: (m.created_at, m.memory_id))):
        words = Snippet.of(record).words
        name = last_words(record.memory_key)
        keys = list(dict.fromkeys(k for k in (words, name) if k))
        text = (sentences or {}).get(record.memory_id) or f"{name}: {words}"
        entries.append(
            {
                "keys": keys,
                "content": text,
                "extensions": {"clew": {"memory_id": record.memory_id}},
                "enabled": not record.paused,
                "insertion_order": number,
                "use_regex": False,
                "comment": record.memory_key,
                "name": record.memory_key,
                "id": number,
            }
        )
    return {"spec": "lorebook_v3", "data": {"entries": entries, "extensions": {}}}


def _decorated(content: str) -> tuple[tuple[tuple[str, str], ...], str]:
    lines = content.split("\n")
    found = []
    while lines and (at := _DECORATOR.match(lines[0].strip())):
        found.append((at.group(1), at.group(2) or ""))
        lines.pop(0)
    return tuple(found), "\n".join(lines)


def _texts(value: Any) -> tuple[str, ...]:
    return tuple(str(v) for v in value if str(v).strip()) if isinstance(value, list) else ()


def _number(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None
