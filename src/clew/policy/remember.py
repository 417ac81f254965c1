"""Numbers and words for extraction, merging and correction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from decimal import Decimal
from fractions import Fraction
from typing import Any

from clew.frozen import dataclass
from clew.model.topic import TopicId
from clew.policy.extractor import ExtractorPolicy
from clew.policy.listen import Head
from clew.policy.rows import NEVER, NEVER_WHOLE, Pattern, WholePattern


@dataclass(frozen=True, slots=True, eq=False)
class KeyPolicy:
    """The only keys there are."""

    facts: tuple[str, ...]
    categories: tuple[str, ...]
    domains: tuple[str, ...]
    patterns: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class WishWords:
    """plainly: how a wish to forget is said shortest. that: what stands where it names nothing.

    around: words of such wishes that do not name what is to be forgotten. bids: a clause that bids one forget; what it
    names must have been told, else it is no wish.
    """

    plainly: str = ""
    that: str = ""
    around: frozenset[str] = frozenset()
    bids: Pattern = NEVER
    # Words that may bid it.
    may_bid: Pattern = NEVER


@dataclass(frozen=True, slots=True, eq=False)
class CorrectPolicy:
    """The grammar of corrections (rulings P71–P75), as patterns over one clause."""

    openers: tuple[str, ...]
    asking: tuple[str, ...]
    # With what a wish ends that is put as a question.
    asking_ends: tuple[str, ...]
    closers: tuple[str, ...]
    # Of these, those that ask politely; and what follows a value without being part of it.
    polite_closers: tuple[str, ...]
    value_tails: tuple[str, ...]
    deny: tuple[WholePattern, ...]
    deny_whole: tuple[str, ...]
    forget: tuple[WholePattern, ...]
    forget_idioms: tuple[str, ...]
    forget_target: tuple[WholePattern, ...]
    not_targets: tuple[WholePattern, ...]
    everything: tuple[str, ...]
    suppress: tuple[WholePattern, ...]
    suppress_idioms: tuple[str, ...]
    # "We can talk about X again"; and a plain yes to "everything?", as a whole message.
    reopen: tuple[WholePattern, ...]
    confirm_all: tuple[str, ...]
    deictic: tuple[str, ...]
    amend_openers: tuple[str, ...]
    explicit: tuple[WholePattern, ...]
    not_explicit: tuple[WholePattern, ...]
    target_stop: tuple[str, ...]
    # Words for "mine" before a thing, and those that make an opener polite.
    own_words: tuple[str, ...]
    polite: tuple[str, ...]
    fact_names: Mapping[str, tuple[str, ...]]
    topic_names: Mapping[TopicId, tuple[str, ...]]
    # A value stated in full, by field; fields whose values are listed; denials that may open a bare new value.
    frames: Mapping[str, str]
    closed: tuple[str, ...]
    weak_openers: tuple[str, ...]
    # Whole clauses that switch remembering off and on; words that mean the user's last message.
    recording_off: tuple[WholePattern, ...] = ()
    recording_on: tuple[WholePattern, ...] = ()
    just_said: Pattern = NEVER
    # A wish to forget in other words is heard from this chance on; so many of its words name the thing.
    wish_at: float = 0.65
    # The same where such words stand beside something that was told.
    wish_at_told: float = 0.1
    wish_words: int = 5
    wishes: Mapping[str, WishWords] = field(default_factory=dict)
    asked_forget: WholePattern = NEVER_WHOLE
    # Where a command ends that goes on without a comma.
    command_ends: tuple[Pattern, ...] = ()
    reach: int = 4000
    clause_characters: int = 160


@dataclass(frozen=True, slots=True, eq=False)
class ItemPolicy:
    """What people like, by category; the verbs that carry it; the nouns that name a category (P79)."""

    categories: Mapping[str, tuple[str, ...]]
    carriers: Mapping[str, tuple[str, ...]]
    kinds: Mapping[str, tuple[str, ...]]
    tails: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True, eq=False)
class SayPolicy:
    """How people say what they are, like, do and feel; English and Korean."""

    adverbs: tuple[str, ...]
    reporters: tuple[str, ...]
    hypothetical: tuple[str, ...]
    role_lines: tuple[str, ...]
    own_lines: tuple[str, ...]
    like_verbs: tuple[str, ...]
    like_states: tuple[str, ...]
    dislike_verbs: tuple[str, ...]
    dislike_states: tuple[str, ...]
    like_nouns: tuple[str, ...]
    noun_verbs: tuple[str, ...]
    turned_away: tuple[str, ...]
    away_choices: tuple[str, ...]
    away_acts: tuple[str, ...]
    turned_to: tuple[str, ...]
    leads: tuple[str, ...]
    pleased: tuple[str, ...]
    displeased: tuple[str, ...]
    contrast: tuple[str, ...]
    value_stops: tuple[str, ...]
    narrowing: tuple[str, ...]
    not_narrowing: tuple[str, ...]
    item_stops: tuple[str, ...]
    determiners: tuple[str, ...]
    not_items: tuple[str, ...]
    not_activities: tuple[str, ...]
    # Small words that a pastime keeps ("cooking with friends"), and with which no thing ends.
    activity_words: tuple[str, ...]
    loose_ends: tuple[str, ...]
    # Words before what is liked: a thing to do; one thing at hand, which is no taste; what is the user's own. And what
    # opens a part of a list that is no verb.
    infinitives: tuple[str, ...]
    at_hand: tuple[str, ...]
    owned: tuple[str, ...]
    no_verbs: tuple[str, ...]
    not_abstained: tuple[str, ...]
    city_deny: tuple[str, ...]
    countries: tuple[str, ...]
    city_states: tuple[str, ...]
    jobs: tuple[str, ...]
    not_jobs: tuple[str, ...]
    school_words: tuple[str, ...]
    schools: tuple[str, ...]
    majors: tuple[str, ...]
    languages: tuple[str, ...]
    event_strong: tuple[str, ...]
    event_past: tuple[str, ...]
    event_weak: tuple[str, ...]
    event_times: tuple[str, ...]
    event_not: tuple[str, ...]
    event_noun: tuple[str, ...]
    habit_cues: tuple[str, ...]
    weak_cues: tuple[str, ...]
    feeling_hints: tuple[str, ...]
    activities: Mapping[str, str]
    domains: Mapping[str, tuple[str, ...]]
    moods: Mapping[str, tuple[str, ...]]
    stress: Mapping[str, tuple[str, ...]]
    coping: Mapping[str, tuple[str, ...]]
    statement_characters: int = 400
    statements_most: int = 40
    fact_words: int = 3
    item_words: int = 5
    list_items: int = 8
    event_words: int = 10
    trigger_words: int = 8
    # An experience tells a liking when its words lean clearly one way.
    lean_least: int = 4
    lean_share: Fraction = Fraction(2, 3)
    lean_places: tuple[int, ...] = (5, 2, 1)
    lean_plain: int = 2
    lean_before: int = 1
    lean_after: int = 4
    lean_reach: int = 3
    # A long account may tell a liking without naming it in one clause.
    account_words: int = 40
    account_lean: int = 8
    negators: tuple[str, ...] = (
        "not", "no", "never", "without", "don't", "didn't", "isn't", "wasn't", "aren't", "weren't", "hasn't",
        "haven't", "doesn't", "couldn't", "can't", "cannot", "hardly", "lack", "lacked", "lacking", "rather", "less",
    )  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class AccountPolicy:
    """What a long account tells of doing."""

    adverbs: tuple[str, ...]
    leads: tuple[str, ...]
    light_verbs: tuple[str, ...]
    trying: tuple[str, ...]
    not_pastimes: tuple[str, ...]
    duties: tuple[str, ...]
    works: tuple[str, ...]
    # Sentences that open an account, and how long one must be to say something.
    opening: int = 2
    sentence_words: int = 4
    topic_words: int = 3


@dataclass(frozen=True, slots=True, eq=False)
class StancePolicy:
    """Which way a long account leans; weights from PersonaMem (MIT) by bench/train/memory_stance.py."""

    # bias; lean of the opening, second sentence, rest, all; like, dislike stated early; the same late
    with_vector: tuple[float, ...]
    words_only: tuple[float, ...]
    heads: Mapping[str, Head] = field(default_factory=dict)
    with_vector_least: float = 0.35
    words_only_least: float = 0.4


@dataclass(frozen=True, slots=True, eq=False)
class HangulPolicy:
    """What comes off a Korean word before two words are compared."""

    particles: tuple[str, ...]
    after_consonant: tuple[str, ...]
    after_vowel: tuple[str, ...]
    endings: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class LikenessPolicy:
    """Weights of `similar` as memory; fitted on labelled pairs by bench/train/memory_likeness.py."""

    stop_words: tuple[str, ...]
    people: tuple[str, ...]
    same_words: Mapping[str, str]
    # words found there: most, least; letter triples contained, shared; replaced share (, cosine)
    words_only: tuple[Fraction, ...] = (
        Fraction(148, 100), Fraction(249, 100), Fraction(186, 100), Fraction(177, 100), Fraction(-175, 100),
    )  # fmt: skip
    words_only_least: Fraction = Fraction(270, 100)
    words_only_strict: Fraction = Fraction(341, 100)
    with_vectors: tuple[Fraction, ...] = (
        Fraction(122, 100), Fraction(140, 100), Fraction(116, 100), Fraction(60, 100), Fraction(-145, 100),
        Fraction(479, 100),
    )  # fmt: skip
    with_vectors_least: Fraction = Fraction(409, 100)
    # What is told of others with words exchanged needs more.
    with_vectors_strict: Fraction = Fraction(543, 100)
    # No word shared: from this cosine on the vectors say it alone, as between languages.
    vectors_alone: Fraction = Fraction(90, 100)
    # Rare words, in hundredths, that both must have: at all, and where the longer text says more than as much again.
    shared_least: int = 100
    shared_little: int = 150
    shared_part: Fraction = Fraction(1, 2)
    # Texts that differ in one word: from this cosine on the two words are synonyms.
    synonym_near: Fraction = Fraction(94, 100)
    synonym_far: Fraction = Fraction(998, 1000)
    # By language, where names and things stand nearer.
    synonym_near_in: Mapping[str, Fraction] = field(default_factory=dict)
    # The same sentence with another end: below this cosine it says another thing.
    end_near: Fraction = Fraction(80, 100)


@dataclass(frozen=True, slots=True, eq=False)
class SamePolicy:
    """Weights of the head over two statements' vectors; fitted by bench/train/memory_same.py."""

    # words and letters as in `similar`; cosine, cosine of Korean, Korean; guards: polarity, antonym, entity;
    # per dimension: how far apart, product
    plain: tuple[float, ...] = ()
    apart: tuple[float, ...] = ()
    together: tuple[float, ...] = ()
    bias: float = 0.0
    least: float = 0.0
    # By language, where it is another; such a language has weights of its own for its cosine.
    least_in: Mapping[str, float] = field(default_factory=dict)
    # Below this what is worded alike is not merged.
    doubt: float = -0.6


@dataclass(frozen=True, slots=True, eq=False)
class ContrastPolicy:
    """What makes two sentences two memories; words in data/<language>/shared/."""

    opposites: tuple[tuple[str, ...], ...]
    exclusive: tuple[tuple[str, ...], ...]
    denies: Pattern
    not_denies: Pattern
    clause: Pattern
    one_word: Mapping[str, str]
    denies_en: Pattern
    not_denies_en: Pattern
    against: tuple[str, ...]
    verb_tails: tuple[str, ...]
    alone: tuple[str, ...]
    # What makes a date or an hour of a number, and counts nothing.
    uncounted: tuple[str, ...]
    # Numbers that stand behind what they count.
    standing: tuple[str, ...]
    native: Mapping[str, int]
    tens: Mapping[str, int]
    counters: tuple[str, ...]
    day_words: Mapping[str, str]
    large: Mapping[str, int]
    spans: Mapping[str, str]
    kin: tuple[str, ...]
    mine: tuple[str, ...]
    theirs: tuple[str, ...]
    after_object: tuple[str, ...]
    passive: Pattern
    which: tuple[str, ...]
    which_ko: Mapping[str, str]
    turns_ko: tuple[str, ...]
    copulas: tuple[str, ...]
    noun_tails: tuple[str, ...]
    roles: Mapping[str, str]
    speaker: Mapping[str, str]


@dataclass(frozen=True, slots=True, eq=False)
class RecordPolicy:
    """Facts, episodes and decisions (rulings N1–N18)."""

    non_decision_frames: tuple[str, ...]
    decision_tools: tuple[str, ...]
    decision_language: tuple[str, ...]
    info_signals: tuple[str, ...]
    report_words: tuple[str, ...]
    # What the label of a status may stand at, beside a number.
    status_words: tuple[str, ...]
    # Words before a thing that are no part of its name.
    leading: tuple[str, ...] = ()
    # What is no part of the name of a subject: an article before it, the mark of an owner behind it.
    articles: Pattern = NEVER
    possessive: Pattern = NEVER
    slot_similarity: Fraction = Fraction(80, 100)
    conflict_overlap: Fraction = Fraction(50, 100)
    subject_max: int = 200
    attribute_max: int = 100
    episode_minutes: int = 30
    signal_reach: int = 500
    report_reach: int = 300
    report_hits: int = 2
    short_reply: int = 50
    bullet_lines: int = 3
    bullet_share: Fraction = Fraction(60, 100)
    status_parts: int = 3
    status_share: Fraction = Fraction(75, 100)
    # The line that sums up a session, and how far back sessions are read.
    summary_sentences: int = 3
    summary_characters: int = 160
    summary_terms: int = 3
    summary_share: Fraction = Fraction(1, 2)
    episode_messages: int = 600
    # How many past sessions stand at the end of a context.
    context_episodes: int = 2
    # How many earlier decisions a new one is held against.
    decisions_most: int = 200


@dataclass(frozen=True, slots=True, eq=False)
class UpdatePolicy:
    """Weights of `updates`, with vectors and without; chosen on PersonaMem's personas 0-1 (MIT)."""

    # opening, inside, opposed, recent, cosine
    link: tuple[Fraction, ...] = (Fraction(9), Fraction(5), Fraction(1), Fraction(13, 10), Fraction(8))
    link_words: tuple[Fraction, ...] = (Fraction(10), Fraction(7), Fraction(1), Fraction(14, 10), Fraction(0))
    # opening, inside, opposed, change, cosine
    sure: tuple[Fraction, ...] = (Fraction(2), Fraction(1), Fraction(1, 2), Fraction(3, 2), Fraction(4))
    sure_least: Fraction = Fraction(3)
    sure_words: tuple[Fraction, ...] = (Fraction(2), Fraction(2), Fraction(1, 2), Fraction(3, 2), Fraction(0))
    sure_words_least: Fraction = Fraction(1)
    # Without words of change or an opposite stance the openings must be this much alike.
    same_opening: Fraction = Fraction(1, 2)
    # Words of change count where a statement opens.
    cue_sentences: int = 2
    # Stems that tell the stance or the change, not what it is about.
    stance_words: tuple[str, ...] = (
        "lik", "hat", "stand", "prefer", "fan", "favorit", "favourit", "avoid", "longer", "anymor", "lately", "now",
        "used", "recently", "actually", "not", "don't", "dont", "cant", "again", "stopp", "stop", "more",
    )  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class RetoldPolicy:
    """Weights for accounts, with vectors and without; from PersonaMem (MIT) by bench/train/memory_updates.py."""

    # bias, about, inside, thing (, cosine)
    alike: tuple[Fraction, ...]
    alike_words: tuple[Fraction, ...]
    # same thing, later ones too, opposed, apart, recent
    link: tuple[Fraction, ...]
    link_words: tuple[Fraction, ...]
    # link, words of change, opposed
    sure: tuple[Fraction, ...]
    sure_words: tuple[Fraction, ...]
    sure_least: Fraction
    sure_words_least: Fraction
    slack: Fraction = Fraction(1)


@dataclass(frozen=True, slots=True, eq=False)
class RememberWords:
    """What only one language has, from data/<language>/remember.toml.

    speaker: the word for whoever speaks. people: words for somebody else. places: those that no capital letter
    tells. adverbs: what may stand before a value that is put right. inflected: letters that an ending leaves on a stem.
    verb_last: another last word is another verb, not another thing. questions_vary: two questions that share much may
    be told in two wordings, as two statements. denied_opening: pattern and who speaks again. denied_inside: pattern and
    what stands instead of it; over_inside: the same, of what is over. around_time: letters that hang around a time.
    put_right: patterns of "not y but x"; set_anew: of "set my city to x"; value_tails: of what ends such a value.
    events: what tells of an event. said: lists that only its own pack reads.
    """

    speaker: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    adverbs: tuple[str, ...] = ()
    inflected: str = ""
    verb_last: bool = False
    questions_vary: bool = False
    denied_opening: tuple[tuple[str, str], ...] = ()
    denied_inside: tuple[tuple[str, str], ...] = ()
    over_inside: tuple[tuple[str, str], ...] = ()
    around_time: str = ""
    put_right: tuple[str, ...] = ()
    set_anew: tuple[str, ...] = ()
    value_tails: tuple[str, ...] = ()
    events: tuple[str, ...] = ()
    moods: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    energy: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    said: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class RememberPolicy:
    """Word lists come from data/remember.*.toml and data/<language>/shared/remember.*.toml."""

    keys: KeyPolicy
    items: ItemPolicy
    say: SayPolicy
    account: AccountPolicy
    stance: StancePolicy
    retold: RetoldPolicy
    patterns: Mapping[str, Pattern]
    openings: Mapping[str, Pattern]
    heads: Mapping[str, Head]
    hangul: HangulPolicy
    likeness: LikenessPolicy
    contrast: ContrastPolicy
    common: Mapping[str, int]
    correct: CorrectPolicy
    records: RecordPolicy
    extractor: ExtractorPolicy
    same: SamePolicy = SamePolicy()
    updates: UpdatePolicy = UpdatePolicy()
    # Confidence, in hundredths, so that 55 + 15 is 70 and nothing else (ruling P84).
    heuristic: int = 60
    model: int = 75
    confirm: int = 15
    contradicted_most: int = 55
    most: int = 100
    # A vector tells the category of a thing no list knows, in a message about one thing (ruling P79).
    category_margin: float = 2.5
    category_words: int = 12
    # When the model extractor may run.
    model_characters: int = 200
    model_valence: Fraction = Fraction(60, 100)
    model_repeats: int = 2
    model_window_days: int = 7
    languages: Mapping[str, RememberWords] = field(default_factory=dict)

    def said(self, name: str) -> tuple[Any, ...]:
        """One list over all languages; which of them a text is in need not be known."""
        return tuple(word for own in self.languages.values() for word in getattr(own, name))

    def of(self, language: str) -> RememberWords:
        """What one language has; nothing for one without words of its own."""
        return self.languages.get(language, _NONE)


_NONE = RememberWords()


def hundredths(value: int) -> Decimal:
    return Decimal(value).scaleb(-2)
