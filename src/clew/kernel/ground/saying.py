"""A message in the clauses that each do something of their own: say why, refuse, ask, choose."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from clew.kernel.ground.said import Part, said
from clew.kernel.language.measures import Measure, measures
from clew.kernel.language.numerals import in_digits
from clew.kernel.read.follow_up import follow_up
from clew.policy.ground import GroundPolicy

_WORD = re.compile(r"[^\W_]+")
# More clauses than these say nothing new.
_CLAUSES = 6
_REASON = 2


@dataclass(frozen=True, slots=True)
class Clause:
    words: tuple[str, ...]
    denied: bool = False
    asks: bool = False

    @property
    def text(self) -> str:
        return " ".join(self.words)


@dataclass(frozen=True, slots=True)
class Spoken:
    """A message as the chooser hears it."""

    clauses: tuple[Clause, ...]
    words: tuple[str, ...]
    # How many words were typed, whether any sentence asks, and whether the last one does.
    length: int
    asks: bool
    ends_asking: bool
    # What of it is a number, in digits.
    numbers: tuple[Measure, ...]


@lru_cache(maxsize=1024)
def spoken(text: str, policy: GroundPolicy) -> Spoken:
    """Its clauses in their order; of a long message the last ones, where the choice stands."""
    out = []
    heard = follow_up(text)
    for sentence in heard.written:
        parts = said(sentence, policy).parts
        out += [Clause(words, part.denied, "?" in sentence) for part in parts for words in _cut(part, policy)]
    plain = heard.norm
    return Spoken(
        tuple(out[-_CLAUSES:]),
        tuple(_WORD.findall(plain)),
        len(plain.split()),
        any("?" in sentence for sentence in heard.written),
        heard.asks,
        measures(in_digits(plain, policy.pointing), policy.pointing),
    )


def _cut(part: Part, policy: GroundPolicy) -> Iterator[tuple[str, ...]]:
    """A word that gives a reason ends a clause, or stands between two."""
    now: list[str] = []
    for word in part.words:
        if word in policy.pointing.hinges:
            if now:
                yield tuple(now)
            now = []
            continue
        now.append(word)
        if len(word) > _REASON and word.endswith(policy.pointing.reasons):
            yield tuple(now)
            now = []
    if now:
        yield tuple(now)
