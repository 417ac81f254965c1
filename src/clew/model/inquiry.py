"""A question as finding reads it: what kind of answer it wants, whose and when, whatever it is asked of."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class NamedDate:
    """What is named of a date; a month without its year is that month of every year there is."""

    year: int | None = None
    month: int | None = None
    day: int | None = None


@dataclass(frozen=True, slots=True)
class Back:
    """A span counted back from the asking day: from `last` days before it, so many days long."""

    last: int
    length: int


@dataclass(frozen=True, slots=True)
class Word:
    """A word where it stands in its text; `bare` is it without possessive or particle."""

    start: int
    end: int
    text: str
    bare: str


@dataclass(frozen=True, slots=True)
class Inquiry:
    text: str
    words: tuple[Word, ...]
    role: str | None  # whose turns are meant: `user`, `assistant`, or unknown
    dates: tuple[NamedDate, ...]
    back: tuple[Back, ...]
    wants_time: bool
    wants_amount: bool
    wants_name: bool
    wants_place: bool
    wants_reason: bool
    wants_past: bool
    wants_state: bool  # how it is now, not what happened once
    wants_latest: bool  # the newest value, in so many words
    wants_many: bool  # a list, an order, a sum
    wants_help: bool = False  # a suggestion, or something done: not what was told
