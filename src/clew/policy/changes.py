"""Weights and marks of the learned reader of change: what a message does to something that is held."""

from __future__ import annotations

from clew.frozen import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class ChangesPolicy:
    """`file` names weights in the package (bench/train/memory_changes.py), with their SHA-256 beside it.

    attributes: those the reader knows by name, in the order of its weights.
    pool: so many memories are compared by vector, the likeliest first. nearest: so many of them are judged.
    """

    file: str = ""
    sha256: str = ""
    attributes: tuple[str, ...] = ()
    # Languages that the weights have a sign for.
    marked: tuple[str, ...] = ("ko",)
    pool: int = 32
    nearest: int = 6
    # From which chance on that the held thing no longer stands it gives way, where one or many values may stand.
    undone_at: float = 0.42
    undone_at_many: float = 0.45
    # The same where the message states nothing new of the same kind.
    undone_at_unread: float = 0.5
    undone_at_elsewhere: float = 0.6
    # The same where no word says that anything changed or ended: a busy day at work is no end of the work.
    undone_at_unsaid: float = 0.9
    # The same where the message shares no word with what is held, and tells of something else, or of one of many.
    undone_at_apart: float = 0.9
    undone_at_many_apart: float = 0.6
    # From here on the reader is believed whatever else speaks against it, but for what no remark undoes.
    undone_beyond_doubt: float = 0.7
    # From this chance on what a message names is over, though no listed word says so.
    ends_surely: float = 0.85
    # Asked whether something is still so, or is so, what was told of it since is told from this chance on.
    undone_if_still: float = 0.6
    undone_if_asked: float = 0.85
    # What news of something else may sweep away without a word in common: "we lost the baby".
    swept: tuple[str, ...] = ("plan", "relationship", "home", "city", "exists", "body", "money")
    # Values that pass by themselves, and attributes whose news is news of one another.
    passing: tuple[str, ...] = ()
    kin: tuple[tuple[str, ...], ...] = (
        ("job", "employer", "work_hours", "school", "major", "grade"),
        ("city", "home"),
        ("like", "dislike", "hobby", "sport", "team", "food"),
        ("relationship", "exists"),
        ("diet", "allergy", "dislike"),
        ("plan", "event", "goal"),
        ("routine", "hobby", "sport", "sleep"),
    )
    # Of these one gathers more: without a word of change a new one takes another's place only from here on.
    gathered: tuple[str, ...] = (
        "hobby", "sport", "game", "skill", "language", "allergy", "fear", "nationality", "trait", "condition",
        "like", "dislike", "medication", "goal", "money",
    )  # fmt: skip
    undone_at_gathered: float = 0.9
    # "I switched to …" says that something gave way: which one needs no more than this.
    undone_at_switched: float = 0.36
    # From here on a value that the message only names, and undoes, is not told anew by it.
    undone_at_named: float = 0.5
    # Who one may part with, and from which chance on one has: the name is then that of somebody who was.
    parting: tuple[str, ...] = (
        "person:roommate", "person:flatmate", "person:partner", "person:boyfriend", "person:girlfriend",
        "person:husband", "person:wife", "person:fiance", "person:landlord", "person:boss", "person:colleague",
    )  # fmt: skip
    undone_at_parting: float = 0.8
    # Of these there is one at a time: "we broke up" needs no name.
    lovers: tuple[str, ...] = (
        "person:partner", "person:boyfriend", "person:girlfriend", "person:husband", "person:wife", "person:fiance",
    )  # fmt: skip
    # Words that two messages may share without telling of the same thing.
    common: tuple[str, ...] = ()
    # Whom one has one of: another name in their place takes it, from this chance on.
    one_of: tuple[str, ...] = (
        "person:roommate", "person:partner", "person:boyfriend", "person:girlfriend", "person:fiance",
        "person:landlord", "person:boss", "person:therapist", "person:doctor", "person:dentist",
        "person:teacher", "person:tutor", "person:coach",
    )  # fmt: skip
    undone_at_succeeded: float = 0.8
    # What a visit elsewhere does not change.
    places: tuple[str, ...] = ("city", "home", "origin", "employer", "job")
    # So many later messages are asked whether they undo a quotation.
    overtaken: int = 3
    # A later message undoes an answer only where it is at least this share as likely to answer the question itself.
    bears_on: float = 0.45
    # The same where no word of it tells a change, and nothing that is held fell by it.
    bears_apart: float = 0.6
    # Below that it must be known to have undone something of it, or undo it beyond doubt; and bear on it a little.
    bears_a_little: float = 0.15
    # One of more than a few words (no_more_words) undoes a quotation only where it bears on the question so much, and
    # is so much like it; or shares a word, says that something changed, and is a little like it.
    bears_long: float = 0.4
    alike: float = 0.33
    alike_a_little: float = 0.25
    undone_surely: float = 0.85
    # Where the memory of the very thing that is asked for gave way to it, no more than this; and bear on it so much.
    bears_on_known: float = 0.3
    undone_at_known: float = 0.15
    # What took the place of an answer is told for it only where it is at least this share as likely to answer.
    bears_as_heir: float = 0.3
    # A later message is told with an answer where it is at least this share as likely to answer; alone, where the
    # reader of change holds the answer undone by it from this chance on.
    bears_since: float = 0.4
    # The same where it names nothing of the question or the answer, and hardly undoes it.
    bears_unnamed: float = 0.55
    undone_since: float = 0.4
    # Asked how things are now, so many of the last messages are looked at; from this chance on they are told beside
    # the answer. What hardly undoes it, and told nothing to keep, is no news.
    since_looked: int = 8
    undone_apart_since: float = 0.6
    undone_a_little: float = 0.1
    # From this chance on that a side of a life is asked for, what was told of it and replaced is not quoted.
    asked_at: float = 0.25
    # From which chance on a new value stands beside the old one of an attribute with one value, or is none.
    beside_at: float = 0.55
    no_change_at: float = 0.85
    # So few words that tell one thing of the user mean it.
    no_more_words: int = 6
    # "Forget how much I earn" may mean so many memories at once; beyond that we ask.
    forget_most: int = 3
    # What words of a wish to forget surely mean, and what they mean where nothing is sure: chances of the chooser.
    forget_sure: float = 0.5
    forget_at: float = 0.35
    # From which chance on a wish names one side of somebody.
    forget_side: float = 0.09
    # So many messages around what is forgotten are asked whether they changed it, and from which chance on they did.
    forget_around: int = 6
    forget_changed: float = 0.3
    forget_changed_unsaid: float = 0.85
    # Sentences of a message that are compared one by one.
    parts: int = 6
