"""Numbers and words for persona assignment."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class CastPolicy:
    pass
