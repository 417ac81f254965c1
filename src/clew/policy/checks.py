"""Words by which what a learned reader proposes is checked and completed: data/<language>/checks.toml."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from clew.model.utterance import Status
from clew.policy.language import Shape


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
    plan_opens: str = "(?!)"
    plan_closes: str = "(?!)"


@dataclass(frozen=True, slots=True, eq=False)
class Instead(Shape):
    """A sentence, with <> for the value, in which what was read as one attribute means another.

    read: the attributes it may be read as; none for whatever it was. means: the right one; empty for nothing at all.
    """

    read: tuple[str, ...] = ()
    means: str = ""
    status: Status | None = None
    stance: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Stated(Shape):
    """A shape that states by itself: its group `value`, or all of it, under each of the attributes.

    Its group `who`, where it has one, must be one of the user's people. What a learned reader found gives way.
    """

    attributes: tuple[str, ...] = ()
    status: Status | None = None
    stance: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class CheckWords:
    """empty: words that carry no value by themselves. adjectives: what follows "I'm" and is no name.

    name: a shape whose group `name` is the user's own. who: a question whose group `name` is asked about.
    before: what stands before a place, job or school that is over. since: what stands before a time that is no plan.
    their: a shape whose groups `relation` and `name` tell what one of the user's people is called.
    corrected: a message that only puts right what was just told, by its group `value`.
    asked: what a plain shape asks for. states: what one states. instead: where a value belongs to another attribute than it was read as.
    endings: what a value ends before.
    """

    empty: frozenset[str] = frozenset()
    adjectives: frozenset[str] = frozenset()
    name: Mapping[str, Shape] = field(default_factory=dict)
    who: Mapping[str, Shape] = field(default_factory=dict)
    before: Mapping[str, Shape] = field(default_factory=dict)
    since: Mapping[str, Shape] = field(default_factory=dict)
    their: Mapping[str, Shape] = field(default_factory=dict)
    corrected: Mapping[str, Shape] = field(default_factory=dict)
    asked: Mapping[str, Stated] = field(default_factory=dict)
    states: Mapping[str, Stated] = field(default_factory=dict)
    instead: Mapping[str, Instead] = field(default_factory=dict)
    endings: ValueEndings = ValueEndings()


@dataclass(frozen=True, slots=True, eq=False)
class ChecksPolicy:
    """`ended`: attributes of which an earlier value is over. `unjobs`: relations that are jobs when told of another."""

    languages: Mapping[str, CheckWords] = field(default_factory=dict)
    ended: tuple[str, ...] = ("city", "home", "job", "employer", "school", "major", "relationship")
    reach: int = 40
