"""A reranker by a second encoder: what stood first, and what lies close to the question in another space."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from clew.ports.embeddings import Embedder

# Vectors of texts kept at hand: the same turns are found again and again.
_KEPT = 20_000
# What closeness counts beside the place, both between 0 and 1.
_CLOSE = 0.5


class NearReranker:
    """Satisfies ports.reranker.Reranker. The second encoder knows neither speakers nor days nor what stands around."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._kept: OrderedDict[str, list[float]] = OrderedDict()

    def order(self, question: str, texts: Sequence[str]) -> list[int] | None:
        if not texts:
            return None
        rows = self._vectors([question, *texts])
        close = rows[1:] @ rows[0]
        low, high = float(close.min()), float(close.max())
        if not high > low:
            return None
        score = 1 - np.arange(len(texts)) / len(texts) + _CLOSE * (close - low) / (high - low)
        # Rounded, so that the last bits of a machine's sums decide nothing.
        order: list[int] = np.argsort(-np.round(score, 4), kind="stable").tolist()
        return order

    def _vectors(self, texts: Sequence[str]) -> npt.NDArray[np.float64]:
        new = [text for text in dict.fromkeys(texts) if text not in self._kept]
        if new:
            self._kept.update(zip(new, self._embedder.embed(new), strict=True))
        for text in texts:
            self._kept.move_to_end(text)
        out = np.array([self._kept[text] for text in texts])
        while len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
        return out
