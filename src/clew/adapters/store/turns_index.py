"""Tables of searchable conversations, for both databases: turns are the truth, vectors are derived.

The turns of a transcript stand here; those of a chat are its messages, where the store keeps them.
Postings are built from the turns in memory (design: full text in one place only), so there is
no second copy of the words that an erasure could forget.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Column, Integer, LargeBinary, MetaData, Table, Text

from clew.adapters.store.tables import CONVERSATIONS, MESSAGES
from clew.errors import StoreCorrupt
from clew.model.canonical import canonical_json
from clew.model.transcript import Line
from clew.ports.index import StoredTurn, TurnVectors

INDEX_METADATA = MetaData()

TURNS = Table(
    "recall_turns",
    INDEX_METADATA,
    Column("conversation", Text, primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("turn_id", Text, nullable=True),
    Column("line_index", Integer, nullable=False),
    Column("speaker", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("at", Text, nullable=True),
)
# Whose transcript it is; one without an owner is found by its name alone.
OWNERS = Table(
    "recall_owners",
    INDEX_METADATA,
    Column("conversation", Text, primary_key=True),
    Column("owner", Text, nullable=False, index=True),
)
VECTORS = Table(
    "recall_vectors",
    INDEX_METADATA,
    Column("conversation", Text, primary_key=True),
    Column("space", Text, primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("digest", Text, nullable=False),
    Column("vectors", LargeBinary, nullable=False),
)
WORDS = Table(
    "recall_words",
    INDEX_METADATA,
    Column("conversation", Text, primary_key=True),
    Column("space", Text, primary_key=True),
    Column("batch", Integer, primary_key=True),
    Column("words", Text, nullable=False),
    Column("vectors", LargeBinary, nullable=False),
)


def create(connection: sa.Connection) -> None:
    INDEX_METADATA.create_all(connection, checkfirst=True)


def is_chat(connection: sa.Connection, conversation: str) -> bool:
    query = sa.select(CONVERSATIONS.c.conversation_id).where(CONVERSATIONS.c.conversation_id == conversation)
    return connection.execute(query).first() is not None


def owned(connection: sa.Connection, owner: str) -> list[str]:
    query = sa.select(OWNERS.c.conversation).where(OWNERS.c.owner == owner)
    return sorted(connection.execute(query).scalars())


def write_owner(connection: sa.Connection, conversation: str, owner: str) -> None:
    connection.execute(sa.delete(OWNERS).where(OWNERS.c.conversation == conversation))
    connection.execute(sa.insert(OWNERS), {"conversation": conversation, "owner": owner})


def size(connection: sa.Connection, conversation: str) -> int:
    """Positions are never given up, so the last one tells how many there are."""
    last = connection.execute(
        sa.select(sa.func.max(TURNS.c.position)).where(TURNS.c.conversation == conversation)
    ).scalar()
    if last is not None:
        return int(last) + 1
    said = sa.select(sa.func.count()).where(MESSAGES.c.conversation_id == conversation)
    return int(connection.execute(said).scalar() or 0)


def read_messages(connection: sa.Connection, conversation: str) -> list[StoredTurn]:
    m = MESSAGES.c
    query = sa.select(m.position, m.message_id, m.role, m.text, m.at).where(m.conversation_id == conversation)
    return [
        StoredTurn(row.position, Line(row.position, row.role, row.text, datetime.fromisoformat(row.at), row.message_id))
        for row in connection.execute(query.order_by(m.position))
    ]


def read_turns(connection: sa.Connection, conversation: str) -> list[StoredTurn]:
    query = sa.select(TURNS).where(TURNS.c.conversation == conversation).order_by(TURNS.c.position)
    found = [
        StoredTurn(
            row.position,
            Line(
                index=row.line_index,
                speaker=row.speaker,
                text=row.text,
                at=datetime.fromisoformat(row.at) if row.at else None,
                id=row.turn_id,
            ),
        )
        for row in connection.execute(query)
    ]
    return found or read_messages(connection, conversation)


def write_turns(connection: sa.Connection, conversation: str, turns: Sequence[StoredTurn]) -> None:
    """A turn that is already at its position is replaced."""
    if not turns:
        return
    _drop(connection, TURNS, conversation, (t.position for t in turns))
    rows = [
        {
            "conversation": conversation,
            "position": t.position,
            "turn_id": t.line.id,
            "line_index": t.line.index,
            "speaker": t.line.speaker,
            "text": t.line.text,
            "at": t.line.at.isoformat() if t.line.at else None,
        }
        for t in turns
    ]
    connection.execute(sa.insert(TURNS), rows)


def read_vectors(
    connection: sa.Connection, conversation: str, space: str, dimensions: int
) -> dict[int, TurnVectors]:
    query = sa.select(VECTORS.c.position, VECTORS.c.digest, VECTORS.c.vectors).where(
        VECTORS.c.conversation == conversation, VECTORS.c.space == space
    )
    return {
        position: TurnVectors(digest, unpack(blob, dimensions))
        for position, digest, blob in connection.execute(query)
    }


def write_vectors(
    connection: sa.Connection, conversation: str, space: str, vectors: Mapping[int, TurnVectors]
) -> None:
    if not vectors:
        return
    _drop(connection, VECTORS, conversation, vectors)
    rows = [
        {
            "conversation": conversation,
            "space": space,
            "position": position,
            "digest": made.digest,
            "vectors": pack(made.rows),
        }
        for position, made in sorted(vectors.items())
    ]
    connection.execute(sa.insert(VECTORS), rows)


def read_words(connection: sa.Connection, conversation: str, space: str, dimensions: int) -> dict[str, Any]:
    query = (
        sa.select(WORDS.c.words, WORDS.c.vectors)
        .where(WORDS.c.conversation == conversation, WORDS.c.space == space)
        .order_by(WORDS.c.batch)
    )
    out: dict[str, Any] = {}
    for words, blob in connection.execute(query):
        names = json.loads(words)
        rows = unpack(blob, dimensions)
        if len(names) != len(rows):
            raise StoreCorrupt(f"{len(rows)} word vectors for {len(names)} words in {conversation!r}")
        out.update(zip(names, rows, strict=True))
    return out


def write_words(connection: sa.Connection, conversation: str, space: str, words: Mapping[str, Any]) -> None:
    if not words:
        return
    import numpy as np

    # A word's vector is small; one row per batch keeps thousands of inserts out of an ingest.
    last = connection.execute(
        sa.select(sa.func.max(WORDS.c.batch)).where(
            WORDS.c.conversation == conversation, WORDS.c.space == space
        )
    ).scalar()
    names = sorted(words)
    connection.execute(
        sa.insert(WORDS),
        {
            "conversation": conversation,
            "space": space,
            "batch": 0 if last is None else last + 1,
            "words": canonical_json(names),
            "vectors": pack(np.stack([words[name] for name in names])),
        },
    )


def forget_other_spaces(connection: sa.Connection, conversation: str, space: str) -> None:
    """One space per conversation: vectors of two are never compared."""
    for table in (VECTORS, WORDS):
        connection.execute(
            sa.delete(table).where(table.c.conversation == conversation, table.c.space != space)
        )


def erase(connection: sa.Connection, conversation: str) -> dict[str, int]:
    out: dict[str, int] = {}
    for table in (TURNS, OWNERS, VECTORS, WORDS):
        result = connection.execute(sa.delete(table).where(table.c.conversation == conversation))
        out[table.name] = int(result.rowcount)
    return out


def pack(rows: Any) -> bytes:
    import numpy as np

    return bytes(np.ascontiguousarray(rows, dtype="<f2").tobytes())


def unpack(blob: bytes, dimensions: int) -> Any:
    import numpy as np

    rows = np.frombuffer(blob, dtype="<f2")
    if dimensions <= 0 or rows.size % dimensions:
        raise StoreCorrupt(f"a stored vector does not have {dimensions} dimensions")
    return rows.reshape(-1, dimensions).astype(np.float32)


def _drop(connection: sa.Connection, table: Table, conversation: str, positions: Iterable[int]) -> None:
    statement = sa.delete(table).where(
        table.c.conversation == sa.bindparam("in_conversation"), table.c.position == sa.bindparam("at_position")
    )
    rows = [{"in_conversation": conversation, "at_position": p} for p in sorted(positions)]
    if rows:
        connection.execute(statement, rows)
