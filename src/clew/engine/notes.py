"""The trace as it is written: one section per room, with what it took."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from clew.model.canonical import plain
from clew.model.verdict import Reason
from clew.ports.clock import Clock


class Notes:
    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._since = clock.stopwatch()
        self.body: dict[str, Any] = {"timings_ms": {}}

    def room(self, name: str, reasons: Iterable[Reason] = (), **facts: Any) -> None:
        now = self._clock.stopwatch()
        self.body["timings_ms"][name] = round((now - self._since) * 1000, 3)
        self._since = now
        self.body[name] = {
            **{key: plain(value) for key, value in facts.items()},
            "reasons": [r.as_dict() for r in reasons],
        }
