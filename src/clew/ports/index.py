"""The promise of a turn index: turns of one conversation, and vectors that can always be made again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from clew.model.transcript import Line


@dataclass(frozen=True, slots=True)
class StoredTurn:
    """A line with the place it took when it arrived."""

    position: int
    line: Line


@dataclass(frozen=True, slots=True)
class TurnVectors:
    """Rows of one space; `digest` names the text they were made from."""

    digest: str
    rows: Any  # float array, one row per passage


class TurnIndex(Protocol):
    """A conversation is a chat, whose messages the store holds, or a transcript, whose turns are held here."""

    @property
    def place(self) -> str:
        """Names where it is kept: two indexes of one place hold the same."""
        ...

    def is_chat(self, conversation: str) -> bool: ...

    def owned(self, owner: str) -> list[str]:
        """Names of the transcripts of this user."""
        ...

    def size(self, conversation: str) -> int:
        """How many turns there are now."""
        ...

    def turns(self, conversation: str) -> list[StoredTurn]:
        """In order of position; empty for a conversation nobody has stored."""
        ...

    def vectors(self, conversation: str, space: str, dimensions: int) -> dict[int, TurnVectors]: ...

    def words(self, conversation: str, space: str, dimensions: int) -> dict[str, Any]: ...

    def save(
        self,
        conversation: str,
        *,
        turns: Sequence[StoredTurn] = (),
        space: str | None = None,
        vectors: Mapping[int, TurnVectors] | None = None,
        words: Mapping[str, Any] | None = None,
        owner: str | None = None,
    ) -> None:
        """All of it or nothing."""
        ...

    def erase(self, conversation: str) -> dict[str, int]:
        """Rows removed, by table."""
        ...
