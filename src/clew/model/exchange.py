"""What goes into a turn and what comes out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from clew.frozen import dataclass
from clew.model.memory import MemoryEvent
from clew.model.profile import UserState
from clew.model.trace import TurnTrace
from clew.model.turn import Pipeline, Source


@dataclass(frozen=True, slots=True)
class Incoming:
    message_id: str
    conversation_id: str
    text: str
    source: Source = Source.CHAT
    # Who is speaking; needed only before there is a conversation (CREATED, ONBOARDING).
    user_id: str | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """`reply` is None only when onboarding is incomplete; then `missing` says what."""

    message_id: str
    conversation_id: str
    reply_id: str | None
    reply: str | None
    pipeline: Pipeline
    user_state: UserState
    replayed: bool = False
    persisted: bool = True
    # The turn failed unexpectedly, too often: `reply` says so, and the same id may be sent again.
    set_aside: bool = False
    missing: tuple[str, ...] = ()
    surfaced_memory_ids: tuple[str, ...] = ()
    memory_events: tuple[MemoryEvent, ...] = ()
    trace: Mapping[str, Any] = field(default_factory=dict)

    @property
    def told(self) -> TurnTrace:
        """The trace as fields."""
        return TurnTrace.of(self.trace)
