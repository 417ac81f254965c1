"""Numbers and words for what a reply may not do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction

from clew.frozen import dataclass
from clew.model.persona import EmojiFreq, Length
from clew.model.relationship import Stage
from clew.model.topic import TopicId
from clew.policy.rows import Shape


@dataclass(frozen=True, slots=True)
class Band:
    """Sentences, and average words per sentence."""

    sentences: tuple[int, int]
    words: tuple[int, int]


@dataclass(frozen=True, slots=True)
class SafeLines:
    """Two-part safe texts: every head goes with every tail, so that they last without repeating."""

    heads: tuple[str, ...]
    tails: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DraftReader:
    """A file of weights in the package (kernel/gate/judging.py); none: plain readings decide alone."""

    file: str = ""
    sha256: str = ""
    # A longer draft is also judged by runs of so many sentences.
    run: int = 3
    # A draft that names so many things that something holds, and nothing else, only tells what is known.
    known: int = 3
    # The languages it was fitted on, in the order of its numbers.
    languages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DraftNetwork:
    """The learned network of drafts (data/gate.network.toml names its file); none: the other reading decides alone."""

    file: str = ""
    sha256: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Covered(Shape):
    """A clause on the user's past, of which the words of its group, else all, have to be held.

    of: `words`, of which nothing holds `least` or more; any of the `names`; or any of the `figures`.
    """

    pattern: str
    says: tuple[str, ...]
    not_says: tuple[str, ...]
    of: str = "words"
    least: int = 1

    def __post_init__(self) -> None:
        if self.of not in ("words", "names", "figures"):
            raise ValueError(f"of is words, names or figures, not {self.of!r}")


@dataclass(frozen=True, slots=True, eq=False)
class GateWords:
    """What is read in drafts of one language (data/<language>/gate.toml).

    letters: a class of the characters it is written in. laughs: letters typed alone to laugh or cry. endings: cut
    off before words are compared. grammar: words that carry no claim. memory: shapes that claim a shared past.
    identity, promise, hostile: shapes that are wrong by themselves, where nothing is `honest` and the draft does
    not say that it is `unable`. commits: whatever the draft says that it will do, wrong unless `kept` by words in
    this chat; what is `lasting` is not. marks: log-odds of the learned reading from which a draft is held back
    (`draft`), in a turn of someone hurting (`care`), for coldness alone after danger, harm or grave news (`grave`),
    and what is put on top for a run of sentences (`run`) and without a vector (`alone`); `doubted` is taken off for
    what is left of a wrong draft; below `good` a sign of a wrong gives way, and one of a promise where promises alone
    are below `no_promise`; `network` is the share of the network of drafts in those log-odds.
    """

    letters: str = ""
    laughs: str = ""
    endings: tuple[str, ...] = ()
    grammar: tuple[str, ...] = ()
    # The least share of these among the words of a longer draft: fewer, and it is in another language of this script.
    grammar_least: float = 0.0
    memory: Mapping[str, Shape] = field(default_factory=dict)
    # Claims of a past or of somebody, of which only the words that match have to be held.
    recalls: Mapping[str, Shape] = field(default_factory=dict)
    covered: Mapping[str, Covered] = field(default_factory=dict)
    # What a draft calls liked by the user, in a group; a memory of what they avoid.
    liking: Mapping[str, Shape] = field(default_factory=dict)
    averse: Mapping[str, Shape] = field(default_factory=dict)
    # A time that lies behind and has no date.
    past: Mapping[str, Shape] = field(default_factory=dict)
    # Names in a draft: small talk has no reason to bring one that nobody told, unless the user `wants` something that
    # the friend brings, or is `playing`, or the sentence is `advising`.
    names: Mapping[str, Shape] = field(default_factory=dict)
    wants: Mapping[str, Shape] = field(default_factory=dict)
    playing: Mapping[str, Shape] = field(default_factory=dict)
    advising: Mapping[str, Shape] = field(default_factory=dict)
    # What stands before a word for one of the user's people; none: nothing has to. What stands behind it where
    # somebody of anybody's is meant.
    whose: Mapping[str, Shape] = field(default_factory=dict)
    anyones: Mapping[str, Shape] = field(default_factory=dict)
    identity: Mapping[str, Shape] = field(default_factory=dict)
    honest: Mapping[str, Shape] = field(default_factory=dict)
    promise: Mapping[str, Shape] = field(default_factory=dict)
    commits: Mapping[str, Shape] = field(default_factory=dict)
    # A promise to remind or to write, which a reminder that is set keeps.
    reminding: Mapping[str, Shape] = field(default_factory=dict)
    kept: Mapping[str, Shape] = field(default_factory=dict)
    lasting: Mapping[str, Shape] = field(default_factory=dict)
    unable: Mapping[str, Shape] = field(default_factory=dict)
    # Promises to remember, kept by a memory event of the turn.
    remembering: Mapping[str, Shape] = field(default_factory=dict)
    hostile: Mapping[str, Shape] = field(default_factory=dict)
    # Toward harm: to hit, to break, to starve.
    urging: Mapping[str, Shape] = field(default_factory=dict)
    # The user tells of something dangerous that they do or mean to do; what cheers them on, and what warns them.
    risky: Mapping[str, Shape] = field(default_factory=dict)
    cheering: Mapping[str, Shape] = field(default_factory=dict)
    warning: Mapping[str, Shape] = field(default_factory=dict)
    # Speaks to the user, and of itself: an answer to a question on the world that does neither claims nothing of them.
    # Only for a language that cannot leave both out.
    addressing: Mapping[str, Shape] = field(default_factory=dict)
    speaking: Mapping[str, Shape] = field(default_factory=dict)
    # Contempt that is denied ("you are not too sensitive"): what it spans is not hostile.
    denied: Mapping[str, Shape] = field(default_factory=dict)
    # Plainly takes part in what was told.
    warm: Mapping[str, Shape] = field(default_factory=dict)
    # How a draft and the message speak; counted by the learned reading.
    manner: Mapping[str, Shape] = field(default_factory=dict)
    # Cold only to someone hurting: changes the subject, compares, hurries, plays it down.
    cold: Mapping[str, Shape] = field(default_factory=dict)
    # A whole draft: "okay", and then a question about something else.
    turns: Mapping[str, Shape] = field(default_factory=dict)
    # The user asks to be distracted or to talk of something else.
    diverted: Mapping[str, Shape] = field(default_factory=dict)
    # So few words that take nothing up are no answer to someone hurting.
    curt: int = 0
    # Where a sentence is cut into clauses; clauses that claim nothing of the user, and sentences that say so.
    cuts: Mapping[str, Shape] = field(default_factory=dict)
    claimless: Mapping[str, Shape] = field(default_factory=dict)
    unknowing: Mapping[str, Shape] = field(default_factory=dict)
    # The user asks for a fact of their own; how an answer to that says one.
    asked: Mapping[str, Shape] = field(default_factory=dict)
    answering: Mapping[str, Shape] = field(default_factory=dict)
    # One word of each group of which a memory holds one (remember.contrast): a draft that names another contradicts it.
    contrasts: tuple[str, ...] = ()
    # Claims that something was taken out of memory, kept by an event that did.
    erased: Mapping[str, Shape] = field(default_factory=dict)
    marks: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class GatePolicy:
    """Word lists come from data/gate.toml and data/<language>/shared/gate.toml."""

    emoji: Mapping[EmojiFreq, tuple[int, int]]
    length: Mapping[Length, Band]
    emoji_min_source: tuple[str, ...]

    explicit: tuple[str, ...]
    explicit_mild: tuple[str, ...]
    explicit_named: tuple[str, ...]
    refusing: tuple[str, ...]
    harm_orders: tuple[str, ...]
    harm_in_crisis: tuple[str, ...]
    harm: tuple[str, ...]
    harm_excused_by: tuple[str, ...]
    hate: tuple[str, ...]
    slurs: tuple[str, ...]
    leaks: tuple[str, ...]
    leak_marks: tuple[str, ...]
    leak_roles: tuple[str, ...]
    leak_own_roles: tuple[str, ...]
    # Markup and settings that a reply is not written in.
    leak_shapes: Mapping[str, Shape]

    intimacy: tuple[str, ...]
    intimacy_harmless: tuple[str, ...]
    dependency: tuple[str, ...]
    softer: Mapping[Stage, Mapping[str, str]]
    boundary: Mapping[str, str]

    slang: Mapping[str, str]
    shorthand: Mapping[str, str]
    profanity: Mapping[str, str]

    recall: tuple[str, ...]
    weak_values: tuple[str, ...]
    value_stopwords: tuple[str, ...]
    second_person: tuple[str, ...]
    sensitive_topics: tuple[TopicId, ...]
    sensitive_types: tuple[str, ...]
    sensitive_domains: Mapping[str, TopicId]
    pattern_topics: Mapping[str, TopicId]
    proactive_facts: tuple[str, ...]
    idle_words: tuple[str, ...]
    supportive_topics: tuple[TopicId, ...]

    greetings: tuple[str, ...]
    transitions: Mapping[str, tuple[str, ...]]
    fallback: Mapping[str, Mapping[str, SafeLines]]

    languages: Mapping[str, GateWords] = field(default_factory=dict)
    # Relations of one circle: who tells of one of them may be asked after another. In none stand those whom everybody
    # has, as a doctor; words for `everybodys` may mean anybody.
    circles: tuple[tuple[str, ...], ...] = ()
    everybodys: tuple[str, ...] = ()
    # A reply in another language is an answer where the message names one.
    language_names: tuple[str, ...] = ()
    # Numbers beside these words must stand in the table of helplines; beside the second list those that are as long as
    # a telephone's, and in a turn of care all.
    line_words: tuple[str, ...] = ()
    call_words: tuple[str, ...] = ()
    emergency_numbers: tuple[str, ...] = ()
    # The learned reading of drafts (bench/train/drafts.py).
    drafts: DraftReader = field(default_factory=DraftReader)
    network: DraftNetwork = field(default_factory=DraftNetwork)
    max_characters: int = 4000
    recent: int = 20
    facts_chat: int = 2
    facts_retention: int = 1
    retention_sentences: int = 2
    explicit_mild_from: int = 2
    harm_reach: int = 6
    topic_hits: int = 2
    sensitive_hits: int = 1
    suppressed_hits: int = 1
    value_share: Fraction = Fraction(2, 3)
    # A longer value is looked for by its words, and by so many of them.
    value_characters: int = 200
    value_words: int = 200
    word_characters: int = 60

    def __post_init__(self) -> None:
        for kind in EmojiFreq:
            if kind not in self.emoji:
                raise ValueError(f"emoji needs a row for {kind.value}")
        for size in Length:
            if size not in self.length:
                raise ValueError(f"length needs a row for {size.value}")
        for low, high in [*self.emoji.values(), *(b.sentences for b in self.length.values())]:
            if low > high:
                raise ValueError("a band needs its lower bound below its upper one")
