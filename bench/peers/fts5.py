"""SQLite FTS5 alone: BM25 over turns, terms ORed. The floor to beat."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

from common import Recall, run, said


def open_peer(folder: Path, conversation: str) -> tuple[Callable[[list[dict[str, Any]]], None], Recall]:
    db = sqlite3.connect(folder / "fts.db")
    db.execute("CREATE VIRTUAL TABLE turns USING fts5(id UNINDEXED, text, tokenize='porter unicode61')")

    def put(turns: list[dict[str, Any]]) -> None:
        with db:
            db.executemany("INSERT INTO turns VALUES (?, ?)", [(t["id"], said(t)) for t in turns])

    def recall(query: str, k: int) -> list[str]:
        terms = " OR ".join(f'"{w}"' for w in dict.fromkeys(re.findall(r"\w+", query.lower())))
        rows = db.execute(
            "SELECT id FROM turns WHERE turns MATCH ? ORDER BY bm25(turns), rowid LIMIT ?", (terms, k)
        )
        return [row[0] for row in rows] if terms else []

    return put, recall


if __name__ == "__main__":
    run(open_peer)
