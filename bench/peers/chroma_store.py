"""chromadb, persistent client, the same embedder."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ["ANONYMIZED_TELEMETRY"] = "False"

from common import Recall, embed, run, said

BATCH = 5000  # it takes no more at once


def open_peer(folder: Path, conversation: str) -> tuple[Callable[[list[dict[str, Any]]], None], Recall]:
    import chromadb
    from chromadb.config import Settings

    client = chromadb.PersistentClient(str(folder), settings=Settings(anonymized_telemetry=False))
    turns_ = client.create_collection("turns", embedding_function=None, metadata={"hnsw:space": "cosine"})

    def put(turns: list[dict[str, Any]]) -> None:
        for start in range(0, len(turns), BATCH):
            some = turns[start : start + BATCH]
            texts = [said(t) for t in some]
            turns_.add(ids=[t["id"] for t in some], documents=texts, embeddings=embed(texts))

    def recall(query: str, k: int) -> list[str]:
        return turns_.query(query_embeddings=embed([query]), n_results=k)["ids"][0]

    return put, recall


if __name__ == "__main__":
    run(open_peer)
