"""Words by which what a learned reader proposes is checked and completed: data/<language>/checks.toml."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from clew.policy.language import Shape


@dataclass(frozen=True, slots=True, eq=False)
class NeedShape(Shape):
    """A question whose good answer needs these attributes; `alone`: also when no reader saw that anything is asked."""

    adds: tuple[str, ...]
    alone: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class CheckWords:
    """empty: words that carry no value by themselves. adjectives: what follows "I'm" and is no name.

    name: a shape whose group `name` is the user's own. who: a question whose group `name` is asked about.
    before: what stands before a place, job or school that is over. since: what stands before a time that is no plan.
    their: a shape whose groups `relation` and `value` tell whose the value is.
    """

    empty: frozenset[str] = frozenset()
    adjectives: frozenset[str] = frozenset()
    name: Mapping[str, Shape] = field(default_factory=dict)
    who: Mapping[str, Shape] = field(default_factory=dict)
    before: Mapping[str, Shape] = field(default_factory=dict)
    since: Mapping[str, Shape] = field(default_factory=dict)
    needs: Mapping[str, NeedShape] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class ChecksPolicy:
    """`ended`: attributes of which an earlier value is over. `unjobs`: relations that are jobs when told of another."""

    languages: Mapping[str, CheckWords] = field(default_factory=dict)
    ended: tuple[str, ...] = ("city", "home", "job", "employer", "school", "major", "relationship")
    reach: int = 40
