"""The open loops as something to compare an add with: equivalents of its type, near ones of its family."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from clew.kernel.text.normalize import normalize
from clew.kernel.weave.duplicate import family_threshold, loop_guard, loop_sequence
from clew.kernel.weave.index import LoopIndex
from clew.model.thread import Thread, ThreadAdd, ThreadType
from clew.policy import Policy

_ONE = Fraction(1)


class Active:
    """Loops by place, indexed when their type is first asked for."""

    __slots__ = ("_by_type", "_indexes", "_policy", "_sequences", "_silent", "_threads")

    def __init__(self, threads: Iterable[Thread], policy: Policy) -> None:
        self._policy = policy
        self._threads: list[Thread] = []
        self._by_type: dict[ThreadType, list[int]] = {kind: [] for kind in ThreadType}
        self._indexes: dict[ThreadType, LoopIndex] = {}
        self._silent: dict[tuple[ThreadType, str], list[int]] = {}
        self._sequences: dict[int, tuple[str, ...]] = {}
        for thread in threads:
            self.append(thread)

    def append(self, thread: Thread) -> None:
        place = len(self._threads)
        self._threads.append(thread)
        self._by_type[thread.type].append(place)
        if thread.type in self._indexes:
            self._file(place)

    def _file(self, place: int) -> None:
        thread = self._threads[place]
        sequence = loop_sequence(thread.text, thread.type, self._policy.weave)
        self._sequences[place] = sequence
        if sequence:
            self._indexes[thread.type].add(str(place), frozenset(sequence))
        else:
            self._silent.setdefault((thread.type, normalize(thread.text)), []).append(place)

    def _index(self, kind: ThreadType) -> LoopIndex:
        if kind not in self._indexes:
            self._indexes[kind] = LoopIndex(self._policy.weave.thresholds[kind])
            for place in self._by_type[kind]:
                self._file(place)
        return self._indexes[kind]

    def equivalents(self, add: ThreadAdd) -> list[tuple[int, Fraction]]:
        """Same type, at or above its threshold, no guard against it (ruling T3); most alike first."""
        index = self._index(add.type)
        sequence = loop_sequence(add.text, add.type, self._policy.weave)
        if not sequence:
            # A text without one comparable word equals only itself.
            return [(p, _ONE) for p in self._silent.get((add.type, normalize(add.text)), ())]
        found = ((int(m.key), m.similarity) for m in index.query(frozenset(sequence)))
        return [(p, s) for p, s in found if not self._guarded(p, add)]

    def across_types(self, add: ThreadAdd) -> list[tuple[int, Fraction]]:
        """Near ones of other question types, at the stricter threshold (ruling T13)."""
        out: list[tuple[int, Fraction]] = []
        weave = self._policy.weave
        for kind in ThreadType:
            threshold = family_threshold(add.type, kind, weave)
            if threshold is None or not self._by_type[kind]:
                continue
            tokens = frozenset(loop_sequence(add.text, add.type, weave))
            found = ((int(m.key), m.similarity) for m in self._index(kind).query(tokens, threshold))
            out += [(p, s) for p, s in found if not self._guarded(p, add)]
        return sorted(out, key=lambda hit: (-hit[1], hit[0]))

    def same_sequence(self, place: int, add: ThreadAdd) -> bool:
        return self._sequences[place] == loop_sequence(add.text, add.type, self._policy.weave)

    def _guarded(self, place: int, add: ThreadAdd) -> bool:
        thread = self._threads[place]
        return loop_guard(thread.text, add.text, thread.type, add.type, self._policy) is not None
