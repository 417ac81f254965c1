"""Numbers and words for sessions, score and stage."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class RelatePolicy:
    pass
