"""The turn's own limits, and what Clew itself says when no writer is asked."""

from __future__ import annotations

from collections.abc import Mapping

from clew.frozen import dataclass

# text id -> language -> sentences to rotate through
Texts = Mapping[str, Mapping[str, tuple[str, ...]]]


@dataclass(frozen=True, slots=True, eq=False)
class Resource:
    """A service for people in danger, and where its number was read."""

    name: str
    contact: str
    source: str


@dataclass(frozen=True, slots=True, eq=False)
class EnginePolicy:
    texts: Texts
    crisis_resources: Mapping[str, Resource]
    # Which verbs act on an item of which list.
    pointing: Mapping[str, tuple[str, ...]]
    lease_seconds: int = 120
    # A turn that fails unexpectedly is tried so often, over all starts, before it is set aside.
    turn_attempts: int = 3
    # How long a write waits for others before it says that the database is locked.
    store_wait_seconds: int = 30
    max_characters: int = 4000
    history_messages: int = 20
    history_replies: int = 20
    # The built-in writer looks this far back for what it has said already.
    said_replies: int = 200
    continuity_messages: int = 4
    model_timeout_seconds: int = 60
    reply_tokens: int = 300
    rewrite_tokens: int = 200
    reply_temperature: float = 0.7
    rewrite_temperature: float = 0.3
    light_memories: int = 3
    memories_per_term: int = 100
    memories_newest: int = 50
    # A list stays on the table this long.
    list_minutes: int = 10
    # Of a longer message so many sentences get a vector of their own.
    sentence_vectors: int = 12
