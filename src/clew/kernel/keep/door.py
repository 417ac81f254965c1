"""`extract`, `remember` and `correct` at the kernel door."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import Any

from clew.errors import InvalidInput
from clew.kernel.correct.apply import correct as correct_memories
from clew.kernel.door import Mode
from clew.kernel.keep.merge import initial_confidence
from clew.kernel.keep.merge import remember as remember_candidates
from clew.kernel.statements.extract import extract as extract_candidates
from clew.model.canonical import iso
from clew.model.fields import Fields
from clew.model.memory import (
    Candidate,
    EventKind,
    MemoryEvent,
    MemoryRecord,
    MemoryStatus,
    MemoryType,
    Origin,
)
from clew.model.profile import UserControls
from clew.model.topic import TopicId
from clew.model.verdict import Reason
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
    return out


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
    )


def write_controls(controls: UserControls, payload: Fields) -> dict[str, Any]:
    given = payload.raw("controls", {})
    return {
        **given,
        "suppressed_topics": [t.value for t in controls.suppressed_topics],
        "suppressed_memory_keys": list(controls.suppressed_memory_keys),
    }


def write_event(event: MemoryEvent) -> dict[str, Any]:
    out: dict[str, Any] = {"kind": event.kind.value, "memory_id": event.memory_id, "reason": event.reason}
    if event.by is not None:
        out["by"] = event.by
    return out


def extract(payload: Fields, policy: Policy, mode: Mode) -> dict[str, Any]:
    found = extract_candidates(
        payload.text("text"),
        payload.time("at"),
        payload.zone("timezone"),
        policy,
        payload.numbers("vector", None),
    )
    return {
        "candidates": [
            {
                "type": c.type.value,
                "key": c.key,
                "value": c.value,
                "confidence": float(c.confidence),
                "origin": c.origin.value,
            }
            for c in found
        ],
        "reasons": [Reason(f"extract.{c.type.lower()}", c.key).as_dict() for c in found],
    }


def _candidate(item: Fields, policy: Policy) -> Candidate:
    origin = item.enum("origin", Origin, Origin.HEURISTIC)
    return Candidate(
        type=item.enum("type", MemoryType),
        key=item.id("key"),
        value=item.text("value"),
        confidence=confidence(item, "confidence", initial_confidence(origin, policy)),
        origin=origin,
    )


def remember(payload: Fields, policy: Policy, mode: Mode) -> dict[str, Any]:
    """A bad candidate is skipped with an event; a bad record is an error, because it is the caller's truth."""
    good: list[Candidate] = []
    skipped: list[MemoryEvent] = []
    for number, raw in enumerate(payload.items("candidates", [])):
        try:
            good.append(_candidate(Fields(raw, f"/candidates/{number}"), policy))
        except InvalidInput as why:
            skipped.append(MemoryEvent(EventKind.SKIPPED, None, f"remember.bad_candidate {why}"))
    done = remember_candidates(
        read_memories(payload),
        good,
        read_controls(payload),
        message_id=payload.id("message_id"),
        at=payload.time("at"),
        policy=policy,
        crisis=payload.flag("crisis", False),
        explicit=payload.flag("explicit", False),
    )
    events = [*done.events, *skipped]
    return {
        "memories": write_memories(done.memories, payload),
        "controls": write_controls(done.controls, payload),
        "events": [write_event(e) for e in events],
        "reasons": [Reason(e.reason.split(" ")[0], e.kind.value).as_dict() for e in events],
    }


def correct(payload: Fields, policy: Policy, mode: Mode) -> dict[str, Any]:
    done = correct_memories(
        payload.text("text"),
        read_memories(payload),
        read_controls(payload),
        payload.strings("surfaced_memory_ids", ()),
        message_id=payload.id("message_id"),
        at=payload.time("at"),
        zone=payload.zone("timezone"),
        policy=policy,
        last_assistant_text=payload.text("last_assistant_text", ""),
        previous=payload.strings("previous", ()),
    )
    return {
        "command": done.command.value,
        "targets": list(done.targets),
        "memories": write_memories(done.memories, payload),
        "controls": write_controls(done.controls, payload),
        "events": [write_event(e) for e in done.events],
        "clarify": done.clarify,
        "reasons": [r.as_dict() for r in done.reasons],
    }
