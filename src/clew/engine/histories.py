"""Conversations that can be searched: taken in, kept up as they grow, and asked.

Turns are the truth; what is derived from them is made in batches, each written whole, so that whatever stops
half way goes on from there. A turn costs the same to add whether the conversation is short or long.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import Any

import numpy as np

from clew.engine import searching
from clew.engine.recaller import Recaller
from clew.engine.words import Words, matrix
from clew.errors import InvalidInput, NotFound, StoreFailure
from clew.frozen import dataclass
from clew.kernel.recall.turns import entries, excerpt
from clew.kernel.recall.turns.entries import Run
from clew.kernel.recall.turns.index import empty
from clew.kernel.recall.turns.speakers import Names
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
        if last > keeper.state.last:
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
        self._names = Names(self.state.speakers, self._policy) if new else before
        called = sorted(self._names.words - before.words)
        if called and self.state.last >= 0 and self._embedder is not None:
            held = self._index.turns(self._name, holding=called)
            self.redo([t.position for t in held if t.position <= self.state.last])

    def waiting(self) -> int:
        """How many turns are not read yet."""
        return self._index.last(self._name) - self.state.last

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
            whole = [run] if self._index.search is None else excerpt.pieces(run, self._policy.recall.leaf_turns)
            try:
                self._index.save(
                    self._name,
                    turns=turns if store else (),
                    derived=self.state,
                    runs=[_stored(piece) for piece in whole],
                    words=own,
                    shared=shared,
                )
            except StoreFailure:
                if store:
                    raise
                self._writes = False
            else:
                self.usable = True
                self.tell()
                return
        self.unkept.append(run)

    def tell(self, again: Sequence[int] = (), most: int | None = None) -> bool:
        """Tell the search index, if there is one, at most so many turns; True when it holds all of the conversation.

        What it does not hold, because it is away or because there is much, later calls make up for. A short
        conversation is never searched, so that nothing of it goes there; one that grows is told in good time.
        """
        search, table = self._index.search, self._policy.recall
        if search is None or self.state.last < table.searched_turns // 2:
            return False
        try:
            most = table.search_fill if most is None else most
            return searching.put_points(
                self._index, search, self._name, self.state, self._policy, again=again, most=most
            )
        except StoreFailure:
            return False

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
            self.tell(here)

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
        texts = [self._names.removed(p.text, p.words) for group in reading.passages for p in group]
        rows, shared, own = self._words.made(texts, reading.words)
        directions = basis(self._policy, embedder.space, embedder.dimensions)
        outline = None if directions is None else directions[:, : self._policy.recall.outline]
        return entries.with_vectors(reading.run, rows, outline), shared, own


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


def searched(
    index: TurnIndex, conversation: str, policy: Policy, embedder: Embedder | None
) -> searching.Searched | None:
    """How a conversation too long to be opened is asked; None: it is short, or there is no search index that serves."""
    if index.search is None or index.last(conversation) < policy.recall.searched_turns:
        return None
    keeper = Keeper(index, conversation, policy, embedder)
    with suppress(StoreFailure):
        keeper.catch_up(policy.recall.catch_up_turns)
    if not keeper.usable or not keeper.tell():
        return None
    return searching.Searched(
        index,
        index.search,
        conversation,
        keeper.state,
        policy,
        embedder,
        lambda: warm(index, conversation, policy, embedder),
    )


def ready(
    index: TurnIndex, conversation: str, policy: Policy, embedder: Embedder | None
) -> Recaller | searching.Searched:
    """Whatever answers questions about a conversation: searched where it is too long to be opened, else kept open."""
    return searched(index, conversation, policy, embedder) or warm(index, conversation, policy, embedder)


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


def _stored(run: Run) -> StoredRun:
    return StoredRun(int(run.heads["position"][0]), int(run.heads["position"][-1]), run.columns())


def _key(line: Line) -> tuple[str, Any]:
    return ("id", line.id) if line.id is not None else ("index", line.index)


def _said(line: Line) -> tuple[str, str, datetime | None]:
    return line.speaker, line.text, line.at


__all__ = ["Ingested", "Keeper", "Recaller", "cool", "ingest", "load", "matrix", "ready", "searched", "warm"]
