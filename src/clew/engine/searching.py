"""Conversations too long to be opened: a search index names the turns that may answer, and only those are read.

What the search index holds is made from the stored runs, in batches that go on where they stopped. When it cannot
serve, the conversation is opened as any other: slower, and with the same answer or a better one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import Any

import numpy as np

from clew.engine.recaller import Answering, Recaller, Sought
from clew.engine.words import Words
from clew.errors import StoreFailure
from clew.kernel.recall.turns import entries, excerpt
from clew.kernel.recall.turns.ask import Ask
from clew.kernel.recall.turns.entries import Run, term_number
from clew.kernel.recall.turns.index import empty
from clew.kernel.recall.turns.only import Only
from clew.kernel.recall.turns.rank import Hit
from clew.kernel.recall.turns.speakers import Names
from clew.policy import Policy
from clew.ports.embeddings import Embedder
from clew.ports.index import Derived, TurnIndex
from clew.ports.search import EVERYTHING, Narrow, Point, SearchIndex

_PUT = 16  # runs put at once


def made(state: Derived) -> str:
    """Names how points were made: by this reading, in this space."""
    return f"{state.stamp}/{state.space}"


def put_points(
    index: TurnIndex,
    search: SearchIndex,
    conversation: str,
    state: Derived,
    policy: Policy,
    *,
    again: Sequence[int] = (),
    most: int | None = None,
) -> bool:
    """Tell the search index what it does not hold yet, about `most` turns, and what was read `again`.

    True when it holds everything.
    """
    name = made(state)
    last = search.last(conversation, name)
    end = state.last if most is None else min(state.last, last + most)
    before = [position for position in again if position <= last]
    for run in index.runs_at(conversation, tuple(entries.COLUMNS), before):
        _put(search, conversation, name, excerpt.picked(Run.of(run.columns), np.array(before)), policy)
    while last < end:
        stored = index.runs(conversation, tuple(entries.COLUMNS), after=last, most=_PUT)
        if not stored:
            break
        for run in stored:
            _put(search, conversation, name, entries.after(Run.of(run.columns), last), policy)
            last = run.last
            if last >= end:
                break
    return last >= state.last


def _put(search: SearchIndex, conversation: str, name: str, run: Run, policy: Policy) -> None:
    search.put(conversation, name, [_point(p) for p in excerpt.searchable(run, policy)])


def _point(turn: excerpt.Searchable) -> Point:
    return Point(turn.position, turn.speaker, turn.at, list(turn.vectors), turn.terms)


class Searched(Answering):
    """A conversation that is asked without being opened; answers as a `Recaller` does."""

    def __init__(
        self,
        index: TurnIndex,
        search: SearchIndex,
        conversation: str,
        state: Derived,
        policy: Policy,
        embedder: Embedder | None,
        otherwise: Callable[[], Recaller],
    ) -> None:
        """`otherwise` opens the conversation, for when the search index goes away."""
        super().__init__(policy)
        self._index, self._search, self._name = index, search, conversation
        self._otherwise = otherwise
        self._state, self._embedder = state, embedder
        self._names = Names(state.speakers, policy)
        self._words = Words(index, conversation, policy, embedder, whole=False)

    def found(self, sought: Sought) -> tuple[Hit, ...]:
        policy = self._policy
        asked = sought.against(self._names, self._years, policy)
        try:
            held = self._search.frequencies(self._name, [term_number(term) for term, _ in asked.terms])
            positions = self._promising(asked, sought.vector_of(asked), held, sought.only)
        except StoreFailure:
            return self._otherwise().found(sought)
        stored = self._index.runs_at(self._name, tuple(entries.COLUMNS), positions.tolist())
        runs = excerpt.apart([excerpt.picked(Run.of(run.columns), positions) for run in stored])
        opened = Recaller(self._index, self._name, empty(policy), policy, self._embedder, self._words)
        if runs and self._embedder is not None:
            rows = [run.vectors.reshape(len(run.sizes), -1) for run in runs]
            opened.hold(0, np.concatenate(rows))
        opened.take(runs, self._state.speakers)
        opened.index = replace(opened.index, whole=self._state.last + 1, held=held)
        return opened.found(sought)

    def _promising(
        self, asked: Ask, given: Sequence[float] | None, held: dict[int, int], only: Only | None
    ) -> Any:
        """By the words of the question, by its vector, and by its vector among the days it names."""
        policy, whole, most = self._policy, self._state.last + 1, self._policy.recall.search_most
        narrow = EVERYTHING if only is None else self._narrow(only)
        weights = {number: excerpt.idf(count, whole) for number, count in held.items()}
        found = [(self._search.holding(self._name, weights, most, narrow), 1.0)]
        if self._embedder is not None:
            question = self._words.asked(asked.bare, given, ())[0].tolist()
            found.append((self._search.nearest(self._name, question, most, narrow), 1.0))
            for first, last in asked.dates if narrow.since is None and narrow.until is None else ():
                span = replace(narrow, since=_seconds(first), until=_seconds(last + timedelta(days=1)))
                dated = self._search.nearest(self._name, question, most, span)
                found.append((dated, policy.recall.search_dated))
        groups = [({near.position: near.score for near in group}, weight) for group, weight in found]
        return excerpt.around(groups, self._state.last, policy)

    def _narrow(self, only: Only) -> Narrow:
        return Narrow(
            excerpt.speaker_numbers(self._state.speakers, only.speaker, self._policy),
            None if only.since is None else only.since.timestamp(),
            None if only.until is None else only.until.timestamp(),
        )

    @cached_property
    def _years(self) -> frozenset[int]:
        """From the first turn to the last: a month named without its year is one of these."""
        ends = self._index.turns(self._name, positions=[0, self._state.last])
        years = [turn.line.at.year for turn in ends if turn.line.at is not None]
        return frozenset(range(min(years), max(years) + 1)) if years else frozenset()


def _seconds(day: Any) -> float:
    return datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()
