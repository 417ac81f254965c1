"""Numbers and words for reading text at all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction

from clew.frozen import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class TextWords:
    """What only one language has, from data/<language>/text.toml.

    negative_prefixes deny the word behind them, negative_endings the word that they end. other_words begin like a
    listed word and are another.
    """

    negative_prefixes: tuple[str, ...] = ()
    negative_endings: tuple[str, ...] = ()
    other_words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class TextPolicy:
    """Word lists come from data/<language>/shared/text.toml, those of one language from data/<language>/text.toml."""

    particles: tuple[str, ...]
    compound_verbs: tuple[str, ...]
    negations: tuple[str, ...]
    not_negations: tuple[str, ...]
    antonyms: tuple[tuple[str, str], ...]
    months: tuple[str, ...]
    weekdays: tuple[str, ...]
    number_words: tuple[str, ...]
    number_values: tuple[tuple[str, str], ...]
    units: tuple[str, ...]
    # What hangs on a number that tells a place: the 12th. Listed words that are also other words, and tell nothing.
    ordinal_ends: tuple[str, ...]
    not_entities: tuple[str, ...]
    # "for one year", "in a year" count one year; "twice a year" counts nothing.
    single: tuple[str, ...]
    articles: tuple[str, ...]
    lasting: tuple[str, ...]
    roleless: tuple[str, ...]
    roles: tuple[tuple[str, str], ...]
    abbreviations: tuple[str, ...]
    not_names: tuple[str, ...]
    languages: Mapping[str, TextWords] = field(default_factory=dict)
    token_estimate_per_word: Fraction = Fraction(13, 10)
    syllables_per_word: Fraction = Fraction(5, 2)
    hangul_dominant: Fraction = Fraction(1, 3)
    slug_max: int = 48
    ngram: int = 3
    opener_tokens: int = 12
    opener_min_tokens: int = 3
    reply_similarity: Fraction = Fraction(70, 100)
    overlap_threshold: Fraction = Fraction(70, 100)
    overlap_min_words: int = 3
    overlap_word_length: int = 3
    # What one object at a kernel door may hold: in one string, in all together, and how deep.
    door_characters: int = 100_000
    # These read a whole book.
    long_doors: tuple[str, ...] = ("read",)
    long_door_characters: int = 1_000_000
    door_size: int = 20_000_000
    door_depth: int = 50

    def __post_init__(self) -> None:
        for name in ("syllables_per_word", "slug_max", "ngram", "token_estimate_per_word"):
            if getattr(self, name) <= 0:
                raise ValueError(f"{name} must be above zero")
        for name in ("hangul_dominant", "reply_similarity", "overlap_threshold"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name} must be between 0 and 1")
