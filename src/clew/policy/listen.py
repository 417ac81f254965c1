"""Numbers and words for hearing a message (turn-pipeline §5, §5.1, §6.5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from clew.model.topic import TopicId


@dataclass(frozen=True, slots=True, eq=False)
class ListenPolicy:
    """Word lists come from data/listen.toml."""

    topics: Mapping[TopicId, tuple[str, ...]]
    needs_company: Mapping[str, tuple[str, ...]]
    auxiliaries: tuple[str, ...]
    subjects: tuple[str, ...]
    open_starters: tuple[str, ...]
    narrow_starters: tuple[str, ...]
    wide_starters: tuple[str, ...]
    starter_contractions: tuple[str, ...]
    not_after_wide: tuple[str, ...]
    question_phrases: tuple[str, ...]
    question_endings_ko: tuple[str, ...]
    question_words_ko: tuple[str, ...]
    open_endings_ko: tuple[str, ...]
    pronouns: tuple[str, ...]
    pronouns_ko: tuple[str, ...]
    distress: tuple[str, ...]
    cannot: tuple[str, ...]
    cannot_idioms: tuple[str, ...]
    comfort: tuple[str, ...]
    preference: tuple[str, ...]
    fact: tuple[str, ...]
    event: tuple[str, ...]
    correction_clauses: tuple[str, ...]
    correction_whole: tuple[str, ...]
    correction_openings: tuple[str, ...]
    correction_softeners: tuple[str, ...]
    topic_base: Fraction = Fraction(35, 100)
    topic_step: Fraction = Fraction(15, 100)
    initiated_at: Fraction = Fraction(70, 100)
    mention_window: int = 2
    fact_question_tokens: int = 60
