"""The promise of a reranker: texts that were found, in a better order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Reranker(Protocol):
    def order(self, question: str, texts: Sequence[str]) -> list[int] | None:
        """Places of the texts, best first; places left out keep their order behind. None: it cannot tell now."""
        ...
