"""The bounded candidates, indexed once: every question about labels is a few look-ups."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from rapidfuzz.distance import OSA

from clew.kernel.ground.canonical import Plain, key
from clew.kernel.ground.phrases import Tokens, split
from clew.kernel.ground.pool import Pool, split_all
from clew.model.canonical import sha256
from clew.model.evidence import DISAMBIGUATORS, Candidate
from clew.policy.ground import GroundPolicy

Positions = tuple[int, ...]
# A label may carry an article that people drop.
_ARTICLES = frozenset({"the", "a", "an"})


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
    def words(self) -> tuple[Tokens, ...]:
        return self.pool.words

    @cached_property
    def extra_words(self) -> tuple[frozenset[str], ...]:
        columns = [self.pool.column(name) for name in DISAMBIGUATORS if any(self.pool.column(name))]
        told = [split_all([text or "" for text in column]) for column in columns]
        return tuple(frozenset(w for words in told for w in words[i]) for i in range(len(self.pool)))

    @cached_property
    def extra_postings(self) -> dict[str, list[int]]:
        return _post(self.extra_words)

    @cached_property
    def type_words(self) -> frozenset[str]:
        """What the candidates are called as a kind: "the second movie"."""
        return frozenset(w for kind in {t for t in self.pool.column("type") if t} for w in split(kind))

    @cached_property
    def labels(self) -> dict[str, Positions]:
        found: dict[str, Positions] = {}
        for i, words in enumerate(self.words):
            whole = "".join(words)
            if whole:
                found[whole] = (*found[whole], i) if whole in found else (i,)
            if len(words) > 1 and words[0] in _ARTICLES:
                bare = "".join(words[1:])
                found[bare] = (*found.get(bare, ()), i)
        return found

    @cached_property
    def sublabels(self) -> dict[str, Positions]:
        found: dict[str, Positions] = {}
        sublabels, paths = self.pool.column("sublabel"), self.pool.column("path")
        names: list[str] = []
        if any(paths):
            names = [(p or "").replace("\\", "/").rstrip("/").rsplit("/", 1)[-1] for p in paths]
        for column in (sublabels, paths, names):
            for i, words in enumerate(split_all([text or "" for text in column]) if any(column) else ()):
                if words:
                    told = "".join(words)
                    found[told] = _with(found[told], i) if told in found else (i,)
        return found

    def same_words(self, tokens: Tokens) -> Positions:
        """Labels of exactly these words, in whatever order."""
        wanted = frozenset(tokens)
        if not wanted:
            return ()
        near = min((self.postings.get(t, []) for t in wanted), key=len)
        return tuple(p for p in dict.fromkeys(near) if frozenset(self.words[p]) == wanted)

    @cached_property
    def postings(self) -> dict[str, list[int]]:
        return _post(self.words)

    @cached_property
    def _posted(self) -> dict[tuple[str, bool], frozenset[int]]:
        """Made for the words that are asked for: most words of a long list never are."""
        return {}

    def holders(self, word: str, *, described: bool = False) -> frozenset[int]:
        """Who has this word in the label or, when described, in what else is known."""
        if (word, described) not in self._posted:
            more = self.extra_postings.get(word, ()) if described else ()
            self._posted[word, described] = frozenset((*self.postings.get(word, ()), *more))
        return self._posted[word, described]

    @cached_property
    def memo(self) -> dict[object, str]:
        """Fingerprints by scope and set: the pack of an unchanged list is hashed once."""
        return {}

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
        return tuple(p for p in hits if set(leftover) <= self.extra_words[p])

    def soft(self, tokens: Tokens, policy: GroundPolicy) -> Positions:
        """Labels that hold every content word of the message: a hint, never a winner."""
        said = tuple(t for t in tokens if t not in stop_words(policy))
        content = tuple(t for t in said if t not in policy.kind_nouns or t in self.postings) or said
        if not content or sum(map(len, content)) < policy.soft_match_length:
            return ()
        found = [self.holders(t) for t in content]
        smallest = min(found, key=len)
        whole = tuple(sorted(p for p in smallest if all(p in f for f in found)))
        return whole or self._beginning(key(content), policy)

    @cached_property
    def _sorted_keys(self) -> list[tuple[str, int]]:
        return sorted((key(words), i) for i, words in enumerate(self.words))

    def near(self, tokens: Tokens, policy: GroundPolicy) -> Positions:
        """Labels one slip away: a hint to confirm, looked for in short lists only."""
        said = key(tuple(t for t in tokens if t not in stop_words(policy)))
        if len(said) < policy.typo_length or len(self.candidates) > policy.typo_candidates:
            return ()
        return tuple(p for k, p in self._sorted_keys if OSA.distance(said, k, score_cutoff=1) == 1)

    def _beginning(self, start: str, policy: GroundPolicy) -> Positions:
        """Labels that begin like this; one more than is shown is enough to know there are many."""
        place = bisect_left(self._sorted_keys, (start, -1))
        ahead = self._sorted_keys[place : place + policy.clarifier_candidates + 1]
        return tuple(sorted(p for k, p in ahead if k.startswith(start)))


def _with(places: Positions, place: int) -> Positions:
    return places if place in places[-2:] else tuple(sorted((*places, place)))


def _post(rows: Iterable[Iterable[str]]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for i, row in enumerate(rows):
        for word in row:
            found.setdefault(word, []).append(i)
    return found


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
