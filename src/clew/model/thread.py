"""Open loops and the narrator's state that lives beside them."""

from __future__ import annotations

from dataclasses import field, replace
from datetime import datetime
from enum import StrEnum
from fractions import Fraction
from typing import Any

from clew.frozen import dataclass


class ThreadType(StrEnum):
    MYSTERY = "MYSTERY"
    QUEST = "QUEST"
    RELATIONSHIP = "RELATIONSHIP"
    DANGER = "DANGER"
    INFORMATION = "INFORMATION"
    RESOURCE = "RESOURCE"
    MORAL = "MORAL"


class Form(StrEnum):
    """The three shapes an open loop may have."""

    QUESTION = "question"
    GOAL = "goal"
    PREVENTION = "prevention"


class Urgency(StrEnum):
    LOW = "LOW"
    MEDIUM = "MEDIUM"
    HIGH = "HIGH"

    @property
    def rank(self) -> int:
        return _URGENCY_RANK[self]


_URGENCY_RANK = {Urgency.LOW: 0, Urgency.MEDIUM: 1, Urgency.HIGH: 2}


class Severity(StrEnum):
    """What a broken rule does to its item (ruling T4)."""

    REJECT = "reject"
    REPAIR = "repair"
    WARN = "warn"


class PageKind(StrEnum):
    OPENING = "opening"
    CONTINUATION = "continuation"


@dataclass(frozen=True, slots=True)
class Thread:
    """`age` counts pages since it was opened; `supersedes` are the loops it refined."""

    id: str
    type: ThreadType
    text: str
    urgency: Urgency = Urgency.MEDIUM
    supersedes: tuple[str, ...] = ()
    age: int = 0


class ThreadStatus(StrEnum):
    OPEN = "open"
    RESOLVED = "resolved"


@dataclass(frozen=True, slots=True)
class KeptThread:
    """A thread of a conversation as it is stored. `at` is when it was opened or, once resolved, closed."""

    conversation_id: str
    id: str
    user_id: str
    type: ThreadType
    text: str
    urgency: Urgency
    status: ThreadStatus
    opened_turn: int
    supersedes: tuple[str, ...]
    # Who opened it: user, model or system.
    origin: str
    reason: str | None
    at: datetime

    @property
    def number(self) -> int:
        """The counted part of its id."""
        return int(self.id.rpartition("-")[2])

    def at_turn(self, turn: int) -> Thread:
        """As the rules see it; its age is the turns since it was opened."""
        return Thread(self.id, self.type, self.text, self.urgency, age=max(0, turn - self.opened_turn))

    def resolved(self, reason: str, at: datetime) -> KeptThread:
        return replace(self, status=ThreadStatus.RESOLVED, reason=reason, at=at)


@dataclass(frozen=True, slots=True)
class ThreadAdd:
    """A proposed loop; without an urgency it keeps its predecessor's."""

    type: ThreadType
    text: str
    urgency: Urgency | None = None


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One broken rule on one item; `index` is the add's place in the proposal."""

    rule: str
    code: str
    severity: Severity
    message: str
    index: int | None = None
    thread_id: str | None = None
    similarity: Fraction | None = None
    hint: str | None = None
    field: str | None = None

    def as_dict(self) -> dict[str, Any]:
        out: dict[str, Any] = {"code": self.code, "severity": self.severity.value, "rule": self.rule}
        if self.field is not None:
            out["field"] = self.field
        if self.index is not None:
            out["index"] = self.index
        if self.thread_id is not None:
            out["thread_id"] = self.thread_id
        if self.similarity is not None:
            out["similarity"] = float(self.similarity)
        out["message"] = self.message
        if self.hint:
            out["hint"] = self.hint
        return out


@dataclass(frozen=True, slots=True)
class ThreadVerdict:
    """`threads` is the whole new list; nothing of a rejected proposal is in it."""

    accepted: bool
    threads: tuple[Thread, ...]
    added: tuple[Thread, ...]
    resolved: tuple[str, ...]
    diagnostics: tuple[Diagnostic, ...]
    next_id: int


# The rest of the narrator's state.


class ThreatType(StrEnum):
    HOSTILE_AGENT = "HOSTILE_AGENT"
    ENVIRONMENTAL = "ENVIRONMENTAL"
    CREATURE = "CREATURE"


class ConstraintType(StrEnum):
    PHYSICAL = "PHYSICAL"
    ENVIRONMENTAL = "ENVIRONMENTAL"
    TEMPORAL = "TEMPORAL"


class CanonType(StrEnum):
    LAW = "LAW"
    NORM = "NORM"
    BELIEF = "BELIEF"
    DISPUTED = "DISPUTED"
    RUMOR = "RUMOR"
    MYSTERY = "MYSTERY"


class Payoff(StrEnum):
    """How well a promise was kept when it ended."""

    RUSHED = "RUSHED"
    ADEQUATE = "ADEQUATE"
    WELL_EARNED = "WELL_EARNED"


class EntryKind(StrEnum):
    """A shelf of the state; the id prefix of each is policy."""

    THREAT = "threats"
    CONSTRAINT = "constraints"
    INVENTORY = "inventory"
    HEALTH = "health"
    CHARACTER = "character_state"
    PROMISE = "promises"


@dataclass(frozen=True, slots=True)
class Entry:
    """`type` for threats and constraints, `character` for character states, `scope` for promises."""

    id: str
    text: str
    type: str | None = None
    character: str | None = None
    scope: str | None = None
    age: int = 0


@dataclass(frozen=True, slots=True)
class CanonFact:
    """`character` is None for a fact about the world."""

    text: str
    type: CanonType = CanonType.LAW
    character: str | None = None


@dataclass(frozen=True, slots=True)
class Story:
    """The narrator's whole state; `counters` hold the next number per prefix and never go back."""

    location: str = ""
    threads: tuple[Thread, ...] = ()
    entries: dict[EntryKind, tuple[Entry, ...]] = field(default_factory=dict)
    canon: tuple[CanonFact, ...] = ()
    counters: dict[str, int] = field(default_factory=dict)

    def shelf(self, kind: EntryKind) -> tuple[Entry, ...]:
        return self.entries.get(kind, ())


@dataclass(frozen=True, slots=True)
class StoryVerdict:
    """What one page changed; on rejection `story` is the one that came in."""

    accepted: bool
    story: Story
    added: dict[str, tuple[Any, ...]]
    removed: dict[str, tuple[str, ...]]
    diagnostics: tuple[Diagnostic, ...]
    notices: tuple[str, ...] = ()
