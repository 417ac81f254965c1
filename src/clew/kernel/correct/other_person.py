"""What was told of one of the user's people belongs to another: 동생 말고 언니, "my brother, not my dad"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from clew.kernel.correct.shift_parts import Moment, Shift, Told, swapped, told_by
from clew.kernel.statements.features import mentions
from clew.kernel.text.canonical import derived_id
from clew.model.key import Key, relation_of
from clew.model.memory import MemoryRecord
from clew.policy import Policy


def of_another(told: Told, just: Sequence[MemoryRecord], turn: Moment, policy: Policy) -> Shift | None:
    """Everything that the message before told of the one, told of the other; None where no two people are named."""
    old, new = _whom(told.old, policy), _whom(told.new, policy)
    if old is None or new is None or old == new:
        return None
    pairs = [
        (m, made)
        for m in just
        if m.subject == old and (made := _made(m, new, told, turn)) is not None
    ]
    return Shift(*pairs[0], tuple(pairs[1:])) if pairs else None


def _whom(said: str, policy: Policy) -> str | None:
    """The one whom these words mean, and nothing else."""
    found = mentions(said, policy.reader)
    whole = [m for m in found if not said[: m.start].strip() and len(said) - m.end <= 1]
    return whole[0].subject if whole else None


def _made(record: MemoryRecord, subject: str, told: Told, turn: Moment) -> MemoryRecord | None:
    """The record under the other one's key, in words that name them."""
    key, whose = Key.parse(record.memory_key), relation_of(subject)
    if key is None or whose is None:
        return None
    kind, relation = whose
    own = key.kind is kind
    fresh = str(Key(kind, (relation, *key.parts[1:]))) if own else record.memory_key
    said = swapped(record.statement or record.memory_value, told.old, told.new)
    memory_id = derived_id("memory", turn.message_id, fresh, record.memory_value)
    return replace(told_by(record, memory_id, fresh, record.memory_value, said, turn), subject=subject)
