"""What the Python door gives back: frozen values with plain fields."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Any

from clew.engine import service
from clew.engine.lookup import Found, sentence, subject
from clew.engine.parts import Parts
from clew.engine.service import Place
from clew.engine.story import story
from clew.model.canonical import plain
from clew.model.exchange import Outcome
from clew.model.memory import MemoryEvent, MemoryRecord
from clew.model.outreach import Outreach
from clew.model.trace import TurnTrace


class _Result:
    def as_dict(self) -> dict[str, Any]:
        return {f.name: plain(getattr(self, f.name)) for f in fields(self)}  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Hit(_Result):
    """One result of a search. `kind`: memory, said, reply or transcript; `why` and `parts` are what spoke for it."""

    text: str
    score: float
    kind: str
    id: str
    key: str | None
    value: str | None
    subject: str | None
    when: datetime | None
    why: Mapping[str, Any] = field(repr=False, default_factory=dict)
    conversation: str | None = field(repr=False, default=None)
    parts: Mapping[str, float] = field(repr=False, default_factory=dict)

    @classmethod
    def of(cls, found: Found) -> Hit:
        return cls(
            text=found.text,
            score=found.score,
            kind=found.kind,
            id=found.id,
            key=found.key,
            value=found.value,
            subject=found.subject,
            when=found.when,
            why=found.why,
            conversation=found.conversation,
            parts=dict(found.parts),
        )

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Item(_Result):
    """One memory, current or not."""

    id: str
    key: str
    value: str
    text: str
    subject: str
    type: str
    status: str
    confidence: float
    when: datetime | None
    created_at: datetime
    confirmed_at: datetime
    ended_at: datetime | None
    sources: tuple[str, ...]
    superseded_by: str | None
    invalid_reason: str | None
    paused: bool
    pinned: bool
    sensitive: bool

    @classmethod
    def of(cls, record: MemoryRecord) -> Item:
        return cls(
            id=record.memory_id,
            key=record.memory_key,
            value=record.memory_value,
            text=sentence(record),
            subject=subject(record),
            type=record.type.value,
            status=record.status.value,
            confidence=float(record.confidence),
            when=getattr(record, "when", None),
            created_at=record.created_at,
            confirmed_at=record.last_confirmed_at,
            ended_at=record.ended_at,
            sources=record.source_message_ids,
            superseded_by=record.superseded_by,
            invalid_reason=record.invalid_reason,
            paused=record.paused,
            pinned=record.pinned,
            sensitive=bool(getattr(record, "sensitive", False)),
        )

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Change(_Result):
    """What happened to one memory: created, confirmed, superseded, invalidated, restored, …"""

    kind: str
    id: str | None
    key: str | None
    value: str | None
    text: str
    reason: str
    by: str | None = None

    def __str__(self) -> str:
        return f"{self.kind} {self.text}"


def changes(parts: Parts, place: Place, events: tuple[MemoryEvent, ...] | list[MemoryEvent]) -> tuple[Change, ...]:
    held = service.labels(parts, place, events) if events else {}
    return tuple(_change(e, held.get(e.memory_id or "")) for e in events)


def _change(event: MemoryEvent, record: MemoryRecord | None) -> Change:
    return Change(
        kind=event.kind.value,
        id=event.memory_id,
        key=record.memory_key if record else None,
        value=record.memory_value if record else None,
        text=sentence(record) if record else event.topic or event.key or event.reason,
        reason=event.reason,
        by=event.by,
    )


@dataclass(frozen=True, slots=True)
class Added(_Result):
    """What `add` kept. Iterating gives the changes."""

    message_ids: tuple[str, ...]
    changes: tuple[Change, ...]
    # True when every message was known already, word for word.
    replayed: bool

    def __iter__(self) -> Iterator[Change]:
        return iter(self.changes)

    def __len__(self) -> int:
        return len(self.changes)


@dataclass(frozen=True, slots=True)
class Sent(_Result):
    """A message that the friend wrote first, or that was asked for (`kind` REMINDER)."""

    id: str
    text: str
    kind: str
    status: str
    at: datetime | None
    seen: bool
    notification_id: str | None

    @classmethod
    def of(cls, message: Outreach) -> Sent:
        return cls(
            id=message.retention_id,
            text=message.text,
            kind=message.kind.value,
            status=message.status.value,
            at=message.delivered_at,
            seen=message.seen_at is not None,
            notification_id=message.notification_id,
        )

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Reply(_Result):
    """A reply after the gate. `memories` are the changes of this turn, `used` the memories it drew on."""

    id: str | None
    text: str
    message_id: str
    conversation_id: str
    pipeline: str
    memories: tuple[Change, ...]
    used: tuple[str, ...]
    replayed: bool
    trace: Mapping[str, Any] = field(repr=False, default_factory=dict)

    @property
    def why(self) -> tuple[str, ...]:
        """The turn as a story, one line per room, with rule ids in brackets."""
        return tuple(story(TurnTrace.of(self.trace), "", self.text)) if self.trace else ()

    def __str__(self) -> str:
        return self.text

    @classmethod
    def of(cls, parts: Parts, place: Place, outcome: Outcome) -> Reply:
        return cls(
            id=outcome.reply_id,
            text=outcome.reply or "",
            message_id=outcome.message_id,
            conversation_id=outcome.conversation_id,
            pipeline=outcome.pipeline.value,
            memories=changes(parts, place, outcome.memory_events),
            used=outcome.surfaced_memory_ids,
            replayed=outcome.replayed,
            trace=outcome.trace,
        )
