"""Numbers and words for open-loop threads (rulings T1–T15)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction

from clew.frozen import dataclass
from clew.model.thread import EntryKind, Form, PageKind, Severity, ThreadType, Urgency
from clew.policy.rows import NONE, Pattern, Shape


@dataclass(frozen=True, slots=True, eq=False)
class LoopRule:
    """One rule as the reconciler enforces it and as the prompt says it (ruling T4)."""

    code: str
    strict: Severity
    repair: Severity
    pages: tuple[PageKind, ...]
    prompt: str
    section: str
    hint: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class LoopExample:
    """A text and the rule it breaks; none for a good one. `beside` is an open thread it repeats."""

    type: ThreadType
    text: str
    rule: str = ""
    beside: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Cues:
    """Words that show what a text is; English and Korean, some of other languages."""

    question_marks: tuple[str, ...]
    interrogatives: tuple[str, ...]
    # These ask wherever they stand.
    asking_inside: tuple[str, ...]
    embedded_questions: tuple[str, ...]
    doubt_words: tuple[str, ...]
    question_endings: tuple[str, ...]
    question_words: tuple[str, ...]
    success_clauses: tuple[str, ...]
    # Of these, those whose condition stands before them.
    success_behind: tuple[str, ...]
    need_verbs: tuple[str, ...]
    # Behind a need these lead to something to do, not to a thing.
    need_leads: tuple[str, ...]
    purpose_words: tuple[str, ...]
    prevention_verbs: tuple[str, ...]
    prevention_body: tuple[str, ...]
    prevention_pairs: tuple[tuple[str, str], ...]
    not_prevention: tuple[str, ...]
    now_strong: tuple[str, ...]
    now_weak: tuple[str, ...]
    hazard_progressive: tuple[str, ...]
    hazard_motion: tuple[str, ...]
    hazard_states: tuple[str, ...]
    hazard_words: tuple[str, ...]
    scene_deixis: tuple[str, ...]
    be_forms: tuple[str, ...]
    # Other verbs that tell of the present; what may stand behind a form of "be", and the form of a verb behind both.
    have_forms: tuple[str, ...]
    be_adverbs: Pattern
    progressive: Pattern
    not_progressive: tuple[str, ...]
    unsettled: tuple[str, ...]
    # Words by which a clause only tells which thing is meant.
    relatives: tuple[str, ...]
    holding_strong: tuple[str, ...]
    holding_weak: tuple[str, ...]
    item_words: tuple[str, ...]
    pack_places: tuple[str, ...]
    inventory_labels: tuple[str, ...]
    not_items: tuple[str, ...]
    feeling_verbs: tuple[str, ...]
    feeling_words: tuple[str, ...]
    feeling_degrees: tuple[str, ...]
    feeling_endings: tuple[str, ...]
    completed_labels: tuple[str, ...]
    completed_states: tuple[str, ...]
    completed_verbs: tuple[str, ...]
    learning_verbs: tuple[str, ...]
    learned_words: tuple[str, ...]
    answer_openings: tuple[str, ...]
    answer_closings: tuple[str, ...]
    bundle_joins: tuple[str, ...]
    goal_verbs: tuple[str, ...]
    relationship_words: tuple[str, ...]
    moral_words: tuple[str, ...]
    moral_openers: tuple[str, ...]
    mystery_words: tuple[str, ...]
    settled_words: tuple[str, ...]
    unsettled_words: tuple[str, ...]
    grammar_words: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class CueWeights:
    """What each cue adds to the hazard or event score; prevention verbs take away (ruling T1)."""

    now_strong: int = 2
    now_weak: int = 1
    hazard_progressive: int = 2
    hazard_state: int = 2
    hazard_word: int = 1
    scene: int = 1
    progressive: int = 2
    question: int = -1
    prevention_verb: int = -2
    hazard_at: int = 2
    event_at: int = 2


@dataclass(frozen=True, slots=True, eq=False)
class LifeWords:
    """How one language tells what lies ahead, what worries, and that it is over.

    no_part: what of a plan's words is no part of what it is about; worries have a group `what`.
    """

    no_part: tuple[Pattern, ...] = ()
    over: Pattern = NONE
    not_yet: Pattern = NONE
    # An outcome told without naming what it is of.
    unnamed: Pattern = NONE
    worries: Mapping[str, Shape] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class WeavePolicy:
    """Rules and examples come from data/weave.toml, phrases from data/<language>/shared/weave.toml."""

    thresholds: Mapping[ThreadType, Fraction]
    stop_phrases: tuple[str, ...]
    neutral_negations: tuple[str, ...]
    overdue: Mapping[Urgency, int]
    entry_prefixes: Mapping[EntryKind, str]
    forms: Mapping[ThreadType, Form]
    templates: Mapping[ThreadType, str]
    scaffold_prefixes: Mapping[ThreadType, tuple[str, ...]]
    scaffold_connectors: Mapping[ThreadType, tuple[str, ...]]
    cues: Cues
    rules: Mapping[str, LoopRule]
    examples: tuple[LoopExample, ...]
    words: Mapping[str, str]
    headings: Mapping[str, str]
    weights: CueWeights = field(default_factory=CueWeights)
    thread_prefix: str = "td"
    default_type: ThreadType = ThreadType.INFORMATION
    default_urgency: Urgency = Urgency.MEDIUM
    high_per_page: int = 1
    read_head: int = 600
    read_tail: int = 100
    shelf_target: int = 8
    promises_max: int = 8
    promise_aging: int = 5
    promise_scene_life: int = 4
    attempts: int = 2
    # A turn settles a thread when it names at least this share of the thread's own words, and enough of them.
    answered_share: Fraction = Fraction(3, 5)
    answered_words: int = 2
    # Loops of a life: a worry comes back after so long, nothing is asked about later than that, and short words only.
    languages: Mapping[str, LifeWords] = field(default_factory=dict)
    worry_hours: int = 18
    # So many hours before its day ends a thing may be asked about.
    evening_hours: int = 6
    asked_within_days: int = 14
    loop_words: int = 5
    prompt_tokens: int = 220

    def __post_init__(self) -> None:
        prefixes = [self.thread_prefix, *self.entry_prefixes.values()]
        if len(set(prefixes)) != len(prefixes):
            raise ValueError("id prefixes must differ")
        for kind, threshold in self.thresholds.items():
            if not 0 < threshold <= 1:
                raise ValueError(f"thresholds.{kind} must be above 0 and at most 1")
        strangers = sorted({e.rule for e in self.examples if e.rule} - set(self.rules))
        if strangers:
            raise ValueError(f"examples name unknown rules: {', '.join(strangers)}")
