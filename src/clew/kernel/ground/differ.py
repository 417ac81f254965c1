"""What tells candidates of one name apart, in a word or two each: "the 1984 one or the 1994 one?"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from clew.model.evidence import Candidate

_FEW = 4
# More words than this are no handle to take a thing by.
_WORDS = 3
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")


class Apart(NamedTuple):
    common: str
    each: tuple[str, ...]


def differing(shown: tuple[Candidate, ...]) -> Apart | None:
    """By the same thing for all: the one word of their names, a year, a part of the sublabel, or a field."""
    if not 1 < len(shown) <= _FEW:
        return None
    if len({c.label for c in shown}) > 1:
        return _one_word(tuple(c.label.split() for c in shown))
    for told in _told(shown):
        if all(told) and len(set(told)) == len(told):
            short = _without_common(told)
            if all(len(t.split()) <= _WORDS for t in short):
                return Apart(shown[0].label, short)
    return None


def _without_common(told: list[str]) -> tuple[str, ...]:
    """Q1 draft, Q2 draft: what all say tells none apart."""
    shared = set(told[0].split()).intersection(*(t.split() for t in told[1:]))
    short = tuple(" ".join(w for w in t.split() if w not in shared) for t in told)
    return short if all(short) else tuple(told)


def _one_word(names: tuple[list[str], ...]) -> Apart | None:
    """Tax return 2021, Tax return 2022: names that differ in one word."""
    if len({len(name) for name in names}) > 1 or len(names[0]) < 2:
        return None
    apart = [i for i, words in enumerate(zip(*names, strict=True)) if len(set(words)) > 1]
    if len(apart) != 1 or len({name[apart[0]] for name in names}) < len(names):
        return None
    common = " ".join(word for i, word in enumerate(names[0]) if i != apart[0])
    return Apart(common, tuple(name[apart[0]] for name in names))


def _told(shown: tuple[Candidate, ...]) -> Iterator[list[str]]:
    extras = [c.sublabel or c.path or c.owner or c.type or "" for c in shown]
    years = [_YEAR.findall(extra) for extra in extras]
    if all(len(found) == 1 for found in years):
        yield [found[0] for found in years]
    parts = [[part.strip() for part in extra.split(",")] for extra in extras]
    for column in zip(*parts, strict=False):
        yield list(column)
    for name, _ in shown[0].fields:
        yield [dict(c.fields).get(name, "") for c in shown]
    # The first word of each that no other has.
    words = [extra.replace(",", " ").split() for extra in extras]
    for_all = [[w for w in own if all(w not in o for o in words if o is not own)] for own in words]
    if all(for_all):
        yield [own[0] for own in for_all]
