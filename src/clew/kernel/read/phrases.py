"""Phrases with slots, found in a folded reading of the text (general ruling 2).

Folding drops words that change nothing ("really", 그냥), spells contractions out and marks
where clauses end, so that one template reaches the many ways people say one thing.

A template is plain words. `{slot}` stands for each entry of that slot (`{slot?}` for none too), `|` for
the edge of a clause, `..` for a few words in between, `.` for none: two long slots side by side.
Hangul is compared without spaces, from the start of a word; one syllable is a whole word.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from itertools import product

from ahocorasick_rs import AhoCorasick

from clew.frozen import dataclass
from clew.kernel.language.scripts import in_syllables
from clew.kernel.text.normalize import Normal
from clew.policy.listen import FoldPolicy
from clew.programs import table

_NO_STARTS: frozenset[int] = frozenset()
_Owner = tuple[str, str, int, int, bool]
_EDGE = "|"
_GAP = re.compile(r"\s(\.\.?)\s")
_SLOT = re.compile(r"\{(\w+)\??\}")


@dataclass(frozen=True, slots=True)
class Folded:
    """`spaced` for Latin templates; `tight` and the places where its words begin for Hangul ones.

    `marked` is the text before folding: its words, with the edges of clauses among them.
    """

    marked: tuple[str, ...]
    spaced: str
    tight: str
    starts: frozenset[int]


@dataclass(frozen=True, slots=True)
class PhraseHit:
    label: str
    template: str
    start: int
    end: int
    tight: bool


@lru_cache(maxsize=8)
def _marks(policy: FoldPolicy) -> dict[int, str]:
    """One character for one: Python has a short way for that."""
    return dict.fromkeys(map(ord, policy.blanks), " ") | dict.fromkeys(map(ord, policy.edges), _EDGE)


@lru_cache(maxsize=8)
def _same(policy: FoldPolicy) -> dict[str, str]:
    return {**dict.fromkeys(policy.fillers, ""), **policy.spellings}


def fold(text: Normal, policy: FoldPolicy) -> Folded:
    same = _same(policy)
    plain = text.norm.translate(_marks(policy))
    marked = tuple((plain.replace(_EDGE, " | ") if _EDGE in plain else plain).split())
    words = [w for t in marked if (w := same.get(t, t))]
    spaced = f" | {' '.join(words)} | "
    if not in_syllables(text.norm):
        return Folded(marked, spaced, "", _NO_STARTS)
    starts: list[int] = []
    at = 1
    for word in words:
        starts.append(at)
        at += len(word)
    return Folded(marked, spaced, f"|{''.join(words)}|", frozenset([0, *starts, at]))


class Phrases:
    """Many labelled templates, one pass over the folded text."""

    def __init__(
        self, entries: Mapping[str, Iterable[str]], slots: Mapping[str, tuple[str, ...]], policy: FoldPolicy
    ) -> None:
        self._slots = slots
        self._same = _same(policy)
        self._gap = policy.gap
        self._gaps: dict[str, tuple[int, ...]] = {}
        self._entries = entries
        self._slot_scripts: dict[str, set[bool]] = {}
        self._choices: dict[str, tuple[str, ...]] = {}

    @cached_property
    def _spaced(self) -> _Automaton:
        return self._automaton(tight=False)

    @cached_property
    def _tight(self) -> _Automaton:
        """Made when the first text with Hangul comes."""
        return self._automaton(tight=True)

    def _automaton(self, *, tight: bool) -> _Automaton:
        entries = [(label, list(map(str, templates))) for label, templates in self._entries.items()]
        made_of = (entries, sorted(self._slots.items()), self._same, self._gap, tight)
        literals, owners, gaps = table("phrases", made_of, lambda: self._table(tight=tight))
        self._gaps |= gaps
        return _Automaton(literals, owners)

    def _table(self, *, tight: bool) -> tuple[list[str], list[tuple[_Owner, ...]], dict[str, tuple[int, ...]]]:
        """Every literal string of one script, what stands behind each, and the gaps of the templates."""
        found = self._owners(tight=tight)
        return list(found), [tuple(dict.fromkeys(owners)) for owners in found.values()], self._gaps

    def _owners(self, *, tight: bool) -> dict[str, list[_Owner]]:
        """(label, template, part, parts, solid) behind every literal string of one script; a solid one is one word."""
        out: dict[str, list[_Owner]] = {}
        for label, templates in self._entries.items():
            for template in templates:
                scripts = self._scripts(template)
                if tight not in scripts:
                    continue
                mixed = True in scripts
                pieces = _GAP.split(template)
                parts = pieces[::2]
                self._gaps[template] = tuple(self._gap if g == ".." else 0 for g in pieces[1::2])
                for number, part in enumerate(parts):
                    solid = (label, template, number, len(parts), True)
                    loose = (label, template, number, len(parts), False)
                    for literal in self._literals(part):
                        if not mixed or in_syllables(literal) is tight:
                            owner = loose if " " in literal.strip("| ") else solid
                            out.setdefault(literal.replace(" ", "") if tight else f" {literal} ", []).append(owner)
        return out

    def _scripts(self, template: str) -> set[bool]:
        """Whether a literal of it can have Hangul: {True}, {False}, or both where its words are of both scripts."""
        found = {in_syllables(_SLOT.sub("", template))} - ({False} if "{" in template else set())
        for name in _SLOT.findall(template):
            if name not in self._slot_scripts:
                self._slot_scripts[name] = {script for entry in self._slots[name] for script in self._scripts(entry)}
            found |= self._slot_scripts[name]
        return found or {False}

    def find(self, text: Folded) -> tuple[PhraseHit, ...]:
        out: list[PhraseHit] = []
        loose: list[tuple[int, int, str, str, int, int, bool]] = []
        for start, end, owners in self._spaced.scan(text.spaced):
            _sort(owners, start + 1, end - 1, False, out, loose)
        if text.tight:
            for start, end, owners in self._tight.scan(text.tight):
                if start in text.starts:
                    if end - start == 1 and end not in text.starts:
                        continue
                    # 나대 is not in 나 대충: one word is not made of two.
                    if text.tight[start] != _EDGE and _crosses(start, end, text):
                        owners = tuple(o for o in owners if not o[4])
                    _sort(owners, start, end, True, out, loose)
        if loose:
            out.extend(self._joined(loose, text))
        return tuple(out)

    def _joined(
        self, loose: list[tuple[int, int, str, str, int, int, bool]], text: Folded
    ) -> Iterator[PhraseHit]:
        """Parts of one template that stand in order, near each other, inside one clause."""
        places: dict[tuple[str, int, bool], list[tuple[int, int]]] = {}
        for start, end, _, template, part, _, tight in loose:
            places.setdefault((template, part, tight), []).append((start, end))
        for spans in places.values():
            spans.sort()
        for start, end, label, template, part, parts, tight in loose:
            if part:
                continue
            at = end
            for number in range(1, parts):
                spans = places.get((template, number, tight), [])
                # What lies between only grows: when the next one is not near, none is.
                n = bisect_left(spans, (at, 0))
                if n == len(spans) or not _near(
                    at, spans[n][0], text, tight, self._gaps[template][number - 1]
                ):
                    break
                at = spans[n][1]
            else:
                yield PhraseHit(label, template, start, at, tight)

    def _literals(self, part: str) -> Iterator[str]:
        """Every way to fill the slots; each filling is folded once, not once per combination."""
        choices = [self._ways(word) for word in part.split()]
        for combination in product(*choices):
            if literal := " ".join(filter(None, combination)):
                yield literal

    def _ways(self, word: str) -> tuple[str, ...]:
        if word not in self._choices:
            self._choices[word] = tuple(map(self._folded, self._values(word)))
        return self._choices[word]

    def _folded(self, words: str) -> str:
        return " ".join(w for t in words.split() if (w := self._same.get(t, t)))

    def _values(self, word: str) -> tuple[str, ...]:
        if not (word.startswith("{") and word.endswith("}")):
            return (word,)
        entries = self._slots[word[1:-1].rstrip("?")]
        # A slot may use another slot: "my {relation}" is a person.
        values = tuple(v for e in entries for v in (self._literals(e) if "{" in e else (e,)))
        return ("", *values) if word.endswith("?}") else values


class _Automaton:
    def __init__(self, literals: list[str], owners: list[tuple[_Owner, ...]]) -> None:
        self._owners = owners
        self._search = AhoCorasick(literals) if literals else None

    def scan(self, text: str) -> Iterator[tuple[int, int, tuple[_Owner, ...]]]:
        if self._search is not None:
            for number, start, end in self._search.find_matches_as_indexes(text, overlapping=True):
                yield start, end, self._owners[number]


def _sort(
    owners: Iterable[_Owner],
    start: int,
    end: int,
    tight: bool,
    out: list[PhraseHit],
    loose: list[tuple[int, int, str, str, int, int, bool]],
) -> None:
    for label, template, part, parts, _ in owners:
        if parts == 1:
            out.append(PhraseHit(label, template, start, end, tight))
        else:
            loose.append((start, end, label, template, part, parts, tight))


def _near(end: int, start: int, text: Folded, tight: bool, gap: int) -> bool:
    if start < end:
        return False
    if tight:
        between = text.tight[end:start]
        return _EDGE not in between and sum(s in text.starts for s in range(end + 1, start)) <= gap
    between = text.spaced[end:start]
    return _EDGE not in between and len(between.split()) <= gap


def _crosses(start: int, end: int, text: Folded) -> bool:
    """Does a word begin inside this span?"""
    return any(s in text.starts for s in range(start + 1, end))
