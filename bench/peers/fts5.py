"""SQLite FTS5 alone: BM25 over turns, terms ORed. The floor to beat."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

from common import Recall, run, said

Put = Callable[[list[dict[str, Any]]], None]


def open_scored(folder: Path) -> tuple[Put, Callable[..., dict[str, float]]]:
    """How turns go in, and (question, most) -> id and score, best first."""
    connection = sqlite3.connect(folder / "fts.db")
    connection.execute("CREATE VIRTUAL TABLE turns USING fts5(id UNINDEXED, text, tokenize='porter unicode61')")

    def put(turns: list[dict[str, Any]]) -> None:
        connection.executemany("INSERT INTO turns VALUES (?, ?)", [(t["id"], said(t)) for t in turns])
        connection.commit()

    def scored(query: str, most: int = -1) -> dict[str, float]:
        terms = " OR ".join(f'"{w}"' for w in dict.fromkeys(re.findall(r"\w+", query.lower())))
        if not terms:
            return {}
        rows = connection.execute(
            "SELECT id, -bm25(turns) FROM turns WHERE turns MATCH ? ORDER BY bm25(turns), rowid LIMIT ?",
            (terms, most),
        )
        return dict(rows)

    return put, scored


def open_peer(folder: Path, conversation: str) -> tuple[Put, Recall]:
    put, scored = open_scored(folder)
    return put, lambda query, k: list(scored(query, k))


if __name__ == "__main__":
    run(open_peer)
