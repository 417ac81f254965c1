"""How things of a list are told apart in words: places, measures, limits, and what speaks for or against a choice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from clew.frozen import dataclass
from clew.policy.rows import Pattern


@dataclass(frozen=True, slots=True, eq=False)
class LimitWords:
    """Words around a measure, that bound it or ask for the most of it."""

    flips: frozenset[str]
    below: frozenset[str]
    above: frozenset[str]
    strict: frozenset[str]
    at_most: tuple[str, ...]
    at_least: tuple[str, ...]
    # Before a time: no later. Of two times the later one is meant.
    by: frozenset[str]
    arriving: tuple[str, ...]
    nothing: frozenset[str]
    timed: frozenset[str]
    alone: frozenset[str]
    most: frozenset[str]
    compares: frozenset[str]
    more: frozenset[str]
    too: frozenset[str]
    remark_ends: tuple[str, ...]
    things: frozenset[str]
    thing_begins: tuple[str, ...]
    chooses: frozenset[str]
    clock: frozenset[str]
    ranks: Mapping[str, int]
    # Words that measure only where something leads to them ("the long one"), and what leads.
    plain: frozenset[str]
    leads: frozenset[str]


@dataclass(frozen=True, slots=True, eq=False)
class CutWords:
    """How a message is cut for pointing.

    counter: a number with what makes it a place in the list. back: a word with a denial hung on it; denial: what that
    is told as. hanging: joiners hung on a word. limiting: a word that denies, unless one of these verbs makes it a
    limit. ordinal_noun: what follows a number that counts places; not_ranks: what counts nothing without it.
    from_end: places are counted from the end; from_start: from the beginning. forbidding, forbidden: "do not", behind
    a verb that ends so. noun_ends: what hangs on a noun of one syllable and on nothing else. pieces: what is
    counted, as it hangs on a number.
    """

    counter: Pattern
    back: Pattern
    denial: str
    hanging: tuple[str, ...]
    limiting: Mapping[str, tuple[str, ...]]
    ordinal_noun: str
    not_ranks: frozenset[str]
    from_end: frozenset[str]
    from_start: frozenset[str] = frozenset()
    noun_ends: tuple[str, ...] = ()
    pieces: frozenset[str] = frozenset()
    forbidding: tuple[str, ...] = ()
    forbidden: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class SmallWords:
    """Small words on which a rule of pointing turns, where a language has them.

    the, one, ones: what frames a name ("the work one"); `one` counts nothing by itself.
    no, each_no: a refusal by itself; one that is said before each of several things ("no fish no eggs").
    nothing: what is named behind it is not wanted ("nothing slow").
    but, or_also: what stands between two choices; a denial goes on behind the second.
    too: speaks against something unless it comes last. any: leaves open which one.
    not_rank: behind these a rank is none ("a second"). rank_from, rank_end, rank_mark: "second from the bottom".
    a: an article that is a letter too. last: a rank that stands in names too. owner: its mark behind a word.
    all: no list is meant by it behind an owner. respelled: what is said, and how it is read. weekday: a day's name.
    mends: between two things it takes back the first.
    pruning: so begins a word by which the assistant asks what is to go; pruned: what then is no refusal, and how it
    is read.
    """

    the: frozenset[str] = frozenset()
    one: frozenset[str] = frozenset()
    ones: frozenset[str] = frozenset()
    no: frozenset[str] = frozenset()
    each_no: frozenset[str] = frozenset()
    nothing: frozenset[str] = frozenset()
    but: frozenset[str] = frozenset()
    or_also: frozenset[str] = frozenset()
    too: frozenset[str] = frozenset()
    not_rank: frozenset[str] = frozenset()
    rank_from: frozenset[str] = frozenset()
    rank_end: frozenset[str] = frozenset()
    rank_mark: frozenset[str] = frozenset()
    any: tuple[str, ...] = ()
    a: frozenset[str] = frozenset()
    all: frozenset[str] = frozenset()
    last: frozenset[str] = frozenset()
    owner: tuple[str, ...] = ()
    respelled: tuple[tuple[str, str], ...] = ()
    weekday: frozenset[str] = frozenset()
    mends: frozenset[str] = frozenset()
    pruning: tuple[str, ...] = ()
    pruned: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class PointingPolicy:
    """How things of a list are told apart in words; the words stand in data/<language>/shared/ground.pointing.toml."""

    empty: tuple[str, ...]
    not_after: tuple[str, ...]
    not_before_ko: tuple[str, ...]
    everything: tuple[str, ...]
    both: tuple[str, ...]
    all: tuple[str, ...]
    # All of it, after a number.
    all_after: tuple[str, ...]
    # No list is meant by these, nor by "all" after one of these.
    not_all: tuple[str, ...]
    being: tuple[str, ...]
    joiners: tuple[str, ...]
    alternatives: tuple[str, ...]
    other: tuple[str, ...]
    others: tuple[str, ...]
    top: tuple[str, ...]
    bottom: tuple[str, ...]
    many: tuple[str, ...]
    few: tuple[str, ...]
    former: tuple[str, ...]
    latter: tuple[str, ...]
    middle: tuple[str, ...]
    against: tuple[str, ...]
    # Stems of a verb against something, and words that begin so and are not.
    against_stems: tuple[str, ...]
    not_against: tuple[str, ...]
    # After "no" these take back what was said before; what opens a clause of its own that says why; and words that
    # make such a clause a wish all the same.
    taking_back: tuple[str, ...]
    reason_openers: tuple[str, ...]
    reason_ends: tuple[str, ...]
    # A Korean remark against something ends so, and a word that chooses so.
    remark_ends: tuple[str, ...]
    choosing_ends: tuple[str, ...]
    only_ends: tuple[str, ...]
    wishes: tuple[str, ...]
    next: tuple[str, ...]
    previous: tuple[str, ...]
    # "starts with b": the letter stands behind; ㄱ으로 시작: the letter stands before.
    starting: tuple[str, ...]
    starting_after: tuple[str, ...]
    # Whole phrases of doubt, stems that doubt whatever they end in, and phrases that only look like a doubt.
    hedges: tuple[str, ...]
    hedge_stems: tuple[str, ...]
    not_hedges: tuple[str, ...]
    # Words that refuse all of a list, and stems that do whatever they end in: "passport" is no "pass".
    refusing: tuple[str, ...]
    refusing_stems: tuple[str, ...]
    only_left: tuple[str, ...]
    groans: tuple[str, ...]
    intends: tuple[str, ...]
    joined_by: tuple[str, ...]
    # Endings of a word that says what to do: at the end of a part, and before another word.
    does_last: tuple[str, ...]
    does_then: tuple[str, ...]
    determiners: tuple[str, ...]
    toward: tuple[str, ...]
    # A word that begins so measures time; some of them alone are a person.
    time_units: tuple[str, ...]
    people_units: tuple[str, ...]
    # Said around a time of day.
    clock_words: tuple[str, ...]
    # What hangs on the name of a thing, as the reader of acts keeps it.
    item_tails: tuple[str, ...]
    # Words that count: several are meant; beside a number one of these says "of these".
    plurals: tuple[str, ...]
    among: tuple[str, ...]
    very_end: tuple[str, ...]
    # A thing without its name.
    a_thing: tuple[str, ...]
    # A letter at the head of a message names something before these.
    after_letter: tuple[str, ...]
    # Endings of a word that gives a reason for what follows.
    reasons: tuple[str, ...]
    # Words between two clauses of which one gives the reason for the other.
    hinges: tuple[str, ...]
    # Endings of a remark, and stems that take something all the same.
    remarks: tuple[str, ...]
    prefers: tuple[str, ...]
    # A number among these counts along the list.
    around_number: tuple[str, ...]
    # Everything else is meant when something is left standing: 하나만 남기고.
    leaving: tuple[str, ...]
    particles: tuple[str, ...]
    after_ordinal: tuple[str, ...]
    same: Mapping[str, str]
    measures: Mapping[str, tuple[str, ...]]
    number_words: Mapping[str, int]
    months: Mapping[str, int]
    days: Mapping[str, int]
    hours: Mapping[str, tuple[int, ...]]
    kinds: Mapping[str, tuple[str, ...]]
    scales: Mapping[str, tuple[str, ...]]
    fields: Mapping[str, str]
    limits: LimitWords
    cut: CutWords
    small: SmallWords
    # Lists up to this long are read closely: attributes, typing slips, parts of names.
    close_reading: int = 500
    typo_length: int = 5
    prefix_length: int = 3
    suffix_length: int = 4

    @property
    def not_before(self) -> tuple[str, ...]:
        """Words that deny what stands before them."""
        return self.not_before_ko
