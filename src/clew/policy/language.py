"""Words and sentence shapes of each language, one folder per language: data/<language>/language.toml."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from clew.model.utterance import Act


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """A named pattern with a text that it must match and one that it must not: both are checked on loading."""

    pattern: str
    says: tuple[str, ...]
    not_says: tuple[str, ...]

    def __post_init__(self) -> None:
        try:
            made = re.compile(self.pattern, re.I)
        except re.error as why:
            raise ValueError(f"pattern is not a regular expression: {why}") from None
        if not self.says or not self.not_says:
            raise ValueError("a pattern needs at least one text in says and one in not_says")
        for text in self.says:
            if not made.search(text):
                raise ValueError(f"pattern does not match {text!r}, which stands in says")
        for text in self.not_says:
            if made.search(text):
                raise ValueError(f"pattern matches {text!r}, which stands in not_says")


@dataclass(frozen=True, slots=True, eq=False)
class ActShape(Shape):
    """A shape by which a sentence is known to do something else than to state."""

    act: Act


@dataclass(frozen=True, slots=True, eq=False)
class PackPolicy:
    """What one language brings.

    common: words by which a text is known to be in it. foreign: common words of other languages in the same
    letters, for which there is no pack. acts: tried in order, the first that matches a sentence names its act.
    """

    common: frozenset[str] = frozenset()
    foreign: frozenset[str] = frozenset()
    negations: tuple[str, ...] = ()
    acts: Mapping[str, ActShape] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class LanguagePolicy:
    """`foreign_least`: so many foreign words, and more than own ones, make a text foreign."""

    languages: Mapping[str, PackPolicy] = field(default_factory=dict)
    foreign_least: int = 2
    foreign_share: Fraction = Fraction(1, 4)
    sentences_most: int = 200
    # What a message tells and asks is read in its first characters; what follows is weighed as a whole only.
    read_characters: int = 4000
