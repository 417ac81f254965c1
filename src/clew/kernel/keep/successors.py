"""What a message told in the place of something held: the same side of the same life."""

from __future__ import annotations

from collections.abc import Mapping

from clew.kernel.keep.keys import attribute_of, row_of
from clew.kernel.keep.lifecycle import ACTIVE
from clew.model.key import Key
from clew.model.memory import MemoryRecord
from clew.policy import Policy


def successor_of(
    held: MemoryRecord, records: Mapping[str, MemoryRecord], message_id: str, policy: Policy
) -> str | None:
    """What this message told of the same side of the same life; the same attribute before its neighbours."""
    group = row_of(attribute_in(held, policy), policy).group
    told = [m for m in records.values() if m.status is ACTIVE and message_id in m.source_message_ids]
    told = [m for m in told if m.subject == held.subject]
    same = [m for m in told if attribute_in(m, policy) == attribute_in(held, policy)]
    near = [m for m in told if row_of(attribute_in(m, policy), policy).group == group]
    return next((m.memory_id for m in (*same, *near)), None)


def attribute_in(record: MemoryRecord, policy: Policy) -> str | None:
    if record.attribute:
        return record.attribute
    key = Key.parse(record.memory_key)
    return attribute_of(key, policy) if key else None
