"""What an agent holds true about a subject."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from enum import StrEnum

from clew.frozen import dataclass
from clew.model.memory import EventKind


class FactOrigin(StrEnum):
    STATED = "stated"
    INFERRED = "inferred"
    IMPORTED = "imported"


class Supersede(StrEnum):
    """`slot` is ruling N1; `subject` is the specification to the letter."""

    SLOT = "slot"
    SUBJECT = "subject"


@dataclass(frozen=True, slots=True)
class NewFact:
    subject: str
    content: str
    confidence: Decimal
    origin: FactOrigin = FactOrigin.STATED
    attribute: str | None = None
    vector: tuple[float, ...] | None = None


@dataclass(frozen=True, slots=True)
class Fact:
    id: str
    subject: str
    content: str
    confidence: Decimal
    active: bool
    learned_at: datetime
    origin: FactOrigin = FactOrigin.STATED
    attribute: str | None = None
    superseded_by: str | None = None
    contradiction_of: str | None = None
    last_confirmed_at: datetime | None = None
    vector: tuple[float, ...] | None = None


@dataclass(frozen=True, slots=True)
class FactEvent:
    kind: EventKind
    fact_id: str
    reason: str
    by: str | None = None


@dataclass(frozen=True, slots=True)
class Learned:
    facts: tuple[Fact, ...]
    events: tuple[FactEvent, ...]
