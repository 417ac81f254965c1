"""A decision that was recorded."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from fractions import Fraction

from clew.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Decision:
    id: str
    text: str
    created_at: datetime
    outcome: str = "pending"
    confidence: Decimal | None = None


@dataclass(frozen=True, slots=True)
class Dropped:
    id: str
    duplicate_of: str
    similarity: Fraction


@dataclass(frozen=True, slots=True)
class Thinned:
    kept: tuple[Decision, ...]
    dropped: tuple[Dropped, ...]
