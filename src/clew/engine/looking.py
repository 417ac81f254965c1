"""What stands when a message arrives: who speaks, and what is known of them."""

from __future__ import annotations

import uuid
from dataclasses import replace
from datetime import datetime

import regex

from clew.engine.claim import stored_outcome
from clew.engine.held_back import held_back
from clew.engine.notes import Notes
from clew.engine.parts import Parts
from clew.engine.retention import retire
from clew.engine.rights import Scope
from clew.engine.turn_state import Turn
from clew.engine.weaving import loops_of, turn_number
from clew.errors import InvalidInput, NotFound
from clew.kernel.text.normalize import normalize
from clew.model.account import Message
from clew.model.exchange import Incoming
from clew.model.memory import MemoryRecord, MemoryStatus
from clew.model.profile import UserState
from clew.model.turn import Source
from clew.policy import Policy
from clew.ports.store import Session

_CONTROL = regex.compile(r"[\p{Cc}--[\n\r\t]]", regex.V1)


def admit(incoming: Incoming, policy: Policy) -> Incoming:
    """A message that can be stored and answered, or a clear word why not."""
    for name in ("message_id", "conversation_id", "text"):
        given = getattr(incoming, name, None)
        if not isinstance(given, str):
            raise InvalidInput(f"{name} must be a string, got {type(given).__name__}", pointer=f"/{name}")
    try:
        one_spelling = str(uuid.UUID(incoming.message_id))
    except ValueError:
        raise InvalidInput(
            f"message_id must be a UUID, got {incoming.message_id[:60]!r}", pointer="/message_id"
        ) from None
    if incoming.source is not Source.CHAT:
        # A proactive message has no user's words; it is made by engine/reaching.py and stored as the friend's.
        raise InvalidInput(f"a turn is taken by a user; source {incoming.source} is not theirs", pointer="/source")
    text, most = incoming.text, policy.engine.max_characters
    if len(text) > most:
        raise InvalidInput(f"text has {len(text):,} characters; at most {most:,} are taken", pointer="/text")
    if bad := _CONTROL.search(text):
        raise InvalidInput(
            f"text holds the control character U+{ord(bad.group()):04X} at position {bad.start()}",
            pointer="/text",
        )
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as why:
        raise InvalidInput(f"text is not valid Unicode at position {why.start}", pointer="/text") from None
    if not normalize(text):
        raise InvalidInput("text is empty", pointer="/text")
    return replace(incoming, message_id=one_spelling)


def look(parts: Parts, incoming: Incoming, at: datetime) -> Turn:
    """Who speaks, and was this message answered already? Reads no more than that."""
    with parts.store.read() as session:
        conversation = session.conversation(incoming.conversation_id)
        user = session.user(conversation.user_id if conversation else incoming.user_id or "")
        if user is None or (conversation is None and user.state is UserState.ACTIVE):
            raise NotFound(f"no conversation {incoming.conversation_id!r}", pointer="/conversation_id")
        if incoming.user_id not in (None, user.user_id):
            raise NotFound(
                f"no conversation {incoming.conversation_id!r} of this user", pointer="/conversation_id"
            )
        return Turn(
            incoming,
            at,
            user,
            Notes(parts.clock),
            controls=session.controls(user.user_id),
            conversation=conversation,
            friend=session.friend(conversation.friend_id) if conversation else None,
            answered=stored_outcome(session, incoming) if conversation else None,
        )


def stand(parts: Parts, turn: Turn) -> Turn:
    """Everything that stands when the message arrives, read in one transaction."""
    limits = parts.policy.engine
    if turn.conversation is None:
        return turn
    talk = turn.conversation.conversation_id
    retire(parts, Scope(*turn.scope), turn.at)
    with parts.store.read() as session:
        gone = held_back(session, *turn.scope, parts.policy)
        history = gone.messages(session.recent(talk, limits.history_messages))
        said = tuple(
            text for text in session.said(talk, limits.said_replies, "assistant") if not gone.holds(text)
        )
        held = gone.memories(session.memories_by_attribute(*turn.scope, ["rule", "plan"]))
        near = near_memories(session, *turn.scope, turn.text, history, parts.policy)
        threads = [t for t in session.threads(talk) if not gone.holds(t.text)]
        over = (MemoryStatus.SUPERSEDED, MemoryStatus.INVALID)
        moved = gone.memories(
            session.memories_by_attribute(*turn.scope, ["plan"], statuses=over) if threads else ()
        )
        return replace(
            turn,
            gone=gone,
            relationship=session.relationship(*turn.scope),
            memories=gone.memories(near),
            history=history,
            replies=gone.messages(session.recent(talk, limits.history_replies, "assistant")),
            said=said,
            loops=loops_of(threads, turn_number(session, talk)),
            shown=session.shown(talk),
            rules=tuple(r for r in held if r.attribute == "rule" and not r.paused),
            plans=tuple(r for r in held if r.attribute == "plan"),
            plans_over=moved,
            reminders=tuple(session.reminders_of(turn.user.user_id)),
        )


def near_memories(
    session: Session, user_id: str, friend_id: str, text: str, history: tuple[Message, ...], policy: Policy
) -> list[MemoryRecord]:
    """What this message can be about: by its words, by what the last reply used, by age."""
    return session.memories_matching(
        user_id,
        friend_id,
        text,
        ids=history[-1].surfaced_memory_ids if history else (),
        per_term=policy.engine.memories_per_term,
        newest=policy.engine.memories_newest,
    )
