"""What a user may do with their own memories: look, search, edit, pause, pin, restore, delete, undo."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from clew.engine.parts import Parts, user_lock
from clew.errors import InvalidInput, NotFound
from clew.frozen import dataclass
from clew.kernel.correct.forgotten_marks import FORGOT
from clew.kernel.keep.barred_values import with_barred_values
from clew.kernel.keep.keys import bare_value, build, canonical_value
from clew.kernel.keep.lifecycle import as_of, move, restore, with_suppression, without_suppression
from clew.kernel.text.normalize import normalize
from clew.kernel.text.slug import slug
from clew.model.account import Conversation
from clew.model.canonical import derived_id, plain
from clew.model.event import Drop, Event, Put
from clew.model.key import NOBODY, first_part
from clew.model.memory import (
    EventKind,
    InvalidReason,
    MemoryEvent,
    MemoryRecord,
    MemoryStatus,
    MemoryType,
    Remembered,
)
from clew.model.notes import MemoryNote
from clew.model.plan import Snippet
from clew.model.profile import UserControls
from clew.model.rows import put_controls, put_memory
from clew.policy import Policy
from clew.ports.store import Session

_REMOVED = (EventKind.INVALIDATED, EventKind.SUPERSEDED, EventKind.CONTRADICTED)


@dataclass(frozen=True, slots=True)
class Scope:
    """Whose memories: every call names it, and nothing is found outside it."""

    user_id: str
    friend_id: str

    @classmethod
    def of(cls, conversation: Conversation) -> Scope:
        return cls(conversation.user_id, conversation.friend_id)


def memories(
    parts: Parts,
    scope: Scope,
    *,
    search: str = "",
    status: MemoryStatus | None = MemoryStatus.ACTIVE,
    at: datetime | None = None,
) -> list[MemoryRecord]:
    """`at` asks what was current then; `search` looks in keys and values."""
    with parts.store.read() as session:
        found = session.memories(scope.user_id, scope.friend_id, None if at or status is None else [status])
    if at is not None:
        found = list(as_of(found, at))
    wanted = normalize(search)
    return [m for m in found if wanted in normalize(f"{m.memory_key} {m.memory_value}")]


def pause(parts: Parts, scope: Scope, memory_id: str, paused: bool = True) -> MemoryRecord:
    return _mark(parts, scope, memory_id, "memory.paused" if paused else "memory.resumed", paused=paused)


def pin(parts: Parts, scope: Scope, memory_id: str, pinned: bool = True) -> MemoryRecord:
    return _mark(parts, scope, memory_id, "memory.pinned" if pinned else "memory.unpinned", pinned=pinned)


def edit(parts: Parts, scope: Scope, memory_id: str, value: str) -> tuple[MemoryEvent, ...]:
    """A new value supersedes the old one; nothing is overwritten."""
    if not normalize(value):
        raise InvalidInput("value is empty", pointer="/value")
    with _writing(parts, scope) as session:
        record = _owned(session, scope, memory_id)
        if record.status is not MemoryStatus.ACTIVE:
            raise InvalidInput(
                f"memory {memory_id} is {record.status}; restore it first", pointer="/memory_id"
            )
        key, new = _edited(record, value, parts.policy)
        if new == record.memory_value:
            return ()
        at = parts.clock.now()
        message_id = derived_id("edit", memory_id, new, at)
        successor = replace(
            record,
            memory_id=derived_id("memory", message_id, key, new),
            memory_key=key,
            memory_value=new,
            created_at=at,
            last_confirmed_at=at,
            source_message_ids=(),
            statement=_restated(record, new),
        )
        holders = [record] if key == record.memory_key else [record, *_holders(session, scope, key)]
        events = (
            *(
                MemoryEvent(EventKind.SUPERSEDED, m.memory_id, "rights.edited", by=successor.memory_id)
                for m in holders
            ),
            MemoryEvent(EventKind.CREATED, successor.memory_id, "rights.edited"),
        )
        old = [move(m, "supersede", at, by=successor.memory_id) for m in holders]
        _save(parts, session, scope, "memory.edited", [*old, successor], events=events)
        return events


def _restated(record: MemoryRecord, value: str) -> str | None:
    """The user's own words with the new value in them; where they do not hold the old one, the value speaks alone."""
    old = bare_value(record.memory_value)
    said = record.statement
    return said.replace(old, bare_value(value)) if said and old and old in said else None


def _edited(record: MemoryRecord, value: str, policy: Policy) -> tuple[str, str]:
    """The key and value after an edit: a preference keeps its stance unless given one, and its key names its item."""
    kept = Snippet.of(record).stance
    new = canonical_value(record.type, f"{kept}|{value}" if kept and "|" not in value else value)
    if new is None or (record.type is not MemoryType.PREFERENCE and "|" in new):
        raise InvalidInput(
            f"{value!r} is no value of a {record.type}; a preference is like|… or dislike|…", pointer="/value"
        )
    if record.type is not MemoryType.PREFERENCE:
        return record.memory_key, new
    category = first_part(record.memory_key)
    item = bare_value(new)
    if slug(item, policy.text) == slug(bare_value(record.memory_value), policy.text):
        return record.memory_key, new
    return build(record.type, category, item, policy=policy) or record.memory_key, new


def _holders(session: Session, scope: Scope, key: str) -> list[MemoryRecord]:
    found = session.memories_about(scope.user_id, scope.friend_id, keys=[key])
    return [m for m in found if m.status is MemoryStatus.ACTIVE]


def forget(parts: Parts, scope: Scope, memory_id: str) -> tuple[MemoryEvent, ...]:
    """INVALID and barred from being learned again, until the user says remember."""
    with _writing(parts, scope) as session:
        before, result = forgotten(
            session, scope, memory_id, session.controls(scope.user_id), parts.clock.now(), parts.policy
        )
        changed = [m for m in result.memories if m not in before]
        if changed:
            _save(parts, session, scope, "memory.forgotten", changed, result.controls, result.events)
        return result.events


def forgotten(
    session: Session, scope: Scope, memory_id: str, controls: UserControls, at: datetime, policy: Policy
) -> tuple[list[MemoryRecord], Remembered]:
    """The record before, and what forgetting it leaves; nothing changes for one that is gone already."""
    record = _owned(session, scope, memory_id)
    if record.status is MemoryStatus.INVALID:
        return [record], Remembered((record,), controls)
    gone = move(record, "invalidate", at, reason=InvalidReason.FORGOT)
    # An old value may go while the new one stays in use.
    if all(m.memory_id == memory_id for m in _holders(session, scope, record.memory_key)):
        controls = with_suppression(controls, [record.memory_key])
    # Spoken of again, its key is free; this value is not (ruling M5).
    controls = with_barred_values(controls, [record], policy)
    event = MemoryEvent(EventKind.INVALIDATED, memory_id, "rights.forgotten")
    return [record], Remembered((gone,), controls, (event,))


def all_forgotten(
    session: Session,
    scope: Scope,
    memory_ids: Sequence[str],
    controls: UserControls,
    at: datetime,
    policy: Policy,
) -> tuple[list[MemoryRecord], Remembered]:
    """Several at once: "forget both"."""
    before: list[MemoryRecord] = []
    records: list[MemoryRecord] = []
    events: list[MemoryEvent] = []
    for memory_id in memory_ids:
        held, result = forgotten(session, scope, memory_id, controls, at, policy)
        controls = result.controls
        before += held
        records += result.memories
        events += result.events
    return before, Remembered(tuple(records), controls, tuple(events))


def delete(parts: Parts, scope: Scope, memory_id: str) -> dict[str, int]:
    """Erase one memory from tables and journal; what was said in the conversation stays."""
    with _writing(parts, scope) as session:
        record = _owned(session, scope, memory_id)
        removed: dict[str, int] = session.erase_memory(
            scope.user_id,
            memory_id,
            Event(
                kind="memory.erased",
                at=parts.clock.now(),
                user_id=scope.user_id,
                policy=parts.policy.fingerprint,
                changes=(Drop("memories", {"memory_id": record.memory_id}),),
            ),
        )
    parts.store.vacuum()
    return removed


def bring_back(parts: Parts, scope: Scope, memory_ids: Iterable[str]) -> tuple[MemoryEvent, ...]:
    with _writing(parts, scope) as session:
        return _restore(parts, session, scope, tuple(memory_ids), "memory.restored")


def undo(parts: Parts, scope: Scope) -> tuple[MemoryEvent, ...]:
    """Take back the newest change of memory that was not itself an undo or undone."""
    with _writing(parts, scope) as session:
        entries = list(session.journal(scope.user_id))
        undone = {e.event.note.get("undoes") for e in entries if e.event.kind == "memory.undone"}
        for entry in reversed(entries):
            event = entry.event
            if entry.seq in undone:
                continue
            if event.kind == "controls.changed" and (event.note.get("topics") or event.note.get("keys")):
                return _reopen(parts, session, scope, entry.seq, event)
            # A mere confirmation changes nothing that could be taken back: look further.
            undoable = event.kind in _UNDOABLE and _touches(event, scope)
            if undoable and (taken_back := _undo_one(parts, session, scope, entry.seq, event)):
                return taken_back
    return ()


def _reopen(parts: Parts, session: Session, scope: Scope, seq: int, event: Event) -> tuple[MemoryEvent, ...]:
    """A topic or a thing that was closed in words may come up again."""
    closed, keys = event.note.get("topics", ()), event.note.get("keys", ())
    controls = without_suppression(session.controls(scope.user_id), keys)
    kept = tuple(t for t in controls.suppressed_topics if t not in closed)
    topics = [MemoryEvent(EventKind.RESTORED, None, f"rights.reopened_topic {t}", topic=t) for t in closed]
    events = (*topics, *(MemoryEvent(EventKind.RESTORED, None, f"rights.reopened_key {k}", key=k) for k in keys))
    reopened = replace(controls, suppressed_topics=kept)
    _save(parts, session, scope, "memory.undone", [], reopened, events, undoes=seq)
    return events


def told(parts: Parts, scope: Scope, events: Iterable[MemoryEvent]) -> list[str]:
    """What happened, in the words a person knows each memory by."""
    with parts.store.read() as session:
        ids = [e.memory_id for e in events if e.memory_id]
        found = session.memories_about(scope.user_id, scope.friend_id, ids=ids)
    labels = {m.memory_id: f"{m.memory_key} = {m.memory_value}" for m in found}
    return [f"{e.kind} {labels.get(e.memory_id or '') or unnamed(e)}" for e in events]


def unnamed(event: MemoryEvent | MemoryNote) -> str:
    """An event without a memory, by the key or the topic that it names."""
    if event.topic:
        return f"the topic {event.topic.lower().replace('_', ' ')}"
    parts = [p for p in (event.key or "").split(":")[1:] if p != NOBODY]
    return " ".join(parts).replace("_", " ") or event.key or "a memory"


_UNDOABLE = ("memory.changed", "memory.forgotten", "memory.edited", "memory.restored")


def _touches(event: Event, scope: Scope) -> bool:
    return any(
        isinstance(c, Put) and c.table == "memories" and c.row["friend_id"] == scope.friend_id
        for c in event.changes
    )


def _undo_one(
    parts: Parts, session: Session, scope: Scope, seq: int, event: Event
) -> tuple[MemoryEvent, ...]:
    happened: list[dict[str, Any]] = list(event.note.get("events", ()))
    removed = [e["memory_id"] for e in happened if e["kind"] in _REMOVED and e["memory_id"]]
    created = [e["memory_id"] for e in happened if e["kind"] == EventKind.CREATED and e["memory_id"]]
    again = [e["memory_id"] for e in happened if e["kind"] == EventKind.RESTORED and e["memory_id"]]
    again = [i for i in again if i not in created]
    marks = [e["memory_id"] for e in happened if e["kind"] == EventKind.SUPPRESSED and e["memory_id"]]
    at = parts.clock.now()
    records = {
        m.memory_id: m
        for m in session.memories_about(scope.user_id, scope.friend_id, ids=[*removed, *created, *again, *marks])
    }
    changed: list[MemoryRecord] = []
    events: list[MemoryEvent] = []
    for memory_id in marks:  # what was only said may be told again
        if memory_id in records:
            records[memory_id] = replace(records[memory_id], invalid_reason=InvalidReason.UNDONE)
            changed.append(records[memory_id])
            events.append(MemoryEvent(EventKind.RESTORED, None, "rights.undone"))
    for memory_id in created:
        record = records.get(memory_id)
        if record is not None and record.status is MemoryStatus.ACTIVE:
            records[memory_id] = move(record, "invalidate", at, reason=InvalidReason.UNDONE)
            changed.append(records[memory_id])
            events.append(MemoryEvent(EventKind.INVALIDATED, memory_id, "rights.undone"))
    for memory_id in again:  # brought back by what is undone: it steps behind what that had replaced
        record = records.get(memory_id)
        if record is None or record.status is not MemoryStatus.ACTIVE:
            continue
        before = next((i for i in removed if i in records and records[i].memory_key == record.memory_key), None)
        gone = move(record, "supersede", at, by=before) if before else move(record, "invalidate", at, reason=FORGOT)
        records[memory_id] = gone
        changed.append(gone)
        events.append(MemoryEvent(EventKind.INVALIDATED, memory_id, "rights.undone"))
    back = restore(tuple(records.values()), removed, session.controls(scope.user_id), at=at, policy=parts.policy)
    after = {m.memory_id: m for m in back.memories}
    changed = [m for i, m in after.items() if m != records.get(i)] + [
        m for m in changed if after[m.memory_id] == m
    ]
    events.extend(e for e in back.events if e.kind is not EventKind.SKIPPED)
    if not changed:
        return ()
    controls = _barred_before(event, session.controls(scope.user_id), back.controls)
    _save(parts, session, scope, "memory.undone", changed, controls, tuple(events), undoes=seq)
    return tuple(events)


def change_of(before: UserControls, after: UserControls | None) -> dict[str, list[str]]:
    """What a change of controls barred and freed: keys and values, as data that an undo can turn round."""
    if after is None:
        return {}
    pairs = {
        "keys": (before.suppressed_memory_keys, after.suppressed_memory_keys),
        "values": (before.suppressed_values, after.suppressed_values),
    }
    barred = {name: [x for x in new if x not in old] for name, (old, new) in pairs.items()}
    freed = {f"freed_{name}": [x for x in old if x not in new] for name, (old, new) in pairs.items()}
    return {name: found for name, found in (*barred.items(), *freed.items()) if found}


def _barred_before(event: Event, now: UserControls, freed: UserControls) -> UserControls:
    """What the correction itself barred is free again; what was barred before it stays so."""
    if event.kind != "memory.changed":
        return freed
    change = event.note.get("barred")
    if change is None:  # written before the note had this field
        happened = event.note.get("events", ())
        added = [e["reason"].partition(" ")[2] for e in happened if e["kind"] == EventKind.SUPPRESSED]
        return without_suppression(now, added)

    def turned(held: tuple[str, ...], name: str) -> tuple[str, ...]:
        kept = [x for x in held if x not in change.get(name, ())]
        return tuple(dict.fromkeys((*kept, *change.get(f"freed_{name}", ()))))

    return replace(
        now,
        suppressed_memory_keys=turned(now.suppressed_memory_keys, "keys"),
        suppressed_values=turned(now.suppressed_values, "values"),
    )


def _restore(
    parts: Parts, session: Session, scope: Scope, memory_ids: tuple[str, ...], kind: str
) -> tuple[MemoryEvent, ...]:
    named = session.memories_about(scope.user_id, scope.friend_id, ids=memory_ids)
    unknown = set(memory_ids) - {m.memory_id for m in named}
    if unknown:
        raise NotFound(f"no memory {sorted(unknown)[0]!r}", pointer="/memory_id")
    before = session.memories_about(scope.user_id, scope.friend_id, keys=[m.memory_key for m in named])
    result = restore(
        before, memory_ids, session.controls(scope.user_id), at=parts.clock.now(), policy=parts.policy
    )
    old = {m.memory_id: m for m in before}
    changed = [m for m in result.memories if old[m.memory_id] != m]
    if changed:
        _save(parts, session, scope, kind, changed, result.controls, result.events)
    return result.events


def _mark(parts: Parts, scope: Scope, memory_id: str, kind: str, **marks: Any) -> MemoryRecord:
    with _writing(parts, scope) as session:
        record = replace(_owned(session, scope, memory_id), **marks)
        _save(parts, session, scope, kind, [record])
        return record


def _writing(parts: Parts, scope: Scope) -> Any:
    return parts.store.write(user_lock(scope.user_id))


def _owned(session: Session, scope: Scope, memory_id: str) -> MemoryRecord:
    found = session.memories_about(scope.user_id, scope.friend_id, ids=[memory_id])
    if not found:
        raise NotFound(f"no memory {memory_id!r}", pointer="/memory_id")
    return found[0]


def _save(
    parts: Parts,
    session: Session,
    scope: Scope,
    kind: str,
    records: list[MemoryRecord],
    controls: UserControls | None = None,
    events: tuple[MemoryEvent, ...] = (),
    **note: Any,
) -> None:
    ordered = sorted(records, key=lambda m: (m.status is MemoryStatus.ACTIVE, m.memory_id))
    changes: list[Put] = [put_memory(scope.user_id, scope.friend_id, m) for m in ordered]
    if controls is not None and controls != session.controls(scope.user_id):
        changes.append(put_controls(scope.user_id, controls))
    session.append(
        [
            Event(
                kind=kind,
                at=parts.clock.now(),
                user_id=scope.user_id,
                policy=parts.policy.fingerprint,
                changes=tuple(changes),
                note={"events": plain(list(events)), **note},
            )
        ]
    )
