"""LangGraph InMemoryStore with the same embedder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from common import Recall, embed, run, said


def open_peer(folder: Path, conversation: str) -> tuple[Callable[[list[dict[str, Any]]], None], Recall]:
    from langgraph.store.base import PutOp
    from langgraph.store.memory import InMemoryStore

    store = InMemoryStore(index={"dims": 512, "embed": embed, "fields": ["text"]})
    space = ("turns", conversation)

    def put(turns: list[dict[str, Any]]) -> None:
        # A batch that holds the same text twice is refused, so repeats wait for the next batch.
        waiting = turns
        while waiting:
            batch: dict[str, dict[str, Any]] = {}
            later = []
            for t in waiting:
                if said(t) in batch:
                    later.append(t)
                else:
                    batch[said(t)] = t
            store.batch([PutOp(space, t["id"], {"text": text}) for text, t in batch.items()])
            waiting = later

    def recall(query: str, k: int) -> list[str]:
        return [item.key for item in store.search(space, query=query, limit=k)]

    return put, recall


if __name__ == "__main__":
    run(open_peer)
