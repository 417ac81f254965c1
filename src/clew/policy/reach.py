"""Numbers and words for proactive messages."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class ReachPolicy:
    pass
