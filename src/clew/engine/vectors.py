"""Vectors are derived: made when asked for, kept while the process lives, never waited for."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

from clew.engine.parts import Parts

Vector = Sequence[float]
_KEPT: OrderedDict[tuple[str, str], Vector] = OrderedDict()
_MOST = 20_000


# The space the shipped heads were fitted in.
_FITTED = "use-multilingual-3/"


def heads_fit(parts: Parts) -> bool:
    """Heads read only vectors of their own space; with another embedder they are off."""
    return parts.embedder is not None and parts.embedder.space.startswith(_FITTED)


def vector_of(parts: Parts, text: str) -> Vector | None:
    """The vector that heads read; none where the embedder speaks of another space."""
    if not heads_fit(parts):
        return None
    found = vectors_of(parts, [text])
    return found.get(text)


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
