"""An exact near-duplicate index over many open loops of one owner.

Prefix filtering with small groups of tokens: order tokens from rare to common. Two sets of n and m tokens
that reach the threshold t share at least o = ceil(t·(n+m)/(1+t)) of them, so their first w shared tokens lie
among the first n-o+w of one and m-o+w of the other. A loop of m tokens is filed under its size and every
group of w(m) of its first tokens; a query looks only where a loop of some fitting size could share a group.
Every find is then counted exactly: nothing is approximate.
Must not know: texts, types, guards.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from fractions import Fraction
from itertools import accumulate, combinations
from operator import itemgetter

from clew.frozen import dataclass

_FIRST_PACK = 1 << 14
# Pairs of tokens up to this size; longer loops have so many that single tokens are cheaper.
_PAIRS = 40
_GOLDEN, _BITS = 0x9E3779B97F4A7C15, (1 << 62) - 1


@dataclass(frozen=True, slots=True)
class Match:
    key: str
    similarity: Fraction


class LoopIndex:
    """Finds open threads with similar words: add, remove, query. Packs itself into flat arrays each time it doubles."""

    __slots__ = (
        "_buckets", "_fresh", "_keys", "_mask", "_numbers", "_packed", "_plans",
        "_posts", "_sizes", "_sketches", "_slots", "_starts", "_tokens", "threshold",
    )

    def __init__(self, threshold: Fraction) -> None:
        if not 0 < threshold <= 1:
            raise ValueError("threshold must be above 0 and at most 1")
        self.threshold = threshold
        self._numbers: dict[str, int] = {}  # token -> number; a later number is taken for a rarer token
        self._slots: dict[str, int] = {}
        self._keys: list[str | None] = []
        self._sizes: set[int] = set()
        self._plans: dict[tuple[int, int, int], list[tuple[int, int, int, int]]] = {}
        self._tokens = array("I")
        self._starts = array("Q", [0])
        self._sketches = array("Q")
        self._fresh: dict[int, list[int]] = {}
        self._packed = 0
        self._buckets = array("I", [0, 0])
        self._posts = array("I")
        self._mask = 0

    @classmethod
    def build(cls, threshold: Fraction, items: Iterable[tuple[str, AbstractSet[str]]]) -> LoopIndex:
        """From many at once: one packing at the end."""
        index = cls(threshold)
        for key, tokens in items:
            index._append(key, tokens)
        index.pack()
        return index

    def __len__(self) -> int:
        return len(self._slots)

    def __contains__(self, key: str) -> bool:
        return key in self._slots

    def __iter__(self) -> Iterator[str]:
        return iter(self._slots)

    def add(self, key: str, tokens: AbstractSet[str]) -> None:
        """File one loop; a key that is there already is replaced."""
        self.remove(key)
        slot = self._append(key, tokens)
        for mark in self._marks(self._tokens[self._starts[slot] :].tolist()):
            self._fresh.setdefault(mark, []).append(slot)
        if len(self._keys) - self._packed > max(_FIRST_PACK, self._packed):
            self.pack()

    def remove(self, key: str) -> bool:
        slot = self._slots.pop(key, None)
        if slot is None:
            return False
        self._keys[slot] = None
        return True

    def query(self, tokens: AbstractSet[str], threshold: Fraction | None = None) -> tuple[Match, ...]:
        """Every loop at or above the threshold, most alike first, then oldest first."""
        limit = self.threshold if threshold is None else threshold
        if limit < self.threshold:
            raise ValueError("the index was built for a higher threshold")
        numbers = self._numbers
        known = sorted((numbers[t] for t in tokens if t in numbers), reverse=True)
        found = self._near(known, len(tokens), limit)
        return self._exact(found, frozenset(known), len(tokens), limit) if found else ()

    def _near(self, known: list[int], size: int, limit: Fraction) -> set[int]:
        """Slots that share a group with the query and, by their sketch, do not differ too much."""
        buckets, posts, mask, fresh, sketches = (
            self._buckets, self._posts, self._mask, self._fresh, self._sketches,
        )
        sketch = _sketch(known)
        # Tokens nobody has are the rarest of all: they take the first places and match nothing.
        unseen = size - len(known)
        groups: dict[tuple[int, int], list[int]] = {}
        found: set[int] = set()
        for room, group, slack, salt in self._plan(size, limit):
            if room - unseen < group:
                continue
            hashes = groups.get((room, group))
            if hashes is None:
                hashes = groups[room, group] = list(map(hash, combinations(known[: room - unseen], group)))
            most = slack - unseen
            for h in hashes:
                bucket = (h ^ salt) & mask
                start, end = buckets[bucket], buckets[bucket + 1]
                if start != end:
                    # A bit that only one side has is a token that only one side has.
                    found.update(s for s in posts[start:end] if (sketches[s] ^ sketch).bit_count() <= most)
                if fresh and h ^ salt in fresh:
                    found.update(s for s in fresh[h ^ salt] if (sketches[s] ^ sketch).bit_count() <= most)
        return found

    def _exact(self, slots: set[int], held: frozenset[int], size: int, limit: Fraction) -> tuple[Match, ...]:
        up, down = limit.numerator, limit.denominator
        starts, tokens, keys = self._starts, self._tokens, self._keys
        hits: list[tuple[int, int, Match]] = []
        ratios: dict[tuple[int, int], Fraction] = {}
        for slot in slots:
            start, end = starts[slot], starts[slot + 1]
            shared = len(held.intersection(tokens[start:end]))
            either = size + end - start - shared
            key = keys[slot]
            if shared * down < up * either or key is None:
                continue
            ratio = ratios.get((shared, either))
            if ratio is None:
                ratio = ratios[shared, either] = Fraction(shared, either)
            # Distinct ratios of small numbers differ long before this many bits.
            hits.append((-(shared << 64) // either, slot, Match(key, ratio)))
        hits.sort(key=itemgetter(0, 1))
        return tuple(match for _, _, match in hits)

    def _append(self, key: str, tokens: AbstractSet[str]) -> int:
        if key in self._slots:
            self.remove(key)
        numbers = self._numbers
        # Sorted, so that numbering does not depend on the order inside a set.
        for token in sorted(tokens):
            if token not in numbers:
                numbers[token] = len(numbers)
        slot = len(self._keys)
        self._slots[key] = slot
        self._keys.append(key)
        held = sorted((numbers[t] for t in tokens), reverse=True)
        self._tokens.extend(held)
        self._sketches.append(_sketch(held))
        self._starts.append(len(self._tokens))
        if len(tokens) not in self._sizes:
            self._sizes.add(len(tokens))
            self._plans.clear()
        return slot

    def _group(self, size: int) -> int:
        """How many tokens a loop of this size is filed under; never more than it must share."""
        return min(2 if size <= _PAIRS else 1, _ceil(self.threshold.numerator * size, self.threshold.denominator))

    def _marks(self, rare_first: list[int]) -> list[int]:
        """Where a loop is filed. Hashes of integers are the same in every process."""
        size = len(rare_first)
        if not size:
            return []
        group, salt = self._group(size), size * _GOLDEN & _BITS
        needed = _ceil(self.threshold.numerator * size, self.threshold.denominator)
        return [h ^ salt for h in map(hash, combinations(rare_first[: size - needed + group], group))]

    def _plan(self, size: int, limit: Fraction) -> list[tuple[int, int, int, int]]:
        """For a query of this size and each size of loop: how many of its first tokens count, in which groups,
        and how many tokens may stand on one side only."""
        up, down = limit.numerator, limit.denominator
        plan = self._plans.get((size, up, down))
        if plan is None:
            plan = []
            for other in range(_ceil(up * size, down), size * down // up + 1):
                if other in self._sizes:
                    group, needed = self._group(other), _ceil(up * (size + other), up + down)
                    slack = size + other - 2 * needed
                    plan.append((size - needed + group, group, slack, other * _GOLDEN & _BITS))
            self._plans[size, up, down] = plan
        return plan

    def pack(self) -> None:
        """Drop what was removed, renumber tokens by true rarity, and file everything in flat arrays."""
        live = [(key, self._tokens[self._starts[s] : self._starts[s + 1]]) for key, s in self._slots.items()]
        seen = array("Q", bytes(8 * len(self._numbers)))
        for _, held in live:
            for number in held:
                seen[number] += 1
        order = sorted(range(len(seen)), key=lambda n: (-seen[n], n))
        renumber = array("I", bytes(4 * len(seen)))
        for new, old in enumerate(order):
            renumber[old] = new
        self._numbers = {t: renumber[n] for t, n in self._numbers.items() if seen[n]}
        self._tokens, self._starts, self._sketches = array("I"), array("Q", [0]), array("Q")
        self._keys = [key for key, _ in live]
        self._slots = {key: slot for slot, (key, _) in enumerate(live)}
        self._sizes = {len(held) for _, held in live}
        self._plans = {}
        marks, ends = array("q"), array("Q")
        for _, held in live:
            ranked = sorted([renumber[n] for n in held], reverse=True)
            self._tokens.extend(ranked)
            self._sketches.append(_sketch(ranked))
            self._starts.append(len(self._tokens))
            marks.extend(self._marks(ranked))
            ends.append(len(marks))
        self._fresh = {}
        self._packed = len(live)
        self._file(marks, ends)

    def _file(self, marks: array[int], ends: array[int]) -> None:
        """Counting sort of slots by bucket; two marks may share a bucket, the exact count sorts them out."""
        size = 1
        while size < len(marks):
            size *= 2
        mask = size - 1
        counts = array("I", bytes(4 * (size + 1)))
        for mark in marks:
            counts[mark & mask] += 1
        buckets = array("I", accumulate(counts))
        posts = array("I", bytes(4 * len(marks)))
        at = len(marks)
        for slot in range(len(ends) - 1, -1, -1):
            first = ends[slot - 1] if slot else 0
            while at > first:
                at -= 1
                bucket = marks[at] & mask
                place = buckets[bucket] - 1
                buckets[bucket] = place
                posts[place] = slot
        self._buckets, self._posts, self._mask = buckets, posts, mask


def _ceil(up: int, down: int) -> int:
    return -(-up // down)


def _sketch(numbers: list[int]) -> int:
    """One bit a token, in 64."""
    bits = 0
    for number in numbers:
        bits |= 1 << (number & 63)
    return bits
