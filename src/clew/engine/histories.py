"""Conversations that can be searched: taken in, kept up as they grow, and asked.

Turns are the truth; what is derived from them is made in batches, each written whole, so that whatever stops
half way goes on from there. A turn costs the same to add whether the conversation is short or long.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import Any

import numpy as np

from clew.engine.words import Words, matrix
from clew.errors import InvalidInput, NotFound, StoreFailure
from clew.frozen import dataclass
from clew.kernel.recall.turns import ask as asks
from clew.kernel.recall.turns import entries, score
from clew.kernel.recall.turns.entries import Run
from clew.kernel.recall.turns.index import Index, empty, extended, with_words
from clew.kernel.recall.turns.only import Only, allowed
from clew.kernel.recall.turns.rank import Hit, leading, settled
from clew.kernel.recall.turns.speakers import Names
from clew.kernel.recall.turns.view import gather
from clew.kernel.recall.turns.vocabulary import basis
from clew.model.transcript import Line
from clew.policy import Policy
from clew.ports.embeddings import Embedder
from clew.ports.index import Derived, StoredRun, StoredTurn, TurnIndex

Progress = Callable[[int, int], None]  # turns done, turns there are
_OPENED = ("heads", "sizes", "hashes", "counts", "scales", "coarse")


@dataclass(frozen=True, slots=True)
class Ingested:
    """What happened to the lines of a transcript."""

    turns: int  # now in the conversation
    added: int
    changed: int
    known: int  # sent before, word for word


def ingest(
    index: TurnIndex,
    conversation: str,
    lines: Sequence[Line],
    policy: Policy,
    embedder: Embedder | None,
    *,
    owner: str | None = None,
    progress: Progress | None = None,
) -> Ingested:
    """Store a transcript, or more of one. Each batch is made before it is written, and written whole.

    `owner` is the user whose transcript it is: it then comes to their mind, and goes when they go.
    Without an embedder only the turns are stored; what is derived is made when they are first asked for.
    """
    if index.is_chat(conversation):
        raise InvalidInput(f"{conversation!r} is a chat; choose another name", pointer="--conversation")
    last = index.last(conversation)
    added, changed = _merge(index.known(conversation, lines), lines, last)
    keeper = Keeper(index, conversation, policy, embedder)
    if owner is not None:
        index.save(conversation, owner=owner)
    if embedder is None:
        index.save(conversation, turns=[*changed, *added])
        if changed:
            index.forget_derived(conversation)
    else:
        keeper.meet(line.speaker for line in lines)
        if last >= 0:
            keeper.catch_up(progress=progress)
        size = policy.recall.batch_turns
        for start in range(0, len(added), size):
            keeper.add(added[start : start + size], store=True)
            if progress is not None:
                progress(min(start + size, len(added)), len(added))
        if changed:
            index.save(conversation, turns=changed)
            keeper.redo([turn.position for turn in changed])
    if changed:
        _cool(index, conversation)
    return Ingested(last + 1 + len(added), len(added), len(changed), len(lines) - len(added) - len(changed))


class Keeper:
    """Keeps what is derived from one conversation in step with its turns."""

    def __init__(
        self, index: TurnIndex, conversation: str, policy: Policy, embedder: Embedder | None
    ) -> None:
        self._index, self._name, self._policy, self._embedder = index, conversation, policy, embedder
        found = index.derived(conversation)
        stamp = entries.stamp(policy)
        space = embedder.space if embedder is not None else found.space if found is not None else ""
        # Read in another way, or embedded in another space: made again, never mixed.
        self.fresh = found is None or found.stamp != stamp or found.space != space
        self.state = Derived(stamp, space, (), -1) if found is None or self.fresh else found
        # With vectors stored and no embedder at hand, or a database that cannot be written now,
        # what is missing is read but not kept.
        self._writes = embedder is not None or not space
        self.usable = not self.fresh
        if found is not None and self.fresh:
            try:
                index.forget_derived(conversation)
            except StoreFailure:
                self._writes = False
        self.unkept: list[Run] = []
        self._before: tuple[int, Line] | None = None
        self._words = Words(index, conversation, policy, embedder)
        self._names: Names | None = None

    def meet(self, speakers: Iterator[str] | Sequence[str]) -> None:
        """Speakers have numbers in the order in which they were first heard; what named a new one is read again."""
        known = self.state.speakers
        new = [s for s in dict.fromkeys(speakers) if s not in known]
        if not new and self._names is not None:
            return
        self.state = replace(self.state, speakers=(*known, *new))
        before = self._names or Names(known, self._policy)
        self._names = Names(self.state.speakers, self._policy)
        called = sorted(self._names.words - before.words)
        if called and self.state.last >= 0 and self._embedder is not None:
            held = self._index.turns(self._name, holding=called)
            self.redo([t.position for t in held if t.position <= self.state.last])

    def catch_up(self, most: int | None = None, progress: Progress | None = None) -> bool:
        """Read what is not read yet, at most so many turns; True when nothing is left."""
        whole = self._index.last(self._name)
        left = most
        while self.state.last < whole and (left is None or left > 0):
            size = (
                self._policy.recall.batch_turns
                if left is None
                else min(left, self._policy.recall.batch_turns)
            )
            turns = self._index.turns(self._name, after=self.state.last, most=size)
            if not turns:
                break
            self.add(turns)
            left = None if left is None else left - len(turns)
            if progress is not None:
                progress(self.state.last + 1, whole + 1)
        return self.state.last >= whole

    def add(self, turns: Sequence[StoredTurn], *, store: bool = False) -> None:
        """Turns that follow the last one; `store`: they are written with what is derived from them."""
        self.meet([turn.line.speaker for turn in turns])
        run, shared, own = self._read(turns, self._line_before(turns[0].position))
        self.state = replace(self.state, last=turns[-1].position)
        self._before = (turns[-1].position, turns[-1].line)
        if self._writes:
            made = StoredRun(turns[0].position, turns[-1].position, run.columns())
            try:
                self._index.save(
                    self._name,
                    turns=turns if store else (),
                    derived=self.state,
                    runs=[made],
                    words=own,
                    shared=shared,
                )
            except StoreFailure:
                if store:
                    raise
                self._writes = False
            else:
                self.usable = True
                return
        self.unkept.append(run)

    def redo(self, positions: Collection[int]) -> None:
        """Turns whose text or whose names changed."""
        wanted = sorted(set(positions))
        while wanted:
            found = self._index.runs(self._name, tuple(entries.COLUMNS), after=wanted[0] - 1, upto=wanted[0])
            if not found:
                return
            stored = found[0]
            here = [p for p in wanted if p <= stored.last]
            wanted = wanted[len(here) :]
            run = Run.of(stored.columns)
            words: dict[int, bytes] = {}
            shared: dict[int, bytes] = {}
            for turn in self._index.turns(self._name, positions=here):
                new, common, own = self._read([turn], self._line_before(turn.position))
                place = int(np.searchsorted(run.heads["position"], turn.position))
                run = entries.spliced(run, place, new)
                words |= own
                shared |= common
            again = StoredRun(stored.first, stored.last, run.columns())
            self._index.save(self._name, derived=self.state, runs=[again], words=words, shared=shared)

    def _line_before(self, position: int) -> Line | None:
        if self._before is not None and self._before[0] == position - 1:
            return self._before[1]
        found = self._index.turns(self._name, positions=[position - 1]) if position > 0 else []
        return found[0].line if found else None

    def _read(
        self, turns: Sequence[StoredTurn], before: Line | None
    ) -> tuple[Run, dict[int, bytes], dict[int, bytes]]:
        numbers = {speaker: i for i, speaker in enumerate(self.state.speakers)}
        reading = entries.read([(t.position, t.line) for t in turns], before, numbers, self._policy)
        embedder = self._embedder
        if embedder is None:
            return reading.run, {}, {}
        assert self._names is not None
        texts = [self._names.removed(p) for group in reading.passages for p in group]
        rows, shared, own = self._words.made(texts, reading.words)
        directions = basis(self._policy, embedder.space, embedder.dimensions)
        outline = None if directions is None else directions[:, : self._policy.recall.outline]
        return entries.with_vectors(reading.run, rows, outline), shared, own


class Recaller:
    """One opened conversation that answers many questions; texts and vectors are read as they are needed."""

    def __init__(
        self, store: TurnIndex, conversation: str, index: Index, policy: Policy, embedder: Embedder | None
    ) -> None:
        self.index = index
        self.scales = np.zeros((0, 2), np.float32)
        self._store, self._name = store, conversation
        self._policy, self._embedder = policy, embedder
        self._words = Words(store, conversation, policy, embedder)
        # Vectors at hand: where each stretch of passages begins, in order, and its rows.
        self._begins: list[int] = []
        self._held: dict[int, Any] = {}

    def take(self, runs: Sequence[Run], speakers: Sequence[str]) -> None:
        """More of the conversation, at its end."""
        if not runs and tuple(speakers) == self.index.speakers:
            return
        index = extended(self.index, runs, speakers, self._policy)
        if self._embedder is not None:
            index = with_words(index, self._words.of)
            self.scales = np.concatenate([self.scales, *(r.scales.reshape(-1, 2) for r in runs)])
        self.index = index

    def recall(
        self,
        query: str,
        k: int | None = None,
        *,
        at: datetime | None = None,
        budget: int | None = None,
        only: Only | None = None,
        vector: Sequence[float] | None = None,
    ) -> tuple[Hit, ...]:
        """`vector` is that of the question, for a caller who has it; it is used where no name is taken out."""
        policy = self._policy
        k = policy.recall.default_k if k is None else k
        if not 1 <= k <= policy.recall.k_max:
            raise InvalidInput(f"k must be between 1 and {policy.recall.k_max}, got {k}", pointer="/k")
        asked = asks.read(query, self.index.names, self.index.years, policy, at)
        may = None if only is None else allowed(self.index, only, self._places(only), policy)
        gathered, dots = self._gather(asked, vector, may)
        first = leading(self.index, gathered, asked, k, policy, dots=dots, allowed=may)
        lines = self._lines(first.turns)
        first = first.without([turn for turn in first.turns if turn not in lines])
        return settled(self.index, asked, first, lines, k, policy, budget)

    def parts(self, query: str, at: datetime | None = None) -> dict[str, Any]:
        """What speaks for each turn, before it is weighed."""
        asked = asks.read(query, self.index.names, self.index.years, self._policy, at)
        gathered, dots = self._gather(asked, None, None)
        return score.parts(self.index, gathered, asked, self._policy, dots=dots)

    def _gather(self, asked: asks.Ask, vector: Sequence[float] | None, may: Any) -> tuple[Any, Any]:
        policy, embedder = self._policy, self._embedder
        if embedder is None or not len(self.scales):
            return gather(self.index, asked, policy, allowed=may), None
        given = vector if asked.bare == asked.text else None
        question, words = self._words.asked(asked.bare, given, asked.terms)
        directions = basis(policy, embedder.space, embedder.dimensions)
        outline = None if directions is None else question @ directions[:, : policy.recall.outline]
        gathered = gather(self.index, asked, policy, word_vectors=words, outline=outline, allowed=may)
        return gathered, self._dots(gathered.view.passages, question)

    def _dots(self, passages: Any, question: Any) -> Any:
        """With the vectors of these passages (in order), read from the store where they are not at hand."""
        # Whole numbers on both sides: the sums are exact, however the vectors are laid out.
        asked, scale = entries.eighths(question[None])
        whole = asked[0].astype(np.float32)
        out = np.zeros(len(passages), np.float32)
        at = 0
        while at < len(passages):
            first, end, rows = self._chunk(int(passages[at]))
            upto = int(np.searchsorted(passages, end))
            some = passages[at:upto] - first
            picked = rows if len(some) == len(rows) else rows[some]
            out[at:upto] = picked.astype(np.float32) @ whole
            at = upto
        return out * (self.scales[passages, 0] * scale[0])

    def _chunk(self, passage: int) -> tuple[int, int, Any]:
        """(first passage, end, rows) of the stretch that holds this one."""
        for _ in range(2):
            place = bisect_right(self._begins, passage) - 1
            if place >= 0:
                first = self._begins[place]
                rows = self._held[first]
                if passage < first + len(rows):
                    return first, first + len(rows), rows
            self._fetch(passage)
        return passage, passage + 1, np.zeros((1, self._width), np.int8)  # gone since it was opened

    def _fetch(self, passage: int) -> None:
        """The vectors of the run that holds it, and of the short ones that follow."""
        heads = self.index.heads
        ends = np.append(self.index.turn_start, len(self.index.passage_turn))
        position = int(heads["position"][self.index.passage_turn[passage]])
        upto = position + self._policy.recall.batch_turns
        for run in self._store.runs(self._name, ["vectors"], after=position - 1, upto=upto):
            first = int(ends[np.searchsorted(heads["position"], run.first)])
            end = int(ends[np.searchsorted(heads["position"], run.last, side="right")])
            rows = np.frombuffer(run.columns["vectors"], np.int8).reshape(-1, self._width)
            self.hold(first, rows[: end - first])

    @property
    def _width(self) -> int:
        assert self._embedder is not None
        return self._embedder.dimensions

    def hold(self, first: int, rows: Any) -> None:
        """Keep the vectors of passages from `first` on; the oldest go when there are too many."""
        # Runs may have been joined since: what lies inside this one is held by it.
        inside = slice(bisect_left(self._begins, first), bisect_left(self._begins, first + len(rows)))
        for begin in self._begins[inside]:
            del self._held[begin]
        self._begins[inside] = [first]
        self._held[first] = rows
        while (
            len(self._held) > 1
            and sum(r.nbytes for r in self._held.values()) > self._policy.recall.warm_vectors
        ):
            oldest = next(iter(self._held))
            del self._held[oldest]
            self._begins.remove(oldest)

    def _lines(self, turns: Sequence[int]) -> Mapping[int, Line]:
        positions = {int(self.index.heads["position"][turn]): turn for turn in turns}
        found = self._store.turns(self._name, positions=list(positions))
        return {positions[stored.position]: stored.line for stored in found}

    def _places(self, only: Only) -> set[int]:
        return set(self._store.places(self._name, only.without)) if only.without else set()


def load(
    index: TurnIndex,
    conversation: str,
    policy: Policy,
    embedder: Embedder | None,
    *,
    most: int | None = None,
    progress: Progress | None = None,
) -> Recaller:
    """Opened, and brought up to date first: what is missing, or was made otherwise, is made from the turns."""
    if index.last(conversation) < 0:
        raise NotFound(f"no conversation {conversation!r} has been ingested", pointer="--conversation")
    keeper = Keeper(index, conversation, policy, embedder)
    # Derived data: a database that cannot be written now still answers from what there is.
    with suppress(StoreFailure):
        keeper.catch_up(most, progress)
    opened = Recaller(index, conversation, empty(policy), policy, embedder)
    stored = [Run.of(run.columns) for run in index.runs(conversation, _OPENED)] if keeper.usable else []
    first = sum(len(run.sizes) for run in stored)
    for run in keeper.unkept:
        if embedder is not None:
            opened.hold(first, run.vectors)
        first += len(run.sizes)
    opened.take([*stored, *keeper.unkept], keeper.state.speakers)
    return opened


_WARM: OrderedDict[tuple[str, str, str, str], Recaller] = OrderedDict()


def cool(index: TurnIndex, conversation: str) -> None:
    """Turns were taken out: what was derived from them is made again when the conversation is next asked."""
    index.forget_derived(conversation)
    for key in [k for k in _WARM if k[:2] == (index.place, conversation)]:
        _WARM.pop(key, None)


def warm(index: TurnIndex, conversation: str, policy: Policy, embedder: Embedder | None) -> Recaller:
    """Opened once and kept while the process lives; turns that came in are added to it."""
    key = (index.place, conversation, embedder.space if embedder else "", policy.fingerprint)
    kept = _WARM.get(key)
    most = policy.recall.catch_up_turns
    if kept is None:
        kept = load(index, conversation, policy, embedder, most=most)
    elif kept.index.last != index.last(conversation):
        keeper = Keeper(index, conversation, policy, embedder)
        with suppress(StoreFailure):
            keeper.catch_up(most)
        if (
            keeper.fresh
            or keeper.state.speakers[: len(kept.index.speakers)] != kept.index.speakers
            or keeper.unkept
        ):
            kept = load(index, conversation, policy, embedder, most=most)
        else:
            new = index.runs(conversation, _OPENED, after=kept.index.last)
            kept.take(
                [entries.after(Run.of(run.columns), kept.index.last) for run in new], keeper.state.speakers
            )
    _WARM[key] = kept
    _WARM.move_to_end(key)
    while len(_WARM) > policy.recall.warm_conversations:
        _WARM.popitem(last=False)
    return kept


def _cool(index: TurnIndex, conversation: str) -> None:
    for key in [key for key in _WARM if key[:2] == (index.place, conversation)]:
        del _WARM[key]


def _merge(
    stored: Sequence[StoredTurn], lines: Sequence[Line], last: int
) -> tuple[list[StoredTurn], list[StoredTurn]]:
    """(added, changed): a turn is known by its id, or by its index where it has none."""
    there = {_key(turn.line): turn for turn in stored}
    named: dict[tuple[str, Any], Line] = {}
    added: list[StoredTurn] = []
    changed: list[StoredTurn] = []
    for number, line in enumerate(lines, 1):
        key = _key(line)
        twice = named.get(key)
        if twice is not None and _said(twice) != _said(line):
            what, name = key
            raise InvalidInput(f"line {number}: {what} {name!r} is used twice", pointer=f"/{what}")
        if twice is not None:
            continue
        named[key] = line
        turn = there.get(key)
        if turn is None:
            added.append(StoredTurn(last + 1 + len(added), line))
        elif _said(turn.line) != _said(line):
            changed.append(StoredTurn(turn.position, line))
    return added, changed


def _key(line: Line) -> tuple[str, Any]:
    return ("id", line.id) if line.id is not None else ("index", line.index)


def _said(line: Line) -> tuple[str, str, datetime | None]:
    return line.speaker, line.text, line.at


__all__ = ["Ingested", "Keeper", "Recaller", "cool", "ingest", "load", "matrix", "warm"]
