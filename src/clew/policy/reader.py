"""Words, marks and weights of the small learned readers: what a message tells, what it asks for."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import field
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any

from clew.errors import InvalidPolicy
from clew.frozen import dataclass
from clew.policy.rows import NEVER, NONE, Pattern

Words = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True, eq=False)
class ReaderWords:
    """What only one language has, from data/<language>/reader.toml.

    relations, pets: words for each. owners: words for "my" that may be written in one with such a word. who_is: a
    message that asks who somebody is and nothing else, with the name. names: how a name stands in a question, where no
    capital letter tells it. edges: letters around a value that are no part of it. joints: where a value
    may part in two. denials: words right before a value that turn it round.
    """

    relations: Words = field(default_factory=dict)
    pets: Words = field(default_factory=dict)
    owners: tuple[str, ...] = ()
    who_is: tuple[Pattern, ...] = ()
    names: tuple[Pattern, ...] = ()
    edges: str = ""
    joints: Pattern = NONE
    denials: Pattern = NEVER


@dataclass(frozen=True, slots=True, eq=False)
class ReaderPolicy:
    """`statements`, `told`, `named` and `asks` name files of weights in the package; each has its SHA-256 beside it."""

    statements: str = ""
    statements_sha256: str = ""
    told: str = ""
    told_sha256: str = ""
    named: str = ""
    named_sha256: str = ""
    asks: str = ""
    asks_sha256: str = ""
    # Whether something is to be forgotten.
    forgets: str = ""
    forgets_sha256: str = ""
    # How likely a proposed statement is right.
    belief: str = ""
    belief_sha256: str = ""
    # By whether it is told of the user, a person or a pet: attributes that none of them has.
    never: Mapping[str, tuple[str, ...]] = field(
        default_factory=lambda: {
            "self": ("death", "exists"),
            "pet": ("job", "employer", "work_hours", "major", "grade", "money", "tech", "pronouns"),
        }
    )
    # Which of what is known answers a question.
    answers: str = ""
    answers_sha256: str = ""
    # How the tagger's and the linear reader's log-odds that something is told add up, and their attributes'.
    told_weights: tuple[float, float, float] = (0.72, 0.23, 0.21)
    attribute_share: float = 0.5
    # A run of words is two values where the attributes of both sides, which differ, are as sure as this together.
    parted_at: float = 0.75
    # A statement is proposed from this certainty on; one among plainly ordinary talk needs more.
    at: float = 0.76
    # What the tagger proposes is kept from this chance on to be right.
    believed_at: float = 0.2
    # What the rules dropped or changed comes back from this chance on, or from the second where nothing else is told;
    # the tagger proposes it this far below its mark. What no word bears out is kept from the first.
    restored_at: float = 0.3
    restored_alone_at: float = 0.5
    proposed_below: float = 0.2
    at_token: float = 0.12
    # A value holds one token at least that is this likely; what is less likely only lengthens it.
    at_peak: float = 0.18
    at_begin: float = 0.3
    # From this chance on that something is told, values are looked for among less likely tokens, down to `at_least`.
    sure: float = 0.6
    at_least: float = 0.08
    # An ask is proposed from here on.
    ask_at: float = 0.4
    ask_attribute_at: float = 0.35
    # The same in a message that has no mark of a question or request.
    ask_at_stated: float = 0.6
    # From this chance on a message of one sentence asks, and tells nothing but what a plain shape states.
    ask_sure: float = 0.9
    asks_max: int = 5
    # Longer messages are read up to here.
    tokens_max: int = 2048
    # A guess at the attribute below this is a note in the user's own words.
    name_at: float = 0.2
    # A plain shape counts unless the tagger is this sure that nothing is told.
    shape_at: float = 0.15
    # What a sentence that states nothing must reach, by its act.
    at_act: Mapping[str, float] = field(default_factory=dict)
    # Names that are words too: they count only as they are written.
    word_names: frozenset[str] = frozenset()
    # What may hang on to a name in a language that writes it so.
    name_endings: tuple[str, ...] = ()
    # The end of a word that is said together with the next: the "t" of "didn't" is no word.
    shortened: Pattern = NEVER
    # Attributes that a request may tell: "call me Jo", "answer in French".
    requested: tuple[str, ...] = ()
    # How what an attribute tells stands by its nature, unless it has ended.
    statuses: Mapping[str, str] = field(
        default_factory=lambda: {"plan": "future", "event": "past", "death": "past"}
    )
    # Longer messages are read in parts of about so many tokens.
    part_min: int = 40
    part_max: int = 120
    # Attributes whose value is a whole phrase; the others hold a name of something.
    phrases: frozenset[str] = frozenset()
    leading: tuple[str, ...] = ()
    trailing: tuple[str, ...] = ()
    # A name of something has no time of its own; a routine has.
    trailing_times: tuple[str, ...] = ()
    endings: tuple[str, ...] = ()
    phrase_endings: tuple[str, ...] = ()
    no_values: frozenset[str] = frozenset()
    # Words with which the user speaks of themself, and words for somebody named before.
    speakers: tuple[str, ...] = ()
    they: tuple[str, ...] = ()
    # What those run together with where the mark between is left out: "shes", "theyre".
    they_with: tuple[str, ...] = ()
    # A name of somebody whose relation is not told counts from here on.
    alone_at: float = 0.8
    # The tagger's guess that somebody else is meant counts from here on.
    # From this chance on the tagger alone says whether a value is the user's own, a person's or a pet's.
    kind_sure: float = 0.75
    # How many times likelier the owner is whom the rule names too.
    owner_by_rule: float = 2.0
    kind_at: float = 0.9
    # Pronoun → subject, where nobody is named.
    pronouns: Mapping[str, str] = field(default_factory=dict)
    # Words that are written like a name and are none.
    not_names: frozenset[str] = frozenset()
    own: Words = field(default_factory=dict)
    languages: Mapping[str, ReaderWords] = field(default_factory=dict)

    def said(self, name: str) -> tuple[Any, ...]:
        """One list over all languages; which of them a text is in need not be known."""
        return tuple(word for own in self.languages.values() for word in getattr(own, name))


@lru_cache(maxsize=16)
def weights(name: str, sha256: str) -> Mapping[str, Any] | None:
    """The arrays of one file of weights, checked against its fingerprint; None where none is named."""
    if not name:
        return None
    import numpy as np

    # A user's file may name weights of their own by a full path.
    own = Path(name)
    place = own if own.is_absolute() else resources.files("clew.policy").joinpath("weights", name)
    with place.open("rb") as source:
        if hashlib.sha256(source.read()).hexdigest() != sha256:
            raise InvalidPolicy(f"weights {name} are not the ones this policy was fitted with", pointer="/reader")
        source.seek(0)
        with np.load(source, allow_pickle=False) as file:
            return {key: file[key] for key in file.files}
