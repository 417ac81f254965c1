"""Numbers and words for the reply's outline and prompt (turn-pipeline §8, §9)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from clew.model.persona import Directness, EmojiFreq, Expression, FollowupRate, Humor, Length, Lexicon
from clew.model.relationship import Stage
from clew.model.turn import Pipeline


@dataclass(frozen=True, slots=True)
class FocusWords:
    """How one language shows what a message is about."""

    greetings: tuple[str, ...]
    farewells: tuple[str, ...]
    thanks: tuple[str, ...]
    laughs: tuple[str, ...]
    luck: tuple[str, ...]
    apologies: tuple[str, ...]
    how_are_you: tuple[str, ...]
    about_you: tuple[str, ...]
    advice: tuple[str, ...]
    unsure: tuple[str, ...]
    agreement: tuple[str, ...]
    deeds: tuple[str, ...]
    deed_softeners: tuple[str, ...]
    owners: tuple[str, ...]
    stops: tuple[str, ...]
    trailing: tuple[str, ...]
    not_things: tuple[str, ...]
    good_news: tuple[str, ...]
    bad_news: tuple[str, ...]
    flips: Mapping[str, str]
    feelings: Mapping[str, str]
    articles: tuple[str, ...] = ()
    subjects: tuple[str, ...] = ()
    deeds_with_article: tuple[str, ...] = ()
    feeling_cues: tuple[str, ...] = ()
    not_own_feeling: tuple[str, ...] = ()
    particles: tuple[str, ...] = ()
    object_particles: tuple[str, ...] = ()
    company_particles: tuple[str, ...] = ()
    subject_particles: tuple[str, ...] = ()
    verb_endings: tuple[str, ...] = ()
    past_endings: tuple[str, ...] = ()
    not_noun_endings: tuple[str, ...] = ()
    spans: tuple[str, ...] = ()
    topic_particles: tuple[str, ...] = ()
    # A past tense begins something new; what speaks ill of the speaker.
    past: tuple[str, ...] = ()
    hurtful: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Act:
    """One thing a message may do, and how it shows. asks: yes, no or any."""

    name: str
    pattern: str
    asks: str = "no"

    def __post_init__(self) -> None:
        if self.asks not in ("yes", "no", "any"):
            raise ValueError(f"asks must be yes, no or any, not {self.asks!r}")
        try:
            re.compile(self.pattern)
        except re.error as why:
            raise ValueError(f"the pattern of {self.name}: {why}") from None


@dataclass(frozen=True, slots=True, eq=False)
class PlanPolicy:
    """Texts come from data/plan.toml."""

    focus: Mapping[str, FocusWords]
    acts: Mapping[str, tuple[Act, ...]]
    rules: tuple[str, ...]
    safety_rules: Mapping[str, str]
    pipeline_rules: Mapping[Pipeline, str]
    stage_rules: Mapping[Stage, str]
    length_rules: Mapping[Length, str]
    emoji_rules: Mapping[EmojiFreq, str]
    lexicon_rules: Mapping[Lexicon, str]
    humor_rules: Mapping[Humor, str]
    directness_rules: Mapping[Directness, str]
    expression_rules: Mapping[Expression, str]
    language_names: Mapping[str, str]
    lines: Mapping[str, str]
    self_questions: tuple[str, ...]

    followup_period: Mapping[FollowupRate, int]
    followup_kinds: tuple[str, ...]
    quiet_kinds: tuple[str, ...]
    unsaid_keys: tuple[str, ...]
    # Names that name nobody: what a machine is called, or what stands in for a name.
    no_names: tuple[str, ...]
    # Acts that give way where the speaker speaks ill of themself.
    doubt_acts: tuple[str, ...]
    # Asked of memory, whether or not it holds anything.
    recall_questions: tuple[str, ...]
    max_snippets: int = 2
    max_snippets_support: int = 1
    callback_period: int = 4
    callback_memory: int = 6
    kinship_latin: int = 4
    kinship_hangul: int = 2
    thing_words: int = 6
    greeting_tokens: int = 5
    short_tokens: int = 3
    leaning: Fraction = Fraction(2, 10)
    prompt_tokens: int = 2400
    prompt_turns: int = 20
    name_characters: int = 40
    characters_per_token: Fraction = Fraction(4)
    hangul_per_token: Fraction = Fraction(3, 2)
    avoid_openers: int = 20
