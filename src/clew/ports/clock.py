"""The promise of a clock: the time of day, and a stopwatch that says nothing about it."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    def now(self) -> datetime:
        """An aware moment."""
        ...

    def stopwatch(self) -> float:
        """Seconds since some fixed point; only differences mean anything."""
        ...
