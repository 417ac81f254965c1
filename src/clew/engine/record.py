"""The write-back: message, reply, bond, memories, state and trace in one transaction (rulings P20, P36)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from clew.engine.arranging import settle, settled_controls
from clew.engine.claim import confirm
from clew.engine.correcting import apply, within_reach
from clew.engine.friends import recast_event
from clew.engine.looking import near_memories
from clew.engine.parts import Parts, user_lock
from clew.engine.pointing import told_list
from clew.engine.reaching import replied
from clew.engine.rights import Scope, all_forgotten, change_of
from clew.engine.texts import topic_name
from clew.engine.turn_state import Turn
from clew.engine.weaving import closed_threads, loops_of, settled_threads, turn_at, woven
from clew.engine.withdraw import cooled, withdrawal
from clew.kernel.correct.forgotten_marks import UNRECORDED, unrecorded
from clew.kernel.correct.recording import KEY as RECORDING
from clew.kernel.correct.recording import switched
from clew.kernel.keep.change_reader import UNDOES
from clew.kernel.keep.merge import remember
from clew.kernel.keep.reach import reach
from clew.kernel.keep.returned import come_back, says_back
from clew.kernel.keep.suppression import lift_spoken_of
from clew.kernel.keep.telling import tell
from clew.kernel.read.change_words import says
from clew.kernel.relate.decay import decay
from clew.kernel.relate.evidence import count_of
from clew.kernel.relate.update import update
from clew.model.account import Lease, Message, Trace
from clew.model.canonical import derived_id, plain
from clew.model.event import Drop, Event, Put
from clew.model.exchange import Outcome
from clew.model.memory import Command, EventKind, MemoryEvent, MemoryRecord, MemoryStatus
from clew.model.notes import BondNote, MemoryNote, RememberNote, WeaveNote
from clew.model.profile import UserControls, UserState
from clew.model.rows import (
    put_controls,
    put_memory,
    put_message,
    put_relationship,
    put_thread,
    put_trace,
    put_user,
)
from clew.model.shown import put_shown
from clew.model.thread import ThreadStatus
from clew.model.turn import UpdatePolicy, WritePolicy
from clew.model.utterance import Act
from clew.policy import Policy
from clew.ports.store import Session

# What may come back, beside what holds.
_OVER = (MemoryStatus.ACTIVE, MemoryStatus.SUPERSEDED, MemoryStatus.INVALID)


def write_back(parts: Parts, turn: Turn, lease: Lease) -> Outcome:
    """The pure rules of the bond and of memory run on what stands now, under the user's lock."""
    assert turn.conversation is not None and turn.words is not None
    incoming, words, notes = turn.incoming, turn.words, turn.notes
    with parts.store.write(user_lock(turn.user.user_id)) as session:
        confirm(session, lease)
        controls, records, happened = _memory(parts, turn, session)
        controls = settled_controls(turn, session, controls)
        notes.add(RememberNote(_told(parts, turn, happened, records)))
        bond = _bond(parts, turn, session)
        position = session.next_position(incoming.conversation_id)
        loops = loops_of(session.threads(incoming.conversation_id), turn_at(position))
        settled = loops.settled(incoming.text, words.text, parts.policy)
        closed = [
            *settled_threads(loops, settled, turn.at),
            *closed_threads(loops, turn.pointed.close, turn.at),
        ]
        done = {k.id for k in closed}
        life, over, opened = woven(parts, turn, session, loops, words.text)
        closed += [k for k in life if k.id not in done]
        notes.add(
            WeaveNote(
                resolved=tuple(k.id for k in closed if k.status is ThreadStatus.RESOLVED),
                opened=tuple(opened),
                closed=tuple(over),
                reasons=tuple(a.reason for a in settled),
            )
        )
        said = Message(
            message_id=incoming.message_id,
            conversation_id=incoming.conversation_id,
            user_id=turn.user.user_id,
            role="user",
            text=incoming.text,
            at=turn.at,
            source=incoming.source,
            extracted_memory_ids=tuple(dict.fromkeys(e.memory_id for e in happened if e.memory_id)),
            position=position,
        )
        reply = Message(
            message_id=_reply_id(session, incoming.message_id),
            conversation_id=incoming.conversation_id,
            user_id=turn.user.user_id,
            role="assistant",
            text=words.text,
            # When it was written, which is after it was asked for; a clock that went back moves nothing.
            at=max(turn.at, parts.clock.now()),
            source=incoming.source,
            reply_to=incoming.message_id,
            surfaced_memory_ids=words.surfaced,
            position=position + 1,
        )
        activated = turn.user.state is UserState.ONBOARDING
        told = notes.body(parts.policy.fingerprint)
        trace = Trace(incoming.message_id, incoming.conversation_id, turn.user.user_id, turn.at, told)
        events = [_event(parts, turn, "message.received", put_message(said))]
        if activated:
            events.append(
                _event(parts, turn, "user.activated", put_user(replace(turn.user, state=UserState.ACTIVE)))
            )
        elif (stored := session.user(turn.user.user_id)) and stored.answers != turn.user.answers:
            kind = "user.zone_told" if turn.arranged.user else "user.age_told"
            events.append(_event(parts, turn, kind, put_user(turn.user)))
        if turn.asked.unsaid:
            gone = withdrawal(session, Scope(*turn.scope), turn.asked.unsaid, turn.at).drops
            withdrawn = _event(parts, turn, "messages.withdrawn", *gone)
            events.append(replace(withdrawn, note={"withdrawn": list(turn.asked.unsaid)}))
        events += _memory_events(parts, turn, records, happened, change_of(turn.controls, controls))
        if controls is not None:
            changed = _event(parts, turn, "controls.changed", put_controls(turn.user.user_id, controls))
            events.append(replace(changed, note=_closed(turn, controls)))
        events += [_event(parts, turn, "relationship.updated", b) for b in bond]
        events += settle(parts, turn, session)
        events += replied(parts, session, turn.user.user_id, turn.at, incoming.message_id)
        if closed:
            events.append(_event(parts, turn, "threads.changed", *map(put_thread, closed)))
        if listed := turn.pointed.shown or told_list(parts, turn, words, reply.at):
            shown = put_shown(incoming.conversation_id, turn.user.user_id, listed)
            events.append(_event(parts, turn, "list.shown", shown))
        if turn.pointed.persona is not None:
            events.append(recast_event(parts, session, turn.conversation, turn.pointed.persona, turn.at))
        events.append(
            replace(_event(parts, turn, "reply.written", put_message(reply)), note=dict(words.raw))
        )
        events.append(_event(parts, turn, "trace.stored", put_trace(trace)))
        session.append(events)
        session.drop_lease(incoming.message_id)
    if turn.asked.unsaid:
        cooled(parts, [incoming.conversation_id])
    return Outcome(
        message_id=incoming.message_id,
        conversation_id=incoming.conversation_id,
        reply_id=reply.message_id,
        reply=reply.text,
        pipeline=turn.route.pipeline,
        user_state=UserState.ACTIVE,
        surfaced_memory_ids=reply.surfaced_memory_ids,
        memory_events=tuple(happened),
        trace=told,
    )


def _reply_id(session: Session, message_id: str) -> str:
    """Made from the message's, and past any id that someone used for a message of their own."""
    found, tries = derived_id("reply", message_id), 0
    while session.message(found) is not None:
        tries += 1
        found = derived_id("reply", message_id, tries)
    return found


def _memory(
    parts: Parts, turn: Turn, session: Session
) -> tuple[UserControls | None, list[MemoryRecord], Sequence[MemoryEvent]]:
    """New controls (None when unchanged), the records that changed, and what happened."""
    found, policy = turn.found, parts.policy
    standing = controls = session.controls(turn.user.user_id)
    lifted: tuple[MemoryEvent, ...] = ()
    before: list[MemoryRecord]
    result: Any
    if turn.pointed.forget:
        before, result = all_forgotten(session, Scope(*turn.scope), turn.pointed.forget, controls, turn.at, policy)
    elif turn.asked.recording is not None:
        before = session.memories_about(*turn.scope, keys=[RECORDING])
        changed, happened = switched(turn.asked.recording, before, turn.text, turn.incoming.message_id, turn.at)
        return None, changed, happened
    elif turn.unrecorded and not found.candidates:
        marks = session.memories_about(*turn.scope, keys=[UNRECORDED])
        mark = unrecorded(next(iter(marks), None), turn.incoming.message_id, turn.at)
        return None, [mark], (MemoryEvent(EventKind.SKIPPED, None, "remember.off_the_record"),)
    elif turn.asked.unsaid:
        taken = withdrawal(session, Scope(*turn.scope), turn.asked.unsaid, turn.at)
        return (taken.controls if taken.controls != standing else None), list(taken.memories), taken.events
    elif turn.asked.only:
        near = near_memories(session, *turn.scope, turn.text, turn.history, policy)
        before = within_reach(parts, turn, session, near)
        result = apply(parts, turn, before, controls)
    elif found.candidates or found.endings or _undoes(turn) or _tells_an_end(turn, policy) or _back(turn, policy):
        near = near_memories(session, *turn.scope, turn.text, turn.history, policy)
        keys, ids = [c.key for c in found.candidates], [c.memory_id for c in found.changes]
        known = session.memories_about(*turn.scope, keys=keys, ids=ids)
        # One thing has several names, and what is over may be told by its attribute alone.
        alike = session.memories_beginning(*turn.scope, reach(found.candidates, found.endings, policy))
        over = session.memories(*turn.scope, _OVER) if _back(turn, policy) else []
        before = list({m.memory_id: m for m in (*near, *known, *alike, *over)}.values())
        # Spoken of again of the user's own accord: the key is free, the forgotten value is not.
        controls, lifted = lift_spoken_of(controls, found.candidates, policy)
        result = remember(
            before,
            found.candidates,
            controls,
            message_id=turn.incoming.message_id,
            at=turn.at,
            policy=policy,
            crisis=turn.route.crisis,
            explicit=found.explicit,
            endings=found.endings,
            changes=found.changes,
            # Where the reader of change has no vectors, words must do.
            text=turn.text if turn.read.vector is None and _tells_an_end(turn, policy) else "",
        )
        if over and not turn.route.crisis:
            again, returned = come_back(result.memories, turn.text, turn.incoming.message_id, turn.at, policy)
            result = replace(result, memories=again, events=(*result.events, *returned))
    else:
        return None, [], ()
    old = {m.memory_id: m for m in before}
    changed = [m for m in result.memories if old.get(m.memory_id) != m]
    after = result.controls if result.controls != standing else None
    return after, changed, (*lifted, *result.events)


def _undoes(turn: Turn) -> bool:
    """Where nothing is told, a verdict that leaves a memory as it is changes nothing."""
    return any(c.verdict in UNDOES for c in turn.found.changes)


def _tells_an_end(turn: Turn, policy: Policy) -> bool:
    """ "The band split up" holds nothing to keep, and ends something that is kept."""
    asks = any(s.act is not Act.STATEMENT for s in turn.read.sentences)
    return turn.route.memory_write_policy is not WritePolicy.NONE and not asks and says(turn.text, "ended", policy)


def _back(turn: Turn, policy: Policy) -> bool:
    """ "We're back together": what was over may come back, whether or not anything else is told."""
    told = all(s.act is Act.STATEMENT for s in turn.read.sentences)
    return turn.route.memory_write_policy is not WritePolicy.NONE and told and says_back(turn.text, policy)


def _closed(turn: Turn, controls: UserControls) -> dict[str, list[str]]:
    """What the user asked to be spared, so that it can be opened again."""
    before = turn.controls
    topics = [t.value for t in controls.suppressed_topics if t not in before.suppressed_topics]
    spared = controls.suppressed_memory_keys if turn.asked.command is Command.SUPPRESS_TOPIC else ()
    keys = [k for k in spared if k not in before.suppressed_memory_keys]
    return {name: found for name, found in (("topics", topics), ("keys", keys)) if found}


def _bond(parts: Parts, turn: Turn, session: Session) -> list[Put]:
    heard, route, notes, scope = turn.heard, turn.route, turn.notes, turn.scope
    before = session.relationship(*scope)
    if route.relationship_update_policy is UpdatePolicy.OFF:
        notes.add(BondNote(0, before.relationship_stage, before.rapport_score, update="OFF"))
        return []
    decayed = decay(before, turn.at, parts.policy)
    last = turn.last_reply
    related = update(
        decayed.state,
        turn.incoming.text,
        turn.at,
        parts.policy,
        emotion=heard.emotion,
        last_assistant_text=last.text if last else None,
        correction=turn.asked.command is not Command.NONE or turn.pointed.acts or turn.arranged.wish is not None,
        preferences=count_of(turn.told.by_words),
    )
    notes.add(
        BondNote(
            delta=related.delta,
            stage=related.state.relationship_stage,
            score=related.state.rapport_score,
            decayed=decayed.delta,
            sessions=related.state.sessions_count,
            reasons=(*decayed.reasons, *related.reasons),
        )
    )
    return [put_relationship(*scope, related.state)]


def _memory_events(
    parts: Parts,
    turn: Turn,
    records: list[MemoryRecord],
    happened: Sequence[MemoryEvent],
    barred: dict[str, list[str]],
) -> list[Event]:
    """The memories that changed; the note says what happened and what was barred or freed, for an undo."""
    if not records:
        return []
    scope = turn.scope
    # What steps back goes first: the database allows one ACTIVE per key at any moment.
    ordered = sorted(records, key=lambda m: (m.status is MemoryStatus.ACTIVE, m.memory_id))
    event = _event(parts, turn, "memory.changed", *(put_memory(*scope, m) for m in ordered))
    return [replace(event, note={"events": plain(list(happened)), "barred": barred})]


def _told(
    parts: Parts, turn: Turn, happened: Sequence[MemoryEvent], records: list[MemoryRecord]
) -> tuple[MemoryNote, ...]:
    """Events with the words a person knows the memory by. What is forgotten is not also called unspoken of."""
    held = {m.memory_id: m for m in records}
    forgotten = any(e.kind is EventKind.INVALIDATED for e in happened)
    keys = {m.memory_key: m for m in (*turn.memories, *records)}
    out = []
    for event in happened:
        topic = topic_name(event.topic or "", turn.read.language, parts.policy)
        if event.kind is EventKind.SUPPRESSED and forgotten and topic is None:
            continue
        found = held.get(event.memory_id or "") or keys.get(event.key or "")
        label, words = _named(found, turn, parts.policy) if found else (None, topic)
        note = MemoryNote(event.kind, event.memory_id, event.reason, event.by, label, words, event.key, event.topic)
        out.append(note)
    return tuple(out)


def _named(record: MemoryRecord, turn: Turn, policy: Policy) -> tuple[str, str]:
    meant = replace(record, status=MemoryStatus.ACTIVE) if record.status is MemoryStatus.INVALID else record
    words = tell(meant, turn.read.language, policy, at=turn.at, zone=turn.zone)
    return f"{record.memory_key} = {record.memory_value}", words


def _event(parts: Parts, turn: Turn, kind: str, *changes: Put | Drop) -> Event:
    return Event(
        kind=kind,
        at=turn.at,
        user_id=turn.user.user_id,
        policy=parts.policy.fingerprint,
        message_id=turn.incoming.message_id,
        changes=changes,
    )
