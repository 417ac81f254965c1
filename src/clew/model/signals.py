"""What was heard in one message."""

from __future__ import annotations

from dataclasses import dataclass

from clew.model.topic import TopicId, TopicMatch


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
