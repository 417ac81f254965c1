"""The promise of an embedder: the same text gives the same vector in one named space."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Embedder(Protocol):
    @property
    def space(self) -> str:
        """Name and version of the vector space; vectors of two spaces are never compared."""
        ...

    @property
    def dimensions(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> list[list[float]]: ...
