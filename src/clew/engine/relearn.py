"""Reading the stored messages again into memory: what an earlier version did not understand is learned now.

Nothing that stands is touched. A key that has a record of any kind keeps it: corrections, forgotten
values and newer values were decided later than the message that is read again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from zoneinfo import ZoneInfo

from clew.engine.parts import Parts, user_lock
from clew.engine.vectors import token_vectors_of, vector_of
from clew.frozen import dataclass
from clew.kernel.correct.commands import hear_command
from clew.kernel.keep.merge import remember
from clew.kernel.read.utterance import read
from clew.kernel.statements.extract import extracted
from clew.model.account import Conversation, Message
from clew.model.canonical import plain
from clew.model.event import Event
from clew.model.memory import Candidate, Command, EventKind, MemoryStatus
from clew.model.rows import put_memory
from clew.model.signals import SafetyClass
from clew.ports.store import Session

_ALL = 1_000_000
_KIND = "memory.relearned"


@dataclass(frozen=True, slots=True)
class Step:
    """How far it is: one message read again, and how many memories it gave."""

    done: int
    total: int
    learned: int


def relearn(parts: Parts, conversation: Conversation) -> Iterator[Step]:
    """Message by message, oldest first; a run that was cut off goes on where it stopped."""
    with parts.store.read() as session:
        said = session.recent(conversation.conversation_id, _ALL, "user")
        zone = _zone(session, conversation)
        reached, made = _reached(session, conversation, parts.policy.fingerprint)
    waiting = [m for m in said if m.position > reached]
    for number, message in enumerate(waiting, 1):
        yield Step(number, len(waiting), _again(parts, conversation, message, zone, said, made))


def _again(
    parts: Parts,
    conversation: Conversation,
    message: Message,
    zone: ZoneInfo,
    said: Sequence[Message],
    made: set[str],
) -> int:
    previous = [m.text for m in said if m.position < message.position][-parts.policy.engine.history_messages :]
    found = _candidates(parts, message, zone, previous)
    scope = (conversation.user_id, conversation.friend_id)
    with parts.store.write(user_lock(conversation.user_id)) as session:
        known = session.memories_about(*scope, keys=[c.key for c in found])
        # What was learned by reading again may still be replaced by what was said after it.
        decided = {m.memory_key for m in known if m.memory_id not in made}
        fresh = [c for c in found if c.key not in decided]
        before = [m for m in known if m.memory_key not in decided]
        result = remember(
            before,
            fresh,
            session.controls(conversation.user_id),
            message_id=message.message_id,
            at=message.at,
            policy=parts.policy,
        )
        old = {m.memory_id: m for m in before}
        changed = [m for m in result.memories if old.get(m.memory_id) != m]
        ordered = sorted(changed, key=lambda m: (m.status is MemoryStatus.ACTIVE, m.memory_id))
        session.append(
            [
                Event(
                    kind=_KIND,
                    at=parts.clock.now(),
                    user_id=conversation.user_id,
                    policy=parts.policy.fingerprint,
                    message_id=message.message_id,
                    changes=tuple(put_memory(*scope, m) for m in ordered),
                    note={
                        "conversation": conversation.conversation_id,
                        "position": message.position,
                        "events": plain(list(result.events)),
                    },
                )
            ]
        )
    fresh_ids = {m.memory_id for m in changed} - set(old)
    made |= fresh_ids
    return len(fresh_ids)


def _candidates(
    parts: Parts, message: Message, zone: ZoneInfo, previous: Sequence[str]
) -> tuple[Candidate, ...]:
    """Nothing of a correction, a crisis or what safety does not let be kept."""
    text, policy = message.text, parts.policy
    if hear_command(text, policy).command is not Command.NONE:
        return ()
    heard = read(
        text,
        policy,
        previous=previous,
        vector=vector_of(parts, text),
        tokens=token_vectors_of(parts, text),
    )
    if heard.signals.safety.crisis or heard.signals.safety.kind is not SafetyClass.NONE:
        return ()
    learned = heard.tokens is not None
    return extracted(text, message.at, zone, policy, heard.vector, heard.statements, learned=learned).candidates


def _reached(session: Session, conversation: Conversation, policy: str) -> tuple[int, set[str]]:
    """How far this policy has read the conversation again, and which records that made."""
    place, made = 0, set()
    for entry in session.journal(conversation.user_id):
        event = entry.event
        if event.kind != _KIND or event.note.get("conversation") != conversation.conversation_id:
            continue
        made |= {e["memory_id"] for e in event.note["events"] if e["kind"] == EventKind.CREATED}
        if event.policy == policy:
            place = max(place, int(event.note["position"]))
    return place, made


def _zone(session: Session, conversation: Conversation) -> ZoneInfo:
    user = session.user(conversation.user_id)
    return ZoneInfo((user.answers.client_timezone if user else None) or "UTC")
