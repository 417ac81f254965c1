"""Clew itself, through the same engine that `clew ingest` and `clew recall` call, on SQLite."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

from common import Recall, embedder, run


def open_peer(folder: Path, conversation: str) -> tuple[Callable[[list[dict[str, Any]]], None], Recall]:
    from clew import policy
    from clew.adapters.index.sql import SqlTurnIndex
    from clew.adapters.store.sql import open_store
    from clew.engine.histories import Recaller, ingest, load
    from clew.model.transcript import Line

    index = SqlTurnIndex(open_store(f"sqlite:///{folder}/clew.db"))
    loaded: list[Recaller] = []
    policy.default()  # read from its files once per process, like the peers' imports

    def put(turns: list[dict[str, Any]]) -> None:
        lines = [
            Line(t["index"], t["speaker"], t["text"], datetime.fromisoformat(t["at"]) if t.get("at") else None, t["id"])
            for t in turns
        ]
        ingest(index, conversation, lines, policy.default(), embedder())
        loaded.clear()

    def recall(query: str, k: int) -> list[str]:
        if not loaded:
            loaded.append(load(index, conversation, policy.default(), embedder()))
        return [str(hit.line.id) for hit in loaded[0].recall(query, k)]

    return put, recall


if __name__ == "__main__":
    run(open_peer)
