"""Numbers and words for finding what was said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction
from types import MappingProxyType

from clew.frozen import dataclass
from clew.model.topic import TopicId
from clew.policy.rows import Pattern


@dataclass(frozen=True, slots=True, eq=False)
class RecallWeights:
    """The linear ranker: what each part of a score counts. Parts lie between 0 and 1; 0 leaves one out."""

    lexical: float = 0.5
    lexical_near: float = 1.0
    lexical_session: float = 0.75
    vector: float = 1.0
    vector_near: float = 1.0
    vector_session: float = 0.75
    words: float = 2.0
    words_near: float = 1.0
    words_session: float = 1.0
    words_window: float = 0.5
    speaker: float = 2.5
    speaker_near: float = 0.5
    mention: float = 1.5
    role: float = 2.0
    date: float = 5.0
    answer: float = 0.25
    question: float = -1.0
    # A long reply is about something as a whole, whatever its best passage says.
    vector_turn: float = 2.0
    # Between people an answer leans on what was said before it, and much is said to the other, not told.
    words_wide: float = 0.0
    vector_wide: float = 1.0
    # The whole turn by its words, where rarity is that of the language and not of this talk.
    lexical_turn: float = 0.5
    # What the first turns found name and the question does not.
    hop: float = 0.0
    # Closeness to where the answers to such a question lie.
    answering: float = 1.0
    # What the user wished for, once and for all, where something is asked for.
    wish: float = 5.0
    length: float = 0.0
    addressed: float = 0.0
    answer_name: float = 0.0
    answer_place: float = 0.0
    answer_reason: float = 0.0


def _people() -> RecallWeights:
    """Fitted with the loss of bench/train/recall_weights.py, then set by hand,
    on our own histories and MemoryBank talks, questions that name the
    wrong person among them. `date` is set by hand: few of those questions name a day, and where they do it is right.
    `lexical` was fitted to nothing; a little is kept for a conversation without an embedder. `answering` has three
    quarters of what `vector` alone had before.
    """
    return RecallWeights(
        lexical=0.1,
        lexical_near=0.55,
        lexical_session=0.65,
        vector=0.65,
        answering=2.0,
        wish=0.0,
        vector_near=2.55,
        vector_session=0.45,
        vector_turn=0.0,
        words=0.0,
        words_near=0.0,
        words_session=0.95,
        words_window=1.85,
        speaker=1.4,
        speaker_near=1.8,
        mention=2.35,
        date=6.0,
        answer=2.2,
        question=-4.0,
        words_wide=1.8,
        vector_wide=1.65,
        lexical_turn=0.0,
        hop=0.6,
        length=1.5,
        addressed=-2.0,
        answer_name=0.8,
        answer_place=0.55,
        answer_reason=0.3,
    )


@dataclass(frozen=True, slots=True, eq=False)
class OvertakingWeights:
    """How likely a later statement tells anew what an earlier one told (bench/train/recall_fresh.py).

    alike: cosine of the two; asked: of the earlier one and the question. rare: how rare the words are that only the
    two share; shared: those that the question has too. kind: both hold a value of one kind. place: of the later one
    among the candidates; anchor: of the earlier one. covers: how many of the question's words the earlier one has.
    length: of the later one. closest: how much less alike the two are than the earlier one and whatever is most alike
    to it. behind: how much less the later one answers than whatever answers most.
    """

    bias: float = -5.18
    alike: float = 3.54
    asked: float = 3.98
    rare: float = 1.7
    shared: float = 1.93
    kind: float = 0.93
    place: float = -1.64
    anchor: float = -1.88
    closest: float = 6.55
    behind: float = 3.18
    covers: float = 1.03
    length: float = -1.65
    # Rarity and words from which on more says nothing more.
    rare_most: float = 20.0
    words_most: int = 30
    # From the first chance on the later one comes first, from the second on where only a name led to it, from the third
    # on the earlier one is called stale.
    rises_at: float = 0.1
    again_at: float = 0.16
    stale_at: float = 0.35
    # The space it was learned in: in another one cosines have other sizes.
    space: str = "use-multilingual-3/"


@dataclass(frozen=True, slots=True, eq=False)
class AnswersNetwork:
    """The learned network of answers (data/recall.answers_network.toml names its file)."""

    file: str = ""
    sha256: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class RecallWords:
    """What only one language has, from data/<language>/recall.toml.

    clock: shapes that tell a time beside those that every language writes. ago: said behind a number of days.
    rules: how somebody says what replies shall be like from now on. tastes: how somebody says what they prefer.
    """

    stop_words: tuple[str, ...] = ()
    # Sides of a life that are read surely here: asked plainly for one, a message of which only something else was read
    # is no answer.
    read_surely: tuple[str, ...] = ()
    suffixes: tuple[str, ...] = ()
    user_speakers: tuple[str, ...] = ()
    assistant_speakers: tuple[str, ...] = ()
    first_person: tuple[str, ...] = ()
    second_person: tuple[str, ...] = ()
    past_helpers: tuple[str, ...] = ()
    telling_verbs: tuple[str, ...] = ()
    told_verbs: tuple[str, ...] = ()
    shared_cues: tuple[str, ...] = ()
    whole_cues: tuple[str, ...] = ()
    remember_cues: tuple[str, ...] = ()
    followup_cues: tuple[str, ...] = ()
    when_cues: tuple[str, ...] = ()
    amount_cues: tuple[str, ...] = ()
    name_cues: tuple[str, ...] = ()
    place_cues: tuple[str, ...] = ()
    reason_cues: tuple[str, ...] = ()
    place_words: tuple[str, ...] = ()
    articles: tuple[str, ...] = ()
    reason_words: tuple[str, ...] = ()
    address_words: tuple[str, ...] = ()
    time_words: tuple[str, ...] = ()
    past_cues: tuple[str, ...] = ()
    sum_cues: tuple[str, ...] = ()
    told_cues: tuple[str, ...] = ()
    latest_cues: tuple[str, ...] = ()
    help_cues: tuple[str, ...] = ()
    change_cues: tuple[str, ...] = ()
    months_short: tuple[str, ...] = ()
    month_openers: tuple[str, ...] = ()
    verb_months: tuple[str, ...] = ()
    not_numbers: tuple[str, ...] = ()
    money_units: tuple[str, ...] = ()
    ago: tuple[str, ...] = ()
    clock: tuple[Pattern, ...] = ()
    rules: tuple[Pattern, ...] = ()
    tastes: tuple[Pattern, ...] = ()
    irregular: Mapping[str, str] = field(default_factory=dict)
    small_numbers: Mapping[str, int] = field(default_factory=dict)
    unit_days: Mapping[str, int] = field(default_factory=dict)
    # word -> (days from the asking day back to the end of the span, length of the span)
    relative_days: Mapping[str, tuple[int, int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class RecallPolicy:
    """Words come from data/<language>/recall.toml, tables that all languages share from data/recall.toml."""

    # Common words by how improbable they are, and the directions of the default embedder's space
    # (recall.words.toml, recall.space.toml; made by bench/train/recall_words.py).
    words: Mapping[str, str]
    space: Mapping[str, str]
    # Where in that space the answers to a question lie (recall.answering.toml; bench/train/recall_answering.py).
    answering: Mapping[str, str]
    languages: Mapping[str, RecallWords] = field(default_factory=dict)

    # With an assistant, and between people.
    weights: RecallWeights = field(default_factory=RecallWeights)
    people: RecallWeights = field(default_factory=_people)
    # BM25
    k1: float = 1.2
    b: float = 0.75
    # Of whole turns: a long reply is long for a reason.
    turn_b: float = 0.4
    # A second look: so many of the first turns, so many of the rarest terms of each that the question lacks.
    hop_turns: int = 3
    hop_terms: int = 4
    # So many of the closest rules and of the closest tastes count where something is asked for, each at least this
    # much; where only a fact is asked for, rules count this share of it.
    wish_turns: int = 3
    wish_least: float = 0.5
    wish_fact: float = 0.4
    # Neighbours inside a session: distance -> share of a neighbour's score.
    near_previous: tuple[float, ...] = (0.5, 0.25)
    near_next: tuple[float, ...] = (0.5, 0.25)
    # A word said beside a turn counts as the turn's own by this share.
    window_previous: tuple[float, ...] = (0.8, 0.4)
    window_next: tuple[float, ...] = ()
    # The same, further back and on, where people talk.
    wide_previous: tuple[float, ...] = (0.7, 0.5, 0.35, 0.25, 0.17)
    wide_next: tuple[float, ...] = (0.5, 0.25)
    # A turn of so many words says as much as one turn says.
    length_words: int = 400
    # A larger file is refused by `clew ingest`, before more of it is read.
    ingest_bytes: int = 200_000_000
    # Below this cosine two words say nothing about each other.
    word_floor: float = 0.4
    # Words are first compared in so many directions: most are then known to lie below.
    word_first: int = 32
    word_min_length: int = 2
    stem_min: int = 3
    # How improbable a word is that is not listed, and how many words a text has when rarity is counted.
    unknown_word: float = 15.0
    common_length: int = 30
    # Directions of an outline: by them the most promising turns of a long conversation are chosen.
    outline: int = 64
    # A turn is indexed in passages of at most this many characters.
    passage: int = 320
    passages_max: int = 48
    # A pause this long starts a new session; without any sign of sessions, so many turns make one.
    session_gap_hours: int = 4
    session_block: int = 32
    # A date in the question still speaks for turns this many days later.
    date_span_days: int = 14
    # A span longer than this is a season, not a day, and says less.
    date_exact_days: int = 7
    date_wide: float = 0.5

    query_max: int = 4000
    k_max: int = 1000
    default_k: int = 10
    score_digits: int = 6
    # How many results are looked at when a block for a prompt is packed.
    context_k: int = 24
    # How many results a reranker is shown.
    rerank_pool: int = 50
    # Conversations kept loaded in one process, and how many bytes of their vectors.
    warm_conversations: int = 64
    warm_vectors: int = 96_000_000
    # Up to so many turns everything is weighed; beyond, so many of the most promising and what stands around them.
    whole_turns: int = 2048
    close_turns: int = 300
    # Where a search index stands beside the turn index: a conversation longer than this is not opened but searched.
    # So many turns are asked for by vector and by words, and so many of the best are weighed with those around them.
    searched_turns: int = 50_000
    search_most: int = 200
    # Turns that a search index is told at a time, when it lacks some; the upkeep tells it all.
    search_fill: int = 4096
    excerpt_turns: int = 200
    # Beside 1 for the question's words and 1 for its vector: what was said on a day that the question names.
    search_dated: float = 2.0
    # What is derived is then stored in stretches of so many turns, so that a few can be read alone.
    leaf_turns: int = 16
    # New postings stand apart until they are so many, or this share of the old ones.
    segment_least: int = 20_000
    segment_share: float = 0.125
    # Turns read, embedded and written together; at most so many are made up for inside a turn.
    batch_turns: int = 256
    catch_up_turns: int = 256
    # After a turn nothing is made searchable until so many lines wait: several at once cost little more than one.
    waiting_turns: int = 24
    # How alike two turns of one talk are, on the average, as a cosine.
    wide_likeness: float = 0.3

    # Freshness: candidates this close to the best, in a pool of this size, are ordered by time.
    fresh_pool: int = 20
    fresh_anchors: int = 3
    fresh_rise: int = 3
    fresh_share: Fraction = Fraction(1, 5)
    fresh_likeness: Fraction = Fraction(1, 2)
    # A newer turn that fits the question this much as well as an older one may be the newer value of it.
    fresh_fit: Fraction = Fraction(4, 5)
    fresh_first: int = 10
    # The same, where the newest is asked for in so many words.
    fresh_first_latest: int = 20
    # What the first ones name is looked for in later turns: of so many, unless they have more terms than so many, so
    # many of the rarest, each at least this rare and in no more turns than so many.
    again_first: int = 1
    again_length: int = 40
    again_terms: int = 8
    again_rarity: float = 8.0
    again_turns: int = 8
    overtaking: OvertakingWeights = field(default_factory=OvertakingWeights)
    # A value belongs to a term this many words away at most; only the start of a turn is read.
    statement_reach: int = 8
    statement_max: int = 1200
    # With an assistant, when a list is asked for: how much less each further turn of one session is worth.
    list_spread: float = 0.02
    # And what share of the weight of session and neighbours is left then: a list is told in many places.
    list_around: float = 0.25
    # Thinning: near-duplicates share this much of all their words.
    thin_likeness: Fraction = Fraction(9, 10)
    thin_min_words: int = 4
    # Texts are first read of so many turns more than are wanted.
    spare_turns: int = 2

    # Memories inside a turn (ruling P33).
    top_k: int = 4
    memory_floor: float = 0.15
    memory_whole: float = 0.5
    memory_lexical: float = 0.6
    memory_kind: float = 0.5
    memory_vector: float = 0.4
    memory_vector_floor: float = 0.25
    memory_value_terms: int = 3
    memory_pinned: float = 0.05
    continuity_jaccard: Fraction = Fraction(5, 100)
    continuity_messages: int = 4
    continuity_turns: int = 2
    kinds: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    # What a kind of memory is a matter of, though no word of it says so.
    key_topics: Mapping[str, TopicId] = field(default_factory=lambda: MappingProxyType({}))
    # Answering a question about the user's life: so many memories for one question, for the whole of a person,
    # looked up by the words of the question, and quoted of those; below the floor nothing is taken for an answer.
    answers_each: int = 6
    answers_whole: int = 60
    answers_by_words: int = 6
    answers_quoted: int = 1
    answers_floor: float = 0.45
    memory_kind_floor: float = 0.3
    # A question that asks what to do is not answered with a memory.
    advice: tuple[str, ...] = ()
    # What is told first when several things are asked for or needed, and which rows may stand in for another.
    answers_first: tuple[str, ...] = ()
    # Of these all are told where they are asked for by their name, however unlike the question some of them are.
    answers_all: tuple[str, ...] = ("allergy", "language", "hobby", "sport", "medication", "nationality", "instrument")
    # Held under one of these and asked for by its plain name, it is the answer.
    answers_plainly: tuple[str, ...] = (
        "allergy", "diet", "condition", "medication", "goal", "job", "city", "employer", "school", "major", "grade",
        "origin", "birthday", "age", "name", "language",
    )  # fmt: skip
    # Asked for one of these, the others are meant too.
    answers_with: Mapping[str, tuple[str, ...]] = field(
        default_factory=lambda: MappingProxyType(
            {"hobby": ("sport", "game"), "called": ("name",), "name": ("called",), "city": ("home",)}
        )
    )
    # So many of the first are told whatever the words of the question; a quotation that holds a word of the
    # question's own counts from this score on.
    answers_urgent: int = 5
    answers_floor_shared: float = 0.2
    # Who else is meant by a word: asked for the children, sons and daughters answer.
    relations_within: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    # A word for many people, and who is told of beside them.
    relations_beside: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    near_attributes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    # A message is looked at as a question from this chance on that something is asked. Of so many known things the
    # chooser weighs which answers: one may from the first chance on, and does from the second; where nothing of the
    # user's was read as asked, a question needs more, and anything else most.
    answers_network: AnswersNetwork = field(default_factory=AnswersNetwork)
    answers_look: float = 0.25
    # In a search at a door, what answers from this chance on stands by its chance, before everything else.
    answers_ranked: float = 0.05
    answers_attributes: int = 8
    answers_weighed: int = 60
    # So many of the user's own messages are weighed; what comes within so many minutes of another goes on with it.
    answers_heard: int = 30
    answers_goes_on_minutes: int = 30
    answers_at: float = 0.25
    # How likely words answer that tell what was before a thing they do not name.
    answers_before: float = 0.2
    answers_sure: float = 0.5
    # What is held under the very name that was asked for, and of which everybody has one, needs no more than this.
    answers_plain: float = 0.15
    answers_marked: float = 0.3
    answers_unasked: float = 0.5
    # Who shares the user's home by the very word for them.
    share_home: tuple[str, ...] = ("person:flatmate", "person:roommate", "person:lodger")
    # What may be a question, of which only a part was said, is one where something known answers it so likely.
    answers_in_part: float = 0.4
    # What seems to be about somebody or something else may answer from this chance on.
    answers_despite: float = 0.5
    # … from this one on where one side of the user's own life is plainly asked for, or a yes or no.
    answers_despite_plainly: float = 0.75
    # A question asks plainly for one thing from here on.
    answers_asked_plainly: float = 0.8
    # One side of a life is asked for as good as surely from here on, where the question names nothing else.
    answers_asked_surely: float = 0.9
    # Asked for what was before, this side of a life is meant from here on.
    answers_side: float = 0.15
    # What was read from the best quotation stands for it from this share of its chance on.
    answers_retold: float = 0.85
    # … where the rules found it under the very name, from so much less.
    answers_named: float = 0.5
    # Of what one has many, others are told beside the best from this share of its chance on.
    answers_beside: float = 0.3
    # What was told in another message answers too from this chance on.
    answers_also: float = 0.55

    def said(self, name: str) -> tuple[str, ...]:
        """One list over all languages; which of them a text is in need not be known."""
        return tuple(word for own in self.languages.values() for word in getattr(own, name))
