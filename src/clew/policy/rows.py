"""A pattern in a table is a named row with a text that it must match and one that it must not.

Shipped rows are checked by the test suite. A user's rows are checked when their file is loaded, by `prove`: a
broken one is refused by its place.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar

from clew.errors import InvalidPolicy
from clew.frozen import dataclass

_NOTHING: Mapping[str, str] = {}


class Pattern(str):
    """The text of a pattern that is found anywhere in what is said, whatever the case.

    name: of its row, in a table of several. holes: what stands in the examples for each {hole} of the pattern.
    """

    whole: ClassVar[bool] = False
    name: str
    says: tuple[str, ...]
    not_says: tuple[str, ...]
    holes: Mapping[str, str]

    def __new__(
        cls,
        pattern: str = "",
        says: Iterable[str] = (),
        not_says: Iterable[str] = (),
        name: str = "",
        holes: Mapping[str, str] = _NOTHING,
    ) -> Pattern:
        made = super().__new__(cls, pattern)
        made.name, made.says, made.not_says, made.holes = name, tuple(says), tuple(not_says), holes
        return made

    def trouble(self) -> str | None:
        return trouble(self, self.says, self.not_says, self.holes, whole=self.whole)


class WholePattern(Pattern):
    """A pattern that a clause must match from end to end; a clause has no marks at its ends."""

    whole: ClassVar[bool] = True


# Where a language has no such pattern: found nowhere, or nothing to look for.
NEVER, NEVER_WHOLE, NONE = Pattern("(?!)"), WholePattern("(?!)"), Pattern()


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """A named pattern with what follows from it in further fields."""

    pattern: str
    says: tuple[str, ...]
    not_says: tuple[str, ...]

    def trouble(self) -> str | None:
        return trouble(self.pattern, self.says, self.not_says, getattr(self, "holes", _NOTHING))


def trouble(
    pattern: str, says: tuple[str, ...], not_says: tuple[str, ...], holes: Mapping[str, str], *, whole: bool = False
) -> str | None:
    """What is wrong with a row: no pattern at all, no examples, or examples that tell another story."""
    filled = str(pattern)
    for hole, text in holes.items():
        filled = filled.replace("{" + hole + "}", text)
    try:
        made = re.compile(filled, re.I)
    except re.error as why:
        return f"pattern is not a regular expression: {why}"
    if not says or not not_says:
        return "a pattern needs at least one text in says and one in not_says"
    found = made.fullmatch if whole else made.search
    for text in says:
        if not found(text):
            return f"pattern does not match {text!r}, which stands in says"
    for text in not_says:
        if found(text):
            return f"pattern matches {text!r}, which stands in not_says"
    return None


def rows(value: Any, pointer: str) -> Iterator[tuple[str, Pattern | Shape]]:
    """Every row of a table that has a pattern, with its place."""
    if isinstance(value, Pattern) or (isinstance(value, Shape) and value.pattern):
        if str(value) not in ("", NEVER):
            yield pointer, value
    elif dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            yield from rows(getattr(value, field.name), f"{pointer}/{field.name}")
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from rows(item, f"{pointer}/{getattr(key, 'value', key)}")
    elif isinstance(value, tuple):
        for place, item in enumerate(value):
            yield from rows(item, f"{pointer}/{getattr(item, 'name', place)}")


def prove(table: Any, given: Mapping[str, Any], pointer: str) -> None:
    """Refuses a row of the user's layer `given` that does not do what its examples say."""
    touched = tuple(_places(given, pointer))
    if not touched:
        return
    for place, row in rows(table, pointer):
        if any(t == place or t.startswith(f"{place}/") for t in touched) and (why := row.trouble()):
            parent, _, name = place.rpartition("/")
            raise InvalidPolicy(f"table {parent}, row {name}: {why}", pointer=place)


def _places(given: Any, pointer: str) -> Iterator[str]:
    if isinstance(given, Mapping):
        for key, item in given.items():
            yield from _places(item, f"{pointer}/{key}")
    else:
        yield pointer
