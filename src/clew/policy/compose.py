"""Words of the built-in writer, one folder per language: data/<language>/compose.toml."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from clew.frozen import dataclass
from clew.policy.rows import NEVER, NONE, Pattern, Shape


@dataclass(frozen=True, slots=True, eq=False)
class Moment(Shape):
    """A kind of message known by its words, and what can be said to it. `whole`: only when nothing else is told.

    by_name: with the user's name, where it is known.
    """

    replies: tuple[str, ...]
    whole: bool = True
    by_name: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Scene(Shape):
    """What an everyday message touches, and what shows that it was heard: by its mood, or in any."""

    # May be said to somebody who needs care.
    gentle: bool = False
    # How somebody feels: said to a low message before what it is about.
    feels: bool = False
    # Taken up before a name or a job that is told with it.
    news: bool = False
    good: tuple[str, ...] = ()
    bad: tuple[str, ...] = ()
    any: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Deed(Shape):
    """What somebody did or said, known by its verb. A group of the pattern is taken up by its name: {who}, {thing}.

    first: said before any situation that the message may tell. last: said only where words that fit anything are left.
    hard: what is said instead where there is trouble; nothing is said to it where there is none.
    holes: what stands in the examples for each phrase of the pattern.
    """

    replies: tuple[str, ...]
    first: bool = False
    last: bool = False
    hard: tuple[str, ...] = ()
    holes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Frame(Shape):
    """What happened, known by its predicate alone; who did it and what to is read from the words around it.

    own, theirs, thing: what is said where the user, somebody else or a thing did it; `_ahead`: where it is yet to
    come, for a row that has such ways at all. any: whoever it was. Gaps: {who}, {it} the doer; {thing} what it was
    done to; {place}, {day}, {span}; {value} what is liked or not. mood: glad or hard, where it is not said to the
    other. denied: the predicate itself denies. unsure: it may as well be a wish or a guess.
    """

    own: tuple[str, ...] = ()
    theirs: tuple[str, ...] = ()
    thing: tuple[str, ...] = ()
    own_ahead: tuple[str, ...] = ()
    theirs_ahead: tuple[str, ...] = ()
    thing_ahead: tuple[str, ...] = ()
    any: tuple[str, ...] = ()
    mood: str = ""
    denied: bool = False
    unsure: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Framing:
    """What stands around a predicate. doer: groups me, who and it, in what stands before it; dropped: nobody is named,
    so it is the user. hearsay: it is told of somebody, though nobody is named. to_us: it is about us two. pronoun: the
    doer has no name there; agent: what does it is somebody, not a thing ("the accountant"). denied, unsure: words that
    take it back, or only wish or guess it, looked for in so many letters before and behind. thing_before,
    thing_behind: what it is done to. ahead: it is yet to come.
    """

    doer: Pattern = NONE
    dropped: Pattern = NONE
    hearsay: Pattern = NONE
    to_us: Pattern = NONE
    pronoun: Pattern = NONE
    agent: Pattern = NONE
    denied: Pattern = NONE
    unsure: Pattern = NONE
    ahead: Pattern = NONE
    thing_before: Pattern = NONE
    thing_behind: Pattern = NONE
    place: Pattern = NONE
    day: Pattern = NONE
    span: Pattern = NONE
    denied_before: int = 0
    denied_after: int = 0
    # What stands first may as well be what it is done to.
    topic_first: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Gathering:
    """Words with which several things told of one life stand in one sentence; none: each is told by itself.

    counted, among, listed: several of one relation, with {number}, {known}, {plural} and {people}. number: how many
    there are, said in words. alone: what can follow nobody in a sentence with other things. folds: verbs that are
    said once for several things. denied: such things stand last. at_work: that somebody works somewhere, which what
    they do there tells too. labels: what a label is where several things stand under it. sides: attributes that are
    told in one breath. most: so many things a sentence; aside_words: so many words at most behind a name in a list of
    names.
    """

    joiner: str = ""
    counted: str = ""
    among: str = ""
    listed: str = ""
    number: Pattern = NONE
    alone: Pattern = NONE
    folds: Pattern = NONE
    denied: Pattern = NONE
    at_work: Pattern = NONE
    under_label: str = "; "
    numbers: tuple[str, ...] = ()
    plurals: Mapping[str, str] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)
    sides: tuple[tuple[str, ...], ...] = ()
    most: int = 3
    aside_words: int = 6


@dataclass(frozen=True, slots=True, eq=False)
class ComposeWords:
    """Everything said in one language.

    moments: tried in order. scenes: the one that matches first in the text. told: by "subject.attribute".
    tells: memories in a sentence, by attribute. things: what an attribute is called, of the user and of {who}.
    answers: frames around what was found. unknown: when nothing is held. food: what to eat.
    plain: to what fits nothing else, by the mood of the message.
    """

    moments: Mapping[str, Moment] = field(default_factory=dict)
    scenes: Mapping[str, Scene] = field(default_factory=dict)
    told: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    tells: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    things: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    answers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unknown: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    food: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    plain: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    # In the middle of a talk, tried in order: what few words are to it. A group called said is taken up by {said}.
    amid: Mapping[str, Moment] = field(default_factory=dict)
    # Tried in order, for the last sentence first; a {phrase} in a pattern is one of `phrases`.
    deeds: Mapping[str, Deed] = field(default_factory=dict)
    phrases: Mapping[str, Pattern] = field(default_factory=dict)
    # Tried in the order of the table, for the last sentence first (data/<language>/compose.frames.toml).
    frames: Mapping[str, Frame] = field(default_factory=dict)
    framing: Framing = field(default_factory=Framing)
    # Where the words of a thing that was named end.
    thing_ends: Pattern = NONE
    # The first word of such a phrase, and what it is when we say it.
    first_words: Mapping[str, str] = field(default_factory=dict)
    # By kind (place, time, ...): what tells it in a message, and which of our questions ask for it.
    answered_by: Mapping[str, Pattern] = field(default_factory=dict)
    asks_for: Mapping[str, Pattern] = field(default_factory=dict)
    # Only a thing dies: a battery, a plant.
    thing_died: Pattern = NONE
    # Somebody's own family is told of: his mother is not the user's.
    theirs: Pattern = NONE
    # Thanks, wherever they stand.
    thanking: Pattern = NONE
    # A goodbye at the end of whatever was said before it, by the moment it is.
    parting: Mapping[str, Pattern] = field(default_factory=dict)
    loops: tuple[str, ...] = ()
    # By attribute: what the message must hold for the row of that attribute to speak.
    evidence: Mapping[str, Pattern] = field(default_factory=dict)
    # By "subject.attribute": where {value} stands in a message that tells it; elsewhere the reading may have erred.
    sure: Mapping[str, Pattern] = field(default_factory=dict)
    # Words as they are often typed, and as the patterns here spell them.
    spelt: Mapping[str, str] = field(default_factory=dict)
    # Words of a question after the user's own life.
    asked_of: Pattern = NONE
    # A question of the heart: nothing to be looked up.
    heart: Pattern = NONE
    # What to drink is asked, not what to eat; and what one suffers from that says what one may eat.
    drinks: Pattern = NONE
    food_bearing: Pattern = NONE
    # Told of what one is careful with: it is left out.
    wary: Pattern = NONE
    # What no dish holds, what no drink holds; and what is drunk at a bar, with the words that ask for it.
    no_food: Pattern = NONE
    medicine: Pattern = NONE
    no_drink: Pattern = NONE
    alcohol: Pattern = NONE
    alcohol_asked: Pattern = NONE
    # Laughter is no good news.
    laughs: Pattern = NONE
    # What is over, and what is to come.
    past: Pattern = NONE
    ahead: Pattern = NONE
    # What went wrong, also where the user laughs about it.
    setback: Pattern = NONE
    # What went well, so that a reading of need is no call for comfort.
    fine: Pattern = NONE
    # Who asks for all that is known says so.
    whole: Pattern = NONE
    # Somebody is introduced: their name is what the message tells.
    introduces: Pattern = NONE
    # A question after somebody the user told of; and words that tell of earlier days.
    who: Pattern = NONE
    before: Pattern = NONE
    # Asked of us, or for advice: nothing the user told is the answer.
    to_us: Pattern = NONE
    # Of a value that is said back: what only leads up to it, "mine" and what becomes of it, words that speak as "I" or
    # make a clause, and endings that do where there are several words.
    before_value: Pattern = NONE
    of_mine: Pattern = NONE
    of_yours: str = ""
    speaks_as_i: Pattern = NONE
    clause_end: Pattern = NONE
    # A question that a yes or no answers, its group `then` where it asks for what was; words that deny, and that tell
    # what was; whether somebody lives, and that they died; a sentence that opens with "you".
    whether: Pattern = NONE
    denies: Pattern = NONE
    was: Pattern = NONE
    alive: Pattern = NONE
    dead: Pattern = NONE
    opens_you: Pattern = NONE
    # How a day stands in front of what is planned, its bare words in the first group.
    bare_day: Pattern = NONE
    # Signs of an age beside digits.
    age_signs: str = ""
    # A share of a number: its groups are called part and whole.
    # Words for signs in a sum.
    reckoned: Mapping[str, str] = field(default_factory=dict)
    share: Pattern = NONE
    # Somebody is spoken to; harsh words of more than so many words without it are of somebody else.
    aimed: Pattern = NONE
    brief_harsh: int = 3
    # {value} stands bare behind "I'm": a name, no trade.
    bare: Pattern = NONE
    # Where a question is known by its words alone; "" where the reading of the sentence suffices.
    asking: Pattern = NONE
    # Where a wish is known by its words; "" where the reading of the sentence suffices.
    wishing: Pattern = NONE
    # {value} stands here as the place where somebody works, not as what they are.
    workplace: Pattern = NONE
    # Words by which the user speaks of themself; a message without them, unless brief, touches no scene of theirs.
    speaker: Pattern = NONE
    brief: int = 12
    # What kind of thing a favourite is asked for, and which category of preference holds that kind.
    favourite: Pattern = NONE
    kinds: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    weekdays: tuple[str, ...] = ()
    months: tuple[str, ...] = ()
    joiner: str = " and "
    gathering: Gathering = field(default_factory=Gathering)


@dataclass(frozen=True, slots=True, eq=False)
class Judge:
    """Which of several replies fits a message: weights of bench/train/judge.py, and how far they are believed.

    situations, occasions: so many of the likeliest are proposed, each from its chance on. only_by_rule: readers that
    err too often to be heard where the rules do not choose them. Worth: apt 1, flat 0, off `off_worth`, by the
    chance of each. by_rule: what the reply that the rules choose is given ahead, `by_sure_rule` where they are sure;
    over_listening: what a sure one is given before a line that only listens. unknown_worth: what it is worth where
    its words are newer than the judge; unplaced_worth: where no reader offers it. listening_worth: what a line is
    worth that fits anything, and so is seldom off and never apt; guess_worth: what another row must be worth at the
    least. near: up to `near_most` replies this near to the best are as good. worn: so much less is a reply worth
    that was said before.
    """

    file: str = ""
    sha256: str = ""
    situations: int = 2
    situation_least: float = 0.5
    occasions: int = 2
    occasion_least: float = 0.6
    only_by_rule: frozenset[str] = frozenset()
    by_rule: float = 0.15
    by_sure_rule: float = 0.45
    over_listening: float = 0.1
    off_worth: float = -1.0
    unknown_worth: float = 0.15
    unplaced_worth: float = -0.2
    listening_worth: float = -0.1
    guess_worth: float = 0.0
    near: float = 0.02
    near_most: int = 4
    worn: float = 0.15


@dataclass(frozen=True, slots=True, eq=False)
class ComposePolicy:
    """`page`: so many memories are told at once when everything is asked for; `page_memory`: the replies looked at
    to go on. told_first: of several things told, which is taken up first. clauses: attributes whose values are whole
    clauses, so that the scene says more. grave: told with care whatever the mood.
    """

    languages: Mapping[str, ComposeWords] = field(default_factory=dict)
    judge: Judge = field(default_factory=Judge)
    page: int = 10
    page_memory: int = 6
    findings_most: int = 4
    told_characters: int = 40
    told_words: int = 4
    # So many words at most of a phrase that is taken up.
    phrase_words: int = 5
    # In a longer sentence no deed is looked for.
    deed_words: int = 22
    name_words: int = 3
    # Attributes whose values are names, and words that begin no value.
    names: tuple[str, ...] = ()
    no_values: frozenset[str] = frozenset()
    # Words that trail behind a value and are no part of it.
    tails: tuple[str, ...] = ()
    # Moments before which what the message touches is taken up.
    after_scene: frozenset[str] = frozenset()
    # Moments light enough for a sign.
    light: frozenset[str] = frozenset()
    # Moments in which the user goes.
    leaving: frozenset[str] = frozenset()
    # Moments of play and small talk, which nobody is met with who was in danger a moment ago.
    playful: frozenset[str] = frozenset()
    told_most: int = 2
    # So many words at most answer a question of ours; so many messages before this one settle what is asked.
    answer_words: int = 5
    bare_words: int = 2
    settled_turns: int = 6
    # A statement of so many words asks for nothing.
    whole_statement: int = 4
    ask_every: int = 2
    # The same words come back after so many replies at the soonest, where a wider row has others.
    again_after: int = 20
    repeated_from: int = 2
    long_words: int = 120
    poem_lines: int = 3
    # A line of a program, or what one prints when it fails.
    code: Pattern = NEVER
    poem_line_words: int = 9
    emoji: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    emoji_every: Mapping[str, int] = field(default_factory=dict)
    told_first: tuple[str, ...] = ()
    # Kinds of pain that are known by words which are used of other things too.
    pain_by_word: frozenset[str] = frozenset()
    # Readings of harsh words that may be of somebody else: the rule and its detail.
    harsh: frozenset[str] = frozenset()
    # Relations that others have too.
    kin: frozenset[str] = frozenset()
    # Facts that are surely told where they stand in the shape of such a fact.
    by_shape: frozenset[str] = frozenset()
    clauses: tuple[str, ...] = ()
    grave: tuple[str, ...] = ()
    # Attributes that are acknowledged as such before what was done is taken up.
    before_deeds: frozenset[str] = frozenset()
    before_deeds_of_others: frozenset[str] = frozenset()
    # The same before what a frame says.
    before_frames: frozenset[str] = frozenset()
    # A message that touches this is about nothing else.
    grave_scene: str = "loss"
    # Asked for one of these, nothing else is an answer.
    # What is either held or not: nothing near it is worth a guess.
    identity: tuple[str, ...] = ("name", "called", "birthday", "pronouns", "body", "nationality")
    exact: tuple[str, ...] = ("name", "age", "birthday", "job", "city", "allergy", "medication", "origin")
