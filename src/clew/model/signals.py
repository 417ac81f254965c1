"""What was heard in one message."""

from __future__ import annotations

from enum import StrEnum

from clew.frozen import dataclass
from clew.model.topic import TopicId, TopicMatch
from clew.model.verdict import Reason


class SafetyClass(StrEnum):
    NONE = "none"
    EXPLICIT = "explicit"
    SEXUAL_ROLEPLAY = "sexual_roleplay"
    SELF_HARM = "self_harm"
    HATE = "hate"
    HARASSMENT = "harassment"
    SEXUAL = "sexual"
    SEXUAL_EDUCATION = "sexual_education"
    ILLEGAL = "illegal"
    VIOLENCE = "violence"


class Need(StrEnum):
    """What the message asks of the one who reads it (ruling S5)."""

    NONE = "none"
    CARE = "care"
    CRISIS = "crisis"


@dataclass(frozen=True, slots=True)
class Safety:
    """The one class that decides, and whether a person may be in danger whatever else was said.

    `concern`: not sure enough for a crisis, enough for care (it raises the flag of distress).
    """

    kind: SafetyClass
    crisis: bool
    reasons: tuple[Reason, ...] = ()
    concern: bool = False


@dataclass(frozen=True, slots=True)
class Emotion:
    """`self_state` says that the speaker tells of their own feeling (ruling P67)."""

    valence: float
    tags: tuple[str, ...]
    strong: bool
    self_state: bool = False
    reasons: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class Flags:
    is_question: bool
    has_personal_pronoun: bool
    has_distress: bool
    asks_for_comfort: bool
    is_pure_fact_q: bool
    has_preference: bool
    has_fact: bool
    has_event: bool
    has_correction: bool


@dataclass(frozen=True, slots=True)
class Signals:
    norm: str
    no_punct: str
    tokens: tuple[str, ...]
    token_estimate: int
    language: str
    topics: tuple[TopicMatch, ...]
    initiated: tuple[TopicId, ...]
    mentioned: tuple[TopicId, ...]
    flags: Flags
    emotion: Emotion
    safety: Safety
    need: Need = Need.NONE
    need_reasons: tuple[Reason, ...] = ()
    # How strongly the message reads of pain, where nothing but that score speaks of it; and how many turns ago the
    # user was last cared for, where that is why this turn is met gently.
    care: float | None = None
    since_care: int | None = None
