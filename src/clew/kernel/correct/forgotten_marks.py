"""The mark that is left of what was forgotten and never became a memory of its own: its words, or its messages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from decimal import Decimal

from clew.kernel.keep.keys import build
from clew.kernel.text.canonical import derived_id
from clew.model.memory import EventKind, InvalidReason, MemoryEvent, MemoryRecord, MemoryStatus, MemoryType
from clew.policy import Policy

FORGOT = InvalidReason.FORGOT
# Told under this key, a message is only kept from coming back; its words are not held.
UNRECORDED = "note:off_the_record"
# And under this one messages that changed what was forgotten, or that it changed.
ALONG = "note:gone_along"


def forgotten_words(
    named: str, sources: Sequence[str], message_id: str, at: datetime, policy: Policy
) -> tuple[MemoryRecord, MemoryEvent] | None:
    """Something that was said and never became a memory, forgotten all the same: it leaves only its mark."""
    key = build(MemoryType.NOTE, named, policy=policy)
    if key is None:
        return None
    record = _mark(key, named, tuple(sources), derived_id("memory", message_id, key, FORGOT), at)
    return record, MemoryEvent(EventKind.SUPPRESSED, record.memory_id, "correct.suppressed_words")


def forgotten_messages(
    sources: Sequence[str], message_id: str, at: datetime
) -> tuple[MemoryRecord, MemoryEvent]:
    """Messages that go along with a forgotten memory: nothing is kept of them but that they are not quoted."""
    record = _mark(ALONG, "gone along", tuple(sources), derived_id("memory", message_id, ALONG, FORGOT), at)
    return record, MemoryEvent(EventKind.SUPPRESSED, record.memory_id, "correct.suppressed_words")


def unrecorded(held: MemoryRecord | None, message_id: str, at: datetime) -> MemoryRecord:
    """One mark for all messages that were said off the record."""
    if held is None:
        return _mark(
            UNRECORDED, "off the record", (message_id,), derived_id("memory", message_id, UNRECORDED), at
        )
    sources = tuple(dict.fromkeys((*held.source_message_ids, message_id)))
    return replace(held, source_message_ids=sources, ended_at=at)


def _mark(key: str, value: str, sources: tuple[str, ...], memory_id: str, at: datetime) -> MemoryRecord:
    return MemoryRecord(
        memory_id=memory_id,
        type=MemoryType.NOTE,
        memory_key=key,
        memory_value=value,
        confidence=Decimal("1.00"),
        status=MemoryStatus.INVALID,
        created_at=at,
        last_confirmed_at=at,
        source_message_ids=sources,
        invalid_reason=FORGOT,
        ended_at=at,
        attribute="note",
    )
