"""Kinds of memories that the policy keeps only for a while: what is older is over. Off unless a policy names a kind."""

from __future__ import annotations

from datetime import datetime

from clew.engine.parts import Parts, user_lock
from clew.engine.rights import Scope
from clew.kernel.keep.lifecycle import move, outlived
from clew.model.canonical import plain
from clew.model.event import Event
from clew.model.memory import EventKind, MemoryEvent
from clew.model.rows import put_memory

OVER = "retention_over"


def retire(parts: Parts, scope: Scope, at: datetime) -> tuple[MemoryEvent, ...]:
    """Before a turn reads anything; pinned memories stay."""
    kinds = parts.policy.attributes.keep_days
    if not kinds:
        return ()
    rows = parts.policy.attributes.rows
    wanted = [name for name, row in rows.items() if name in kinds or row.group in kinds]
    own = (scope.user_id, scope.friend_id)
    with parts.store.write(user_lock(scope.user_id)) as session:
        held = session.memories_by_attribute(*own, wanted)
        gone = [move(m, "invalidate", at, reason=OVER) for m in held if outlived(m, at, parts.policy)]
        events = tuple(MemoryEvent(EventKind.INVALIDATED, m.memory_id, OVER) for m in gone)
        if gone:
            session.append(
                [
                    Event(
                        kind="memory.retired",
                        at=at,
                        user_id=scope.user_id,
                        policy=parts.policy.fingerprint,
                        changes=tuple(put_memory(*own, m) for m in gone),
                        note={"events": plain(list(events))},
                    )
                ]
            )
    return events
