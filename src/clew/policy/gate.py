"""Numbers and words for what a reply may not do."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class GatePolicy:
    pass
