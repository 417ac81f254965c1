"""What stands when a message arrives: read once, in one transaction."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import regex

from clew.engine.claim import stored_outcome
from clew.engine.identity import missing_answers
from clew.engine.parts import Parts
from clew.engine.weaving import Loops, loops_of, turn_number
from clew.errors import InvalidInput, NotFound
from clew.kernel.text.normalize import normalize
from clew.model.account import Conversation, Friend, Message, User
from clew.model.exchange import Incoming, Outcome
from clew.model.memory import MemoryRecord
from clew.model.profile import UserControls, UserState
from clew.model.relationship import RelationshipState
from clew.policy import Policy
from clew.ports.store import Session

_CONTROL = regex.compile(r"[\p{Cc}--[\n\r\t]]", regex.V1)
_DAY = timedelta(hours=24)


@dataclass(frozen=True, slots=True)
class Scene:
    incoming: Incoming
    at: datetime
    user: User
    controls: UserControls
    friend: Friend | None = None
    conversation: Conversation | None = None
    relationship: RelationshipState = field(default_factory=RelationshipState)
    memories: tuple[MemoryRecord, ...] = ()
    history: tuple[Message, ...] = ()
    replies: tuple[Message, ...] = ()
    loops: Loops = field(default_factory=Loops)
    answered: Outcome | None = None

    @property
    def previous(self) -> tuple[str, ...]:
        """Earlier user texts, oldest first."""
        return tuple(m.text for m in self.history if m.role == "user")

    @property
    def last_reply(self) -> Message | None:
        return self.history[-1] if self.history and self.history[-1].role == "assistant" else None

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.user.answers.client_timezone or "UTC")

    @property
    def turns_today(self) -> int:
        return sum(1 for m in self.history if m.role == "user" and self.at - m.at <= _DAY)

    @property
    def open(self) -> bool:
        """May a turn be kept? Not before the account and its friend are there (rulings P20, P23)."""
        state = self.user.state
        return state is UserState.ACTIVE or (state is UserState.ONBOARDING and not self.missing)

    @property
    def missing(self) -> tuple[str, ...]:
        """What onboarding still lacks (turn-pipeline §4.1.2)."""
        persona = () if self.friend else ("persona",)
        return missing_answers(self.user.answers) + persona


def admit(incoming: Incoming, policy: Policy) -> Incoming:
    """A message that can be stored and answered, or a clear word why not."""
    for name in ("message_id", "conversation_id", "text"):
        given = getattr(incoming, name, None)
        if not isinstance(given, str):
            raise InvalidInput(f"{name} must be a string, got {type(given).__name__}", pointer=f"/{name}")
    try:
        uuid.UUID(incoming.message_id)
    except ValueError:
        raise InvalidInput(
            f"message_id must be a UUID, got {incoming.message_id[:60]!r}", pointer="/message_id"
        ) from None
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
    return incoming


def look(parts: Parts, incoming: Incoming, at: datetime) -> Scene:
    limits = parts.policy.engine
    with parts.store.read() as session:
        conversation = session.conversation(incoming.conversation_id)
        user = session.user(conversation.user_id if conversation else incoming.user_id or "")
        if user is None or (conversation is None and user.state is UserState.ACTIVE):
            raise NotFound(f"no conversation {incoming.conversation_id!r}", pointer="/conversation_id")
        if incoming.user_id not in (None, user.user_id):
            raise NotFound(
                f"no conversation {incoming.conversation_id!r} of this user", pointer="/conversation_id"
            )
        bare = Scene(incoming, at, user, session.controls(user.user_id))
        if conversation is None:
            return bare
        scope = (conversation.user_id, conversation.friend_id)
        history = tuple(session.recent(conversation.conversation_id, limits.history_messages))
        return replace(
            bare,
            friend=session.friend(conversation.friend_id),
            conversation=conversation,
            relationship=session.relationship(*scope),
            memories=tuple(near_memories(session, *scope, incoming.text, history, parts.policy)),
            history=history,
            replies=tuple(session.recent(conversation.conversation_id, limits.history_replies, "assistant")),
            loops=loops_of(
                session.threads(conversation.conversation_id),
                turn_number(session, conversation.conversation_id),
            ),
            answered=stored_outcome(session, incoming),
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
