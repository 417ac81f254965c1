"""Reviewed sentences for someone in danger or in pain, one folder per language: data/<language>/care.toml."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from clew.frozen import dataclass
from clew.policy.rows import Shape

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
class CareWords:
    """line: {name} and {contact} come from the table of helplines. support: by the kind of pain, no advice in it,
    [plain|polite] where a language has speech levels. later: for the turns after pain or danger that name none."""

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

    def __post_init__(self) -> None:
        if "unnamed" not in self.dangers:
            raise ValueError("dangers need a row `unnamed` for what no other row knows")


@dataclass(frozen=True, slots=True, eq=False)
class CarePolicy:
    """`stay_turns`: so many turns after a crisis are still met with care. `grave_turns`: so many after grave news are
    read in its light."""

    languages: Mapping[str, CareWords] = field(default_factory=dict)
    stay_turns: int = 3
    grave_turns: int = 4
    remembered: int = 4
    repeat_within: int = 2
