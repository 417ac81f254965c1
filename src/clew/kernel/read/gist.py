"""What the words of a text mean together, without their order: the sum of its tokens' vectors, of length one.

The encoder's own vector bends that sum through several layers and loses some of what it held. Whole numbers are added
up: the same on every machine.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt

from clew.model.utterance import TokenVectors

GRID = 1 << 14
# Texts that are longer are read by their sentences.
_TOKENS_MOST = 256
Gists = Mapping[str, Sequence[float]]


def gist(tokens: TokenVectors | None, start: int = 0, end: int | None = None) -> Sequence[float] | None:
    """Of the tokens that begin between two places of the text; None where there are none."""
    if tokens is None:
        return None
    import numpy as np

    rows = [i for i, (first, _) in enumerate(tokens.spans) if first >= start and (end is None or first < end)]
    if not rows:
        return None
    total = np.rint(tokens.matrix[rows[:_TOKENS_MOST]].astype(np.float64) * GRID).sum(axis=0)
    length = sqrt(float(total @ total))
    found: list[float] = (np.rint(total / length * GRID) / GRID).tolist() if length else []
    return found or None


def gists(text: str, parts: Sequence[str], tokens: TokenVectors | None) -> dict[str, Sequence[float]]:
    """Of the text and of each of its parts, by their words."""
    found: dict[str, Sequence[float]] = {}
    at = 0
    for part in (text, *parts):
        place = text.find(part, at if part != text else 0)
        if place < 0 or part in found:
            continue
        if (made := gist(tokens, place, place + len(part))) is not None:
            found[part] = made
        at = place + len(part) if part != text else 0
    return found
