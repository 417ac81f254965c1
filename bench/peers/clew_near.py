"""Clew, and the first fifty put in a better order by the second encoder (CLEW_RERANKER=near; English)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import clew_store
from common import Recall, run

POOL = 50


def open_peer(folder: Path, conversation: str) -> tuple[Callable[[list[dict[str, Any]]], None], Recall]:
    from clew.adapters.embeddings.minilm import MiniLM
    from clew.adapters.reranker.near import NearReranker

    put_turns, plain = clew_store.open_peer(folder, conversation)
    reranker = NearReranker(MiniLM())
    texts: dict[str, str] = {}

    def put(turns: list[dict[str, Any]]) -> None:
        texts.update((str(turn["id"]), turn["text"]) for turn in turns)
        put_turns(turns)

    def recall(query: str, k: int) -> list[str]:
        found = plain(query, max(k, POOL))
        places = reranker.order(query, [texts[one] for one in found]) or range(len(found))
        return [found[place] for place in places][:k]

    return put, recall


if __name__ == "__main__":
    run(open_peer)
