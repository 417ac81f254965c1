"""The hybrid that anyone builds: SQLite FTS5 and the same embedder, each score min-max scaled, then added.

A turn is embedded by its beginning, as one would who does not cut it into passages.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import fts5
import numpy as np
from common import Recall, embed, run, said

FIRST = 320  # characters of a turn that are embedded


def open_peer(folder: Path, conversation: str) -> tuple[Callable[[list[dict[str, Any]]], None], Recall]:
    put_words, by_words = fts5.open_scored(folder)
    ids: list[str] = []
    rows: list[Any] = []

    def put(turns: list[dict[str, Any]]) -> None:
        put_words(turns)
        ids.extend(t["id"] for t in turns)
        made = np.asarray(embed([said(t)[:FIRST] for t in turns]), np.float32)
        rows.append(made / np.maximum(np.linalg.norm(made, axis=1, keepdims=True), 1e-6))

    def recall(query: str, k: int) -> list[str]:
        question = np.asarray(embed([query])[0], np.float32)
        score = _scaled(np.concatenate(rows) @ question)
        lexical = by_words(query)
        score += _scaled(np.array([lexical.get(i, 0.0) for i in ids]))
        return [ids[i] for i in np.argsort(-score, kind="stable")[:k]]

    return put, recall


def _scaled(values: Any) -> Any:
    low, high = values.min(), values.max()
    return (values - low) / (high - low) if high > low else np.zeros_like(values)


if __name__ == "__main__":
    run(open_peer)
