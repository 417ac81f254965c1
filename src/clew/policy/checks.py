"""Words by which what a learned reader proposes is checked and completed: data/<language>/checks.toml."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from clew.frozen import dataclass
from clew.policy.check_rows import (
    Further,
    Instead,
    Joints,
    Matter,
    NeedShape,
    PlanJoints,
    Shifted,
    Stated,
    ValueEndings,
)
from clew.policy.rows import NEVER, NEVER_WHOLE, NONE, Pattern, Shape, WholePattern


@dataclass(frozen=True, slots=True, eq=False)
class CheckWords:
    """empty: words that carry no value by themselves. adjectives: what follows "I'm" and is no name.

    name: a shape whose group `name` is the user's own. who: a question whose group `name` is asked about.
    before: what stands before a place, job or school that is over. since: what stands before a time that is no plan.
    named_after, named_before: a name behind or before the word for a relation. theirs: the relation is another's.
    somebody: a name that opens a sentence about its bearer. now: a clause that says how it is today, whatever was.
    time_tail: what follows a place or a job and tells since when. part_of: a thing of the user's, not the user.
    own_name: what stands before the user's own name; others_name: behind a name that is not theirs;
    last_name: before the name of whoever was spoken of last.
    third: a clause about somebody else. own: one about the user.
    over: a clause that says what is no more. ahead: what is only thought of, wished or asked for.
    copulas: what stands between a label and its value.
    pronoun: one that opens a sentence about somebody told before; `stands_for` is what it is read as, `stranger` the
    word for somebody of whom only the name is known.
    asking: words with which a question is put, and that are about nothing.
    leads: what stands before the value of an attribute. lead_words, trail_words: no part of a value at its edges.
    name_stops: where a name in small letters ends ("mei ling are").
    ended: said of what is over. swap: groups `old` and `new`. told: by attribute, a shape whose group `value` is it.
    labelled: groups `label` and `value`, the label being how an attribute is asked for.
    switched: a change of one thing. negation: a clause that denies.
    beside: said beside what is so already. instead: said of what takes the place of another.
    their: a shape whose groups `relation` and `name` tell what one of the user's people is called.
    corrected: a message that only puts right what was just told, by its group `value`; respelled: by how it is spelled.
    recounted: a message that tells a figure anew (`new`), of what was just told or of the `thing` it names.
    asked: what a plain shape asks for. states: what one states.
    means: where a value belongs to another attribute than it was read as.
    endings: what a value ends before.
    whole_asked: words without which a question is not for everything that is known. one_asked: a question inside
    another ("do you know where I live?"), which is for one thing.
    question_kinds: when, much, where, who, whether: what a question asks to be told.   told_kinds: what holds an answer
    to one of these: a time, a number, a place.
    """

    empty: frozenset[str] = frozenset()
    adjectives: frozenset[str] = frozenset()
    name: Mapping[str, Shape] = field(default_factory=dict)
    who: Mapping[str, Shape] = field(default_factory=dict)
    # The same for somebody who is known: "tell me about Mila".
    who_known: Mapping[str, Shape] = field(default_factory=dict)
    before: Mapping[str, Shape] = field(default_factory=dict)
    since: Mapping[str, Shape] = field(default_factory=dict)
    needs: Mapping[str, NeedShape] = field(default_factory=dict)
    matters: Mapping[str, Matter] = field(default_factory=dict)
    # What opens a correction; the rest of the message is read by itself.
    opener: Mapping[str, Shape] = field(default_factory=dict)
    named_after: Mapping[str, Shape] = field(default_factory=dict)
    named_before: Mapping[str, Shape] = field(default_factory=dict)
    # Which of several one is, up to the word for the relation: an older sister is not the younger one.
    ranked: Mapping[str, Shape] = field(default_factory=dict)
    theirs: Mapping[str, Shape] = field(default_factory=dict)
    # The value, <>, and what follows it: its group `tail`, which ends the value, is no part of it.
    tails: Mapping[str, Shape] = field(default_factory=dict)
    # From a word for somebody on: what follows is done together with them, and told of the user.
    together: Mapping[str, Shape] = field(default_factory=dict)
    # Behind a word for somebody: a clause that introduces them, so that what follows it is theirs.
    introduces: Mapping[str, Shape] = field(default_factory=dict)
    # Behind a value: its group `who` is the one it is told of: "the one with the allergy is …".
    pointed_out: Mapping[str, Shape] = field(default_factory=dict)
    # Behind a value: a verb that is said of elders alone; and who they are.
    honoured: Mapping[str, Shape] = field(default_factory=dict)
    elders: tuple[str, ...] = ()
    # A verb that says what happened, and not to what.
    bare_verb: Mapping[str, Shape] = field(default_factory=dict)
    # A clause about what is done again and again: no plan, and told as it stands.
    habitual: Mapping[str, Shape] = field(default_factory=dict)
    # What stands between two words for people, the second in <>, where the second belongs to the first.
    belongs: Mapping[str, Shape] = field(default_factory=dict)
    # The same, where the second is somebody's child.
    begets: Mapping[str, Shape] = field(default_factory=dict)
    # Words that tell that the user is with somebody.
    paired: Mapping[str, Shape] = field(default_factory=dict)
    # The asker stands where the question asks what somebody does or is: "what do I do".
    asker_does: Mapping[str, Shape] = field(default_factory=dict)
    # A question for whom the user lives with; and words that tell it.
    lives_with_asked: Mapping[str, Shape] = field(default_factory=dict)
    lives_with_told: Mapping[str, Shape] = field(default_factory=dict)
    # The same of whom the user is with.
    love_asked: Mapping[str, Shape] = field(default_factory=dict)
    love_told: Mapping[str, Shape] = field(default_factory=dict)
    # A question for what a thing of the user's is called.
    thing_named: Mapping[str, Shape] = field(default_factory=dict)
    # Before a word for somebody: they are met somewhere, and are nobody's own.
    not_ones_own: Mapping[str, Shape] = field(default_factory=dict)
    # A question about somebody else's animal.
    animal_of_asked: Mapping[str, Shape] = field(default_factory=dict)
    somebody: Mapping[str, Shape] = field(default_factory=dict)
    now: Mapping[str, Shape] = field(default_factory=dict)
    time_tail: Mapping[str, Shape] = field(default_factory=dict)
    # By attribute, the form of its values: the group `value` is the value, and what has none of it is none.
    forms: Mapping[str, Shape] = field(default_factory=dict)
    # By attribute, words before its value that only lead to it: "the job at Siemens".
    lead_in: Mapping[str, Shape] = field(default_factory=dict)
    part_of: Mapping[str, Shape] = field(default_factory=dict)
    beside: Mapping[str, Shape] = field(default_factory=dict)
    instead: Mapping[str, Shape] = field(default_factory=dict)
    ended: Mapping[str, Shape] = field(default_factory=dict)
    # The verb stands behind what it is about: "베트남어 포기함".
    verb_last: bool = False
    swap: Mapping[str, Shape] = field(default_factory=dict)
    told: Mapping[str, Shape] = field(default_factory=dict)
    labelled: Mapping[str, Shape] = field(default_factory=dict)
    switched: Mapping[str, Shape] = field(default_factory=dict)
    negation: Mapping[str, Shape] = field(default_factory=dict)
    own_name: Mapping[str, Shape] = field(default_factory=dict)
    others_name: Mapping[str, Shape] = field(default_factory=dict)
    # Right before a name: it can only be the user's.
    says_own_name: Mapping[str, Shape] = field(default_factory=dict)
    last_name: Mapping[str, Shape] = field(default_factory=dict)
    # Right behind a name: how old its bearer is, in the group age.
    age_behind: Pattern = NONE
    third: Mapping[str, Shape] = field(default_factory=dict)
    # From a word for somebody on, with <> for what is told of an animal: the animal is theirs.
    animal_of: Mapping[str, Shape] = field(default_factory=dict)
    # Who, in its group `who`, lives with the user no more.
    moves_out: Mapping[str, Shape] = field(default_factory=dict)
    # What, in its group `who`, the user gave up, quit or finished.
    given_up: Mapping[str, Shape] = field(default_factory=dict)
    # Of somebody: they left their work, or lost it.
    leaves_work: Mapping[str, Shape] = field(default_factory=dict)
    # What somebody gives up is their own, and no bond: "Bea's quit smoking".
    gives_up: Mapping[str, Shape] = field(default_factory=dict)
    denied_before: Pattern = NEVER
    # How somebody asks to be called, in its group `name`.
    call_me: Mapping[str, Shape] = field(default_factory=dict)
    # … of whoever was spoken of last.
    animal_of_them: Mapping[str, Shape] = field(default_factory=dict)
    # A plan or an event that is a bare verb, and the words that go on with it.
    bare_deed: Pattern = NEVER
    deed_goes_on: Pattern = NEVER
    # Words before an age that is somebody else's: "Kavi is".
    third_age: Mapping[str, Shape] = field(default_factory=dict)
    own: Mapping[str, Shape] = field(default_factory=dict)
    over: Mapping[str, Shape] = field(default_factory=dict)
    ahead: Mapping[str, Shape] = field(default_factory=dict)
    # What follows is made up, sung, handed in, or told by a stranger.
    framed: Mapping[str, Shape] = field(default_factory=dict)
    pronoun: Mapping[str, Shape] = field(default_factory=dict)
    whole_asked: Mapping[str, Shape] = field(default_factory=dict)
    one_asked: Mapping[str, Shape] = field(default_factory=dict)
    # A question for a number of people or animals, and one for whoever something was told of.
    counting: Mapping[str, Shape] = field(default_factory=dict)
    of_whom: Mapping[str, Shape] = field(default_factory=dict)
    # One for a fact of the user's own, whatever it is: small talk is no answer to it.
    own_fact: Mapping[str, Shape] = field(default_factory=dict)
    # One for whether there is somebody at all.
    whether_there: Mapping[str, Shape] = field(default_factory=dict)
    # What stands before a word for what the speaker is: "I'm a single " mum.
    self_as: Mapping[str, Shape] = field(default_factory=dict)
    # What stands before a word for somebody's kin: "her " husband.
    their_kin: Mapping[str, Shape] = field(default_factory=dict)
    # What stands between somebody and their kin: "Danny" 's "wife". Between a name and what is told of it: a verb.
    has_them: Mapping[str, Shape] = field(default_factory=dict)
    verb_between: Mapping[str, Shape] = field(default_factory=dict)
    # A sentence says of whom it tells, by a name, a word for who they are or a pronoun; it does not leave them out.
    names_its_people: bool = False
    # A question for the user's own name.
    own_asked: Mapping[str, Shape] = field(default_factory=dict)
    # Two who were together no longer are.
    parted: Mapping[str, Shape] = field(default_factory=dict)
    question_kinds: Mapping[str, Shape] = field(default_factory=dict)
    told_kinds: Mapping[str, Shape] = field(default_factory=dict)
    stands_for: str = ""
    stranger: str = ""
    copulas: frozenset[str] = frozenset()
    leads: Mapping[str, Shape] = field(default_factory=dict)
    lead_words: frozenset[str] = frozenset()
    trail_words: frozenset[str] = frozenset()
    name_stops: frozenset[str] = frozenset()
    asking: frozenset[str] = frozenset()
    their: Mapping[str, Shape] = field(default_factory=dict)
    corrected: Mapping[str, Shape] = field(default_factory=dict)
    respelled: Mapping[str, Shape] = field(default_factory=dict)
    # Risen where one works; and another name for the same pet or person, its group `value` or `other`.
    promoted: Mapping[str, Shape] = field(default_factory=dict)
    # The child is born or was lost: nobody is expecting any more.
    delivered: Mapping[str, Shape] = field(default_factory=dict)
    renamed: Mapping[str, Shape] = field(default_factory=dict)
    # What stands before a word for who somebody is that only says what they do; and one of the family by name.
    as_what: Mapping[str, Shape] = field(default_factory=dict)
    our_own: Mapping[str, Shape] = field(default_factory=dict)
    # A question that is answered by yes or no.
    asks_if: Mapping[str, Shape] = field(default_factory=dict)
    # One that doubts whether something still is so.
    asks_still: Mapping[str, Shape] = field(default_factory=dict)
    # A question for what was: before the thing in its group `who`, or before what stands now.
    before_what: Mapping[str, Shape] = field(default_factory=dict)
    asks_once: Mapping[str, Shape] = field(default_factory=dict)
    asks_now: Mapping[str, Shape] = field(default_factory=dict)
    # A question only in form, behind what it tells: "they cut my hours, what now".
    exclaims: Mapping[str, Shape] = field(default_factory=dict)
    # What was over comes back: two people, or something that is done or had; and whether "we" are the two.
    together_again: Mapping[str, Shape] = field(default_factory=dict)
    again: Mapping[str, Shape] = field(default_factory=dict)
    ours: Mapping[str, Shape] = field(default_factory=dict)
    recounted: Mapping[str, Shape] = field(default_factory=dict)
    # A figure in what is held: its groups `number` and `unit`.
    figure: Pattern = NEVER
    asked: Mapping[str, Stated] = field(default_factory=dict)
    states: Mapping[str, Stated] = field(default_factory=dict)
    means: Mapping[str, Instead] = field(default_factory=dict)
    endings: ValueEndings = field(default_factory=ValueEndings)
    joints: Joints = field(default_factory=Joints)
    # Somewhere for a while: that is not where the user lives.
    visit: Mapping[str, Shape] = field(default_factory=dict)
    # That one lives where is said, in so many words.
    dwells: Mapping[str, Shape] = field(default_factory=dict)
    # "her" in "her husband" tells who has him, not who he is.
    owning: Pattern = NEVER
    # What belongs to a plan behind its words.
    plan_goes_on: Pattern = NEVER
    # A question for what is on, on some days or at all; the days of the week, Monday first.
    whats_on: Pattern = NEVER
    weekday_names: tuple[str, ...] = ()
    # The same, as they are said shortly; and what stands for the days of a weekend.
    weekday_shorts: tuple[str, ...] = ()
    weekend_names: tuple[str, ...] = ()
    # A question that leans on the one before it.
    further: Further = field(default_factory=Further)
    # Around a name with which a clause opens.
    before_subject: Pattern = NEVER
    behind_subject: Pattern = NEVER
    # Words that point at what was spoken of just now.
    points_at: tuple[str, ...] = ()
    # Words of the later half of a day, and of the earlier: what was told for the evening is put off to an hour of the
    # evening, unless the words say otherwise.
    late_words: tuple[str, ...] = ()
    early_words: tuple[str, ...] = ()
    # Several plans in one sentence.
    plans: PlanJoints = field(default_factory=PlanJoints)
    # Of the words that may stand before a value, those that join two clauses.
    lead_joins: tuple[str, ...] = ()
    # Several ages in one row, as many as there are names before them.
    ages: WholePattern = NEVER_WHOLE
    # Of several people told by one word, a name with what is told of that one alone; what such a word ends in.
    each_named: Pattern = NEVER
    plural_end: str = ""
    # Whether a word for kin right behind a name is how that one is addressed: 민재 오빠.
    titles_follow: bool = False
    # What stands between two names of one row.
    name_row: Pattern = NEVER
    # What stands between two clauses.
    clause_breaks: Pattern = NONE
    # Where a quotation may be cut: what comes before and after can stand alone.
    quote_breaks: Pattern = NONE
    # Said of work alone, they end whatever work is held: "I got fired".
    left: tuple[str, ...] = ()
    # A part put right in passing; words of such a message that name no thing; how it opens; what leads to a time;
    # what stands before the new part; how a bare number is made a time of day, and a bare day a day.
    shifted: Mapping[str, Shifted] = field(default_factory=dict)
    shift_talk: tuple[str, ...] = ()
    shift_opener: Pattern = NEVER
    shift_leads: tuple[str, ...] = ()
    shift_before: Pattern = NONE
    shift_clock: str = ""
    shift_day: str = ""


_OF_CHILDREN = {"brother": "child", "sister": "child", "sibling": "child", "son": "grandchild", "child": "grandchild",
                "daughter": "grandchild", "husband": "son-in-law", "wife": "daughter-in-law"}  # fmt: skip
_OF_GRANDCHILDREN = {"brother": "grandchild", "sister": "grandchild", "sibling": "grandchild"}
_OF_SIBLINGS = {"husband": "brother-in-law", "wife": "sister-in-law", "son": "nephew", "daughter": "niece"}
_OF_SPOUSES = {"mother": "mother-in-law", "father": "father-in-law", "sister": "sister-in-law",
               "brother": "brother-in-law"}  # fmt: skip
_OF_PARENTS = {"mother": "grandmother", "father": "grandfather", "sister": "aunt", "brother": "uncle"}
_OF_AUNTS = {"son": "cousin", "daughter": "cousin", "child": "cousin"}
_KIN: Mapping[str, Mapping[str, str]] = {
    **dict.fromkeys(("son", "daughter", "child"), _OF_CHILDREN),
    "grandchild": _OF_GRANDCHILDREN,
    **dict.fromkeys(("brother", "sister", "sibling"), _OF_SIBLINGS),
    **dict.fromkeys(("husband", "wife"), _OF_SPOUSES),
    **dict.fromkeys(("mother", "father"), _OF_PARENTS),
    **dict.fromkeys(("aunt", "uncle"), _OF_AUNTS),
}


@dataclass(frozen=True, slots=True, eq=False)
class ChecksPolicy:
    """`ended`: attributes of which an earlier value is over. `messages`: how far back "she" may reach."""

    languages: Mapping[str, CheckWords] = field(default_factory=dict)
    ended: tuple[str, ...] = ("city", "home", "job", "employer", "school", "major", "relationship")
    reach: int = 40
    # So long after it was told, "Thursday, not Friday" may mean it though another thing is named.
    just_minutes: int = 30
    messages: int = 2
    # One at a time, so that a change in words replaces whatever was held; and what may change its day.
    exclusive: tuple[str, ...] = ("city", "job", "employer", "diet", "goal", "age", "major", "school", "called", "body")
    # What may be over by being named, and how large a share of its words must be.
    ends: tuple[str, ...] = (
        "hobby",
        "sport",
        "routine",
        "like",
        "possession",
        "device",
        "medication",
        "game",
        "project",
        "language",
        "skill",
        "team",
        "condition",
        "employer",
        "job",
        "goal",
        "plan",
        "diet",
    )
    ends_share: int = 3
    work: tuple[str, ...] = ("job", "employer")
    # Left by a word that names none of them: "I quit", "I dropped out".
    leaving: tuple[str, ...] = ("job", "employer", "school")
    dated: tuple[str, ...] = ("plan", "event", "routine", "work_hours")
    # A word at least as rare as this may be a name where it opens a sentence.
    name_rarity: float = 12.0
    changing: tuple[str, ...] = (
        "city",
        "home",
        "job",
        "employer",
        "school",
        "possession",
        "device",
        "relationship",
        "age",
    )
    # What is no more than thought of is none of these.
    not_yet: tuple[str, ...] = (
        "city", "home", "job", "employer", "school", "major", "work_hours", "relationship", "possession", "device",
    )  # fmt: skip
    # Relations of whom one says "she", and of whom one says "he".
    women: tuple[str, ...] = (
        "mother", "sister", "wife", "girlfriend", "daughter", "grandmother", "granddaughter", "aunt", "niece",
        "mother-in-law", "sister-in-law", "daughter-in-law", "stepmother", "stepdaughter", "goddaughter", "godmother",
    )  # fmt: skip
    men: tuple[str, ...] = (
        "father", "brother", "husband", "boyfriend", "son", "grandfather", "grandson", "uncle", "nephew",
        "father-in-law", "brother-in-law", "son-in-law", "stepfather", "stepson", "godson",
    )  # fmt: skip
    # What the kin of one's kin is to oneself.
    kin: Mapping[str, Mapping[str, str]] = field(default_factory=lambda: _KIN)
    labelled: tuple[str, ...] = ("goal", "job", "city", "major", "team", "employer", "age", "school")
    # Of these the user has one at a time, so a fragment does not replace what is held.
    # "Berlin is lovely" begins with a value and is nobody's home; unless the reader is this sure of what is told.
    fragment_at: float = 0.9
    # A single word behind "since" or "every" is a time of something else, not one of these.
    # Phrases that are told by their noun: what is planned, meant, happened or noted.
    bare_plans: tuple[str, ...] = ("plan", "event", "goal", "note")
    timed: tuple[str, ...] = ("plan", "event", "goal", "routine", "work_hours", "birthday", "sleep", "limit", "note")
    single: tuple[str, ...] = ("name", "called", "city", "job", "employer", "school", "major", "age", "relationship")
    # What a word of denial right before it denies, whatever the reader made of it.
    deniable: tuple[str, ...] = ("diet", "medication", "language", "skill", "sport", "hobby", "game")
    # What is called by the name of a place, a house or a tongue.
    placed: tuple[str, ...] = ("city", "home", "origin", "nationality", "employer", "school", "language")
    # What the bare words ask for: "my sister's birthday", and of oneself "my birthday".
    asked_of_others: tuple[str, ...] = (
        "name",
        "age",
        "birthday",
        "job",
        "city",
        "employer",
        "school",
        "major",
        "grade",
        "hobby",
        "allergy",
        "origin",
        "nationality",
        "team",
        "medication",
        "diet",
    )
    asked_of_oneself: tuple[str, ...] = ("name", "age", "birthday", "code", "allergy")
    # Of these a value is a place or a name, never a sentence.
    bare: tuple[str, ...] = (
        "city", "home", "origin", "job", "employer", "school", "major", "name", "called", "medication",
    )  # fmt: skip
