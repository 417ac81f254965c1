"""Numbers and words for intent and consequence."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class LinkPolicy:
    pass
