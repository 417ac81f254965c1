"""The promise of a turn index: turns of conversations, and what is derived from them to find them again.

What is derived comes in runs: consecutive turns, each column a string of bytes. Two runs are joined by joining
their columns, so whoever keeps them need not know what is in them. Everything derived can be made again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Protocol

from clew.frozen import dataclass
from clew.model.transcript import Line
from clew.ports.search import SearchIndex


@dataclass(frozen=True, slots=True)
class StoredTurn:
    """A line with the place it took when it arrived."""

    position: int
    line: Line


@dataclass(frozen=True, slots=True)
class StoredRun:
    """Consecutive turns, `first` to `last` by position."""

    first: int
    last: int
    columns: Mapping[str, bytes]


@dataclass(frozen=True, slots=True)
class Derived:
    """What stands of a conversation: how it was read, in which space, who speaks, up to which turn."""

    stamp: str
    space: str
    speakers: tuple[str, ...]
    last: int  # -1: nothing yet


class TurnIndex(Protocol):
    """A conversation is a chat, whose messages the store holds, or a transcript, whose turns are held here."""

    @property
    def place(self) -> str:
        """Names where it is kept: two indexes of one place hold the same."""
        ...

    @property
    def search(self) -> SearchIndex | None:
        """What names the turns of a conversation too long to be opened; None: every conversation is opened."""
        ...

    def is_chat(self, conversation: str) -> bool: ...

    def owned(self, owner: str) -> list[str]:
        """Names of the transcripts of this user."""
        ...

    def last(self, conversation: str) -> int:
        """The position of the last turn; -1 where nothing was said."""
        ...

    def turns(
        self,
        conversation: str,
        *,
        positions: Collection[int] | None = None,
        after: int | None = None,
        most: int | None = None,
        holding: Collection[str] = (),
    ) -> list[StoredTurn]:
        """In order of position: all, these, so many after one, or those whose text holds one of these words."""
        ...

    def known(self, conversation: str, lines: Iterable[Line]) -> list[StoredTurn]:
        """Turns that stand under the id, or else the index, of one of these lines."""
        ...

    def places(self, conversation: str, ids: Collection[str]) -> list[int]:
        """Positions of the turns with these ids, of those that are there."""
        ...

    def derived(self, conversation: str) -> Derived | None: ...

    def runs(
        self,
        conversation: str,
        columns: Sequence[str],
        *,
        after: int = -1,
        upto: int | None = None,
        most: int | None = None,
    ) -> list[StoredRun]:
        """Runs that end after one position and begin not after the other; only the columns asked for are read."""
        ...

    def runs_at(self, conversation: str, columns: Sequence[str], positions: Collection[int]) -> list[StoredRun]:
        """Runs that hold one of these positions."""
        ...

    def words(
        self, conversation: str | None, space: str, numbers: Collection[int] | None
    ) -> dict[int, bytes]:
        """Vectors of terms: of a conversation, or (None) those that all share."""
        ...

    def save(
        self,
        conversation: str,
        *,
        turns: Sequence[StoredTurn] = (),
        owner: str | None = None,
        derived: Derived | None = None,
        runs: Sequence[StoredRun] = (),
        words: Mapping[int, bytes] | None = None,
        shared: Mapping[int, bytes] | None = None,
    ) -> None:
        """All of it or nothing. A run that begins where one stands replaces it, or else must follow the last."""
        ...

    def forget_derived(self, conversation: str) -> None:
        """So that it is made again; what the search index holds goes too."""
        ...

    def erase(self, conversation: str) -> dict[str, int]:
        """Rows removed, by table."""
        ...
