"""A decision that was recorded."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from fractions import Fraction

from clew.frozen import dataclass

IN_CONVERSATION = "conversation"


@dataclass(frozen=True, slots=True)
class Decision:
    id: str
    text: str
    created_at: datetime
    outcome: str = "pending"
    confidence: Decimal | None = None


@dataclass(frozen=True, slots=True)
class Worked:
    """How an agent came to an answer: its frame of mind, the tools it called, and what it recorded on purpose.

    recorded: (decision, outcome) of each call of a tool that records decisions. In a conversation nothing is decided
    but what is recorded.
    """

    frame: str = IN_CONVERSATION
    tools: tuple[str, ...] = ()
    recorded: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Dropped:
    id: str
    duplicate_of: str
    similarity: Fraction


@dataclass(frozen=True, slots=True)
class Thinned:
    kept: tuple[Decision, ...]
    dropped: tuple[Dropped, ...]
