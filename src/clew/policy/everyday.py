"""Everyday situations, and what is said to each: data/everyday.toml, data/<language>/everyday.toml."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction

from clew.frozen import dataclass
from clew.policy.rows import NEVER, Pattern


@dataclass(frozen=True, slots=True, eq=False)
class Situation:
    """mood: hard, irk, glad or tell; ask for a wish for ideas. says: replies that fit whatever is told of it.

    keys: words that tell it surely. A key is one or more beginnings of words that must stand in the message in this
    order ("parcel arriv"). tells: the same, whatever the reader says: sayings that it cannot know. unless: the same,
    for words with which it is something else, however sure the reader is ("wants to be a vet").
    """

    mood: str
    says: tuple[str, ...]
    keys: tuple[str, ...] = ()
    tells: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class EverydayWords:
    """of_another: a message that goes on about somebody else; the reader must be surer of it."""

    situations: Mapping[str, Situation] = field(default_factory=dict)
    # By topic: replies that fit every situation of it.
    topics: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    of_another: Pattern = NEVER
    # What speaks to the user: not said to such a message.
    to_user: Pattern = NEVER
    # Words that turn good news into bad ("forgot our anniversary"), and trouble into relief ("finally texted").
    turns_bad: Pattern = NEVER
    turns_good: Pattern = NEVER


@dataclass(frozen=True, slots=True, eq=False)
class EverydayPolicy:
    """`weights` names a file of the package for each language, written by bench/train/everyday.py, with its SHA-256.

    sure: from which chance on the reader is believed, by language; by_key: what it takes where a key was found.
    words_most: a longer message is no plain one. facts: attributes that are acknowledged as what they are, whatever
    the situation.
    """

    languages: Mapping[str, EverydayWords] = field(default_factory=dict)
    weights: Mapping[str, str] = field(default_factory=dict)
    weights_sha256: Mapping[str, str] = field(default_factory=dict)
    sure: Mapping[str, Fraction] = field(default_factory=dict)
    # The same in the middle of a talk, and for what is only the rest of another message.
    sure_amid: Mapping[str, Fraction] = field(default_factory=dict)
    sure_going_on: Mapping[str, Fraction] = field(default_factory=dict)
    # From this chance on a situation says more than the user's own words taken up.
    over_words: Mapping[str, Fraction] = field(default_factory=dict)
    # The same for what follows soon after pain.
    sure_after_pain: Fraction = Fraction(95, 100)
    # A message adds to the situation just met from this chance of it on; so many replies at most are about one.
    same_story: Fraction = Fraction(5, 100)
    same_answer: Fraction = Fraction(1, 100)
    same_most: int = 2
    # What a situation is about, and from which chance on of all of them together a topic is taken, by language.
    topics: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    # Topics that a condition which is told may belong to.
    bodily: tuple[str, ...] = ("body", "sleep")
    topic_sure: Mapping[str, Fraction] = field(default_factory=dict)
    by_key: Fraction = Fraction(5, 100)
    # The chance it takes to speak against the mood that was heard.
    against: Fraction = Fraction(9, 10)
    # From this chance on a message is like none of the everyday ones; a mood below `mood_least` is not theirs.
    unlike: Fraction = Fraction(5, 10)
    mood_least: Fraction = Fraction(5, 10)
    # The chance it takes for what is told of somebody else.
    of_another_sure: Fraction = Fraction(8, 10)
    # Pain that only the reader of need finds, and less surely than this, yields to a situation that is told plainly.
    care_below: float = 2.0
    # Care read with a lower score is doubted where both readers find less trouble than this in the message.
    care_doubted: float = 1.5
    trouble_least: Fraction = Fraction(4, 10)
    # Pain that is only guessed, in a message with less trouble than this, is asked about as any other thing.
    trouble_likely: Fraction = Fraction(6, 10)
    words_most: int = 18
    sentences_most: int = 2
    facts: frozenset[str] = frozenset()
    # What may be told of a day to come; another situation has not happened yet where a day is told.
    ahead: frozenset[str] = frozenset()
    # How the user feels: said to whoever plainly leans that way, not by likeness alone.
    felt: frozenset[str] = frozenset()
    # Wishes for ideas that are met before anything else: what to watch, what to give.
    ideas: frozenset[str] = frozenset()
    # Situations in which only a thing dies: a plant, a battery.
    lifeless: frozenset[str] = frozenset()
    # Situations that may be told by a question or a request, where its key words stand ("can I tell you something?").
    asked: frozenset[str] = frozenset()
