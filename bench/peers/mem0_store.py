"""mem0 with infer=False (no model), qdrant on a local path, the same embedder."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ["MEM0_TELEMETRY"] = "False"
os.environ.setdefault("OPENAI_API_KEY", "unused")

from common import Recall, embed, run, said


def open_peer(folder: Path, conversation: str) -> tuple[Callable[[list[dict[str, Any]]], None], Recall]:
    os.environ["MEM0_DIR"] = str(folder / "mem0")
    from mem0 import Memory
    from mem0.embeddings.base import EmbeddingBase

    class Same(EmbeddingBase):
        def embed(self, text: str, memory_action: str | None = None) -> list[float]:
            return embed([text])[0]

        def embed_batch(self, texts: list[str], memory_action: str | None = None) -> list[list[float]]:
            return embed(texts)

    memory = Memory.from_config(
        {
            "vector_store": {
                "provider": "qdrant",
                "config": {"path": str(folder / "qdrant"), "embedding_model_dims": 512, "on_disk": True},
            },
            "history_db_path": str(folder / "history.db"),
        }
    )
    memory.embedding_model = Same()

    def put(turns: list[dict[str, Any]]) -> None:
        for t in turns:
            memory.add(
                [{"role": "user", "content": said(t)}],
                user_id=conversation,
                infer=False,
                metadata={"turn": t["id"]},
            )

    def recall(query: str, k: int) -> list[str]:
        found = memory.search(query, filters={"user_id": conversation}, top_k=k, threshold=0.0)
        return [r["metadata"]["turn"] for r in found["results"]]

    return put, recall


if __name__ == "__main__":
    run(open_peer)
