"""What is remembered (turn-pipeline §2.6)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum


class MemoryType(StrEnum):
    FACT = "FACT"
    PREFERENCE = "PREFERENCE"
    RELATIONSHIP_EVENT = "RELATIONSHIP_EVENT"
    EMOTIONAL_PATTERN = "EMOTIONAL_PATTERN"


class MemoryStatus(StrEnum):
    ACTIVE = "ACTIVE"
    SUPERSEDED = "SUPERSEDED"
    INVALID = "INVALID"


class Origin(StrEnum):
    HEURISTIC = "heuristic"
    LLM = "llm"


@dataclass(frozen=True, slots=True)
class Candidate:
    type: MemoryType
    key: str
    value: str
    confidence: Decimal
    origin: Origin = Origin.HEURISTIC


@dataclass(frozen=True, slots=True)
class MemoryRecord:
    memory_id: str
    type: MemoryType
    memory_key: str
    memory_value: str
    confidence: Decimal
    status: MemoryStatus
    created_at: datetime
    last_confirmed_at: datetime
    source_message_ids: tuple[str, ...] = ()
    superseded_by: str | None = None
    invalid_reason: str | None = None
    # When it stopped being current; None while ACTIVE. Gives as-of queries.
    ended_at: datetime | None = None
    paused: bool = False
    pinned: bool = False


@dataclass(frozen=True, slots=True)
class MemoryEvent:
    """kind: created confirmed superseded contradicted skipped restored invalidated."""

    kind: str
    memory_id: str | None
    reason: str
    by: str | None = None
