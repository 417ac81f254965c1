"""Filling the vector fields of a kernel's object with the default embedder."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from clew.kernel.door import VECTORS


def filler(name: str) -> Callable[[Any], Any] | None:
    """None where the kernel takes no vector or no embedder is installed."""
    pairs = VECTORS.get(name)
    if not pairs:
        return None
    try:
        from clew.adapters.embeddings import use
    except ImportError:
        return None
    if not use.installed():
        return None
    embedder = use.default()

    def fill(payload: Any) -> Any:
        if not isinstance(payload, dict) or (name == "similar" and payload.get("as") != "memory"):
            return payload
        wanted = [
            (text, vector)
            for text, vector in pairs
            if isinstance(payload.get(text), str) and payload[text].strip() and vector not in payload
        ]
        if not wanted:
            return payload
        vectors = embedder.embed([payload[text] for text, _ in wanted])
        return {**payload, **{vector: v for (_, vector), v in zip(wanted, vectors, strict=True)}}

    return fill
