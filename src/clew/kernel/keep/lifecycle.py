"""What may become of a memory: one literal table, applied by `move`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Literal

from clew.errors import InvalidInput
from clew.kernel.keep.barred_values import without_barred_value
from clew.model.memory import EventKind, MemoryEvent, MemoryRecord, MemoryStatus, Remembered
from clew.model.profile import UserControls
from clew.policy import Policy

Change = Literal["confirm", "supersede", "invalidate", "restore"]

ACTIVE, SUPERSEDED, INVALID = MemoryStatus.ACTIVE, MemoryStatus.SUPERSEDED, MemoryStatus.INVALID

# A change that is not in a status's row cannot happen to it. Nothing here deletes: only erasure does.
TRANSITIONS: dict[MemoryStatus, dict[Change, MemoryStatus]] = {
    ACTIVE: {"confirm": ACTIVE, "supersede": SUPERSEDED, "invalidate": INVALID},
    SUPERSEDED: {"restore": ACTIVE, "invalidate": INVALID},
    INVALID: {"restore": ACTIVE},
}


def allows(record: MemoryRecord, change: Change) -> bool:
    return change in TRANSITIONS[record.status]


def move(
    record: MemoryRecord, change: Change, at: datetime, *, by: str | None = None, reason: str | None = None
) -> MemoryRecord:
    try:
        status = TRANSITIONS[record.status][change]
    except KeyError:
        raise InvalidInput(
            f"memory {record.memory_id} is {record.status} and cannot {change}", pointer="/memories"
        ) from None
    return replace(
        record,
        status=status,
        superseded_by=by if status is SUPERSEDED else None,
        invalid_reason=reason if status is INVALID else None,
        ended_at=None if status is ACTIVE else at,
    )


def current(memories: Iterable[MemoryRecord], controls: UserControls) -> tuple[MemoryRecord, ...]:
    """What may be recalled: ACTIVE, not paused, its key not suppressed."""
    barred = frozenset(controls.suppressed_memory_keys)
    return tuple(m for m in memories if m.status is ACTIVE and not m.paused and m.memory_key not in barred)


def as_of(memories: Sequence[MemoryRecord], moment: datetime) -> tuple[MemoryRecord, ...]:
    """What was current then, one per key; a record that ended at an unknown time is never claimed.

    A restored record was away while another held its key: of two that fit, the later born held it then.
    """
    born = {m.memory_id: m.created_at for m in memories}

    def ended(record: MemoryRecord) -> datetime | None:
        return record.ended_at or (born.get(record.superseded_by) if record.superseded_by else None)

    held: dict[str, MemoryRecord] = {}
    for record in memories:
        end = ended(record)
        lasted = end > moment if end is not None else record.status is ACTIVE
        if record.created_at <= moment and lasted:
            other = held.get(record.memory_key)
            if other is None or other.created_at <= record.created_at:
                held[record.memory_key] = record
    chosen = {m.memory_id for m in held.values()}
    return tuple(m for m in memories if m.memory_id in chosen)


def without_suppression(controls: UserControls, keys: Iterable[str]) -> UserControls:
    lifted = frozenset(keys)
    kept = tuple(k for k in controls.suppressed_memory_keys if k not in lifted)
    return replace(controls, suppressed_memory_keys=kept)


def with_suppression(controls: UserControls, keys: Iterable[str]) -> UserControls:
    kept = tuple(dict.fromkeys((*controls.suppressed_memory_keys, *keys)))
    return replace(controls, suppressed_memory_keys=kept)


def restore(
    memories: Sequence[MemoryRecord],
    memory_ids: Sequence[str],
    controls: UserControls,
    *,
    at: datetime,
    policy: Policy | None = None,
) -> Remembered:
    """Bring back what a correction removed; whoever holds the key now steps back behind it.

    With a policy its value is barred no longer (ruling M5).
    """
    records = {m.memory_id: m for m in memories}
    events: list[MemoryEvent] = []
    for wanted in dict.fromkeys(memory_ids):
        record = records.get(wanted)
        if record is None or not allows(record, "restore"):
            reason = "remember.unknown_memory" if record is None else "remember.already_active"
            events.append(MemoryEvent(EventKind.SKIPPED, wanted if record else None, reason))
            continue
        for other in list(records.values()):
            if other.status is ACTIVE and other.memory_key == record.memory_key:
                records[other.memory_id] = move(other, "supersede", at, by=wanted)
                events.append(
                    MemoryEvent(EventKind.SUPERSEDED, other.memory_id, "remember.restored_over", by=wanted)
                )
        records[wanted] = move(record, "restore", at)
        controls = without_suppression(controls, (record.memory_key,))
        if policy is not None:
            controls = without_barred_value(controls, record.memory_key, record.memory_value, policy)
        events.append(MemoryEvent(EventKind.RESTORED, wanted, "remember.restored"))
    return Remembered(tuple(records.values()), controls, tuple(events))


def outlived(record: MemoryRecord, at: datetime, policy: Policy) -> bool:
    """Held for longer than the policy keeps its kind; pinned ones are kept."""
    rows, days = policy.attributes.rows, policy.attributes.keep_days
    name = record.attribute or ""
    most = days.get(name, days.get(rows[name].group) if name in rows else None)
    if most is None or record.status is not ACTIVE or record.pinned:
        return False
    return at - record.last_confirmed_at > timedelta(days=most)
