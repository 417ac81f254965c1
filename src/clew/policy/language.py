"""Words and sentence shapes of each language, one folder per language: data/<language>/language.toml."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction

from clew.frozen import dataclass
from clew.model.utterance import Act
from clew.policy.rows import Shape as Shape


@dataclass(frozen=True, slots=True, eq=False)
class ActShape(Shape):
    """A shape by which a sentence is known to do something else than to state.

    asked_from: above 0 it holds only in a message of one sentence that is so likely to ask for something.
    """

    act: Act
    asked_from: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class PartShape(Shape):
    """What may be a question of which only a part was said; `whole`: where every word of it was told before."""

    whole: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Spelling(Shape):
    """How a dialect or a chat spells something, and the letters `put` in its place: as many as the pattern takes."""

    put: str


@dataclass(frozen=True, slots=True, eq=False)
class PackPolicy:
    """What one language brings.

    common: words by which a text is known to be in it. foreign: common words of other languages in the same
    letters, for which there is no pack. acts: tried in order, the first that matches a sentence names its act.
    spellings: of dialects and chats, read as the standard language writes them.
    in_part: what may be a question of which only a part was said.
    leaning: what may lean on the question just before. before_asking: its group `what` is what a question speaks of.
    """

    common: frozenset[str] = frozenset()
    foreign: frozenset[str] = frozenset()
    negations: tuple[str, ...] = ()
    acts: Mapping[str, ActShape] = field(default_factory=dict)
    spellings: Mapping[str, Spelling] = field(default_factory=dict)
    in_part: Mapping[str, PartShape] = field(default_factory=dict)
    leaning: Mapping[str, Shape] = field(default_factory=dict)
    before_asking: Mapping[str, Shape] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class LanguagePolicy:
    """`foreign_least`: so many foreign words, and more than own ones, make a text foreign."""

    languages: Mapping[str, PackPolicy] = field(default_factory=dict)
    foreign_least: int = 2
    foreign_share: Fraction = Fraction(1, 4)
    sentences_most: int = 200
    # What a message tells and asks is read in its first characters; what follows is weighed as a whole only.
    read_characters: int = 4000
