"""An exact near-duplicate index over many open loops of one owner.

Prefix filtering with pairs: order tokens from rare to common. Two sets that overlap by at least the
threshold share at least two tokens among their first n - ceil(t·n) + 2, so a loop is filed under every
pair of those, and a query looks only at loops filed under one of its own pairs. Every find is then
counted exactly; nothing is approximate. Thresholds of one half or less file single tokens instead.
Must not know: texts, types, guards.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, combinations

_HALF = Fraction(1, 2)
_FIRST_PACK = 1 << 14


@dataclass(frozen=True, slots=True)
class Match:
    key: str
    similarity: Fraction


class LoopIndex:
    """add, remove, query; packed into flat arrays when it has doubled."""

    __slots__ = (
        "_buckets", "_fresh", "_keys", "_mask", "_numbers", "_packed",
        "_posts", "_slots", "_starts", "_tokens", "_width", "threshold",
    )

    def __init__(self, threshold: Fraction) -> None:
        if not 0 < threshold <= 1:
            raise ValueError("threshold must be above 0 and at most 1")
        self.threshold = threshold
        self._width = 2 if threshold > _HALF else 1
        self._numbers: dict[str, int] = {}  # token -> number; a later number is taken for a rarer token
        self._slots: dict[str, int] = {}
        self._keys: list[str | None] = []
        self._tokens = array("I")
        self._starts = array("Q", [0])
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
        for mark in self._marks(self._tokens[self._starts[slot] :], len(tokens), self.threshold):
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
        size = len(tokens)
        found: set[int] = set()
        buckets, posts, mask, fresh = self._buckets, self._posts, self._mask, self._fresh
        # Tokens nobody has are the rarest of all: they take the first places and match nothing.
        for mark in self._marks(known, size, limit):
            bucket = mark & mask
            start, end = buckets[bucket], buckets[bucket + 1]
            if start != end:
                found.update(posts[start:end])
            if mark in fresh:
                found.update(fresh[mark])
        return self._exact(found, frozenset(known), size, limit) if found else ()

    def _exact(self, slots: set[int], known: frozenset[int], size: int, limit: Fraction) -> tuple[Match, ...]:
        up, down = limit.numerator, limit.denominator
        starts, tokens, keys = self._starts, self._tokens, self._keys
        hits: list[tuple[Fraction, int, str]] = []
        for slot in slots:
            start, end = starts[slot], starts[slot + 1]
            other = end - start
            if down * min(size, other) < up * max(size, other):
                continue
            shared = len(known.intersection(tokens[start:end]))
            if shared * down >= up * (size + other - shared):
                key = keys[slot]
                if key is not None:
                    hits.append((Fraction(shared, size + other - shared), slot, key))
        hits.sort(key=lambda hit: (-hit[0], hit[1]))
        return tuple(Match(key, similarity) for similarity, _, key in hits)

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
        self._tokens.extend(sorted((numbers[t] for t in tokens), reverse=True))
        self._starts.append(len(self._tokens))
        return slot

    def _marks(self, rare_first: Iterable[int], size: int, threshold: Fraction) -> Iterator[int]:
        """The signatures of a set of this size. Hashes of integers are the same in every process."""
        known = rare_first if isinstance(rare_first, list) else list(rare_first)
        if size == 1:
            return map(hash, combinations(known, 1))
        needed = -(-threshold.numerator * size // threshold.denominator)
        room = size - needed + self._width - (size - len(known))
        return map(hash, combinations(known[: max(room, 0)], self._width))

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
        self._tokens, self._starts = array("I"), array("Q", [0])
        self._keys = [key for key, _ in live]
        self._slots = {key: slot for slot, (key, _) in enumerate(live)}
        marks, ends = array("q"), array("Q")
        for _, held in live:
            ranked = sorted([renumber[n] for n in held], reverse=True)
            self._tokens.extend(ranked)
            self._starts.append(len(self._tokens))
            marks.extend(self._marks(ranked, len(ranked), self.threshold))
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
