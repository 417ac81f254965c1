"""Numbers and words for follow-ups over bounded candidates (4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction

from clew.frozen import dataclass
from clew.model.evidence import EvidenceType
from clew.policy.pointing import PointingPolicy as PointingPolicy


@dataclass(frozen=True, slots=True, eq=False)
class EndingWords:
    """A language whose verb comes last: how its words begin or end, by what that tells of a clause.

    deeds: so ends a verb that tells what was done. thanking: so begins a word of thanks.
    shrugs, shrugs_behind: a word that asks, and only shrugs behind a word that ends so.
    reason: so ends a clause that says why. past: parts of a word, its syllables taken apart, by which it tells what
    was; not_past: syllables that only look so. telling: so ends what is simply told; topics hang on what it is told of.
    selves: oneself. knowing: so begins a verb of knowing. wishing: so begins what is wished or settled. somewhat: a
    little of it. giving, able: so ends a verb of giving or doing, behind which what can be is asked: 주실 수 있나요.
    deferring: so ends a request in one word: 써주시겠어요. before: words for what is past. toward: so
    ends what is asked for. under_way: parts of what goes on just now: 듣고 있어.
    """

    asking: tuple[str, ...]
    question: tuple[str, ...]
    not_question: tuple[str, ...]
    whether: tuple[str, ...]
    tell_stems: tuple[str, ...]
    tell: tuple[str, ...]
    request: tuple[str, ...]
    search: tuple[str, ...]
    others: tuple[str, ...]
    more: tuple[str, ...]
    exist: tuple[str, ...]
    forbid: tuple[str, ...]
    dislike: tuple[str, ...]
    praise: tuple[str, ...]
    doing: tuple[str, ...]
    predicate: tuple[str, ...]
    concede: tuple[str, ...]
    rather_than: tuple[str, ...]
    deeds: tuple[str, ...]
    thanking: tuple[str, ...]
    shrugs: tuple[str, ...] = ()
    shrugs_behind: tuple[str, ...] = ()
    reason: tuple[str, ...] = ()
    past: tuple[str, ...] = ()
    not_past: tuple[str, ...] = ()
    telling: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    selves: tuple[str, ...] = ()
    knowing: tuple[str, ...] = ()
    wishing: tuple[str, ...] = ()
    somewhat: tuple[str, ...] = ()
    giving: tuple[str, ...] = ()
    able: tuple[str, ...] = ()
    deferring: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    toward: tuple[str, ...] = ()
    under_way: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class GroundWords:
    """What only one language has, from data/<language>/ground.toml.

    tails: what hangs behind the thing that is chosen. verbs_last: forms of a verb behind it, with the verb meant.
    clarifier_texts: questions of ours, where they are not those of the house. confirms: what is to be done, by verb.
    endings: where the verb comes last. network: marks of the network that were measured otherwise in it.
    """

    tails: tuple[str, ...] = ()
    verbs_last: Mapping[str, str] = field(default_factory=dict)
    clarifier_texts: Mapping[str, str] = field(default_factory=dict)
    confirms: Mapping[str, str] = field(default_factory=dict)
    endings: EndingWords | None = None
    network: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class ActsPolicy:
    """The learned reader of acts: small integers, one row per bucket of features (data/ground.reader.toml)."""

    weights: str
    buckets: int
    # By how much taking must lead before it lifts an acceptance or a choice, or lets one by rule stand.
    lift: int = 200
    lift_choice: int = 120
    keep: int = 30
    # What a word that fits nothing, a question mark, or several things at once cost a choice.
    per_foreign: int = 70
    asked: int = 100
    several: int = 80
    # More is needed when the assistant's words are not known.
    unheard: int = 60
    # By how much asking for others must lead over a question about these, or the other way round, to turn it.
    turns_question: int = 80
    # So much of a message is read closely.
    characters: int = 600


@dataclass(frozen=True, slots=True, eq=False)
class ChooserPolicy:
    """The learned chooser of candidates: small integers, one per bucket of features (data/ground.chooser.toml)."""

    weights: str
    buckets: int
    # By how much a candidate must lead over taking none and over the others: to be taken without a rule, and to
    # stand when a rule took it.
    lift: int = 40
    keep: int = 20
    # The same for what is plainly named, counted or measured.
    lift_pointed: int = 20
    # For what is named among words that fit nothing.
    lift_beside: int = 30
    # For several things that only "all" or "both" means.
    lift_several: int = 60
    # The same for "print it": pointing is plainer than praise.
    keep_pointed: int = -60
    keep_named: int = -60
    # The same for consent with words of its own that nothing on the list explains.
    keep_beside: int = 160
    # For the offer, when nothing says yes and nothing names it.
    lift_consent: int = 80
    # What refusing the offer must lead by before naming another takes that one.
    beside: int = 40
    # What the leads of reader and chooser must come to together.
    together: int = 120
    together_pointed: int = 100
    # More is needed when the assistant's words are not known.
    unheard: int = 120
    # Longer lists are not read this closely.
    candidates: int = 60


@dataclass(frozen=True, slots=True, eq=False)
class Mark:
    """How a clause shows one thing that it does.

    anywhere: words or phrases. opening: the same at its head. ends: what any word of it ends in. closing: what its last
    word ends in. holds: what stands inside a word. but: endings that only look like one of these.
    """

    anywhere: tuple[str, ...] = ()
    opening: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()
    closing: tuple[str, ...] = ()
    holds: tuple[str, ...] = ()
    but: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class MarksPolicy:
    """Small words and endings of what a clause does (data/<language>/shared/ground.marks.toml).

    joins: words that begin a clause. linking: endings of a word that a clause ends with. laughs: letters that laugh or
    weep behind a word.
    """

    laughs: str
    joins: tuple[str, ...]
    linking: tuple[str, ...]
    asks: Mark
    refuses: Mark
    others: Mark
    leaves: Mark
    wavers: Mark
    chooses: Mark
    agrees: Mark


@dataclass(frozen=True, slots=True, eq=False)
class NetworkPolicy:
    """The learned network of follow-ups (data/ground.network.toml names its file); chances run from 0 to 1."""

    file: str = ""
    sha256: str = ""
    # What a chance must reach to be taken, by what speaks for it (design/0041). A word of its own beside others:
    take: float = 0.65
    # Nothing else is spoken of; a rule took the same, and what a rule took stands from `keep` on.
    agree: float = 0.4
    rule: float = 0.6
    keep: float = 0.6
    # A measure or a place in the list, beside other words; what is left of the list, or one of several that fit.
    measured: float = 0.5
    placed: float = 0.5
    among: float = 0.85
    # Only figures of it fit, among words about other things: "I'm 84 next birthday" beside 84 tablets.
    figures: float = 0.7
    # It is on offer, and something agrees, or nothing does.
    agreed: float = 0.6
    offered: float = 0.7
    # Near by meaning alone.
    near: float = 0.9
    # The same in so few words, where nothing else is told.
    near_brief: float = 0.8
    brief: int = 4
    # The rules count several.
    several: float = 0.6
    # It is pointed at, and a part of the message alone takes it.
    part: float = 0.2
    # The least in what has the form of a question or a search; the least where `strays` words name other things.
    against: float = 0.65
    lost: float = 0.93
    strays: int = 4
    # What is likely enough to be asked about.
    likely: float = 0.12
    # An act that is less sure leaves what the rules say of the message.
    act: float = 0.5
    # The same where the rules see the form of a question, a search or a refusal.
    act_against: float = 0.85
    # A second act is told from this chance on.
    second_at: float = 0.5
    # Longer lists are not read this closely.
    candidates: int = 16


@dataclass(frozen=True, slots=True, eq=False)
class GroundPolicy:
    """Words come from data/<language>/shared/ground.toml. The first block is the specification's constants table."""

    polite_heads: tuple[str, ...]
    polite_tails: tuple[str, ...]
    articles: tuple[str, ...]
    verbs: tuple[str, ...]
    verb_phrases: tuple[str, ...]
    command_verbs: tuple[str, ...]
    act_verbs: tuple[str, ...]
    search_verbs: tuple[str, ...]
    attribute_nouns: tuple[str, ...]
    attribute_owners: tuple[str, ...]
    stop: tuple[str, ...]
    hesitation: tuple[str, ...]
    repair: tuple[str, ...]
    other_one: tuple[str, ...]
    list_rejection: tuple[str, ...]
    not_refusals: tuple[str, ...]
    negations: tuple[str, ...]
    refusal_words: tuple[str, ...]
    prohibition: tuple[str, ...]
    refusal: tuple[str, ...]
    affirmation: tuple[str, ...]
    acceptance_words: tuple[str, ...]
    acceptance: tuple[str, ...]
    closing: tuple[str, ...]
    alternative_words: tuple[str, ...]
    alternatives: tuple[str, ...]
    more_about: tuple[str, ...]
    open_nouns: tuple[str, ...]
    adding_verbs: tuple[str, ...]
    not_others: tuple[str, ...]
    moving_on: tuple[str, ...]
    desire: tuple[str, ...]
    know: tuple[str, ...]
    request_adverbs: tuple[str, ...]
    affirmation_openers: tuple[str, ...]
    weak_openers: tuple[str, ...]
    # A new sentence begins with one of these right behind a full stop, without a space.
    sentence_openers: tuple[str, ...]
    thanks: tuple[str, ...]
    wh_words: tuple[str, ...]
    auxiliaries: tuple[str, ...]
    subjects: tuple[str, ...]
    tell: tuple[str, ...]
    about: tuple[str, ...]
    instruction_cues: tuple[str, ...]
    polite_openings: tuple[str, ...]
    deictics: tuple[str, ...]
    pointers: tuple[str, ...]
    deictic_words: tuple[str, ...]
    item_nouns: tuple[str, ...]
    kind_nouns: tuple[str, ...]
    label_stop_words: tuple[str, ...]
    plurals: tuple[tuple[str, str], ...]
    failure: tuple[str, ...]
    transaction_verbs: tuple[str, ...]
    indefinite: tuple[str, ...]
    plain_subjects: tuple[str, ...]
    praise_verbs: tuple[str, ...]
    offer_types: tuple[str, ...]
    executed_outcomes: tuple[str, ...]
    failed_outcomes: tuple[str, ...]
    scope_prepositions: tuple[str, ...]
    scope_stop_words: tuple[str, ...]
    referent_markers: tuple[str, ...]
    grammar: Mapping[str, tuple[str, ...]]
    ordinals: Mapping[str, int]
    # A verb around its object, and what is meant: "take … out" removes.
    verb_pairs: Mapping[str, str]
    scope_cues: Mapping[str, tuple[str, ...]]
    scope_named: Mapping[str, tuple[str, ...]]
    scope_nouns: Mapping[str, str]
    semantic: Mapping[str, tuple[str, ...]]
    clarifier_texts: Mapping[str, str]
    slot_texts: Mapping[str, str]
    enrichment_by_scope: Mapping[str, tuple[EvidenceType, ...]]
    destructive_verbs: tuple[str, ...]
    pointing: PointingPolicy
    reader: ActsPolicy
    chooser: ChooserPolicy
    network: NetworkPolicy
    marks: MarksPolicy

    selection_max_enrichment_steps: int = 1
    selection_max_llm_calls: int = 2
    semantic_max_enrichment_steps: int = 2
    semantic_max_llm_calls_per_step: int = 1
    chat_history_max_turns: int = 8
    chat_history_max_tokens: int = 1200
    snapshot_excerpt_max_tokens: int = 400
    blended_context_max_tokens: int = 1800
    continuity_ttl_max_turns: int = 3
    continuity_ttl_max_minutes: int = 10
    recent_action_trace_max_entries: int = 5
    needed_evidence_types_max: int = 2

    # Flags (ruling G16). Auto-execute of a model's choice is off.
    continuity_enabled: bool = True
    semantic_enabled: bool = True
    auto_execute_enabled: bool = False
    auto_execute_confidence: Fraction = Fraction(85, 100)
    select_floor: Fraction = Fraction(60, 100)
    contract_version: str = "2.0"
    schema_version: str = "1"
    choice_window: int = 5
    max_candidates: int = 10_000
    clarifier_candidates: int = 10
    max_attempts: int = 3
    exits_from_attempt: int = 2
    soft_match_length: int = 3
    typo_length: int = 5
    typo_candidates: int = 200
    label_max_words: int = 12
    # Nobody wraps a request in more layers of politeness than this.
    peel_steps: int = 100
    stray_words: int = 3
    ordinal_digits: int = 3
    noise_letters: Fraction = Fraction(1, 2)
    noise_token_length: int = 3
    scope_typo_length: int = 4
    scope_far_typo_length: int = 6
    scope_name_length: int = 2
    ordinal_typo_length: int = 4
    ordinal_typo_distance: int = 2
    structured_keys_max: int = 12
    model_timeout_ms: int = 800
    model_temperature: float = 0.1
    model_max_tokens: int = 150

    # Rollout guard (Step 7, ruling G17).
    rollback_wrong_action: Fraction = Fraction(5, 1000)
    rollback_clarifier: Fraction = Fraction(10, 100)
    rollback_latency_ms: int = 250
    halt_unchanged_retry: Fraction = Fraction(2, 100)
    languages: Mapping[str, GroundWords] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.selection_max_llm_calls < 0 or self.selection_max_enrichment_steps < 0:
            raise ValueError("budgets must not be negative")
        if self.max_candidates <= 0:
            raise ValueError("max_candidates must be positive")
