"""What each room of a turn notes of itself: nouns that are written once into the trace and read back as fields.

A field that is None and marked `unsaid` is left out of what is stored. Every field has a value for a trace of an
earlier version that lacks it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, ClassVar

from clew.frozen import dataclass
from clew.model.verdict import Reason

Reasons = tuple[Reason, ...]
UNSAID = "unsaid"


def unsaid() -> Any:
    """For a field that not every turn has something to say about."""
    return field(default=None, metadata={UNSAID: True})


@dataclass(frozen=True, slots=True)
class SentenceNote:
    act: str = ""
    negated: bool = False


@dataclass(frozen=True, slots=True)
class StatementNote:
    subject: str = ""
    attribute: str = ""
    value: str = ""
    status: str = ""


@dataclass(frozen=True, slots=True)
class AskNote:
    subject: str = ""
    attribute: str = ""
    name: str | None = None


@dataclass(frozen=True, slots=True)
class TopicNote:
    topic: str = ""
    confidence: float = 0.0
    hits: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EmotionNote:
    valence: float = 0.0
    tags: tuple[str, ...] = ()
    strong: bool = False


@dataclass(frozen=True, slots=True)
class SafetyNote:
    kind: str = field(default="none", metadata={"key": "class"})
    crisis: bool = False


@dataclass(frozen=True, slots=True)
class HeardNote:
    room: ClassVar[str] = "heard"

    language: str = ""
    # Whether the heads were used, in a few words.
    heads: str = ""
    flags: tuple[str, ...] = ()
    sentences: tuple[SentenceNote, ...] = ()
    statements: tuple[StatementNote, ...] = ()
    asks: tuple[AskNote, ...] = ()
    need: str = ""
    topics: tuple[TopicNote, ...] = ()
    mentioned: tuple[str, ...] = ()
    emotion: EmotionNote = EmotionNote()
    safety: SafetyNote = SafetyNote()
    reasons: Reasons = ()

    @property
    def valence(self) -> float:
        return self.emotion.valence

    @property
    def strong(self) -> bool:
        return self.emotion.strong


@dataclass(frozen=True, slots=True)
class RouteNote:
    room: ClassVar[str] = "route"

    pipeline: str | None = None
    safety_policy: str | None = None
    memory_read_policy: str | None = None
    memory_write_policy: str | None = None
    vector_search_policy: str | None = None
    relationship_update_policy: str | None = None
    crisis: Any = None
    user_state: str | None = None
    age_band: str | None = None
    source: str | None = None
    reasons: Reasons = ()


@dataclass(frozen=True, slots=True)
class ReachRouteNote:
    """The route of a message of the friend's own accord: nobody spoke, so no more is decided."""

    room: ClassVar[str] = "route"

    pipeline: str | None = None
    source: str | None = None
    reasons: Reasons = ()


@dataclass(frozen=True, slots=True)
class ArrangeNote:
    """`due`: when a reminder that was asked for comes; both times as ISO."""

    room: ClassVar[str] = "arrange"

    kind: str = ""
    what: str = ""
    due: str | None = None
    until: str | None = None
    reasons: Reasons = ()


@dataclass(frozen=True, slots=True)
class GroundNote:
    room: ClassVar[str] = "ground"

    rule: str = ""
    choice: str | None = None
    verb: str | None = None
    matches: tuple[str, ...] = ()
    forget: tuple[str, ...] = ()
    close: tuple[str, ...] = ()
    persona: str | None = None
    reasons: Reasons = ()


@dataclass(frozen=True, slots=True)
class CorrectionNote:
    room: ClassVar[str] = "correction"

    command: str = ""
    targets: tuple[str, ...] | None = unsaid()
    clarify: bool | None = unsaid()
    reasons: Reasons = ()


@dataclass(frozen=True, slots=True)
class FindingNote:
    source: str = ""
    id: str | None = None
    told: str = ""
    named: float = 0.0


@dataclass(frozen=True, slots=True)
class AnswerNote:
    """What the message asked for, and what was found."""

    room: ClassVar[str] = "answer"

    asks: tuple[AskNote, ...] = ()
    findings: tuple[FindingNote, ...] = ()
    reasons: Reasons = ()

    @property
    def wanted(self) -> tuple[str, ...]:
        """The attributes asked for, each once."""
        return tuple(dict.fromkeys(a.attribute for a in self.asks))


@dataclass(frozen=True, slots=True)
class WeighNote:
    """Ids of what was weighed as an answer, each with its chance."""

    room: ClassVar[str] = "weigh"

    chances: tuple[tuple[Any, ...], ...] = ()
    reasons: Reasons = ()


@dataclass(frozen=True, slots=True)
class HitNote:
    memory_id: str = ""
    key: str = ""
    score: float = 0.0
    parts: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RecallNote:
    """`hidden`: ids of those kept back as sensitive."""

    room: ClassVar[str] = "recall"

    policy: str = ""
    considered: int | None = unsaid()
    hidden: tuple[str, ...] | None = unsaid()
    hits: tuple[HitNote, ...] = ()
    reasons: Reasons = ()


@dataclass(frozen=True, slots=True)
class DecidedNote:
    key: str = ""
    value: str = ""


@dataclass(frozen=True, slots=True)
class DecideNote:
    room: ClassVar[str] = "decide"

    candidates: tuple[DecidedNote, ...] = ()
    reasons: Reasons = ()


@dataclass(frozen=True, slots=True)
class CandidateNote:
    key: str = ""
    value: str = ""
    origin: str = ""
    subject: str = ""


@dataclass(frozen=True, slots=True)
class EndingNote:
    subject: str = ""
    attribute: str = ""
    key: str | None = None


@dataclass(frozen=True, slots=True)
class ChangeNote:
    memory_id: str = ""
    verdict: str = ""
    chance: float = 0.0


@dataclass(frozen=True, slots=True)
class ModelNote:
    """A model that was asked what the message tells: what it proposed, and what became of that.

    changed: kept in other words or under another attribute; known: read already. failed: how the call ended, where no
    answer could be read. answer: as it came, since it cannot be computed again.
    """

    by: str = ""
    proposed: int = 0
    kept: int = 0
    changed: int = 0
    refused: int = 0
    known: int = 0
    failed: str | None = unsaid()
    answer: str | None = unsaid()


@dataclass(frozen=True, slots=True)
class ExtractNote:
    """`model`: None where none was asked."""

    room: ClassVar[str] = "extract"

    policy: str = ""
    candidates: tuple[CandidateNote, ...] = ()
    endings: tuple[EndingNote, ...] | None = unsaid()
    changes: tuple[ChangeNote, ...] | None = unsaid()
    unrecorded: bool | None = unsaid()
    model: ModelNote | None = unsaid()
    reasons: Reasons = ()

    @property
    def why(self) -> str:
        """The rule that had a model asked."""
        return self.reasons[0].rule if self.reasons else ""

    @property
    def verdicts(self) -> Reasons:
        """What became of what it proposed."""
        return self.reasons[1:]


@dataclass(frozen=True, slots=True)
class ShownThreadsNote:
    shown: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OutlineNote:
    tone: str | None = None
    ack: str | None = None
    outline: Any = None
    followup: str | None = None
    snippets: tuple[str, ...] = ()
    constraints: Any = None


@dataclass(frozen=True, slots=True)
class SectionNote:
    """A part of the prompt, and how many tokens it takes."""

    section: str = ""
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class LeftOutNote:
    what: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class PlanNote:
    room: ClassVar[str] = "plan"

    threads: ShownThreadsNote = ShownThreadsNote()
    plan: OutlineNote = OutlineNote()
    prompt: tuple[SectionNote, ...] = ()
    left_out: tuple[Any, ...] = ()
    tokens: int | None = None
    reasons: Reasons = ()

    @property
    def passed_over(self) -> tuple[LeftOutNote, ...]:
        """What did not fit; an earlier version named it alone."""
        told = (x if isinstance(x, Mapping) else {"what": x} for x in self.left_out)
        return tuple(LeftOutNote(str(x.get("what", x)), str(x.get("reason", ""))) for x in told)


@dataclass(frozen=True, slots=True)
class DraftNote:
    room: ClassVar[str] = "draft"

    writer: str | None = unsaid()
    failed: str | None = unsaid()
    reasons: Reasons = ()


@dataclass(frozen=True, slots=True)
class ViolationNote:
    code: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class GateNote:
    """`path`: how the reply came to be, from the draft as it was to a safe one in its place."""

    room: ClassVar[str] = "gate"

    path: str | None = None
    violations: tuple[ViolationNote, ...] | None = unsaid()
    surfaced: tuple[str, ...] | None = unsaid()
    reasons: Reasons = ()


@dataclass(frozen=True, slots=True)
class MemoryNote:
    """One change of memory; `label` is its key and value, `words` how a person knows it.

    key, topic: as in `MemoryEvent`.
    """

    kind: str = ""
    memory_id: str | None = None
    reason: str = ""
    by: str | None = None
    label: str | None = None
    words: str | None = None
    key: str | None = None
    topic: str | None = None


@dataclass(frozen=True, slots=True)
class RememberNote:
    room: ClassVar[str] = "remember"

    events: tuple[MemoryNote, ...] = ()
    reasons: Reasons = ()


@dataclass(frozen=True, slots=True)
class BondNote:
    """`update`: why the bond was left alone, where it was."""

    room: ClassVar[str] = "relate"

    delta: int = 0
    stage: str | None = None
    score: int | None = None
    decayed: int | None = unsaid()
    sessions: int | None = unsaid()
    update: str | None = unsaid()
    reasons: Reasons = ()


@dataclass(frozen=True, slots=True)
class WeaveNote:
    room: ClassVar[str] = "weave"

    resolved: tuple[str, ...] = ()
    opened: tuple[str, ...] = ()
    closed: tuple[str, ...] = ()
    reasons: Reasons = ()


@dataclass(frozen=True, slots=True)
class ReachNote:
    """A message of the friend's own accord: what it is, and the stage and the zone it was sent under."""

    room: ClassVar[str] = "reach"

    kind: str = ""
    intent: str = ""
    writer: str = ""
    stage: str = ""
    zone: str = ""
    backoff: Any = None
    reasons: Reasons = ()


Note = (
    HeardNote | RouteNote | ReachRouteNote | ArrangeNote | GroundNote | CorrectionNote | AnswerNote | WeighNote
    | RecallNote | DecideNote | ExtractNote | PlanNote | DraftNote | GateNote | RememberNote | BondNote | WeaveNote
    | ReachNote
)  # fmt: skip
