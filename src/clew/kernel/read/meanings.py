"""What the encoder makes of texts, as whoever has it lends it to a kernel that may not have one."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Protocol, runtime_checkable

from clew.model.utterance import TokenVectors


@runtime_checkable
class Meanings(Protocol):
    """A text's tokens, and for each of several texts one vector. The same text gives the same; None where it fails."""

    def tokens(self, text: str) -> TokenVectors | None: ...

    def vectors(self, texts: Sequence[str]) -> list[Sequence[float]] | None: ...

    def one_thread(self) -> AbstractContextManager[object]:
        """While it is open, small sums are done by one thread: several wait for one another longer than they work."""
        ...
