"""The shapes of rows by which what a learned reader proposes is checked: data/<language>/checks.toml."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from clew.frozen import dataclass
from clew.model.utterance import Status
from clew.policy.rows import NEVER, NONE, Pattern, Shape


@dataclass(frozen=True, slots=True, eq=False)
class NeedShape(Shape):
    """A question whose good answer needs these attributes; `alone`: also when no reader saw that anything is asked.

    settles: what is held under them is the answer; no words that were once said come nearer.
    """

    adds: tuple[str, ...]
    alone: bool = False
    settles: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Matter(Shape):
    """A question in which something is eaten, drunk or taken: what must be minded is told first.

    kinds: categories of what is asked for, where the shape names a `thing` and leaves open what it is.
    always: attributes that bear on it. named: those that do where their words are `about` it or the question's own.
    aside: words of what does not bear on it. leave: it asks whether one may; where nothing bears on it, nothing else
    that is known answers it.
    """

    always: tuple[str, ...] = ()
    named: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    leave: bool = False
    about: Pattern = NEVER
    aside: Pattern = NEVER


@dataclass(frozen=True, slots=True, eq=False)
class Joints:
    """What hangs behind a word and says what it does in its sentence.

    of: behind somebody of whom something is asked. subject: behind whoever does something; own: the speaker in their
    place, or a sentence that ends. joined: at the end of a clause that another follows. years: an age, with its word.
    label: what follows how a thing is called. opens: a question that opens with a name asks of its bearer.
    reason: the end of a sentence that only says why what was told before it is so. unit: years, behind their number.
    relative: between whoever does something and the thing that it only describes.
    goes_on: behind whoever a sentence is about, where what follows is told of them too.
    """

    of: Pattern = NEVER
    subject: Pattern = NEVER
    own: Pattern = NEVER
    joined: Pattern = NEVER
    years: Pattern = NEVER
    label: Pattern = Pattern(r"(?=\W)")
    opens: bool = False
    goes_on: Pattern = NEVER
    reason: Pattern = NEVER
    unit: Pattern = NEVER
    relative: Pattern = NEVER


@dataclass(frozen=True, slots=True, eq=False)
class ValueEndings:
    """What may follow a value inside its word: behind a consonant, behind a vowel, behind either.

    plan_opens, plan_closes: what stands before and behind the thing that is planned.
    kept: ends of words that only look like a word with a particle. sure: single letters that are never part of a word.
    """

    closed: tuple[str, ...] = ()
    open: tuple[str, ...] = ()
    any: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    sure: tuple[str, ...] = ()
    # What hangs on to a word where a reader cut it: titles and nouns that are bound, then particles and copulas behind
    # any sound, behind a consonant, behind a vowel.
    bound: tuple[str, ...] = ()
    hung: tuple[str, ...] = ()
    hung_closed: tuple[str, ...] = ()
    hung_open: tuple[str, ...] = ()
    # Endings of verbs: words that share no more are about nothing in common.
    verbal: tuple[str, ...] = ()
    # By ending, how the word after it begins where the ending is a particle for sure.
    followed: Mapping[str, Pattern] = field(default_factory=dict)
    plan_opens: Pattern = NEVER
    plan_closes: Pattern = NEVER


@dataclass(frozen=True, slots=True, eq=False)
class Instead(Shape):
    """A sentence, with <> for the value, in which what was read as one attribute means another.

    read: the attributes it may be read as; none for whatever it was. means: the right one; empty for nothing at all.
    """

    read: tuple[str, ...] = ()
    means: str = ""
    status: Status | None = None
    stance: str | None = None
    # The words say it so plainly that no likelihood is asked for; what means nothing does not come back.
    plain: bool = False
    # What shapes take for a value is checked by it too.
    shaped: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Stated(Shape):
    """A shape that states by itself: its group `value`, or all of it, under each of the attributes.

    Its group `who`, where it has one, must be one of the user's people; its group `label` names which of many it is.
    What a learned reader found gives way. mine: it is told of the user, whoever else stands in the sentence.
    """

    attributes: tuple[str, ...] = ()
    mine: bool = False
    status: Status | None = None
    stance: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Shifted(Shape):
    """A message that puts one part of something held right: its group `new`, and `old` where that is named.

    toward: 1 where it is said to be later, -1 where sooner. sure: nothing else can be meant by these words. moves: it
    tells that something was put at another time, and `new` is that time.
    """

    toward: int = 0
    sure: bool = False
    moves: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class BareAnswer(Shape):
    """A few words, its group `value` among them, that tell what was asked just before, and the sentence they stand for.

    own: of the user. theirs: of {who}.
    """

    own: str = ""
    theirs: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Further:
    """Words of a short question that leans on the one before it.

    who: its group `who` is asked about next. how: its group `how` is asked next. asks: a question, with its group
    `how` where it says how it asks. thing: a thing by its article. owner: what stands before a word for somebody.
    of: behind whoever something belongs to. theirs: "hers" and what it stands for before a thing.
    their, them, mine, me: words in a question for whom it is about.
    belongings: things that are somebody's, behind a name whose mark was left out.
    short: a question of so many words may leave out of whom it asks; 0 where a language always says it.
    told: by attribute, a bare answer to a question for it. whose: how somebody of the user's is named in it.
    more: what goes on with a list that was asked for.
    """

    who: Mapping[str, Shape] = field(default_factory=dict)
    how: Mapping[str, Shape] = field(default_factory=dict)
    asks: Pattern = NEVER
    thing: Pattern = NEVER
    owner: Pattern = NEVER
    of: str = ""
    theirs: Mapping[str, str] = field(default_factory=dict)
    their: tuple[str, ...] = ()
    them: tuple[str, ...] = ()
    mine: tuple[str, ...] = ()
    me: tuple[str, ...] = ()
    belongings: tuple[str, ...] = ()
    told: Mapping[str, BareAnswer] = field(default_factory=dict)
    whose: str = "{who}"
    more: Pattern = NEVER
    short: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class PlanJoints:
    """How several plans are told in one sentence.

    joint: between two of them. head: what opens the first one and holds for the others too, in its group `head`.
    tail: what closes the last one and holds for those before it, in its group `tail`; tail_tells: the end of a sentence
    says what is done, so that the last one is whole. own: how one is told that needs neither. fronted: one that its day
    opens, of words that are small within a sentence (`lead`) and others (`day`), what is `said`, and its `end`.
    with_day: how one is `said` that has no `day` of its own. empty: words that name nothing. habit: words of what comes
    again and again; once: of what comes once, without which a language leaves it open. longest: what lasts more days
    is no appointment. characters: a longer sentence is no list of plans.
    """

    joint: Pattern = NEVER
    head: Pattern = NEVER
    tail: Pattern = NEVER
    tail_tells: bool = False
    own: Pattern = NEVER
    fronted: Pattern = NEVER
    with_day: str = "{said}"
    empty: Pattern = NEVER
    habit: Pattern = NEVER
    once: Pattern = NONE
    longest: int = 7
    characters: int = 400
