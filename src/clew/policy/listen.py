"""Numbers and words for hearing a message."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction

from clew.frozen import dataclass
from clew.model.signals import SafetyClass
from clew.model.topic import TopicId
from clew.policy.rows import Pattern, Shape
from clew.policy.weights import Scorer


@dataclass(frozen=True, slots=True, eq=False)
class FoldPolicy:
    """What two spellings of one thing differ in (data/listen.fold.toml)."""

    edges: str
    blanks: str
    fillers: tuple[str, ...]
    spellings: Mapping[str, str]
    gap: int


@dataclass(frozen=True, slots=True, eq=False)
class SafetyRule:
    """Fires when enough of `says` is found, not inside `not_over`, not near words of `unless`."""

    kind: SafetyClass
    says: tuple[str, ...]
    not_over: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    at_least: int = 1
    # Said once, a rule that asks for more is still a concern.
    care: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class HeadRule:
    """Fires when the head's log-odds reach `at`, or `at_near` beside words of the contexts `near`.

    A head with stems speaks of Hangul even without a vector, and then has to reach `at_words`;
    a single word has to begin with a stem worth `insult`. From `at_care` on it is a concern, no class.
    Without a vector the head `words` may still raise a concern, from `at_care_words` on.

    Silent in the company of `unless`, and where a rule of `hidden_by` spoke or knows a harmless phrase.
    """

    kind: SafetyClass
    head: str
    at: float
    at_near: float
    near: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    hidden_by: tuple[str, ...] = ()
    at_words: float | None = None
    insult: float = 0.75
    at_care: float | None = None
    words: str = ""
    at_care_words: float = 0.0
    # A Latin message without one word of this worth, common ones aside, is not summed up at all.
    loaded: float = 0.75
    common: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class SafetyPolicy:
    """Which words make which class (data/listen.safety.toml); `severity` decides between classes."""

    severity: tuple[SafetyClass, ...]
    above_crisis: tuple[str, ...]
    # Words by which somebody speaks of themself.
    speakers: tuple[str, ...]
    slots: Mapping[str, tuple[str, ...]]
    contexts: Mapping[str, tuple[str, ...]]
    rules: Mapping[str, SafetyRule]
    heads: Mapping[str, HeadRule]
    # Classes that a person who tells of harm done to them is never put in.
    suffered: tuple[SafetyClass, ...] = ()
    reach: int = 80


@dataclass(frozen=True, slots=True, eq=False)
class EmotionPolicy:
    """Words and their weight in quarter points (data/listen.emotion.toml), and what bends them."""

    negators: tuple[str, ...]
    intensifiers: tuple[str, ...]
    diminishers: tuple[str, ...]
    turns: tuple[str, ...]
    # What denies inside a word, and after a stem of denial.
    negated_inside: tuple[str, ...]
    negated_stem: tuple[str, ...]
    negated_after: tuple[str, ...]
    families: Mapping[str, tuple[str, ...]]
    idioms: Mapping[str, tuple[str, ...]]
    tags: Mapping[str, tuple[str, ...]]
    words: Mapping[str, str]
    # Read from the beginning of a word, whatever ends it.
    stems: Mapping[str, str]
    self_openers: tuple[str, ...]
    self_verbs: tuple[str, ...]
    self_objects: tuple[str, ...]
    self_reach: int = 5
    stem_max: int = 4
    window: int = 3
    negated: float = -0.6
    intensified: float = 1.3
    diminished: float = 0.6
    before_turn: float = 0.6
    after_turn: float = 1.4
    # valence = z / sqrt(z² + softness), for words alone and with a head
    softness: float = 20.0
    softness_head: float = 20.0
    head_weight: float = 0.7
    # the head hears "bad" in "not bad"
    head_weight_negated: float = 0.3
    strong_at: Fraction = Fraction(60, 100)
    tag_at: float = 0.0
    # below these log-odds of the head `strong`, a valence stays short of strong_at
    strong_head_at: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Head:
    """bias + scale × (signed bytes in base85) · vector; trained by bench/train/heads.py.

    With `unit_weights` there is a row of bytes for each unit, and a unit that stays below zero is silent:
    bias + Σ unit_weight × max(0, unit_bias + scale × row · vector).
    `stems` speak without a vector: quarter points of word beginnings, and of endings after "~"; in a head
    of whole words, of words and of neighbours joined by "_".
    """

    bias: float
    scale: float
    weights: str
    stem_bias: float = 0.0
    stems: Mapping[str, str] = field(default_factory=dict)
    unit_bias: tuple[float, ...] = ()
    unit_weights: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class NeedMarks:
    """From which log-odds a message is heard as care or crisis, in one language.

    `…_near`: beside a listed concern. `crisis_unpointed`: where nothing in the words points to danger. `overruled`: a
    listed crisis phrase falls below this; `…_lowered` in a message
    with words of fiction, news, past or laughter. The others are taken off: `alone` without a vector, `sentence` for
    one sentence of several, `sentence_alone` for one without a vector of its own.
    """

    care: float
    care_near: float
    crisis: float
    crisis_near: float
    crisis_unpointed: float
    # A learned crisis must read like pain too.
    crisis_care: float
    # What may be danger is at least met with care.
    care_danger: float
    # Beside a hint: from here on care, and a crisis.
    hinted: float
    crisis_hinted: float
    overruled: float
    overruled_lowered: float
    alone: float
    sentence: float
    sentence_alone: float
    # Where nothing points to danger: from here on a crisis beside so much pain.
    crisis_pained: float = 99.0
    pained: float = 99.0
    # Beside a listed word of distress.
    distressed: float = -4.0
    # Where harm or grave news is plainly told.
    crisis_suffered: float = 3.0
    # Pain and so much of danger, added up: from here on care.
    danger_share: float = 0.0
    summed: float = 99.0
    # A listed phrase of danger that was overruled is care from here on.
    overruled_care: float = 99.0
    # What stands beside a word of weariness, by its words alone: from here on it may be danger.
    wearied: float = -3.5
    # For the last turns read as one text.
    together: float = 99.0
    # Soon after a crisis: from here on it goes on.
    after_crisis: float = 99.0
    overruled_words: int = 6
    sentence_words: int = 2
    sentences_most: int = 40


@dataclass(frozen=True, slots=True, eq=False)
class NeedWords:
    """Plain readings that no learned score outvotes (ruling S6, general ruling 7).

    certain: a first-person statement of danger. lowering: fiction, news, past, laughter. harmless: sounds like danger
    and is none. suffered: harm done to the speaker, grave news; `fine` says that it is over or was a game. pointing:
    words that danger is told in; they decide nothing, but without any a score has to be surer. hinting: what goes with
    danger and hardly with anything else. emergency: a life in danger now by a deed or an accident, told without sorrow.
    """

    marks: NeedMarks
    certain: Mapping[str, Shape] = field(default_factory=dict)
    emergency: Mapping[str, Shape] = field(default_factory=dict)
    lowering: Mapping[str, Shape] = field(default_factory=dict)
    harmless: Mapping[str, Shape] = field(default_factory=dict)
    suffered: Mapping[str, Shape] = field(default_factory=dict)
    fine: Mapping[str, Shape] = field(default_factory=dict)
    pointing: Mapping[str, Shape] = field(default_factory=dict)
    hinting: Mapping[str, Shape] = field(default_factory=dict)
    # Fear, unless it is of oneself or of somebody: great pain, and no sign of danger.
    afraid: Mapping[str, Shape] = field(default_factory=dict)
    # A whole message that says no more than that something is borne no longer.
    weary: Mapping[str, Shape] = field(default_factory=dict)
    # The same as one clause among others; and what parts with people, beside which it may be danger.
    wearied: Mapping[str, Shape] = field(default_factory=dict)
    parting: Mapping[str, Shape] = field(default_factory=dict)
    # Soon after a crisis: an answer that tells of danger still, as to "are you safe?".
    unsafe: Mapping[str, Shape] = field(default_factory=dict)
    # Somebody else's danger is a crisis where it happens now and here.
    present: Mapping[str, Shape] = field(default_factory=dict)
    # What lies behind the user, or happens in a game: no hardship of theirs now.
    behind: Mapping[str, Shape] = field(default_factory=dict)
    # Words of each kind of hardship, without one of which it is not called by that name.
    hardship: Mapping[str, Shape] = field(default_factory=dict)
    # A hardship told in so many words, whatever the reader makes of it.
    hardship_plain: Mapping[str, Shape] = field(default_factory=dict)
    # The speaker's age, in the group `age`.
    age: Mapping[str, Shape] = field(default_factory=dict)
    # With which a speaker speaks of themself, beside those that all languages share.
    pronouns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class HardshipPolicy:
    """`weights` names a file of the package for each language, written by bench/train/hardships.py, with its SHA-256.

    care: from which chance of any hardship on a statement asks for care; amid: the same soon after another one.
    named: from which chance of one kind on it is called by it, named_caring where it needs care in any case. none: what
    the reader says of ordinary talk.
    """

    weights: Mapping[str, str] = field(default_factory=dict)
    weights_sha256: Mapping[str, str] = field(default_factory=dict)
    care: Mapping[str, Fraction] = field(default_factory=dict)
    amid: Mapping[str, Fraction] = field(default_factory=dict)
    named: Fraction = Fraction(3, 10)
    # Kinds that ordinary talk is full of the words of, and from which chance on one of these is believed.
    common: tuple[str, ...] = ("money", "lonely", "worn", "fear", "low", "shame")
    common_care: Fraction = Fraction(96, 100)
    # What a kind is where somebody of the user's is told of; "" is none that has a name.
    of_another: Mapping[str, str] = field(default_factory=lambda: {"ill": "ill_theirs", "lonely": ""})
    # Told so gladly, it is none.
    glad: float = 0.3
    named_caring: Fraction = Fraction(1, 200)
    none: str = "none"
    # Pain without a name.
    other: str = "pain"


@dataclass(frozen=True, slots=True, eq=False)
class ListenPolicy:
    """Word lists come from data/<language>/shared/listen.toml and data/<language>/listen.toml."""

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
    question_openers: tuple[str, ...]
    # Behind an auxiliary and somebody's name: "does reece still play".
    behind_named: tuple[str, ...]
    question_endings_ko: tuple[str, ...]
    question_words_ko: tuple[str, ...]
    open_endings_ko: tuple[str, ...]
    not_open_ko: tuple[str, ...]
    telling_ko: tuple[str, ...]
    # What may follow such a verb where it only tells: 확인해야 해, 검색해서 봤어.
    telling_on_ko: tuple[str, ...]
    indefinite_ko: tuple[Pattern, ...]
    later_ko: tuple[str, ...]
    wanting_ko: tuple[str, ...]
    pronouns: tuple[str, ...]
    distress: tuple[str, ...]
    cannot: tuple[str, ...]
    cannot_cries: tuple[str, ...]
    cannot_idioms: tuple[str, ...]
    cannot_everyday: tuple[str, ...]
    cannot_despite: tuple[str, ...]
    cannot_too_long: tuple[str, ...]
    comfort: tuple[str, ...]
    preference: tuple[str, ...]
    fact: tuple[str, ...]
    event: tuple[str, ...]
    correction_clauses: tuple[str, ...]
    correction_whole: tuple[str, ...]
    correction_openings: tuple[str, ...]
    correction_softeners: tuple[str, ...]
    fold: FoldPolicy
    safety: SafetyPolicy
    emotion: EmotionPolicy
    heads: Mapping[str, Head]
    languages: Mapping[str, NeedWords] = field(default_factory=dict)
    # Learned scores of care and crisis (bench/train/need.py).
    need_scores: Mapping[str, Scorer] = field(default_factory=dict)
    hardship: HardshipPolicy = field(default_factory=HardshipPolicy)
    # So many earlier turns are read together with this one, each of at most so many characters.
    together_turns: int = 2
    together_characters: int = 160
    # Turns are read together where their words alone come so near to the mark.
    together_words: float = 1.6
    # A turn that is further from pain by itself adds nothing to it.
    together_own: float = -9.8
    topic_base: Fraction = Fraction(35, 100)
    topic_step: Fraction = Fraction(15, 100)
    initiated_at: Fraction = Fraction(70, 100)
    mention_window: int = 2
    fact_question_tokens: int = 60
