"""MemPalace, exact SQLite backend, hybrid search, the same embedder patched in."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from common import Recall, embed, run, said


class Same:
    """The callable that its wrapper expects."""

    dimension = 512

    def __call__(self, input: list[str]) -> list[list[float]]:
        return embed(input)

    def name(self) -> str:
        return "use-multilingual-3"


def open_peer(folder: Path, conversation: str) -> tuple[Callable[[list[dict[str, Any]]], None], Recall]:
    os.environ["HOME"] = str(folder)
    from mempalace import embedding
    from mempalace.backends import embedding_wrapper

    same = Same()
    embedding.configured_embedding_function = lambda *a, **k: same
    embedding.get_embedding_function = lambda *a, **k: same
    embedding_wrapper._get_document_embedder = lambda: same
    from mempalace.palace import get_collection
    from mempalace.searcher import search_memories

    palace = str(folder / "palace")
    drawers = get_collection(palace, backend="sqlite_exact")

    def put(turns: list[dict[str, Any]]) -> None:
        drawers.add(
            documents=[said(t) for t in turns],
            ids=[t["id"] for t in turns],
            metadatas=[{"wing": conversation, "room": "talk", "source_file": t["id"]} for t in turns],
        )

    def recall(query: str, k: int) -> list[str]:
        found = search_memories(query, palace, wing=conversation, n_results=k)
        return [str(r.get("source_file") or r.get("source") or "") for r in found["results"]]

    return put, recall


if __name__ == "__main__":
    run(open_peer)
