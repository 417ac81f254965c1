"""Numbers and words for follow-ups over bounded candidates."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class GroundPolicy:
    pass
