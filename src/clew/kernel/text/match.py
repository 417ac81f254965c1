"""Finding listed phrases in real text (rulings P2, P3, P5–P7, P13).

Latin phrases match as whole words with ASCII look-around, so that "exam은" hits;
Hangul keywords match at the start of a token; one-syllable ones need a particle or nothing after.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from typing import TypeVar

from ahocorasick_rs import AhoCorasick

from clew.frozen import dataclass
from clew.kernel.language.scripts import in_syllables
from clew.kernel.text.normalize import Normal, normal
from clew.policy.text import TextPolicy

_Label = TypeVar("_Label", bound=str)
_ASCII_WORD = frozenset("abcdefghijklmnopqrstuvwxyz0123456789_")


@dataclass(frozen=True, slots=True)
class Hit:
    """One phrase found for one label; `variant` says in which normal form the span counts."""

    label: str
    phrase: str
    start: int
    end: int
    variant: int = 0

    @property
    def length(self) -> int:
        return self.end - self.start


class Lexicon:
    """Many labelled phrases, one pass over the text."""

    def __init__(self, entries: Mapping[_Label, Iterable[str]], policy: TextPolicy) -> None:
        self._particles = frozenset(policy.particles)
        self._compounds = policy.compound_verbs
        self._deny = tuple(word for words in policy.languages.values() for word in words.other_words)
        owners: dict[str, list[tuple[str, str]]] = {}
        for label, phrases in entries.items():
            for phrase in phrases:
                for spelling in _spellings(normal(phrase).norm):
                    owners.setdefault(spelling, []).append((label, phrase))
        self._patterns = tuple(owners)
        self._owners = tuple(tuple(owners[p]) for p in self._patterns)
        self._by_beginning = tuple(in_syllables(p[0]) for p in self._patterns)
        self._search = AhoCorasick(list(self._patterns)) if self._patterns else None

    def hits(self, text: Normal | str) -> tuple[Hit, ...]:
        """All hits, in order of place; a phrase found in both normal forms counts once."""
        if self._search is None:
            return ()
        read = normal(text) if isinstance(text, str) else text
        out: list[Hit] = []
        seen: set[tuple[str, str]] = set()
        for variant, haystack in enumerate(read.variants):
            found = self._search.find_matches_as_indexes(haystack, overlapping=True)
            if not found:
                continue
            fresh: list[Hit] = []
            for number, start, end in found:
                if not self._fits(number, haystack, start, end):
                    continue
                for label, phrase in self._owners[number]:
                    if variant and (label, phrase) in seen:
                        continue
                    fresh.append(Hit(label, phrase, start, end, variant))
            out.extend(fresh)
            seen.update((h.label, h.phrase) for h in fresh)
        return tuple(out)

    def any(self, text: Normal | str) -> bool:
        return bool(self.hits(text))

    def _fits(self, number: int, text: str, start: int, end: int) -> bool:
        if not self._by_beginning[number]:
            before_ok = start == 0 or text[start - 1] not in _ASCII_WORD
            return before_ok and (end == len(text) or text[end] not in _ASCII_WORD)
        if start and text[start - 1] != " ":
            return False
        stop = text.find(" ", end)
        rest = text[end:] if stop < 0 else text[end:stop]
        token = text[start : end + len(rest)]
        if any(token.startswith(word) for word in self._deny):
            return False
        if end - start > 1:
            return True
        return not rest or rest in self._particles or rest.startswith(self._compounds)


def longest_first(hits: Iterable[Hit]) -> tuple[Hit, ...]:
    """A longer phrase masks the words inside it for other labels (ruling P13)."""
    ordered = sorted(hits, key=lambda h: (h.variant, h.start, -h.length, h.label))
    places = [(h.variant, h.start) for h in ordered]
    reach = max((h.length for h in ordered), default=0)

    def masked(h: Hit) -> bool:
        first = bisect_left(places, (h.variant, h.start - reach))
        last = bisect_left(places, (h.variant, h.end))
        return any(
            o.label != h.label and o.length > h.length and h.start < o.end for o in ordered[first:last]
        )

    return tuple(h for h in ordered if not masked(h))


def _spellings(phrase: str) -> tuple[str, ...]:
    """How one entry may be typed: without its apostrophe, and Hangul without its spaces."""
    forms = [normal(phrase).no_punct]
    if "'" in phrase:
        forms.append(forms[0].replace("'", ""))
    if " " in forms[0] and in_syllables(forms[0][0]):
        forms.append(forms[0].replace(" ", ""))
    joined = normal(phrase).joined
    if joined not in forms and " " not in joined:
        forms.append(joined)
    return tuple(dict.fromkeys(f for f in forms if f))
