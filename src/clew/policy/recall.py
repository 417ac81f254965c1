"""Numbers and words for finding what was said."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class RecallPolicy:
    pass
