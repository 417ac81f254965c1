"""One opened conversation: asked many times, extended as it grows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np

from clew.engine.words import Words
from clew.errors import InvalidInput
from clew.kernel.read.inquiry import inquiry
from clew.kernel.recall.turns import entries, score
from clew.kernel.recall.turns.answering import answers_at
from clew.kernel.recall.turns.ask import Ask, against
from clew.kernel.recall.turns.entries import Run
from clew.kernel.recall.turns.index import Index, extended, with_words
from clew.kernel.recall.turns.only import Only, allowed
from clew.kernel.recall.turns.overtaking import Nearby
from clew.kernel.recall.turns.rank import Hit, afforded, leading, settled
from clew.kernel.recall.turns.speakers import Names
from clew.kernel.recall.turns.view import Gathered, gather
from clew.kernel.recall.turns.vocabulary import basis
from clew.model.inquiry import Inquiry
from clew.model.transcript import Line
from clew.policy import Policy
from clew.ports.embeddings import Embedder
from clew.ports.index import TurnIndex


@dataclass(frozen=True, slots=True)
class Sought:
    """One question to one conversation: what is asked, how much is wanted, and where it is looked for."""

    query: Inquiry
    k: int
    at: datetime | None
    budget: int | None
    only: Only | None
    vector: Sequence[float] | None

    def against(self, names: Names, years: Collection[int], policy: Policy) -> Ask:
        return against(self.query, names, years, policy, self.at)

    def vector_of(self, asked: Ask) -> Sequence[float] | None:
        """The vector that came with the question, unless a name was taken out of what is embedded."""
        return self.vector if asked.bare == self.query.text else None


class Answering(ABC):
    """A conversation that answers questions, whether it is opened or searched."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy

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
        most = self._policy.recall.k_max
        k = self._policy.recall.default_k if k is None else k
        if not 1 <= k <= most:
            raise InvalidInput(f"k must be between 1 and {most}, got {k}", pointer="/k")
        return self.found(Sought(inquiry(query, self._policy), k, at, budget, only, vector))

    @abstractmethod
    def found(self, sought: Sought) -> tuple[Hit, ...]:
        """What answers, best first."""


class Recaller(Answering):
    """One opened conversation that answers many questions; texts and vectors are read as they are needed."""

    def __init__(
        self,
        store: TurnIndex,
        conversation: str,
        index: Index,
        policy: Policy,
        embedder: Embedder | None,
        words: Words | None = None,
    ) -> None:
        super().__init__(policy)
        self.index = index
        self.scales = np.zeros((0, 2), np.float32)
        self._store, self._name = store, conversation
        self._embedder = embedder
        self._words = words or Words(store, conversation, policy, embedder)
        # Vectors at hand: where each stretch of passages begins, in order, and its rows.
        self._begins: list[int] = []
        self._held: dict[int, Any] = {}

    def take(self, runs: Sequence[Run], speakers: Sequence[str]) -> None:
        """More of the conversation, at its end."""
        if not runs and tuple(speakers) == self.index.speakers:
            return
        index = extended(self.index, runs, speakers, self._policy)
        if self._embedder is not None:
            index = with_words(index, self._words.of, self._policy.recall.word_first)
            self.scales = np.concatenate([self.scales, *(r.scales.reshape(-1, 2) for r in runs)])
        self.index = index

    def found(self, sought: Sought) -> tuple[Hit, ...]:
        policy, only, k = self._policy, sought.only, sought.k
        asked = sought.against(self.index.names, self.index.years, policy)
        may = None if only is None else allowed(self.index, only, self._places(only), policy)
        gathered, dots, question = self._gather(asked, sought.vector_of(asked), may)
        lies = self._answering(asked, gathered, dots, question)
        every = leading(self.index, gathered, asked, k, policy, dots=dots, answering=lies, allowed=may)
        # Texts are read of few more turns than are told. Where some are alike or gone, of the others too.
        few = max(k, policy.recall.fresh_pool if asked.inquiry.wants_state else 0) + policy.recall.spare_turns
        for first in (every.until(few), every):
            lines = self._lines(first.turns)
            first = first.without([turn for turn in first.turns if turn not in lines])
            nearby, known = None, policy.recall.overtaking.space
            if question is not None and asked.inquiry.wants_state and self._space.startswith(known):
                some = self._vectors(first.until(policy.recall.fresh_pool).turns)
                nearby = Nearby(question, some, answers_at(question, self._space, policy))
            hits = settled(self.index, asked, first, lines, k, policy, nearby)
            if len(hits) == k or len(every.turns) <= few:
                break
        return hits if sought.budget is None else afforded(hits, sought.budget, policy)

    def parts(self, query: str, at: datetime | None = None) -> dict[str, Any]:
        """What speaks for each turn, before it is weighed."""
        asked = against(inquiry(query, self._policy), self.index.names, self.index.years, self._policy, at)
        gathered, dots, question = self._gather(asked, None, None)
        lies = self._answering(asked, gathered, dots, question)
        return score.parts(self.index, gathered, asked, self._policy, dots=dots, answering=lies)

    def _gather(self, asked: Ask, given: Sequence[float] | None, may: Any) -> tuple[Any, Any, Any]:
        policy, embedder = self._policy, self._embedder
        if embedder is None or not len(self.scales):
            return gather(self.index, asked, policy, allowed=may), None, None
        question, words = self._words.asked(asked.bare, given, asked.terms)
        directions = basis(policy, embedder.space, embedder.dimensions)
        outline = None if directions is None else question @ directions[:, : policy.recall.outline]
        gathered = gather(self.index, asked, policy, word_vectors=words, outline=outline, allowed=may)
        return gathered, self._dots(gathered.view.passages, question), question

    def _answering(self, asked: Ask, gathered: Gathered, dots: Any, question: Any) -> Any:
        """As `dots`, from where the answers to the question lie; where that was not learned, from the question."""
        if question is None or not score.weights_of(self.index, self._policy).answering:
            return None
        # A list and a suggestion have no answer that was told in one place.
        told = not (asked.inquiry.wants_many or asked.inquiry.wants_help)
        toward = answers_at(question, self._space, self._policy) if told else None
        return dots if toward is None else self._dots(gathered.view.passages, toward)

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
            picked = rows if len(some) == len(rows) else rows.take(some, axis=0)
            out[at:upto] = picked.astype(np.float32) @ whole
            at = upto
        return out * (self.scales[passages, 0] * scale[0])

    def _vectors(self, turns: Sequence[int]) -> dict[int, Any]:
        """Of whole turns, each of length 1."""
        out = {}
        ends = np.append(self.index.turn_start, len(self.index.passage_turn))
        for turn in turns:
            whole = np.zeros(self._width, np.float32)
            for passage in range(int(ends[turn]), int(ends[turn + 1])):
                first, _, rows = self._chunk(passage)
                whole += rows[passage - first] * self.scales[passage, 0]
            out[turn] = whole / (np.linalg.norm(whole) or np.float32(1))
        return out

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
    def _space(self) -> str:
        return "" if self._embedder is None else self._embedder.space

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
