"""Erasing in tables and journal. The journal keeps digests, so that its chain still holds, and nothing else."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import sqlalchemy as sa

from clew.adapters.store import chain
from clew.adapters.store import tables as t
from clew.model.canonical import canonical_json, iso
from clew.model.event import Event

GONE = "[erased]"
_BATCH = 500


def hollow_journal(connection: sa.Connection, user_id: str, tombstone: Event) -> tuple[Event, int]:
    """Empty every entry of the user; the tombstone that must follow, in the same chain, and how many there were."""
    j, heads = t.JOURNAL, t.JOURNAL_HEADS
    owner, again = tombstone.user_id, 1
    while connection.execute(sa.select(heads).where(heads.c.user_id == owner)).first() is not None:
        again += 1  # the same person may have been here, and erased, before
        owner = f"{tombstone.user_id}.{again}"
    emptied = {**chain.hollow(iso(tombstone.at)), "user_id": owner}
    count = connection.execute(sa.update(j).where(j.c.user_id == user_id).values(**emptied)).rowcount
    connection.execute(sa.update(heads).where(heads.c.user_id == user_id).values(user_id=owner))
    return replace(tombstone, user_id=owner, note={**tombstone.note, "erased_until": count}), count


def redact_memory(
    connection: sa.Connection, user_id: str, memory: Mapping[str, Any], tombstone: Event
) -> tuple[Event, dict[str, int]]:
    """Take one memory out of the journal, and its value out of every trace of the user."""
    found = telling(memory)
    traces = 0
    for row in connection.execute(sa.select(t.TRACES).where(t.TRACES.c.user_id == user_id)).all():
        body = redacted_text(row.body, found)
        if body != row.body:
            traces += 1
            same = t.TRACES.c.message_id == row.message_id
            connection.execute(sa.update(t.TRACES).where(same).values(body=body))
    replaced: dict[str, str] = {}
    j = t.JOURNAL
    for row in connection.execute(sa.select(j).where(j.c.user_id == user_id).order_by(j.c.seq)).all():
        old = dict(row._mapping)
        kept = [_change(c, memory["memory_id"], found) for c in json.loads(old["changes"])]
        new = {
            **old,
            "changes": canonical_json([c for c in kept if c is not None]),
            "note": old["note"] if old["kind"] == "reply.written" else redacted_text(old["note"], found),
        }
        if (new["changes"], new["note"]) == (old["changes"], old["note"]):
            continue
        salt, digest = chain.resalted(new)
        values = {"changes": new["changes"], "note": new["note"], "salt": salt}
        connection.execute(sa.update(j).where(j.c.seq == old["seq"]).values(**values))
        replaced[str(old["number"])] = digest
    said = replace(tombstone, note={**tombstone.note, "replaced": replaced})
    return said, {"journal": len(replaced), "traces": traces}


def telling(memory: Mapping[str, Any]) -> re.Pattern[str] | None:
    """What gives the value away: itself, and the key or statement that is made of it. Whole words only."""
    value = str(memory["memory_value"]).partition("|")[2] or str(memory["memory_value"])
    item = str(memory["memory_key"]).rpartition(":")[2]
    words = {value, value.replace(" ", "_"), *filter(None, [memory.get("statement")])}
    if not str(memory["memory_key"]).startswith("fact:"):
        words |= {item, item.replace("_", " ")}
    words = {w for w in words if w.strip()}
    # Korean particles are written on to the word, so that only Latin words end where letters end.
    whole = (
        rf"(?<!\w){re.escape(w)}(?!\w)" if w.isascii() else re.escape(w) for w in sorted(words, key=len)[::-1]
    )
    return re.compile("|".join(whole), re.IGNORECASE) if words else None


def redacted_text(text: str, found: re.Pattern[str] | None) -> str:
    """JSON text with every value that quotes the memory made unreadable; the names of fields stay."""
    if found is None:
        return text
    return canonical_json(_redacted(json.loads(text), found))


def _redacted(value: Any, found: re.Pattern[str]) -> Any:
    if isinstance(value, str):
        return found.sub(GONE, value)
    if isinstance(value, list):
        return [_redacted(v, found) for v in value]
    if isinstance(value, dict):
        return {k: _redacted(v, found) for k, v in value.items()}
    return value


def _change(change: dict[str, Any], memory_id: str, found: re.Pattern[str] | None) -> dict[str, Any] | None:
    """None where the change is this memory; a trace without its value; anything else as it is."""
    row = change.get("put") or change.get("add") or {}
    if change["table"] == "memories" and row.get("memory_id") == memory_id:
        return None
    if change["table"] == "traces" and "body" in row:
        verb = "put" if "put" in change else "add"
        return {**change, verb: {**row, "body": redacted_text(row["body"], found)}}
    return change
