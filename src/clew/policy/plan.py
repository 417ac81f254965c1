"""Numbers and words for the reply's outline and prompt."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class PlanPolicy:
    pass
