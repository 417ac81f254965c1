"""The write-back: message, reply, bond, memories, state and trace in one transaction (rulings P20, P36)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from clew.engine.claim import confirm
from clew.engine.correction import Asked, apply, within_reach
from clew.engine.learning import Found
from clew.engine.notes import Notes
from clew.engine.parts import Parts, user_lock
from clew.engine.scene import Scene, near_memories
from clew.engine.weaving import loops_of, settle_puts, turn_number
from clew.engine.writing import Words
from clew.kernel.keep.merge import remember
from clew.kernel.relate.decay import decay
from clew.kernel.relate.update import update
from clew.model.account import Lease, Message, Trace
from clew.model.canonical import derived_id, plain
from clew.model.event import Event, Put
from clew.model.exchange import Outcome
from clew.model.memory import Command, MemoryEvent, MemoryRecord, MemoryStatus
from clew.model.profile import UserControls, UserState
from clew.model.rows import (
    put_controls,
    put_memory,
    put_message,
    put_relationship,
    put_trace,
    put_user,
)
from clew.model.signals import Signals
from clew.model.turn import RoutingDecision, UpdatePolicy
from clew.ports.store import Session


def write_back(
    parts: Parts,
    scene: Scene,
    lease: Lease,
    heard: Signals,
    route: RoutingDecision,
    asked: Asked,
    words: Words,
    found: Found,
    notes: Notes,
) -> Outcome:
    """The pure rules of the bond and of memory run on what stands now, under the user's lock."""
    assert scene.conversation is not None and scene.friend is not None
    incoming = scene.incoming
    with parts.store.write(user_lock(scene.user.user_id)) as session:
        confirm(session, lease)
        controls, records, happened = _memory(parts, scene, session, route, asked, found)
        notes.room("remember", events=_told(happened, records))
        bond = _bond(parts, scene, session, heard, route, asked, notes)
        loops = loops_of(
            session.threads(incoming.conversation_id), turn_number(session, incoming.conversation_id)
        )
        settled = loops.settled(incoming.text, words.text, parts.policy)
        notes.room("weave", reasons=[a.reason for a in settled], resolved=[a.thread_id for a in settled])
        position = session.next_position(incoming.conversation_id)
        said = Message(
            message_id=incoming.message_id,
            conversation_id=incoming.conversation_id,
            user_id=scene.user.user_id,
            role="user",
            text=incoming.text,
            at=scene.at,
            source=incoming.source,
            extracted_memory_ids=tuple(dict.fromkeys(e.memory_id for e in happened if e.memory_id)),
            position=position,
        )
        reply = Message(
            message_id=_reply_id(session, incoming.message_id),
            conversation_id=incoming.conversation_id,
            user_id=scene.user.user_id,
            role="assistant",
            text=words.text,
            at=scene.at,
            source=incoming.source,
            reply_to=incoming.message_id,
            surfaced_memory_ids=words.surfaced,
            position=position + 1,
        )
        activated = scene.user.state is UserState.ONBOARDING
        notes.body["policy"] = parts.policy.fingerprint
        trace = Trace(incoming.message_id, incoming.conversation_id, scene.user.user_id, scene.at, notes.body)
        events = [_event(parts, scene, "message.received", put_message(said))]
        if activated:
            events.append(
                _event(parts, scene, "user.activated", put_user(replace(scene.user, state=UserState.ACTIVE)))
            )
        events += _memory_events(parts, scene, records, happened)
        if controls is not None:
            changed = _event(parts, scene, "controls.changed", put_controls(scene.user.user_id, controls))
            events.append(replace(changed, note=_closed(scene, asked, controls)))
        events += [_event(parts, scene, "relationship.updated", b) for b in bond]
        if settled:
            events.append(_event(parts, scene, "threads.changed", *settle_puts(loops, settled, scene.at)))
        events.append(
            replace(_event(parts, scene, "reply.written", put_message(reply)), note=dict(words.raw))
        )
        events.append(_event(parts, scene, "trace.stored", put_trace(trace)))
        session.append(events)
        session.drop_lease(incoming.message_id)
    return Outcome(
        message_id=incoming.message_id,
        conversation_id=incoming.conversation_id,
        reply_id=reply.message_id,
        reply=reply.text,
        pipeline=route.pipeline,
        user_state=UserState.ACTIVE,
        surfaced_memory_ids=reply.surfaced_memory_ids,
        memory_events=tuple(happened),
        trace=notes.body,
    )


def _reply_id(session: Session, message_id: str) -> str:
    """Made from the message's, and past any id that someone used for a message of their own."""
    found, tries = derived_id("reply", message_id), 0
    while session.message(found) is not None:
        tries += 1
        found = derived_id("reply", message_id, tries)
    return found


def _memory(
    parts: Parts, scene: Scene, session: Session, route: RoutingDecision, asked: Asked, found: Found
) -> tuple[UserControls | None, list[MemoryRecord], Sequence[MemoryEvent]]:
    """New controls (None when unchanged), the records that changed, and what happened."""
    assert scene.conversation is not None
    scope = (scene.conversation.user_id, scene.conversation.friend_id)
    controls = session.controls(scene.user.user_id)
    if asked.command is not Command.NONE:
        near = near_memories(session, *scope, scene.incoming.text, scene.history, parts.policy)
        before = within_reach(parts, scene, session, near)
        result: Any = apply(parts, scene, before, controls)
    elif found.candidates:
        near = near_memories(session, *scope, scene.incoming.text, scene.history, parts.policy)
        known = session.memories_about(*scope, keys=[c.key for c in found.candidates])
        before = list({m.memory_id: m for m in (*near, *known)}.values())  # one thing has several names
        result = remember(
            before,
            found.candidates,
            controls,
            message_id=scene.incoming.message_id,
            at=scene.at,
            policy=parts.policy,
            crisis=route.crisis,
            explicit=found.explicit,
        )
    else:
        return None, [], ()
    old = {m.memory_id: m for m in before}
    changed = [m for m in result.memories if old.get(m.memory_id) != m]
    return (result.controls if result.controls != controls else None), changed, result.events


def _closed(scene: Scene, asked: Asked, controls: UserControls) -> dict[str, list[str]]:
    """What the user asked to be spared, so that it can be opened again."""
    before = scene.controls
    topics = [t.value for t in controls.suppressed_topics if t not in before.suppressed_topics]
    spared = controls.suppressed_memory_keys if asked.command is Command.SUPPRESS_TOPIC else ()
    keys = [k for k in spared if k not in before.suppressed_memory_keys]
    return {name: found for name, found in (("topics", topics), ("keys", keys)) if found}


def _bond(
    parts: Parts,
    scene: Scene,
    session: Session,
    heard: Signals,
    route: RoutingDecision,
    asked: Asked,
    notes: Notes,
) -> list[Put]:
    assert scene.conversation is not None
    scope = (scene.conversation.user_id, scene.conversation.friend_id)
    before = session.relationship(*scope)
    if route.relationship_update_policy is UpdatePolicy.OFF:
        notes.room(
            "relate", delta=0, stage=before.relationship_stage, score=before.rapport_score, update="OFF"
        )
        return []
    decayed = decay(before, scene.at, parts.policy)
    last = scene.last_reply
    related = update(
        decayed.state,
        scene.incoming.text,
        scene.at,
        parts.policy,
        emotion=heard.emotion,
        last_assistant_text=last.text if last else None,
        correction=asked.command is not Command.NONE,
    )
    notes.room(
        "relate",
        reasons=(*decayed.reasons, *related.reasons),
        delta=related.delta,
        decayed=decayed.delta,
        score=related.state.rapport_score,
        stage=related.state.relationship_stage,
        sessions=related.state.sessions_count,
    )
    return [put_relationship(*scope, related.state)]


def _memory_events(
    parts: Parts, scene: Scene, records: list[MemoryRecord], happened: Sequence[MemoryEvent]
) -> list[Event]:
    if not records:
        return []
    assert scene.conversation is not None
    scope = (scene.conversation.user_id, scene.conversation.friend_id)
    # What steps back goes first: the database allows one ACTIVE per key at any moment.
    ordered = sorted(records, key=lambda m: (m.status is MemoryStatus.ACTIVE, m.memory_id))
    event = _event(parts, scene, "memory.changed", *(put_memory(*scope, m) for m in ordered))
    return [replace(event, note={"events": plain(list(happened))})]


def _told(happened: Sequence[MemoryEvent], records: list[MemoryRecord]) -> list[dict[str, Any]]:
    """Events with the words a person knows the memory by."""
    labels = {m.memory_id: f"{m.memory_key} = {m.memory_value}" for m in records}
    return [{**plain(e), "label": labels.get(e.memory_id or "")} for e in happened]


def _event(parts: Parts, scene: Scene, kind: str, *changes: Put) -> Event:
    return Event(
        kind=kind,
        at=scene.at,
        user_id=scene.user.user_id,
        policy=parts.policy.fingerprint,
        message_id=scene.incoming.message_id,
        changes=changes,
    )
