"""Memories, candidates, endings and controls as loose objects: read with complaints, written as given."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import Any

from clew.errors import InvalidInput
from clew.kernel.keep.confidence import initial_confidence
from clew.model.canonical import iso
from clew.model.fields import Fields
from clew.model.memory import (
    SELF,
    Candidate,
    Ending,
    MemoryEvent,
    MemoryRecord,
    MemoryStatus,
    MemoryType,
    Origin,
)
from clew.model.profile import UserControls
from clew.model.topic import TopicId
from clew.policy import Policy

_CENT = Decimal("0.01")


def confidence(item: Fields, name: str, default: Decimal | None = None) -> Decimal:
    """Exact to two decimals, between 0 and 1 (ruling P84)."""
    if default is not None and not item.has(name):
        return default
    try:
        value = Decimal(str(item.number(name))).quantize(_CENT)
    except InvalidOperation:
        value = Decimal(-1)
    if not 0 <= value <= 1:
        raise InvalidInput(f"{name} must be between 0 and 1", pointer=item.at(name))
    return value


def read_memory(item: Fields) -> MemoryRecord:
    created = item.time("created_at")
    return MemoryRecord(
        memory_id=item.id("memory_id"),
        type=item.enum("type", MemoryType),
        memory_key=item.id("memory_key"),
        memory_value=item.text("memory_value"),
        confidence=confidence(item, "confidence"),
        status=item.enum("status", MemoryStatus),
        created_at=created,
        last_confirmed_at=item.time("last_confirmed_at", created),
        source_message_ids=item.strings("source_message_ids", ()),
        superseded_by=item.id("superseded_by", None),
        invalid_reason=item.text("invalid_reason", None),
        ended_at=item.time("ended_at", None),
        paused=item.flag("paused", False),
        pinned=item.flag("pinned", False),
        subject=item.text("subject", SELF),
        attribute=item.text("attribute", None),
        statement=item.text("statement", None),
        when_start=item.time("when_start", None),
        when_end=item.time("when_end", None),
        when_text=item.text("when_text", None),
        sensitive=item.flag("sensitive", False),
    )


def write_memory(record: MemoryRecord, given: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Fields we do not know, and times that did not change, come back as they were given."""
    given = given or {}
    out: dict[str, Any] = {
        **given,
        "memory_id": record.memory_id,
        "type": record.type.value,
        "memory_key": record.memory_key,
        "memory_value": record.memory_value,
        "confidence": float(record.confidence),
        "status": record.status.value,
        "superseded_by": record.superseded_by,
        "invalid_reason": record.invalid_reason,
        "created_at": iso(record.created_at),
        "last_confirmed_at": iso(record.last_confirmed_at),
        "source_message_ids": list(record.source_message_ids),
        "ended_at": iso(record.ended_at) if record.ended_at else None,
        "paused": record.paused,
        "pinned": record.pinned,
    }
    return {**out, **_told_beside(record, given)}


def _told_beside(record: MemoryRecord, given: Mapping[str, Any]) -> dict[str, Any]:
    """Whose, which attribute, whose words and when: written where there is something to write, or it was given."""
    beside: dict[str, Any] = {
        "subject": record.subject,
        "attribute": record.attribute,
        "statement": record.statement,
        "when_start": iso(record.when_start) if record.when_start else None,
        "when_end": iso(record.when_end) if record.when_end else None,
        "when_text": record.when_text,
        "sensitive": record.sensitive,
    }
    usual = {"subject": SELF, "sensitive": False}
    return {name: value for name, value in beside.items() if name in given or value != usual.get(name)}


def read_memories(payload: Fields) -> tuple[MemoryRecord, ...]:
    memories: tuple[MemoryRecord, ...] = payload.each("memories", read_memory)
    seen: set[str] = set()
    for number, memory in enumerate(memories):
        if memory.memory_id in seen:
            raise InvalidInput(
                f"memory_id {memory.memory_id!r} is used twice", pointer=f"/memories/{number}/memory_id"
            )
        seen.add(memory.memory_id)
    return memories


def write_memories(memories: tuple[MemoryRecord, ...], payload: Fields) -> list[dict[str, Any]]:
    given = {item.data["memory_id"]: item.data for item in payload.children("memories", [])}
    return [write_memory(m, given.get(m.memory_id)) for m in memories]


def read_controls(payload: Fields) -> UserControls:
    item = payload.child("controls", None)
    if item is None:
        return UserControls()
    topics: list[TopicId] = []
    for number, name in enumerate(item.strings("suppressed_topics", ())):
        if name not in TopicId.__members__:
            raise InvalidInput(f"no topic {name[:60]!r}", pointer=f"{item.at('suppressed_topics')}/{number}")
        topics.append(TopicId(name))
    return UserControls(
        proactive_messages_enabled=item.flag("proactive_messages_enabled", True),
        mute_until=item.far_time("mute_until", None),
        suppressed_topics=tuple(topics),
        suppressed_memory_keys=item.strings("suppressed_memory_keys", ()),
        suppressed_values=item.strings("suppressed_values", ()),
    )


def write_controls(controls: UserControls, payload: Fields) -> dict[str, Any]:
    given = payload.raw("controls", {})
    out = {
        **given,
        "suppressed_topics": [t.value for t in controls.suppressed_topics],
        "suppressed_memory_keys": list(controls.suppressed_memory_keys),
    }
    if controls.suppressed_values or "suppressed_values" in given:
        out["suppressed_values"] = list(controls.suppressed_values)
    return out


def write_event(event: MemoryEvent) -> dict[str, Any]:
    out: dict[str, Any] = {"kind": event.kind.value, "memory_id": event.memory_id, "reason": event.reason}
    if event.by is not None:
        out["by"] = event.by
    return out


def write_candidate(candidate: Candidate) -> dict[str, Any]:
    out: dict[str, Any] = {
        "type": candidate.type.value,
        "key": candidate.key,
        "value": candidate.value,
        "confidence": float(candidate.confidence),
        "origin": candidate.origin.value,
        "subject": candidate.subject,
        "attribute": candidate.attribute,
        "statement": candidate.statement,
        "sensitive": candidate.sensitive,
    }
    if candidate.when_text is not None:
        out["when"] = {
            "start": iso(candidate.when_start) if candidate.when_start else None,
            "end": iso(candidate.when_end) if candidate.when_end else None,
            "text": candidate.when_text,
        }
    return out


def write_ending(ending: Ending) -> dict[str, Any]:
    out: dict[str, Any] = {
        "subject": ending.subject,
        "attribute": ending.attribute,
        "statement": ending.statement,
        "value": ending.value,
        "denied": ending.denied,
    }
    return out if ending.key is None else {**out, "key": ending.key}


def read_candidate(item: Fields, policy: Policy) -> Candidate:
    origin = item.enum("origin", Origin, Origin.HEURISTIC)
    when = item.child("when", None)
    return Candidate(
        type=item.enum("type", MemoryType),
        key=item.id("key"),
        value=item.text("value"),
        confidence=confidence(item, "confidence", initial_confidence(origin, policy)),
        origin=origin,
        subject=item.text("subject", SELF),
        attribute=item.text("attribute", None),
        statement=item.text("statement", None),
        when_start=when.time("start", None) if when else None,
        when_end=when.time("end", None) if when else None,
        when_text=when.text("text", None) if when else None,
        sensitive=item.flag("sensitive", False),
    )


def read_ending(item: Fields) -> Ending:
    return Ending(
        subject=item.text("subject", SELF),
        attribute=item.text("attribute"),
        statement=item.text("statement", ""),
        key=item.id("key", None),
        value=item.text("value", None),
        denied=item.flag("denied", False),
    )
