"""The turn on its way through the rooms: one frozen noun, and what each room leaves in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from clew.engine.identity import missing_answers
from clew.engine.notes import Notes
from clew.engine.weaving import Loops
from clew.frozen import dataclass
from clew.kernel.correct.forgotten import NOTHING, Forgotten
from clew.kernel.correct.recording import Recording
from clew.kernel.keep.applied_changes import Change
from clew.kernel.statements.extract import Extracted
from clew.model.account import Conversation, Friend, Message, User
from clew.model.exchange import Incoming, Outcome
from clew.model.memory import Candidate, Command, Ending, MemoryRecord
from clew.model.outreach import Reminder, Wish
from clew.model.plan import Finding, Snippet
from clew.model.profile import UserControls, UserState
from clew.model.relationship import RelationshipState
from clew.model.shown import ShownList
from clew.model.signals import Signals
from clew.model.turn import RoutingDecision
from clew.model.utterance import Utterance

_DAY = timedelta(hours=24)


@dataclass(frozen=True, slots=True)
class Words:
    """A reply, and which step gave it: draft, rewrite, repair, fallback, correction, pointing …"""

    text: str
    path: str
    surfaced: tuple[str, ...] = ()
    # What only the model knew: recorded, because it cannot be computed again.
    raw: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Pointed:
    """What a follow-up to a shown list asks for: memories to forget, threads to close, a persona, or nothing."""

    reply: Words | None = None
    forget: tuple[str, ...] = ()
    close: tuple[str, ...] = ()
    persona: str | None = None
    shown: ShownList | None = None

    @property
    def acts(self) -> bool:
        return bool(self.forget or self.close)


@dataclass(frozen=True, slots=True)
class Asked:
    """A correction in words; `reply` is None when the message corrects nothing.

    restated: the message says what is right instead: "that's not true, I'm 30" is kept like any statement.
    """

    command: Command = Command.NONE
    reply: Words | None = None
    restated: bool = False
    # Messages that said what is to be forgotten, though no memory holds it, and by which words it was named.
    said: tuple[str, ...] = ()
    named: str = ""
    # Messages that changed what is to be forgotten, or that it changed.
    swept: tuple[str, ...] = ()
    # Their own last message, taken back with what it taught.
    unsaid: tuple[str, ...] = ()
    # Remembering switched off or on.
    recording: Recording | None = None
    # Memories that the words mean, though no word of theirs was said; looked up once, before anything is written.
    about: frozenset[str] = frozenset()
    # Memories that are a part of what is forgotten.
    along: frozenset[str] = frozenset()

    @property
    def only(self) -> bool:
        """It corrects, and tells nothing else that may be kept."""
        return (self.command is not Command.NONE and not self.restated) or self.recording is not None


@dataclass(frozen=True, slots=True)
class Arranged:
    """A wish about writing first and what comes of it; `reply` is None when the message holds no such wish."""

    wish: Wish | None = None
    reply: Words | None = None
    controls: Mapping[str, Any] = field(default_factory=dict)
    reminder: Reminder | None = None
    cancelled: tuple[Reminder, ...] = ()
    user: User | None = None


@dataclass(frozen=True, slots=True)
class Recalled:
    """`snippets` may be used in the reply, `findings` answer what was asked; `known` is what the gate watches."""

    snippets: tuple[Snippet, ...] = ()
    known: tuple[Snippet, ...] = ()
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class Offered:
    """What this message offers to be remembered."""

    candidates: tuple[Candidate, ...] = ()
    endings: tuple[Ending, ...] = ()
    explicit: bool = False
    # What becomes of memories that are held.
    changes: tuple[Change, ...] = ()


@dataclass(frozen=True)
class Turn:
    """Every room takes it and returns it with its own findings added; `notes` becomes the trace."""

    incoming: Incoming
    at: datetime
    user: User
    notes: Notes
    controls: UserControls = field(default_factory=UserControls)
    answered: Outcome | None = None
    # What stands, read once after the claim.
    friend: Friend | None = None
    conversation: Conversation | None = None
    relationship: RelationshipState = field(default_factory=RelationshipState)
    memories: tuple[MemoryRecord, ...] = ()
    history: tuple[Message, ...] = ()
    replies: tuple[Message, ...] = ()
    # Our own words over a longer while, so that the built-in writer does not repeat itself.
    said: tuple[str, ...] = ()
    loops: Loops = field(default_factory=Loops)
    shown: ShownList | None = None
    # How the user wants to be written to, and what lay ahead of them.
    rules: tuple[MemoryRecord, ...] = ()
    plans: tuple[MemoryRecord, ...] = ()
    # Plans that were changed or are over; read only where something of the talk is still open.
    plans_over: tuple[MemoryRecord, ...] = ()
    # Reminders that are set: promises which a job will keep.
    reminders: tuple[Reminder, ...] = ()
    # What the user had forgotten: no earlier words that hold it may come back.
    gone: Forgotten = NOTHING
    # What the rooms found, in the order of the walk. hear: the message, and what it tells by rule of its sender.
    utterance: Utterance | None = None
    told: Extracted = field(default_factory=Extracted)
    # steer
    decision: RoutingDecision | None = None
    # arrange
    arranged: Arranged = field(default_factory=Arranged)
    # ground
    pointed: Pointed = field(default_factory=Pointed)
    # heed: the correction that was asked for
    asked: Asked = field(default_factory=Asked)
    # bring_to_mind
    recalled: Recalled = field(default_factory=Recalled)
    # gather
    found: Offered = field(default_factory=Offered)
    # Said off the record: nothing of it is kept, and it is not found again.
    unrecorded: bool = False
    # write_reply
    words: Words | None = None

    @property
    def text(self) -> str:
        return self.incoming.text

    @property
    def read(self) -> Utterance:
        """The message as it was read."""
        assert self.utterance is not None, "the message is read before anything is decided"
        return self.utterance

    @property
    def heard(self) -> Signals:
        return self.read.signals

    @property
    def route(self) -> RoutingDecision:
        assert self.decision is not None, "the route is chosen before anything is done"
        return self.decision

    @property
    def scope(self) -> tuple[str, str]:
        """Whose memories: the user's, with this friend."""
        assert self.conversation is not None
        return self.conversation.user_id, self.conversation.friend_id

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
        """What onboarding still lacks."""
        persona = () if self.friend else ("persona",)
        return missing_answers(self.user.answers) + persona
