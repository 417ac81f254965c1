"""Messages that nobody asked for, and what became of them."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from clew.frozen import dataclass
from clew.model.language import HOUSE
from clew.model.plan import Snippet
from clew.model.profile import UserControls
from clew.model.relationship import Stage
from clew.model.topic import TopicId
from clew.model.verdict import Reason


class AttemptStatus(StrEnum):
    SCHEDULED = "SCHEDULED"
    DELIVERED = "DELIVERED"
    ACKNOWLEDGED = "ACKNOWLEDGED"
    IGNORED = "IGNORED"
    SKIPPED = "SKIPPED"


class Skip(StrEnum):
    """Why a proactive message was not sent; each is a rule id `reach.<value>`."""

    PROACTIVE_DISABLED = "proactive_disabled"
    MUTED = "muted"
    UNKNOWN_TIME_ZONE = "unknown_time_zone"
    QUIET_HOURS = "quiet_hours"
    OUTSIDE_ATTEMPT_WINDOW = "outside_attempt_window"
    STRANGER = "stranger"
    CAP_EXCEEDED = "cap_exceeded"
    MIN_GAP = "min_gap"
    NEVER_MET = "never_met"
    RECENTLY_ACTIVE = "recently_active"
    WAITING_LONGER = "waiting_longer"
    UNSAFE = "unsafe"
    SAID_ALREADY = "said_already"
    DELIVERY_FAILED = "delivery_failed"
    GONE = "gone"


class MessageKind(StrEnum):
    """What was sent: a rung of the ladder, or what the user asked for."""

    FOLLOW_UP = "FOLLOW_UP"
    LIGHT_CONTEXT_NUDGE = "LIGHT_CONTEXT_NUDGE"
    GENERIC_SAFE = "GENERIC_SAFE"
    REMINDER = "REMINDER"


class AcknowledgedBy(StrEnum):
    REPLY = "REPLY"
    APP_OPEN_NOTIFICATION = "APP_OPEN_NOTIFICATION"
    APP_OPEN_INFERRED = "APP_OPEN_INFERRED"


@dataclass(frozen=True, slots=True)
class Attempt:
    delivered_at: datetime | None
    status: AttemptStatus
    notification_id: str | None = None


@dataclass(frozen=True, slots=True)
class AppOpen:
    at: datetime
    notification_id: str | None = None


@dataclass(frozen=True, slots=True)
class SentLine:
    role: str
    source: str
    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class PlanAhead:
    """Something with a day that the user told of; `asked`: its outcome was asked for already."""

    id: str
    text: str
    until: datetime
    sensitive: bool = False
    asked: bool = False


@dataclass(frozen=True, slots=True)
class ReachAsk:
    now: datetime
    timezone: str
    stage: Stage
    controls: UserControls
    last_interaction_at: datetime | None
    attempts: tuple[Attempt, ...] = ()
    backoff: float = 1
    memories: tuple[Snippet, ...] = ()
    last_messages: tuple[SentLine, ...] = ()
    taboo: tuple[TopicId, ...] = ()
    seed: int = 0
    language: str = ""
    recent_openers: tuple[str, ...] = ()
    plans: tuple[PlanAhead, ...] = ()
    # The last message that was ignored: the silence after it is counted with the same backoff.
    waiting_since: datetime | None = None


@dataclass(frozen=True, slots=True)
class Content:
    """What to send: `text` is ready, and any other writer is bound by the same limits."""

    kind: MessageKind
    text: str
    intent: str
    max_sentences: int
    max_questions: int
    max_personal_facts: int
    topics_blocked: tuple[TopicId, ...]
    memory_id: str | None = None
    opener: str = ""
    # What is asked about: the plan's id, or nothing.
    about: str | None = None


@dataclass(frozen=True, slots=True)
class Reached:
    send: bool
    skip_reason: Skip | None
    content: Content | None
    reasons: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class Attributed:
    status: AttemptStatus
    by: AcknowledgedBy | None = None


@dataclass(frozen=True, slots=True)
class Standing:
    """What became of every attempt so far, in the order given, and the backoff that follows from it."""

    judged: tuple[Attributed, ...]
    backoff: int
    reasons: tuple[Reason, ...] = ()


class WishKind(StrEnum):
    """What a user asks of the friend's writing first."""

    STOP = "stop"
    START = "start"
    MUTE = "mute"
    NIGHT = "night"
    UNMUTE = "unmute"
    REMIND = "remind"
    WRITE = "write"
    ZONE = "zone"
    LIST = "list"
    CANCEL = "cancel"


class Unclear(StrEnum):
    """What a wish lacks."""

    WHEN = "when"
    PASSED = "passed"
    PLACE = "place"
    EVERY = "every"


@dataclass(frozen=True, slots=True)
class Wish:
    """A wish in words: `what` to be reminded of or the place of a zone, `due` when, `until` for a mute."""

    kind: WishKind
    rule: str
    sentence: str
    what: str = ""
    due: datetime | None = None
    until: datetime | None = None
    unclear: Unclear | None = None


@dataclass(frozen=True, slots=True)
class Outreach:
    """One proactive message as it is kept. A reminder was asked for and counts against nothing."""

    retention_id: str
    user_id: str
    friend_id: str
    conversation_id: str
    kind: MessageKind
    status: AttemptStatus
    text: str
    created_at: datetime
    opener: str = ""
    about: str | None = None
    memory_id: str | None = None
    channel: str = "inbox"
    notification_id: str | None = None
    delivered_at: datetime | None = None
    acknowledged_by: AcknowledgedBy | None = None
    acknowledged_at: datetime | None = None
    seen_at: datetime | None = None
    reason: str | None = None

    @property
    def unasked(self) -> bool:
        return self.kind is not MessageKind.REMINDER

    @property
    def attempt(self) -> Attempt:
        """As it counts against caps and gaps: one that is on its way counts as if it had arrived."""
        if self.status is AttemptStatus.SCHEDULED:
            return Attempt(self.created_at, AttemptStatus.DELIVERED, self.notification_id)
        return Attempt(self.delivered_at, self.status, self.notification_id)


class ReminderStatus(StrEnum):
    SET = "SET"
    KEPT = "KEPT"
    CANCELLED = "CANCELLED"


@dataclass(frozen=True, slots=True)
class Reminder:
    """A promise with a moment: `text` is what to be reminded of, empty when only a message was asked for."""

    reminder_id: str
    user_id: str
    friend_id: str
    conversation_id: str
    text: str
    due_at: datetime
    timezone: str
    status: ReminderStatus
    created_at: datetime
    language: str = HOUSE
    message_id: str | None = None
    kept_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Opened:
    """The app was opened; `retention_id` is what it was put down to, `reason` why nothing."""

    open_id: str
    user_id: str
    at: datetime
    notification_id: str | None = None
    retention_id: str | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Channel:
    """Where proactive messages of a user go beside the inbox. `secret` signs a webhook, or is a push subscription."""

    channel_id: str
    user_id: str
    kind: str
    address: str
    secret: str
    created_at: datetime
    removed_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class DueUser:
    """One line of the hourly look: what decides, without any words."""

    user_id: str
    friend_id: str
    active: bool
    stage: Stage
    timezone: str
    controls: UserControls
    last_interaction_at: datetime | None
