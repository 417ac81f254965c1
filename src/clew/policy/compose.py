"""Words of the built-in writer, one folder per language: data/<language>/compose.toml."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from clew.policy.language import Shape


@dataclass(frozen=True, slots=True, eq=False)
class Moment(Shape):
    """A kind of message known by its words, and what can be said to it.

    `whole`: only when the message says nothing else. `open`: what follows a reply may be a question back.
    """

    replies: tuple[str, ...]
    whole: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class ComposeWords:
    """Everything said in one language; {value}, {name}, {thing}, {when} … are filled in.

    moments: tried in order. told: by attribute, "attribute.status" first. answers: frames around what was found.
    unknown: when nothing is held, by attribute. plain: to what fits nothing else, by the mood of the message.
    """

    moments: Mapping[str, Moment] = field(default_factory=dict)
    told: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    answers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unknown: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    plain: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    questions: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    groups: Mapping[str, str] = field(default_factory=dict)
    weekdays: tuple[str, ...] = ()
    months: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class ComposePolicy:
    """`page`: so many memories are told at once when everything is asked for."""

    languages: Mapping[str, ComposeWords] = field(default_factory=dict)
    page: int = 12
    findings_most: int = 4
    told_characters: int = 48
    ask_every: int = 2
    emoji: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
