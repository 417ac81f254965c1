"""Numbers and words for intent and consequence (rulings C1–C23)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction

from clew.frozen import dataclass
from clew.model.link import IntentType
from clew.policy.rows import NEVER, Pattern


@dataclass(frozen=True, slots=True, eq=False)
class Scoring:
    """The specified formula: hill(d) * (1 + beta_lex * lexical) + answer_boost."""

    k_local: int = 8
    strong_min_score: float = 0.35
    weak_min_score: float = 0.10
    tau: float = 2.0
    p: float = 2.2
    beta_lex: float = 0.5
    answer_boost: float = 0.15
    # "additive" is the specification; "multiplied" keeps distance first (ruling C4).
    answer: str = "additive"
    # "lines" counts lines, "dm_count" counts the game master's lines up to max_span (ruling C1).
    k_mode: str = "lines"
    max_span: int = 18
    # "in_order" is the specification; "global" lets the best pair claim first (ruling C14).
    allocation: str = "in_order"
    bundle_answers: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class IntentWords:
    skills: tuple[str, ...]
    plain_skills: tuple[str, ...]
    question_starts: tuple[str, ...]
    open_questions: tuple[str, ...]
    action_verbs: tuple[str, ...]
    more_verbs: tuple[str, ...]
    adverbs: tuple[str, ...]
    declare_frames: tuple[str, ...]
    request_frames: tuple[str, ...]
    request_starts: tuple[str, ...]
    request_not_before: tuple[str, ...]
    propose_starts: tuple[str, ...]
    courtesy: tuple[str, ...]
    openers: tuple[str, ...]
    denials: tuple[str, ...]
    min_chars: int = 6
    min_words: int = 4
    verb_reach: int = 7
    bundle_reach: int = 2


@dataclass(frozen=True, slots=True, eq=False)
class ConsequenceWords:
    abilities: tuple[str, ...]
    roll: tuple[str, ...]
    senses: tuple[str, ...]
    seems: tuple[str, ...]
    answers: tuple[str, ...]
    can: tuple[str, ...]
    moves: tuple[str, ...]
    outcomes: tuple[str, ...]
    world: tuple[str, ...]
    agree: tuple[str, ...]
    commit: tuple[str, ...]
    yes_no: tuple[str, ...]
    refusals: tuple[str, ...]
    answer_form: tuple[str, ...]
    address: tuple[str, ...]
    yes_no_prompts: tuple[str, ...]
    damage: Pattern = NEVER


@dataclass(frozen=True, slots=True, eq=False)
class MaskTable:
    noise_words: tuple[str, ...]
    ooc_phrases: tuple[str, ...]
    ooc_plain: tuple[str, ...]
    combat_start: tuple[str, ...]
    combat_end: tuple[str, ...]
    combat_hard: tuple[str, ...]
    combat_medium: tuple[str, ...]
    combat_generic: tuple[str, ...]
    framing: Mapping[str, Mapping[str, Fraction]]
    transition_min: Fraction = Fraction(85, 100)
    framing_extra: Fraction = Fraction(3, 100)
    framing_extra_cap: Fraction = Fraction(10, 100)
    span_min: int = 25
    span_max: int = 150
    strong_span_min: int = 12
    strong_signal: Fraction = Fraction(85, 100)
    dm_heavy: Fraction = Fraction(60, 100)
    dm_heavy_lines: int = 50
    direction_words: int = 3
    # Regime masks need a stretch; line-level reasons do not.
    regime_min: int = 12
    weight_hard: Fraction = Fraction(4)
    weight_medium: Fraction = Fraction(2)
    weight_generic: Fraction = Fraction(1, 4)
    seed_distinct: int = 3
    seed_density: Fraction = Fraction(3, 10)
    density_step: Fraction = Fraction(15, 100)
    density_cap: Fraction = Fraction(2)
    # Combat that nobody ends is over after this many quiet chunks.
    quiet_density: Fraction = Fraction(5, 100)
    quiet_chunks: int = 2
    soft_alternation: Fraction = Fraction(55, 100)
    soft_combat_density: Fraction = Fraction(2, 1000)


@dataclass(frozen=True, slots=True, eq=False)
class BestTable:
    """Profile `best`. Weights are log-odds in coarse steps, set by hand."""

    greetings: tuple[str, ...]
    thanks: tuple[str, ...]
    acknowledgements: tuple[str, ...]
    anaphora: tuple[str, ...]
    everyone: tuple[str, ...]
    answer_starts: tuple[str, ...]
    k_local: int = 60
    k_local_master: int = 12
    tau_master: float = 3.0
    strong_min_master: float = 0.25
    candidates: int = 40
    name_min: int = 3
    short_words: int = 3
    hinted: float = 20.0
    # Recency, per doubling of the number of messages between.
    far: float = 1.0
    not_latest: float = 1.0
    kin: float = 2.0
    kin_cap: float = 2.0
    own_thread: float = 1.0
    addressed: float = 4.0
    addressed_other: float = 4.0
    named: float = 2.0
    named_other: float = 1.0
    asked_for: float = 2.0
    asked_other: float = 2.0
    heard_by: float = 0.5
    heard_other: float = 0.5
    answers: float = 1.0
    # Among few people the question on the table holds the floor.
    answers_small: float = 3.0
    unanswered: float = 0.5
    partner: float = 1.0
    greets: float = 1.0
    same_voice: float = 1.0
    own_latest: float = 0.5
    own_adjacent: float = 2.5
    own_quiet: float = 1.0
    stranger: float = 0.5
    same_target: float = 1.5
    other_target: float = 1.5
    asks_on: float = 0.5
    # The rival of every candidate: starting a thread.
    start: float = -1.0
    # Among few people hardly anybody starts a thread of their own.
    start_small: float = -6.0
    small_group: int = 8
    # For how many further lines a speaker is still answering the question.
    answer_goes_on: int = 2
    start_new: float = 2.0
    start_addressed: float = 2.0
    start_asks: float = 1.0
    start_greets: float = 1.0
    start_leans: float = 2.0
    start_calls: float = 1.0
    call_reach: int = 8
    away: int = 100


@dataclass(frozen=True, slots=True, eq=False)
class HierarchyTable:
    """Links to beats to events to scenes."""

    t0: float = 1.0
    k: float = 0.15
    p: float = 2.2
    tau: float = 30.0
    beta_lex: float = 2.0
    neighbours: int = 8
    reach: int = 120
    max_level: int = 4
    absorb_radius: float = 6.0
    absorb_radius_mass: float = 0.3
    absorb_capacity: float = 2.0
    absorb_capacity_mass: float = 0.25
    absorb_tau: float = 8.0
    absorb_beta_lex: float = 0.8
    absorb_min: float = 0.45
    max_rounds: int = 10


@dataclass(frozen=True, slots=True, eq=False)
class LinkWords:
    """What only one language has, from data/<language>/link.toml: how a line ends, by what its speaker means."""

    endings: Mapping[IntentType, tuple[str, ...]]


@dataclass(frozen=True, slots=True, eq=False)
class LinkPolicy:
    """Words come from data/link.toml."""

    stopwords: tuple[str, ...]
    intents: IntentWords
    consequences: ConsequenceWords
    mask: MaskTable
    best: BestTable
    specified: Scoring = Scoring()
    hierarchy: HierarchyTable = HierarchyTable()
    kernel_version: str = "links-1"
    token_min: int = 3
    # Words that a later consequence must share with an open end to offer its resolution.
    resolve_words: int = 2
    resolve_min: float = 0.2
    resolve_reach: int = 1000
    languages: Mapping[str, LinkWords] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.specified.k_local < 1 or self.best.k_local < 1:
            raise ValueError("k_local must be at least 1")
