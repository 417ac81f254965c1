"""What the encoder makes of texts, as whoever has it lends it to a kernel that may not have one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from clew.model.utterance import TokenVectors


@runtime_checkable
class Meanings(Protocol):
    """A text's tokens, and one vector for all of it. The same text gives the same."""

    def tokens(self, text: str) -> TokenVectors: ...

    def vector(self, text: str) -> Sequence[float]: ...
