"""The promise of an embedder: the same text gives the same vector in one named space."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Protocol, runtime_checkable

from clew.model.utterance import TokenVectors


class Embedder(Protocol):
    @property
    def space(self) -> str:
        """Name and version of the vector space; vectors of two spaces are never compared."""
        ...

    @property
    def dimensions(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> list[list[float]]: ...


@runtime_checkable
class TokenEmbedder(Protocol):
    """What an embedder may offer beside the sentence vector: its tokens. Readers that need them are off without."""

    def tokens(self, text: str) -> TokenVectors: ...


@runtime_checkable
class OneThread(Protocol):
    """What an embedder that computes here may offer: small sums are done by one thread while the context is open."""

    def one_thread(self) -> AbstractContextManager[object]: ...
