"""The promise of a process: who holds a lease, whether that one still lives, and chance."""

from __future__ import annotations

from typing import Protocol


class Process(Protocol):
    @property
    def owner(self) -> str: ...

    def alive(self, owner: str) -> bool:
        """False only when the owner is known to be gone."""
        ...

    def seed(self) -> int:
        """A fresh 31-bit seed; recorded wherever it is used."""
        ...

    def fresh_id(self) -> str:
        """A UUID that nobody can guess; recorded wherever it is used."""
        ...
