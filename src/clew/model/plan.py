"""What the reply must be, before anyone writes it (turn-pipeline §8)."""

from __future__ import annotations

from dataclasses import dataclass

from clew.model.persona import Directness, EmojiFreq, Humor, Length, Lexicon
from clew.model.relationship import Stage
from clew.model.topic import TopicId
from clew.model.turn import Pipeline


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
    snippets: tuple[Snippet, ...] = ()
    hint_tokens: tuple[str, ...] = ()
    preferred_name: str | None = None
    user_text: str = ""
    # For writers that must not repeat themselves.
    avoid_openers: tuple[str, ...] = ()
    variation: int = 0
