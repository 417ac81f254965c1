"""What the reply must be, before anyone writes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from datetime import datetime
from typing import Literal

from clew.frozen import dataclass
from clew.model.memory import Candidate, MemoryRecord
from clew.model.persona import (
    Assignment,
    Directness,
    EmojiFreq,
    Expression,
    Humor,
    Length,
    Lexicon,
    StableStyleParams,
)
from clew.model.profile import UserControls
from clew.model.relationship import Stage
from clew.model.signals import Signals
from clew.model.topic import TopicId
from clew.model.turn import Pipeline, SafetyPolicy, Source
from clew.model.utterance import TokenVectors, Utterance
from clew.model.verdict import Reason


@dataclass(frozen=True, slots=True)
class Constraints:
    """Hard limits; the gate enforces the same numbers."""

    emoji: tuple[int, int]
    sentences: tuple[int, int]
    words_per_sentence: tuple[int, int]
    emoji_freq: EmojiFreq
    length: Length
    lexicon: Lexicon
    punctuation_quirks: tuple[str, ...]
    intimacy: Stage
    topics_blocked: tuple[TopicId, ...]
    narrow_topics: tuple[TopicId, ...]
    max_personal_facts: int
    followup_allowed: bool


@dataclass(frozen=True, slots=True)
class Snippet:
    """A memory offered to the writer, as data to quote, never as instruction."""

    memory_id: str
    key: str
    value: str

    @classmethod
    def of(cls, record: MemoryRecord) -> Snippet:
        return cls(record.memory_id, record.memory_key, record.memory_value)

    @property
    def stance(self) -> str | None:
        """like or dislike, of a preference."""
        head, bar, _ = self.value.partition("|")
        return head if bar and head in ("like", "dislike") else None

    @property
    def words(self) -> str:
        """The value as a person would say it."""
        _, bar, tail = self.value.partition("|")
        return (tail if bar else self.value).replace("_", " ").strip()


# How surely a finding answers that is only likely.
MAYBE = 0.3


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that answers what the user asked of their own life: a memory, or their own earlier words.

    told: it in a sentence to the user. `past`: it was so and is not any more. `asked`: which question it answers.
    `named`: how sure it is that this is what was asked; below 1 it was found by its words, not by its place.
    day: when it happens, in words, where that is known. whose: "your sister Mina", as it is told.
    """

    told: str
    source: Literal["memory", "turn", "episode", "none"]
    id: str = ""
    subject: str = "self"
    attribute: str = ""
    value: str = ""
    key: str = ""
    at: datetime | None = None
    past: bool = False
    named: float = 1.0
    day: str = ""
    whose: str = ""


@dataclass(frozen=True, slots=True)
class Focus:
    """How a message stands. kind: question request feeling short statement."""

    kind: str = "statement"
    feeling: str | None = None
    positive: bool = False
    negative: bool = False


@dataclass(frozen=True, slots=True)
class LeftOut:
    section: str
    what: str
    reason: str


@dataclass(frozen=True, slots=True)
class ResponsePlan:
    pipeline: Pipeline
    language: str
    ack_style: str
    answer_outline: tuple[str, ...]
    followup_question: str | None
    emotional_tone: str
    humor: Humor
    directness: Directness
    constraints: Constraints
    style: StableStyleParams = field(default_factory=StableStyleParams)
    snippets: tuple[Snippet, ...] = ()
    hint_tokens: tuple[str, ...] = ()
    preferred_name: str | None = None
    user_text: str = ""
    # The message as it was read, what answers its questions, and what it offers to be remembered.
    utterance: Utterance | None = None
    findings: tuple[Finding, ...] = ()
    told: tuple[Candidate, ...] = ()
    # The user's own clock, for what can be told from it.
    at: datetime | None = None
    # For writers that must not repeat themselves.
    avoid_openers: tuple[str, ...] = ()
    recent_replies: tuple[str, ...] = ()
    said: tuple[str, ...] = ()
    # The user's messages just before this one.
    previous: tuple[str, ...] = ()
    variation: int = 0
    # How often the user said exactly this just before.
    repeated: int = 0
    # How the user wants to be written to, in their own words, where no limit says it already.
    wishes: tuple[str, ...] = ()
    # Formal speech asked for (True), casual speech asked for (False), or as the user writes (None).
    formal: bool | None = None
    # What the user calls the friend.
    called: str | None = None
    questions: bool = True
    # An open loop whose time has come: what to ask about.
    loop: str | None = None
    focus: Focus = field(default_factory=Focus)
    stage: Stage = Stage.STRANGER
    crisis: bool = False
    narrow: bool = False
    source: Source = Source.CHAT
    # The one memory to weave in now, if any; `recall`: the user asked what is remembered.
    callback: str | None = None
    recall: bool = False
    expression: Expression | None = None
    # Part of the message crossed a line that is named, not refused (SOFT_REFUSE).
    boundary: bool = False
    left_out: tuple[LeftOut, ...] = ()
    reasons: tuple[Reason, ...] = ()
    # Words that are chosen already, of a message that nobody asked for: a writer only dresses them.
    line: str = ""


@dataclass(frozen=True, slots=True)
class PlanAsk:
    """Everything a plan is made from."""

    text: str
    signals: Signals
    pipeline: Pipeline
    # The message as it was read, what answers its questions, and what it offers to be remembered.
    utterance: Utterance | None = None
    findings: tuple[Finding, ...] = ()
    told: tuple[Candidate, ...] = ()
    at: datetime | None = None
    stage: Stage = Stage.STRANGER
    assignment: Assignment | None = None
    controls: UserControls = field(default_factory=UserControls)
    # Ranked memories that may be read; the plan keeps the few worth saying.
    snippets: tuple[Snippet, ...] = ()
    previous: tuple[str, ...] = ()
    recent_replies: tuple[str, ...] = ()
    said: tuple[str, ...] = ()
    preferred_name: str | None = None
    message_id: str = ""
    turn: int = 0
    crisis: bool = False
    safety: SafetyPolicy = SafetyPolicy.ALLOW
    valence: float = 0.0
    strong: bool = False
    source: Source = Source.CHAT
    # Memories of how the user wants to be written to, and the open loop whose time has come.
    rules: tuple[MemoryRecord, ...] = ()
    loop: str | None = None


@dataclass(frozen=True, slots=True)
class Spoken:
    role: Literal["user", "assistant"]
    text: str


@dataclass(frozen=True, slots=True)
class PromptLine:
    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Section:
    name: str
    tokens: int
    text: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """Exactly what a model would see, and what it does not see."""

    messages: tuple[PromptLine, ...]
    sections: tuple[Section, ...]
    left_out: tuple[LeftOut, ...]
    tokens: int


@dataclass(frozen=True, slots=True)
class Frame:
    """What a draft is judged against.

    kind: reply clarification onboarding fallback refusal; all but `reply` are exempt from bands (P50).
    """

    style: StableStyleParams = field(default_factory=StableStyleParams)
    stage: Stage = Stage.STRANGER
    pipeline: Pipeline = Pipeline.FRIEND_CHAT
    user_text: str = ""
    surfaced_memory_ids: tuple[str, ...] = ()
    recent_replies: tuple[str, ...] = ()
    previous: tuple[str, ...] = ()
    memories: tuple[Snippet, ...] = ()
    # Taboo topics: free when the user raised them in the last three messages.
    topics_blocked: tuple[TopicId, ...] = ()
    # The user's own suppressions: free only when the user raises them now (P10).
    topics_suppressed: tuple[TopicId, ...] = ()
    source: Source = Source.CHAT
    crisis: bool = False
    # Danger, harm suffered or grave news, told now or just before: a cold word is worse there than one too careful.
    grave: bool = False
    # The message asks for care, whatever pipeline the turn takes.
    hurting: bool = False
    message_id: str = ""
    language: str = ""
    # So many memories answer what the user asked for: the limit on personal facts does not hold for them (M10).
    asked: int = 0
    asked_ids: tuple[str, ...] = ()
    # What answers the user's question, in its own words: whoever asks for it has raised what it is about.
    answered: tuple[str, ...] = ()
    kind: str = "reply"
    # Texts that hold what may be said of the user (memories, recalled turns, profile); None: claims are not checked.
    known: tuple[str, ...] | None = None
    # What this turn does to memory: a promise to remember is kept by one of these.
    events: tuple[str, ...] = ()
    # Vectors of the draft and its sentences, where they were made.
    vectors: Mapping[str, Sequence[float]] = field(default_factory=dict)
    # The tokens of any text, from whoever has the encoder.
    tokens: Callable[[str], TokenVectors | None] | None = None
    # Composed from reviewed sentences and held findings: no learned score is asked about it.
    reviewed: bool = False
    # What is left of a draft that was wrong is read with a lower bar.
    doubted: bool = False
    # Minima are aims for whoever writes; only a strict caller calls them violations (ruling S10).
    minima: bool = True

    @property
    def caring(self) -> bool:
        return self.crisis or self.grave or self.hurting or self.pipeline is Pipeline.EMOTIONAL_SUPPORT


@dataclass(frozen=True, slots=True)
class Violation:
    """`against`: what is known and contradicted, where that is what is wrong."""

    code: str
    detail: str
    against: str = ""

    @property
    def told(self) -> str:
        return f"{self.detail} (known: {self.against})" if self.against else self.detail


@dataclass(frozen=True, slots=True)
class Gated:
    """`surfaced` are the memories that the text really uses, in order of appearance (P57, P86)."""

    violations: tuple[Violation, ...]
    surfaced: tuple[str, ...] = ()
    reasons: tuple[Reason, ...] = ()

    @property
    def ok(self) -> bool:
        return not self.violations

    @property
    def hard(self) -> tuple[Violation, ...]:
        """Without the bands, which alone never cost a reply (P50)."""
        return tuple(v for v in self.violations if not v.code.endswith(("_BAND", "_QUIRK")))


@dataclass(frozen=True, slots=True)
class Settled:
    """What is shown in the end, which step of the ladder gave it, and what the first draft did wrong."""

    text: str
    path: Literal["draft", "rewrite", "repair", "fallback"]
    gated: Gated
    final: Gated
    reasons: tuple[Reason, ...] = ()

    @property
    def surfaced(self) -> tuple[str, ...]:
        """Of the text that is shown, so that a correction finds what the user really read."""
        return self.final.surfaced
