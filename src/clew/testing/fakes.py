"""Parts whose time, identity and chance a test holds in its hand."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta


class HeldClock:
    def __init__(self, at: datetime = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)) -> None:
        self.at = at
        self._ticks = 0.0

    def now(self) -> datetime:
        return self.at

    def stopwatch(self) -> float:
        self._ticks += 0.001
        return self._ticks

    def pass_(self, **delta: float) -> datetime:
        self.at += timedelta(**delta)
        return self.at


class HeldProcess:
    """Alive until told otherwise; seeds count up."""

    def __init__(self, owner: str = "test|1|0", seed: int = 7) -> None:
        self.owner = owner
        self._seed = seed
        self._ids = 0
        self.dead: set[str] = set()

    def alive(self, owner: str) -> bool:
        return owner not in self.dead

    def seed(self) -> int:
        self._seed += 1
        return self._seed

    def fresh_id(self) -> str:
        """Counts up too, and differs between users, as far as their seeds do."""
        self._ids += 1
        return str(uuid.uuid5(uuid.NAMESPACE_OID, f"{self.owner} {self._seed} {self._ids}"))
