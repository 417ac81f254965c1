"""Everything that is remembered of a friendship, read once for all who look through it in one turn."""

from __future__ import annotations

from collections.abc import Sequence

from clew.engine.parts import Parts
from clew.engine.turn_state import Turn
from clew.kernel.keep.merge import remember
from clew.model.memory import MemoryRecord
from clew.once import once


@once(1)
def all_memories(parts: Parts, turn: Turn) -> tuple[MemoryRecord, ...]:
    """Of every status, the oldest first, without what was forgotten; nothing changes before the turn is written."""
    with parts.store.read() as session:
        return turn.gone.memories(session.memories(*turn.scope))


def and_told_now(parts: Parts, turn: Turn, held: Sequence[MemoryRecord]) -> list[MemoryRecord]:
    """With what this very message tells: "what shall I cook? I can't have dairy"."""
    told = turn.told.candidates
    if not told:
        return list(held)
    done = remember(
        held, told, turn.controls, message_id=turn.incoming.message_id, at=turn.at, policy=parts.policy
    )
    return list(done.memories)
