"""Reviewed sentences for someone in danger or in pain, one folder per language: data/<language>/care.toml."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from clew.frozen import dataclass
from clew.policy.rows import NEVER, Pattern, Shape

Sentences = tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Danger(Shape):
    """One kind of danger: how it is known, what is said to it first, what is asked.

    now: it is happening, so emergency services come first. help: how help is named, where the common ways do not fit.
    The row without a pattern is for all that is left.
    """

    pattern: str = ""
    says: Sentences = ()
    not_says: Sentences = ()
    heard: Sentences = ()
    asks: Sentences = ()
    now: bool = False
    help: Sentences = ()

    def __post_init__(self) -> None:
        if not self.heard:
            raise ValueError("a danger needs at least one sentence in heard")


@dataclass(frozen=True, slots=True, eq=False)
class Hardship:
    """One kind of hard thing. heard: acknowledges it by its name; asks: a question that may stand behind it; amid: said
    to what else is hard in the next turns; lightly: instead of heard, where little of it is told."""

    heard: Sentences
    asks: Sentences = ()
    amid: Sentences = ()
    lightly: Sentences = ()


@dataclass(frozen=True, slots=True, eq=False)
class CareWords:
    """line: {name} and {contact} come from the table of helplines. support: by the kind of pain, no advice in it,
    [plain|polite] where a language has speech levels. later: for the turns after pain or danger that name none.
    hardships: by the kinds of kernel/read/hardship.py; amid, amid_asks: to a small thing told while one is open."""

    dangers: Mapping[str, Danger]
    again: Sentences
    ask_again: Sentences
    line: Sentences
    emergency: Sentences
    emergency_now: Sentences
    stay: Sentences
    minor: Sentences
    # Help named in few words, in the turns after a crisis: with a line of the table, and without one.
    beside: Sentences = ()
    beside_emergency: Sentences = ()
    support: Mapping[str, Danger] = field(default_factory=dict)
    later: Mapping[str, Danger] = field(default_factory=dict)
    hardships: Mapping[str, Hardship] = field(default_factory=dict)
    amid: Sentences = ()
    amid_asks: Sentences = ()
    # Known by which words a question asks for counsel, and what is said to it while a hardship is open.
    counsel: Pattern = NEVER
    asked: Sentences = ()
    # "Anyway, …": the talk goes on to something else.
    moves_on: Pattern = NEVER
    # "A bit scared" is less than scared.
    softened: Pattern = NEVER

    def __post_init__(self) -> None:
        if "unnamed" not in self.dangers:
            raise ValueError("dangers need a row `unnamed` for what no other row knows")


@dataclass(frozen=True, slots=True, eq=False)
class CarePolicy:
    """`stay_turns`: so many turns after a crisis are still met with care. `grave_turns`: so many after grave news are
    read in its light. `hard_turns`: so many after a hardship may be coloured by it, until a message of more than
    `stays_words` words, or a question, speaks of other things. `pain_turns`: where so many of the
    last `stay_turns` told pain without a name, the next is coloured alike. `hard_asks`: one of so many replies to a
    hardship asks on. `lasting`: kinds that go on in whatever is told next, be it flowers. `plainer`: kinds of pain that
    are known by plain words and met as such, whatever hardship is read.
    """

    languages: Mapping[str, CareWords] = field(default_factory=dict)
    stay_turns: int = 3
    grave_turns: int = 4
    hard_turns: int = 8
    stays_words: int = 3
    pain_turns: int = 2
    hard_asks: int = 3
    lasting: tuple[str, ...] = ("hurt",)
    plainer: tuple[str, ...] = ("violence", "remembrance", "death", "unsafe", "told_off", "no_more")
    remembered: int = 4
    repeat_within: int = 2
