"""Vectors are derived: made when asked for, kept while the process lives, never waited for.

An embedder that raises, gives numbers that are none, or vectors of another size than it says costs
the vectors and nothing else. Heads are fitted to one size; for any other they are off.
"""

from __future__ import annotations

import math
from array import array
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from clew.engine.parts import Parts
from clew.kernel.read.heads import size
from clew.model.utterance import TokenVectors
from clew.ports.embeddings import Embedder, TokenEmbedder

Vector = Sequence[float]
_KEPT: OrderedDict[tuple[str, str], Vector] = OrderedDict()
_MOST = 20_000
_WORDS = 120
# Tokens of short texts: the values of memories that turn after turn is held against.
_TOKENS: OrderedDict[tuple[str, str], TokenVectors] = OrderedDict()
_TOKENS_MOST = 1_000
_SHORT = 80


# The space the shipped heads were fitted in.
FITTED = "use-multilingual-3/"


def heads_fit(parts: Parts) -> bool:
    """Heads read only vectors of their own space; with another embedder they are off."""
    return parts.embedder is not None and str(parts.embedder.space).startswith(FITTED)


def vector_of(parts: Parts, text: str) -> Vector | None:
    """The vector that heads may read, or None."""
    return read_vector(parts, text)[0]


def read_vector(parts: Parts, text: str) -> tuple[Vector | None, str]:
    """The vector for the heads, and in a few words whether they were used."""
    if parts.embedder is None:
        return None, "none: no embedder"
    found, trouble = _made(parts, [text])
    vector = found.get(text)
    if vector is None:
        return None, f"off: {trouble or 'no vector for this text'}"
    fitted = size(next(iter(parts.policy.listen.heads.values())))
    if len(vector) != fitted:
        return None, f"off: heads are fitted to {fitted} dimensions, the embedder gives {len(vector)}"
    if not heads_fit(parts):
        return None, f"off: heads are fitted to {FITTED}…, the embedder speaks of {str(parts.embedder.space)[:40]}"
    return vector, "used"


def held_vector(space: str, text: str) -> Vector | None:
    """A vector that was made already."""
    return _KEPT.get((space, text))


def hold_vector(space: str, text: str, vector: Iterable[float]) -> None:
    """One that was made elsewhere, as it came."""
    plain = isinstance(vector, array) and vector.typecode == "d"
    _KEPT[space, text] = vector if plain else array("d", map(float, vector))  # type: ignore[assignment]
    while len(_KEPT) > _MOST:
        _KEPT.popitem(last=False)


def token_vectors_of(parts: Parts, text: str) -> TokenVectors | None:
    """The embedder's own tokens of a text, where it has any to show."""
    if parts.embedder is None or not heads_fit(parts):
        return None
    return tokens_by(parts.embedder, text)


def tokens_by(embedder: Embedder, text: str) -> TokenVectors | None:
    """The tokens that this embedder makes of a text; those of short texts are kept."""
    key = (str(embedder.space), text)
    if (held := _TOKENS.get(key)) is not None:
        return held
    if not isinstance(embedder, TokenEmbedder) or not text.strip():
        return None
    try:
        found = embedder.tokens(text)
    except Exception:  # a broken embedder costs its vectors, never the turn
        return None
    if len(text) <= _SHORT:
        _TOKENS[key] = found
        while len(_TOKENS) > _TOKENS_MOST:
            _TOKENS.popitem(last=False)
    return found


def vectors_of(parts: Parts, texts: Sequence[str]) -> dict[str, Vector]:
    """Text to vector in the embedder's space; empty where there is no embedder, or a broken one."""
    return _made(parts, texts)[0]


def _made(parts: Parts, texts: Sequence[str]) -> tuple[dict[str, Vector], str]:
    embedder = parts.embedder
    if embedder is None:
        return {}, ""
    try:
        space = str(embedder.space)
        missing = [t for t in dict.fromkeys(texts) if (space, t) not in _KEPT and t.strip()]
        fresh = dict(_embedded(embedder, missing)) if missing else {}
    except Exception as why:
        said = " ".join(str(why).split())[:_WORDS]
        return {}, f"the embedder failed ({type(why).__name__}: {said})"
    for text, vector in fresh.items():
        hold_vector(space, text, vector)
    odd = len(missing) - len(fresh)
    trouble = f"the embedder gave {odd} vectors of another size or without finite numbers" if odd else ""
    return {t: _KEPT[space, t] for t in texts if (space, t) in _KEPT}, trouble


def _embedded(embedder: Embedder, texts: list[str]) -> Iterator[tuple[str, Vector]]:
    """Only vectors of the promised size, with finite numbers in them."""
    promised = int(embedder.dimensions)
    if (whole := getattr(embedder, "matrix", None)) is not None:
        yield from _rows(texts, whole(texts), promised)
        return
    for text, given in zip(texts, embedder.embed(texts), strict=True):
        # Plain doubles that an array library can read where they lie.
        vector = array("d", map(float, given))
        if len(vector) == promised and all(map(math.isfinite, vector)):
            yield text, vector


def _rows(texts: list[str], matrix: Any, promised: int) -> Iterator[tuple[str, Vector]]:
    """The same from an embedder that gives them as one array."""
    import numpy as np

    held = np.ascontiguousarray(matrix, dtype=np.float64)
    for text, row in zip(texts, held, strict=True):
        if len(row) == promised and np.isfinite(row).all():
            yield text, array("d", row.tobytes())
