"""Vectors are derived: made when asked for, kept while the process lives, never waited for."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

from clew.engine.parts import Parts
from clew.model.utterance import TokenVectors
from clew.ports.embeddings import TokenEmbedder

Vector = Sequence[float]
_KEPT: OrderedDict[tuple[str, str], Vector] = OrderedDict()
_MOST = 20_000


def vector_of(parts: Parts, text: str) -> Vector | None:
    found = vectors_of(parts, [text])
    return found.get(text)


def token_vectors_of(parts: Parts, text: str) -> TokenVectors | None:
    """The embedder's own tokens of a text, where it has any to show."""
    if parts.embedder is None or not isinstance(parts.embedder, TokenEmbedder) or not text.strip():
        return None
    try:
        return parts.embedder.tokens(text)
    except Exception:  # a broken embedder costs its vectors, never the turn
        return None


def vectors_of(parts: Parts, texts: Sequence[str]) -> dict[str, Vector]:
    """Text to vector in the embedder's space; empty where there is no embedder."""
    embedder = parts.embedder
    if embedder is None:
        return {}
    space = embedder.space
    missing = [t for t in dict.fromkeys(texts) if (space, t) not in _KEPT and t.strip()]
    if missing:
        for text, vector in zip(missing, embedder.embed(missing), strict=True):
            _KEPT[space, text] = vector
        while len(_KEPT) > _MOST:
            _KEPT.popitem(last=False)
    return {t: _KEPT[space, t] for t in texts if (space, t) in _KEPT}
