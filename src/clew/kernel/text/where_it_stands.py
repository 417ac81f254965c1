"""Whether a value stands in a text where a pattern with a gap for it says."""

from __future__ import annotations

import re
from functools import lru_cache

from clew.required import lowered, required

_GAP = "{value}"


def stands(where: str, value: str, text: str) -> bool:
    """No pattern is made of the value where the words around it are missing: to make one costs more than all else."""
    pieces, said = _around(where), lowered(text)
    if pieces is not None and not any(piece in said for piece in pieces):
        return False
    return bool(re.search(where.replace(_GAP, re.escape(value)), text, re.I))


@lru_cache(maxsize=256)
def _around(where: str) -> tuple[str, ...] | None:
    """Pieces of which a text holds one where any value stands so."""
    return required(where.replace(_GAP, r"\w"), re.I)
