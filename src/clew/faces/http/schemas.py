"""The shapes of the REST door. Unknown fields are refused by name."""

from __future__ import annotations

from typing import Annotated, Any, Generic, Literal, TypeVar

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, StringConstraints

from clew.model.language import HOUSE

T = TypeVar("T")
Text = Annotated[str, StringConstraints(min_length=1, max_length=100_000)]
Name = Annotated[str, StringConstraints(min_length=1, max_length=200)]


class In(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Page(BaseModel, Generic[T]):
    items: list[T]
    next_cursor: str | None = None


class MemoryOut(BaseModel):
    id: str
    key: str
    value: str
    text: str
    subject: str
    type: str
    status: Literal["ACTIVE", "SUPERSEDED", "INVALID"]
    confidence: float
    when: str | None
    created_at: str
    confirmed_at: str
    ended_at: str | None
    sources: list[str]
    superseded_by: str | None
    invalid_reason: str | None
    paused: bool
    pinned: bool
    sensitive: bool


class HitOut(BaseModel):
    text: str
    score: float
    kind: Literal["memory", "said", "reply", "transcript", "episode"]
    id: str
    key: str | None
    value: str | None
    subject: str | None
    when: str | None
    why: dict[str, Any]
    conversation: str | None = None
    parts: dict[str, float] = {}


class ChangeOut(BaseModel):
    kind: str
    id: str | None
    key: str | None
    value: str | None
    text: str
    reason: str
    by: str | None


class AddedOut(BaseModel):
    message_ids: list[str]
    changes: list[ChangeOut]
    replayed: bool


class TurnOut(BaseModel):
    message_id: str
    conversation_id: str
    reply_id: str | None
    reply: str | None
    pipeline: str
    memories: list[ChangeOut]
    surfaced_memory_ids: list[str]
    replayed: bool
    reasons: list[dict[str, Any]]


class MessageOut(BaseModel):
    message_id: str
    role: Literal["user", "assistant"]
    text: str
    at: str
    reply_to: str | None
    position: int


class UserOut(BaseModel):
    user: str
    user_id: str
    state: str
    created_at: str
    profile: dict[str, Any]
    controls: dict[str, Any]


class ConversationOut(BaseModel):
    conversation_id: str
    user_id: str
    friend_id: str
    persona: str
    created_at: str


class MessageIn(BaseModel):
    role: Literal["user", "assistant", "system", "developer", "tool"]
    content: Any = None
    tool_calls: list[dict[str, Any]] | None = None
    at: str | None = None


class AddIn(In):
    text: Text | None = None
    messages: Annotated[list[MessageIn], Field(max_length=500)] | None = None
    key: Name | None = None
    value: Text | None = None
    message_id: Name | None = None
    conversation: Name = "main"
    at: AwareDatetime | None = None
    frame: Name | None = None


class DecisionIn(In):
    decision: Text
    outcome: Annotated[str, StringConstraints(max_length=1000)] = ""


class EpisodeOut(BaseModel):
    id: str
    summary: str
    started_at: str
    ended_at: str | None
    message_ids: list[str]


class NarrowIn(In):
    """What may be found: these kinds, said by somebody, said or confirmed in a span, or as it stood at a moment."""

    as_of: AwareDatetime | None = None
    kinds: Annotated[list[Literal["memory", "said", "reply", "transcript", "episode"]], Field(min_length=1)] = [
        "memory",
        "said",
        "transcript",
    ]
    speaker: Name | None = None
    since: AwareDatetime | None = None
    until: AwareDatetime | None = None


class SearchIn(NarrowIn):
    query: Text
    k: Annotated[int, Field(ge=1, le=100)] = 8
    conversation: Name | None = None


class ContextIn(NarrowIn):
    query: Annotated[str, StringConstraints(max_length=100_000)] = ""
    tokens: Annotated[int, Field(ge=1, le=100_000)] = 800


class EditIn(In):
    value: Text | None = None
    paused: bool | None = None
    pinned: bool | None = None


class ForgetIn(In):
    what: Text


class TurnIn(In):
    message_id: Annotated[str, StringConstraints(min_length=36, max_length=36)] = Field(
        json_schema_extra={"format": "uuid"}
    )
    text: Text


class ConversationIn(In):
    name: Name = "main"
    friend: Name | None = None
    persona: Name | None = None


class UserIn(In):
    persona: Name | None = None
    profile: dict[str, Any] | None = None


class ControlsIn(In):
    proactive_messages_enabled: bool | None = None
    mute_until: AwareDatetime | None = None
    # The lengths that people choose from; off unmutes.
    mute: Literal["24h", "7d", "forever", "off"] | None = None
    suppressed_topics: list[str] | None = None


class ThreadsIn(In):
    add: Annotated[list[dict[str, Any]], Field(max_length=50)] = []
    resolve: Annotated[list[Name], Field(max_length=200)] = []
    mode: Literal["strict", "repair"] = "repair"


class RecallIn(In):
    query: Text
    k: Annotated[int, Field(ge=1, le=100)] = 8
    at: AwareDatetime | None = None
    budget: Annotated[int, Field(ge=1, le=100_000)] | None = None
    speaker: Name | None = None
    since: AwareDatetime | None = None
    until: AwareDatetime | None = None


class ReceiptOut(BaseModel):
    user: str
    removed: dict[str, int]
    found_afterwards: dict[str, int]
    rewritten: bool = Field(description="The space they stood in was overwritten; if not, erase again.")
    kept_elsewhere: list[str] = Field(description="Places that no search of ours can reach, in sentences.")
    clean: bool


class OutreachOut(BaseModel):
    id: str
    notification_id: str | None
    conversation_id: str
    kind: Literal["FOLLOW_UP", "LIGHT_CONTEXT_NUDGE", "GENERIC_SAFE", "REMINDER"]
    status: Literal["SCHEDULED", "DELIVERED", "ACKNOWLEDGED", "IGNORED", "SKIPPED"]
    text: str
    channel: str
    created_at: str
    delivered_at: str | None
    seen_at: str | None
    acknowledged_by: str | None
    reason: str | None
    told: str


class SeenIn(In):
    ids: Annotated[list[Name], Field(max_length=500)] | None = None


class SeenOut(BaseModel):
    seen: int


class SilenceOut(BaseModel):
    would_send: bool
    skip_reason: str | None
    told: str
    reasons: list[dict[str, Any]]


class EventIn(In):
    type: Literal["app_open", "reply"]
    notification_id: Name | None = None
    at: AwareDatetime | None = None
    event_id: Name | None = None


class EventOut(BaseModel):
    retention_ids: list[str]
    reason: str | None


class ReminderIn(In):
    text: Annotated[str, StringConstraints(max_length=2000)] = ""
    due_at: AwareDatetime
    language: Annotated[str, StringConstraints(max_length=8)] = HOUSE


class ReminderOut(BaseModel):
    id: str
    text: str
    due_at: str
    timezone: str
    status: Literal["SET", "KEPT", "CANCELLED"]
    created_at: str


class ChannelIn(In):
    kind: Literal["webhook", "webpush"]
    address: Annotated[str, StringConstraints(min_length=1, max_length=2000)]
    secret: Annotated[str, StringConstraints(max_length=500)] | None = None
    keys: dict[str, Annotated[str, StringConstraints(max_length=500)]] | None = None


class ChannelOut(BaseModel):
    id: str
    kind: str
    address: str
    created_at: str


class TenantOut(BaseModel):
    tenant: str
    users: int
    keys: int = Field(description="Keys that are not revoked.")


class KeyIn(In):
    name: Name
    tenant: Annotated[str, StringConstraints(max_length=200)] = ""
    user: Name | None = Field(None, description="A key that acts for this user only.")


class KeyOut(BaseModel):
    id: str
    name: str
    tenant: str
    user: str | None
    created_at: str
    revoked_at: str | None


class KeyMadeOut(KeyOut):
    key: str = Field(description="Shown this once; only its hash is kept.")
