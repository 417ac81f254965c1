"""What is remembered."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from enum import StrEnum

from clew.frozen import dataclass
from clew.model.profile import UserControls
from clew.model.verdict import Reason

SELF = "self"


class MemoryType(StrEnum):
    FACT = "FACT"
    PREFERENCE = "PREFERENCE"
    RELATIONSHIP_EVENT = "RELATIONSHIP_EVENT"
    EMOTIONAL_PATTERN = "EMOTIONAL_PATTERN"
    # What the specification does not name, in the user's own words (ruling M3).
    NOTE = "NOTE"


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
    # Whose life it is about, which row of the attribute table, in the user's own words, and when.
    subject: str = SELF
    attribute: str | None = None
    statement: str | None = None
    when_start: datetime | None = None
    when_end: datetime | None = None
    when_text: str | None = None
    sensitive: bool = False


@dataclass(frozen=True, slots=True)
class Ending:
    """Something that is over, or was never so: it closes what it names or implies (ruling M7).

    key: the memory it names, if it names one; value: the words that name it.
    denied: it never was so, rather than no longer.
    """

    subject: str
    attribute: str
    statement: str
    key: str | None = None
    value: str | None = None
    denied: bool = False


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
    # Whose life it is about, which side of it, in the user's own words, and when.
    subject: str = SELF
    attribute: str | None = None
    statement: str | None = None
    when_start: datetime | None = None
    when_end: datetime | None = None
    when_text: str | None = None
    sensitive: bool = False


class InvalidReason(StrEnum):
    """Why a memory holds no more, where nothing took its place."""

    ENDED = "user_ended"  # it was so, and is over
    DENIED = "user_denied"  # it never was so
    FORGOT = "user_forgot"  # the user asked to forget it
    UNDONE = "undone"  # the change that made it was taken back


class EventKind(StrEnum):
    CREATED = "created"
    CONFIRMED = "confirmed"
    SUPERSEDED = "superseded"
    CONTRADICTED = "contradicted"
    SKIPPED = "skipped"
    RESTORED = "restored"
    INVALIDATED = "invalidated"
    SUPPRESSED = "suppressed"


@dataclass(frozen=True, slots=True)
class MemoryEvent:
    """What happened to one memory; `memory_id` is None when there is none to name.

    key, topic: what was closed or opened again where no memory was changed.
    """

    kind: EventKind
    memory_id: str | None
    reason: str
    by: str | None = None
    key: str | None = None
    topic: str | None = None


@dataclass(frozen=True, slots=True)
class Remembered:
    """The whole new list, the controls that go with it, and what changed."""

    memories: tuple[MemoryRecord, ...]
    controls: UserControls
    events: tuple[MemoryEvent, ...] = ()


class Command(StrEnum):
    """What a user can ask of the memory in words."""

    NONE = "none"
    DENY = "deny"
    FORGET = "forget"
    FORGET_TARGET = "forget_target"
    AMEND = "amend"
    SUPPRESS_TOPIC = "suppress_topic"
    REOPEN_TOPIC = "reopen_topic"


@dataclass(frozen=True, slots=True)
class Corrected:
    command: Command
    targets: tuple[str, ...]
    memories: tuple[MemoryRecord, ...]
    controls: UserControls
    events: tuple[MemoryEvent, ...] = ()
    clarify: bool = False
    reasons: tuple[Reason, ...] = ()
