"""Personas: constraint sets, not prompts."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from clew.frozen import dataclass
from clew.model.topic import TopicId
from clew.model.verdict import Reason


class Length(StrEnum):
    SHORT = "short"
    MEDIUM = "medium"
    LONG = "long"


class EmojiFreq(StrEnum):
    NONE = "none"
    LIGHT = "light"
    FREQUENT = "frequent"


class Humor(StrEnum):
    NONE = "none"
    LIGHT_SARCASM = "light_sarcasm"
    FREQUENT_JOKES = "frequent_jokes"
    DEADPAN = "deadpan"


class Directness(StrEnum):
    SOFT = "soft"
    BALANCED = "balanced"
    BLUNT = "blunt"


class FollowupRate(StrEnum):
    LOW = "low"
    MEDIUM = "medium"


class Lexicon(StrEnum):
    CLEAN = "clean"
    SLANG = "slang"
    INTERNET_SHORTHAND = "internet_shorthand"


class Expression(StrEnum):
    RESTRAINED = "restrained"
    NORMAL = "normal"
    EXPRESSIVE = "expressive"


class Energy(StrEnum):
    PASSIVE = "passive"
    BALANCED = "balanced"
    PROACTIVE = "proactive"


@dataclass(frozen=True, slots=True)
class PersonaTemplate:
    id: str
    core_archetype: str
    sentence_length_bias: Length
    emoji_usage: EmojiFreq
    punctuation_quirks: tuple[str, ...]
    language_cleanliness: Lexicon
    hint_tokens: tuple[str, ...]
    humor_mode: Humor
    emotional_expression_level: Expression
    taboo_soft_bounds: tuple[TopicId, ...]
    friend_energy: Energy


@dataclass(frozen=True, slots=True)
class StableStyleParams:
    """Frozen after onboarding."""

    msg_length_pref: Length = Length.SHORT
    emoji_freq: EmojiFreq = EmojiFreq.LIGHT
    humor_mode: Humor = Humor.NONE
    directness_level: Directness = Directness.BALANCED
    followup_question_rate: FollowupRate = FollowupRate.LOW
    lexicon_bias: Lexicon = Lexicon.CLEAN
    punctuation_quirks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Assignment:
    """Who the friend is, as persisted (ruling P40)."""

    template_id: str
    seed: int
    combo_key: str
    friend_energy: Energy
    stable_style_params: StableStyleParams
    taboo_soft_bounds: tuple[TopicId, ...]
    assigned_at: datetime


@dataclass(frozen=True, slots=True)
class Placed:
    """An earlier assignment, as the anti-cloning window sees it."""

    combo_key: str
    assigned_at: datetime


@dataclass(frozen=True, slots=True)
class Casting:
    """An assignment and how it came about."""

    assignment: Assignment
    attempts: int
    fallback: bool
    reasons: tuple[Reason, ...] = ()
