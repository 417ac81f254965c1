"""Numbers and words for the turn's own limits."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class EnginePolicy:
    pass
