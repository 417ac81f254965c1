"""The trace as it is written: one note per room, with what it took."""

from __future__ import annotations

from typing import Any

from clew.model.notes import Note
from clew.model.trace import POLICY, TIMINGS, section
from clew.ports.clock import Clock


class Notes:
    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._since = clock.stopwatch()
        self._notes: dict[str, Note] = {}
        self._timings: dict[str, float] = {}

    def add(self, note: Note) -> None:
        """A room that notes twice is told as it was last."""
        now = self._clock.stopwatch()
        self._timings[note.room] = round((now - self._since) * 1000, 3)
        self._since = now
        self._notes[note.room] = note

    def body(self, policy: str) -> dict[str, Any]:
        """The whole trace as a tree of plain values, under the policy with this fingerprint."""
        return {TIMINGS: self._timings, **{room: section(n) for room, n in self._notes.items()}, POLICY: policy}
