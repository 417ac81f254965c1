"""Numbers and words for extraction, merging and correction."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class RememberPolicy:
    pass
