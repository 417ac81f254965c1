"""Taking back what was said: the messages leave the conversation, and what rested on them alone is invalid.

Nothing is deleted: the journal keeps the messages, and a memory is INVALID with the reason why.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from clew.engine.histories import cool
from clew.engine.parts import Parts, user_lock
from clew.engine.rights import Scope
from clew.errors import NotFound
from clew.frozen import dataclass
from clew.kernel.keep.lifecycle import move, restore
from clew.model.canonical import plain
from clew.model.event import Drop, Event, Put
from clew.model.memory import EventKind, MemoryEvent, MemoryRecord, MemoryStatus
from clew.model.profile import UserControls
from clew.model.rows import put_controls, put_memory
from clew.ports.store import Session

SOURCE_WITHDRAWN = "source_withdrawn"


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """What taking messages back changes: rows that go, memories that end or hold again, and the controls."""

    drops: tuple[Drop, ...]
    memories: tuple[MemoryRecord, ...]
    events: tuple[MemoryEvent, ...]
    controls: UserControls


def withdraw(
    parts: Parts, scope: Scope, message_ids: Iterable[str], *, reason: str = SOURCE_WITHDRAWN
) -> tuple[MemoryEvent, ...]:
    """The user's messages and their replies; a memory goes when its last source goes."""
    wanted = tuple(dict.fromkeys(message_ids))
    at = parts.clock.now()
    with parts.store.write(user_lock(scope.user_id)) as session:
        done = withdrawal(session, scope, wanted, at, reason)
        puts: list[Put | Drop] = [put_memory(scope.user_id, scope.friend_id, m) for m in done.memories]
        if done.controls != session.controls(scope.user_id):
            puts.append(put_controls(scope.user_id, done.controls))
        talks = {m.conversation_id for i in wanted if (m := session.message(i)) is not None}
        session.append(
            [
                Event(
                    kind="memory.changed" if done.memories else "messages.withdrawn",
                    at=at,
                    user_id=scope.user_id,
                    policy=parts.policy.fingerprint,
                    changes=(*puts, *done.drops),
                    note={"events": plain(list(done.events)), "withdrawn": list(wanted)},
                )
            ]
        )
    cooled(parts, talks)
    return done.events or tuple(MemoryEvent(EventKind.INVALIDATED, None, f"withdraw.{reason}") for _ in wanted)


def cooled(parts: Parts, conversations: Iterable[str]) -> None:
    """Derived: what is left is made findable again when it is next asked."""
    if parts.index is not None:
        for talk in conversations:
            cool(parts.index, talk)


def withdrawal(
    session: Session, scope: Scope, wanted: Sequence[str], at: datetime, reason: str = SOURCE_WITHDRAWN
) -> Withdrawn:
    """What would change, in the order in which it may be written: what steps back first."""
    dropped = _drops(session, scope, wanted)
    held = session.memories(scope.user_id, scope.friend_id)
    gone = [m for m in held if _rests_only_on(session, m, wanted)]
    ended = [move(m, "invalidate", at, reason=reason) for m in gone]
    events = [MemoryEvent(EventKind.INVALIDATED, m.memory_id, f"withdraw.{reason}") for m in ended]
    after = {m.memory_id: m for m in (*held, *ended)}
    # What a withdrawn statement had replaced holds again.
    lost = {m.memory_id for m in gone}
    back = [
        m.memory_id
        for m in held
        if m.superseded_by in lost and m.memory_id not in lost and _stands(session, m, wanted)
    ]
    restored = restore(tuple(after.values()), back, session.controls(scope.user_id), at=at)
    events += [e for e in restored.events if e.kind is not EventKind.SKIPPED]
    old = {m.memory_id: m for m in held}
    changed = [m for m in restored.memories if old[m.memory_id] != m]
    ordered = sorted(changed, key=lambda m: (m.status is MemoryStatus.ACTIVE, m.memory_id))
    return Withdrawn(tuple(dropped), tuple(ordered), tuple(events), restored.controls)


def _drops(session: Session, scope: Scope, message_ids: Sequence[str]) -> list[Drop]:
    out = []
    for message_id in message_ids:
        message = session.message(message_id)
        if message is None or message.user_id != scope.user_id or message.role != "user":
            raise NotFound(f"no message {message_id!r}", pointer="/message_id")
        out.append(Drop("messages", {"reply_to": message_id}))
        out.append(Drop("messages", {"message_id": message_id}))
        out.append(Drop("traces", {"message_id": message_id}))
    return out


def _rests_only_on(session: Session, record: MemoryRecord, gone: Sequence[str]) -> bool:
    """Of several sources, those that were withdrawn before no longer stand either."""
    if record.status is not MemoryStatus.ACTIVE or not set(record.source_message_ids) & set(gone):
        return False
    left = [i for i in record.source_message_ids if i not in gone]
    return all(session.message(i) is None for i in left)


def _stands(session: Session, record: MemoryRecord, gone: Sequence[str]) -> bool:
    """Somebody's words still say it, or it was never learned from words."""
    left = [i for i in record.source_message_ids if i not in gone]
    return not record.source_message_ids or any(session.message(i) is not None for i in left)
