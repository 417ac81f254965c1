"""A user, the friend cast for them, and the conversation between the two."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from clew.frozen import dataclass
from clew.model.persona import Assignment
from clew.model.profile import Answers, UserState
from clew.model.trace import TurnTrace


@dataclass(frozen=True, slots=True)
class User:
    user_id: str
    state: UserState
    answers: Answers
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Friend:
    friend_id: str
    user_id: str
    assignment: Assignment


@dataclass(frozen=True, slots=True)
class Conversation:
    conversation_id: str
    user_id: str
    friend_id: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Message:
    """One line of the history. A reply names the message it answers."""

    message_id: str
    conversation_id: str
    user_id: str
    role: str
    text: str
    at: datetime
    source: str = "chat"
    reply_to: str | None = None
    surfaced_memory_ids: tuple[str, ...] = ()
    extracted_memory_ids: tuple[str, ...] = ()
    # Its place in the conversation, counted from one when it is written.
    position: int = 0
    # A reply written again to the same message is another row, one generation on.
    generation: int = 0


@dataclass(frozen=True, slots=True)
class Lease:
    """A message being answered: outside the history, gone when the answer is written."""

    message_id: str
    conversation_id: str
    text: str
    owner: str
    claimed_at: datetime
    expires_at: datetime
    failure: str | None = None


@dataclass(frozen=True, slots=True)
class Trace:
    """Everything one turn decided, as a tree of plain values."""

    message_id: str
    conversation_id: str
    user_id: str
    at: datetime
    body: Mapping[str, Any]

    @property
    def told(self) -> TurnTrace:
        """The tree as fields; a trace of an earlier version is read too."""
        return TurnTrace.of(self.body)
