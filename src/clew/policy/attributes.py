"""The attribute table: which sides of a life a memory can be about, and how each is kept, told and asked for (M1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum

from clew.frozen import dataclass
from clew.model.key import KeyKind
from clew.policy.rows import NEVER, NONE, Pattern, Shape


class Identity(StrEnum):
    """What makes two values of an attribute with many values the same one."""

    # The thing itself: an allergy to nuts.
    VALUE = "value"
    # The thing without its version: Python 3.11 and 3.12 are one tool.
    UNVERSIONED = "unversioned"
    # What the sentence says beside the value: a locker code is one code, whatever its digits.
    LABEL = "label"


@dataclass(frozen=True, slots=True, eq=False)
class Attribute:
    """One row. `field` is the specification's name or category, where that is not the row's own.

    ends: attributes of the same subject, or whole subjects, that are over when this one is.
    supersedes: attributes of the same subject that a value of this one makes history.
    timeless: what was so still holds: a name, a birthday.
    denies_when_ended: given up is kept as denied: meat.
    """

    many: bool
    group: str
    key: KeyKind = KeyKind.FACT
    field: str | None = None
    sensitive: bool = False
    identity: Identity = Identity.VALUE
    ends: tuple[str, ...] = ()
    supersedes: tuple[str, ...] = ()
    timeless: bool = False
    denies_when_ended: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Telling:
    """How a memory is told. {value} is its words, {who} the person or pet, {time} the time.

    은/는, 이/가 … follow the word before.

    you, they: of the user, of another; no_…: denied; was_…: over. happened: as something of the past, where the
    user's own clause has no verb for it.
    denied: how a denied value is written down; quote: only ever in the user's own words.
    """

    you: str = ""
    they: str = ""
    no_you: str = ""
    no_they: str = ""
    was_you: str = ""
    was_they: str = ""
    happened: str = ""
    denied: str = ""
    quote: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Retold(Shape):
    """A value of one of the attributes, and the sentence that its named groups make of the user, or of {who}."""

    attributes: tuple[str, ...] = ()
    you: str = ""
    they: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class AttributeWords:
    """The words of one language."""

    asked: Mapping[str, tuple[str, ...]]
    told: Mapping[str, Telling]
    relations: Mapping[str, tuple[str, ...]]
    pets: Mapping[str, tuple[str, ...]]
    groups: Mapping[str, str]
    your: str
    named: str
    said_you: str
    said_they: str
    since: str
    # A time by itself, and behind what happened then.
    day: str
    month: str
    year: str
    on_day: str
    in_month: str
    in_year: str
    no_you: str
    no_they: str
    was_you: str
    was_they: str
    denied: str
    like_you: str
    dislike_you: str
    like_they: str
    dislike_they: str
    months: tuple[str, ...]
    # today, tomorrow, yesterday; this, next, last month, said instead of a date.
    near: Mapping[str, str]
    near_day: str
    # What opens or closes "please remember that …", taken off before it is kept.
    remember_open: tuple[str, ...]
    remember_close: tuple[str, ...]
    # In front of a value, and behind it: no part of the thing. "my" is not even part of what is told.
    value_mine: tuple[str, ...]
    value_lead: tuple[str, ...]
    value_trail: tuple[str, ...]
    mother_tongue: tuple[str, ...]
    # Words that make what is told sensitive whatever its attribute (ruling M9).
    sensitive: tuple[str, ...]
    # Words of a label that name nothing: my locker code is → locker code.
    label_stop: tuple[str, ...]
    # "Off the record": nothing of such a message is kept (ruling M4).
    unrecorded: tuple[str, ...]
    # A value with these is a whole clause and is told in the user's own words.
    clause: tuple[str, ...]
    # The user's words said back to them: what each becomes, which words may open such a clause (of these, which ones
    # also a clause about somebody of theirs), and what a leading pronoun becomes behind the one it means.
    turned: Mapping[str, str] = field(default_factory=dict)
    turned_open: tuple[str, ...] = ()
    turned_own: tuple[str, ...] = ()
    turned_they: Mapping[str, str] = field(default_factory=dict)
    # A value that ends like this is a clause too.
    clause_ends: Pattern = NEVER
    # A statement that says what is not eaten or drunk.
    abstained: Pattern = NONE
    # Words for several of a kind: each of them is told of with the first word of its row.
    plural: tuple[str, ...] = ()
    # The word by which the user speaks of themself before a verb, and the articles of what is known already.
    speaker: str = ""
    definite: tuple[str, ...] = ()
    # Words before a value that are told with it as they were said: "the hospital", "my flat".
    said_before: tuple[str, ...] = ()
    # Words before which no article goes; none: the language has no articles.
    articles: tuple[str, ...] = ()
    # A day and a month of the year it is now; empty where the year is always said.
    day_of_year: str = ""
    # Several days around one, of which nobody said which: "the week of {when}".
    week_of: str = ""
    # A day with its weekday, from Monday on, and its hour, where the language tells them beside a date.
    weekdays: tuple[str, ...] = ()
    with_weekday: str = "{when} {weekday}"
    clock: tuple[str, ...] = ()
    clock_minutes: str = ""
    month_of_year: str = ""
    # What stands before a time at the end of a sentence.
    before_time: Pattern = NONE
    # A time at the end of what is planned, with what leads to it and its hour.
    timed_end: Pattern = NONE
    # A sentence that its time completes: "your exam is".
    is_when: Pattern = NEVER
    # What is not done, by its verb, and how that is told: you don't drink.
    denied_deed: Pattern = NEVER
    denied_deed_you: str = ""
    denied_deed_they: str = ""
    # Words by which what is denied is told as what one cannot eat or drink, and how that is told.
    unable: Pattern = NEVER
    unable_you: str = ""
    unable_they: str = ""
    # Some day of a week that begins then.
    in_week: str = ""
    # Conditions that one is, not has: pregnant, deaf; and how they are told.
    adjectival: Pattern = NEVER
    is_you: str = ""
    # A job told by what one does: "You drive a bus", "Your mum runs a shop".
    deed_you: str = ""
    deed_they: str = ""
    # Where somebody works, with {value} for the value and the group `place` for the little word before it; how it is
    # told.
    worked_in: Pattern = NEVER
    worked_you: str = ""
    worked_they: str = ""
    # Words for who somebody is at work, by their ending, and what stands before such a word in a sentence.
    agents: Pattern = NEVER
    # Somebody of whom the name is all that is known.
    heard_of: str = ""
    # Where a clause that is said back begins and ends.
    turned_breaks: Pattern = NEVER
    # Small words before a clause that say nothing: "oh".
    asides: Pattern = NEVER
    # … and behind it.
    asides_end: Pattern = NEVER
    # Behind whom "'s" is no "is", and what it is then.
    turned_perfect: Pattern = NEVER
    turned_has: str = ""
    # Words for places that are nobody's name.
    no_places: tuple[str, ...] = ()
    # How hasty words are spelt when they are told back: don't, Sunday.
    spelt: Mapping[str, str] = field(default_factory=dict)
    # Whether what one does not do is told in the user's own clause.
    denied_back: bool = False
    # Work that one does, not is: 카페, 배달; and how it is told.
    done: Pattern = NEVER
    done_you: str = ""
    # Work for which there is no other sentence.
    work_label_you: str = ""
    work_label_they: str = ""
    # What is a day by itself (a_day), told by it (day_told); day_mark: what hangs on to a day that something is on.
    a_day: Pattern = NEVER
    day_mark: str = ""
    day_told: str = ""
    done_they: str = ""
    is_they: str = ""
    # An attribute whose sentence has none of these words must be likelier to be kept; it is only denied by these.
    backed: Mapping[str, Pattern] = field(default_factory=dict)
    denied_by: Mapping[str, Pattern] = field(default_factory=dict)
    # Where {value} stands like this, it is denied, whatever the reader says.
    denied_where: Mapping[str, Pattern] = field(default_factory=dict)
    # A value of these attributes that holds such words is a clause, no value.
    clause_in: Mapping[str, Pattern] = field(default_factory=dict)
    # A bare word where somebody works that is no name: a brand is told with its capital.
    no_brands: tuple[str, ...] = ()
    # Who is told of among several is called so alone too: of two flatmates each is a flatmate.
    each_called: tuple[str, ...] = ()
    # Right behind the word for somebody: it is they who died.
    death_of: Pattern = NONE
    # At the end of a value: what only fills, a time; and behind it, what belongs to it still.
    fills: Pattern = NONE
    value_time: Pattern = NONE
    goes_on: Pattern = NONE
    # Values that make a sentence once their subject is put back.
    retold: Mapping[str, Retold] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class AttributesPolicy:
    """A user's file adds rows and words; what it adds can be kept, told and asked for like the rest."""

    rows: Mapping[str, Attribute]
    languages: Mapping[str, AttributeWords]
    # Of these there is one at a time: whatever name an ending gives it, the one that is held is meant.
    one_at_a_time: tuple[str, ...] = ("relationship",)
    # What is never only a time.
    not_times: tuple[str, ...] = (
        "plan", "city", "home", "origin", "employer", "job", "school", "possession", "relationship", "trait", "name",
    )  # fmt: skip
    # Values without the time beside them; values that go on to the end of their clause.
    untimed: frozenset[str] = frozenset()
    grown: frozenset[str] = frozenset()
    # False: nothing sensitive is kept (ruling M9).
    keep_sensitive: bool = True
    # The number of a version, which is no part of what a thing is.
    version: Pattern = NEVER
    # For how many days what belongs to an attribute or a group is kept since it was last said; none: for good.
    keep_days: Mapping[str, int] = field(default_factory=dict)
    # A clause with at most so many words beside the value has no verb of its own.
    bare_words: int = 2
    # A longer clause is not said back turned.
    turned_words: int = 16
    # A value longer than this is told in the user's own words.
    told_words: int = 6
    told_characters: int = 40
    note_characters: int = 400
    # A habit on Thursdays has no date; a state has one only when the words name a month, a year or a beginning.
    state_days: int = 8
    item_words: int = 6
