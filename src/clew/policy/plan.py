"""Numbers and words for the reply's outline and prompt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction

from clew.frozen import dataclass
from clew.model.persona import Directness, EmojiFreq, Expression, FollowupRate, Humor, Length, Lexicon
from clew.model.relationship import Stage
from clew.model.turn import Pipeline
from clew.policy.rows import Pattern, Shape


@dataclass(frozen=True, slots=True)
class FocusWords:
    """How one language shows good and bad news, and what somebody feels."""

    laughs: tuple[str, ...]
    good_news: tuple[str, ...]
    bad_news: tuple[str, ...]
    feelings: Mapping[str, str]
    # A feeling is the speaker's own after these, and not after those; a language without them needs none.
    feeling_cues: tuple[str, ...] = ()
    not_own_feeling: tuple[str, ...] = ()
    # Words for feelings stand for all words that begin like them.
    by_stem: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class PlanWords:
    """How one language asks to be written to, by "kind.value" of the limit, and tells what a message is about."""

    wishes: Mapping[str, Shape] = field(default_factory=dict)
    focus: FocusWords | None = None
    # The wish that the friend goes by {name}, as the user would say it.
    named: str = "{name}"


@dataclass(frozen=True, slots=True, eq=False)
class PlanPolicy:
    """Texts come from data/plan.toml, the words of a language from data/<language>/plan.toml."""

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
    self_questions: tuple[Pattern, ...]

    followup_period: Mapping[FollowupRate, int]
    followup_kinds: tuple[str, ...]
    unsaid_keys: tuple[str, ...]
    # Names that name nobody: what a machine is called, or what stands in for a name.
    no_names: tuple[str, ...]
    # Asked of memory, whether or not it holds anything.
    recall_questions: tuple[Pattern, ...]
    languages: Mapping[str, PlanWords] = field(default_factory=dict)
    max_snippets: int = 2
    max_snippets_support: int = 1
    callback_period: int = 4
    callback_memory: int = 6
    kinship_letters: int = 4
    kinship_syllables: int = 2
    short_tokens: int = 3
    leaning: Fraction = Fraction(2, 10)
    prompt_tokens: int = 2400
    prompt_turns: int = 20
    name_characters: int = 40
    characters_per_token: Fraction = Fraction(4)
    syllables_per_token: Fraction = Fraction(3, 2)
    avoid_openers: int = 20
