"""Everything that is remembered of a friendship, read once for all who look through it in one turn."""

from __future__ import annotations

from clew.engine.parts import Parts
from clew.engine.turn_state import Turn
from clew.model.memory import MemoryRecord
from clew.once import once


@once(1)
def all_memories(parts: Parts, turn: Turn) -> tuple[MemoryRecord, ...]:
    """Of every status, the oldest first, without what was forgotten; nothing changes before the turn is written."""
    with parts.store.read() as session:
        return turn.gone.memories(session.memories(*turn.scope))
