"""The bounded candidates, indexed once: every question about labels is a few look-ups."""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from rapidfuzz.distance import OSA

from clew.kernel.ground.canonical import Plain, key
from clew.kernel.ground.phrases import Tokens
from clew.kernel.ground.pool import Pool, Spelled
from clew.kernel.text.tokens import split
from clew.model.canonical import sha256
from clew.model.evidence import Candidate
from clew.policy.ground import GroundPolicy

Positions = tuple[int, ...]
# A label may carry an article that people drop.
_ARTICLES = ("the ", "a ", "an ")
# A message and its parts.
_HEARD = 8


@dataclass(frozen=True, slots=True)
class Mention:
    """A label named inside a longer message; equal labels share a mention."""

    positions: Positions
    start: int
    end: int


@dataclass(frozen=True, eq=False)
class OptionSet:
    candidates: Sequence[Candidate]
    # Ids that may never execute: given twice, or with nothing to call them by.
    blocked: frozenset[str] = frozenset()
    # How many there are, when there are too many to read.
    total: int | None = None

    @property
    def count(self) -> int:
        return len(self.candidates) if self.total is None else self.total

    @cached_property
    def pool(self) -> Pool:
        return self.candidates if isinstance(self.candidates, Pool) else Pool.of(self.candidates)

    @cached_property
    def position(self) -> dict[str, int]:
        """Where an id stands first."""
        ids = self.pool.ids
        return dict(zip(reversed(ids), range(len(ids) - 1, -1, -1), strict=True))

    def find(self, ref: str | None) -> int | None:
        """A reference is an id, or else a label that only one candidate has."""
        if ref is None or ref in self.position:
            return self.position.get(ref or "")
        hits = self.labels.get(key(split(ref)), ())
        return hits[0] if len(hits) == 1 else None

    @cached_property
    def words(self) -> Sequence[Tokens]:
        return self.pool.spelled

    def extra_words(self, position: int) -> frozenset[str]:
        """What else is told of one candidate: sublabel, path, type, owner."""
        return frozenset(w for column in self.pool.told for w in column[position])

    @cached_property
    def type_words(self) -> frozenset[str]:
        """What the candidates are called as a kind: "the second movie"."""
        return frozenset(w for kind in {t for t in self.pool.column("type") if t} for w in split(kind))

    @cached_property
    def labels(self) -> Keyed:
        spelled = self.pool.spelled
        found = Keyed(spelled.keys)
        for i, line in enumerate(spelled.lines):
            if line.startswith(_ARTICLES):
                found.add("".join(line.split()[1:]), i)
        return found

    @cached_property
    def sublabels(self) -> Keyed:
        sublabels, paths = self.pool.column("sublabel"), self.pool.column("path")
        found = Keyed(Spelled([s or "" for s in sublabels]).keys if any(sublabels) else ())
        if any(paths):
            names = [(p or "").replace("\\", "/").rstrip("/").rsplit("/", 1)[-1] for p in paths]
            for column in (Spelled([p or "" for p in paths]), Spelled(names)):
                for i, told in enumerate(column.keys):
                    found.add(told, i)
        return found

    def same_words(self, tokens: Tokens) -> Positions:
        """Labels of exactly these words, in whatever order."""
        wanted = frozenset(tokens)
        if not wanted:
            return ()
        near = min((self.holders(t) for t in wanted), key=len)
        return tuple(p for p in sorted(near) if frozenset(self.words[p]) == wanted)

    def __contains__(self, word: object) -> bool:
        """Is this a word of some label?"""
        return isinstance(word, str) and bool(self.holders(word))

    @cached_property
    def _posted(self) -> dict[tuple[str, bool], frozenset[int]]:
        """Made for the words that are asked for: most words of a long list never are."""
        return {}

    def holders(self, word: str, *, described: bool = False) -> frozenset[int]:
        """Who has this word in the label or, when described, in what else is known."""
        if (word, described) not in self._posted:
            more = [p for column in self.pool.told for p in column.holding(word)] if described else ()
            self._posted[word, described] = frozenset((*self.pool.spelled.holding(word), *more))
        return self._posted[word, described]

    @cached_property
    def memo(self) -> dict[object, str]:
        """Fingerprints by scope and set: the pack of an unchanged list is hashed once."""
        return {}

    @cached_property
    def heard(self) -> deque[tuple[Any, Any]]:
        """The last messages about this list and their parts: what was asked, and how it was understood."""
        return deque(maxlen=_HEARD)

    @cached_property
    def ids(self) -> tuple[str, ...]:
        return tuple(self.pool.ids)

    @cached_property
    def ids_hash(self) -> str:
        return sha256(sorted(self.ids))

    def whole(self, plain: Plain, policy: GroundPolicy) -> Positions:
        """The message, peeled as little as possible, is a label, or else a sublabel or path."""
        for index in (self.labels, self.sublabels):
            for stage in plain.stages:
                if hits := index.get(key(stage)):
                    return hits
        if same := self.same_words(plain.rest):
            return same
        alias = _aliases(policy)
        other = tuple(alias.get(t, t) for t in plain.rest)
        return self.labels.get(key(other), ()) if other != plain.rest else ()

    def mentions(self, tokens: Tokens, policy: GroundPolicy) -> tuple[Mention, ...]:
        """Every label named inside these words, longest first at each place, none overlapping."""
        found: list[Mention] = []
        stops = stop_words(policy) | frozenset((*policy.refusal_words, *policy.affirmation))
        i = 0
        while i < len(tokens):
            for j in range(min(len(tokens), i + policy.label_max_words), i, -1):
                hits = self.labels.get(key(tokens[i:j]))
                if hits and not (j - i == 1 and tokens[i] in stops):
                    found.append(Mention(hits, i, j))
                    i = j - 1
                    break
            i += 1
        return tuple(found)

    def told_apart(self, hits: Positions, leftover: Tokens) -> Positions:
        """Equal labels, told apart by what else is said of them: sublabel, path, type, owner."""
        if not leftover:
            return ()
        return tuple(p for p in hits if set(leftover) <= self.extra_words(p))

    def soft(self, tokens: Tokens, policy: GroundPolicy) -> Positions:
        """Labels that hold every content word of the message: a hint, never a winner."""
        said = tuple(t for t in tokens if t not in stop_words(policy))
        content = tuple(t for t in said if t not in policy.kind_nouns or t in self) or said
        if not content or sum(map(len, content)) < policy.soft_match_length:
            return ()
        found = [self.holders(t) for t in content]
        smallest = min(found, key=len)
        whole = tuple(sorted(p for p in smallest if all(p in f for f in found)))
        return whole or self._beginning(key(content), policy)

    @cached_property
    def _order(self) -> list[int]:
        return sorted(range(len(self.pool)), key=self.pool.spelled.keys.__getitem__)

    @cached_property
    def _sorted_keys(self) -> list[str]:
        keys = self.pool.spelled.keys
        return [keys[i] for i in self._order]

    def near(self, tokens: Tokens, policy: GroundPolicy) -> Positions:
        """Labels one slip away: a hint to confirm, looked for in short lists only."""
        said = key(tuple(t for t in tokens if t not in stop_words(policy)))
        if len(said) < policy.typo_length or len(self.candidates) > policy.typo_candidates:
            return ()
        named = zip(self._sorted_keys, self._order, strict=True)
        return tuple(p for k, p in named if OSA.distance(said, k, score_cutoff=1) == 1)

    def _beginning(self, start: str, policy: GroundPolicy) -> Positions:
        """Labels that begin like this; one more than is shown is enough to know there are many."""
        place = bisect_left(self._sorted_keys, start)
        ahead = range(place, min(len(self._order), place + policy.clarifier_candidates + 1))
        return tuple(sorted(self._order[i] for i in ahead if self._sorted_keys[i].startswith(start)))


class Keyed:
    """Where a key stands; most keys stand once, and only the others need a list."""

    def __init__(self, keys: Sequence[str]) -> None:
        self._one = dict(zip(keys, range(len(keys)), strict=True))
        self._many: dict[str, list[int]] = {}
        if len(self._one) < len(keys):
            for i, name in enumerate(keys):
                if self._one[name] != i:
                    self._many.setdefault(name, []).append(i)
            for name, places in self._many.items():
                places.append(self._one[name])
        self._one.pop("", None)
        self._many.pop("", None)

    def add(self, name: str, place: int) -> None:
        if name and place not in self.get(name):
            if name in self._one:
                self._many.setdefault(name, [self._one[name]]).append(place)
                self._many[name].sort()
            else:
                self._one[name] = place

    def get(self, name: str, default: Positions = ()) -> Positions:
        if name in self._many:
            return tuple(self._many[name])
        return (self._one[name],) if name in self._one else default


@lru_cache(maxsize=8)
def _aliases(policy: GroundPolicy) -> dict[str, str]:
    """The small plural list: "setting" may be called "settings", either way."""
    return {a: b for one, many in policy.plurals for a, b in ((one, many), (many, one))}


@lru_cache(maxsize=8)
def plain_words(policy: GroundPolicy) -> frozenset[str]:
    """Words that tell no label from another."""
    return frozenset((*policy.label_stop_words, *policy.acceptance_words, *policy.articles))


@lru_cache(maxsize=8)
def stop_words(policy: GroundPolicy) -> frozenset[str]:
    return plain_words(policy) | frozenset(policy.verbs)
