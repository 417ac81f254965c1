"""Numbers and words for access, safety and intent."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class RoutePolicy:
    pass
