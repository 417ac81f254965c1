"""Filling the vector fields of a kernel's object with the default embedder."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from clew.kernel.door import (
    MEANING_DOORS,
    MEANINGS,
    SENTENCE_DOORS,
    SENTENCES,
    TOGETHER_DOORS,
    TOKEN_DOORS,
    TOKENS,
    VECTORS,
)
from clew.kernel.read.together import joined
from clew.kernel.text.sentences import sentences
from clew.policy import default
from clew.ports.embeddings import Embedder, TokenEmbedder

# Facts come again with every call: their vectors are kept for so many texts.
_KEPT = 4096
# A longer text is refused by the door or read by its beginning.
_LONGEST = 8000


def filler(name: str) -> Callable[[Any], Any] | None:
    """None where the kernel takes no vector or no embedder is installed."""
    pairs = VECTORS.get(name)
    if not pairs and name not in MEANING_DOORS:
        return None
    from clew.engine.bootstrap import make_embedder
    from clew.engine.meanings import lend

    embedder = make_embedder()
    if embedder is None:
        return None
    if not pairs:
        return _lender(embedder)
    kept: dict[str, list[float]] = {}
    table = default()
    lent = lend(embedder) if name in MEANING_DOORS else None

    def vectors(texts: list[str]) -> list[list[float]]:
        """One by one, so that a text has the same vector whatever stands beside it."""
        out = []
        for text in texts:
            if text not in kept:
                if len(kept) >= _KEPT:
                    kept.clear()
                kept[text] = embedder.embed([text])[0]
            out.append(kept[text])
        return out

    def fill(payload: Any) -> Any:
        if not isinstance(payload, dict) or (name == "similar" and payload.get("as") != "memory"):
            return payload
        added: dict[str, Any] = {}
        for source, target in pairs:
            given = payload.get(source)
            if target in payload:
                continue
            if isinstance(given, str) and given.strip():
                added[target] = vectors([given])[0]
            elif isinstance(given, dict) and _lacks(given):
                added[target] = vectors([given["content"]])[0]
            elif isinstance(given, list):
                bare = [item for item in given if _lacks(item) and isinstance(item.get("id"), str)]
                made = vectors([item["content"] for item in bare])
                added[target] = {item["id"]: vector for item, vector in zip(bare, made, strict=True)}
        text = payload.get("text")
        if name in TOKEN_DOORS and isinstance(text, str) and text.strip() and isinstance(embedder, TokenEmbedder):
            added[TOKENS] = embedder.tokens(text[:_LONGEST])
        said = payload.get(SENTENCE_DOORS.get(name, ""))
        if isinstance(said, str) and len(parts := sentences(said[:_LONGEST], table.text)) > 1:
            parts = parts[: table.engine.sentence_vectors]
            added[SENTENCES] = dict(zip(parts, vectors(list(parts)), strict=True))
        if name in TOGETHER_DOORS and isinstance(said, str) and (earlier := _earlier(payload)):
            lately = joined(said, earlier, table)
            added[SENTENCES] = {**added.get(SENTENCES, {}), **dict(zip(lately, vectors(list(lately)), strict=True))}
        if lent is not None:
            added[MEANINGS] = lent
        return {**payload, **added} if added else payload

    return fill


def _lender(embedder: Embedder) -> Callable[[Any], Any] | None:
    """For a kernel that asks for the vectors of whatever it reads."""
    from clew.engine.meanings import lend

    lent = lend(embedder)
    if lent is None:
        return None
    return lambda payload: {**payload, MEANINGS: lent} if isinstance(payload, dict) else payload


def _earlier(payload: dict[str, Any]) -> list[str]:
    given = payload.get("previous")
    return [text for text in given if isinstance(text, str)] if isinstance(given, list) else []


def _lacks(item: Any) -> bool:
    """A fact with words and no vector of its own."""
    return (
        isinstance(item, dict)
        and isinstance(item.get("content"), str)
        and bool(item["content"].strip())
        and "vector" not in item
    )
