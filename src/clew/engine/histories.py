"""Conversations that can be searched: taken in whole, kept up as they grow, and asked."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np

from clew.errors import InvalidInput, NotFound, StoreFailure
from clew.kernel.recall.turns import ask as asks
from clew.kernel.recall.turns import score
from clew.kernel.recall.turns.index import Index, build, vocabulary_words
from clew.kernel.recall.turns.only import Only, allowed
from clew.kernel.recall.turns.passages import passages
from clew.kernel.recall.turns.rank import Hit, search
from clew.kernel.recall.turns.speakers import Names
from clew.model.canonical import sha256
from clew.model.transcript import Line
from clew.policy import Policy
from clew.ports.embeddings import Embedder
from clew.ports.index import StoredTurn, TurnIndex, TurnVectors


@dataclass(frozen=True, slots=True)
class Ingested:
    """What happened to the lines of a transcript."""

    turns: int  # now in the conversation
    added: int
    changed: int
    known: int  # sent before, word for word


@dataclass(frozen=True, slots=True)
class Prepared:
    """Vectors that fit the turns as they stand, and which of them are new."""

    rows: Any
    words: Mapping[str, Any]
    new_vectors: Mapping[int, TurnVectors]
    new_words: Mapping[str, Any]


def ingest(
    index: TurnIndex,
    conversation: str,
    lines: Sequence[Line],
    policy: Policy,
    embedder: Embedder | None,
    *,
    owner: str | None = None,
) -> Ingested:
    """Vectors are made before anything is written; then all is written at once.

    `owner` is the user whose transcript it is: it then comes to their mind, and goes when they go.
    """
    if index.is_chat(conversation):
        raise InvalidInput(f"{conversation!r} is a chat; choose another name", pointer="--conversation")
    stored = index.turns(conversation)
    turns, added, changed = _merge(stored, lines)
    fresh = [*added, *changed]
    if fresh and embedder is not None:
        made = _prepare(index, conversation, turns, policy, embedder)
        index.save(
            conversation,
            turns=fresh,
            space=embedder.space,
            vectors=made.new_vectors,
            words=made.new_words,
            owner=owner,
        )
    elif fresh or owner is not None:
        index.save(conversation, turns=fresh, owner=owner)
    return Ingested(len(turns), len(added), len(changed), len(lines) - len(fresh))


class Recaller:
    """One loaded conversation that answers many questions."""

    def __init__(self, index: Index, policy: Policy, embedder: Embedder | None) -> None:
        self.index = index
        self._policy = policy
        self._embedder = embedder
        self._words: dict[str, Any] = {}

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
        """`vector` is that of the question, for a caller who has it; it is used where nothing else is embedded."""
        policy = self._policy
        k = policy.recall.default_k if k is None else k
        if not 1 <= k <= policy.recall.k_max:
            raise InvalidInput(f"k must be between 1 and {policy.recall.k_max}, got {k}", pointer="/k")
        asked = self._read(query, at)
        made, words = self._vectors(asked, vector)
        may = None if only is None or only.anything else allowed(self.index.lines, only, policy)
        return search(
            self.index, asked, k, policy, vector=made, word_vectors=words, budget=budget, allowed=may
        )

    def parts(self, query: str, at: datetime | None = None) -> dict[str, Any]:
        """What speaks for each turn, before it is weighed."""
        asked = self._read(query, at)
        vector, words = self._vectors(asked)
        return score.parts(self.index, asked, self._policy, vector=vector, word_vectors=words)

    def _read(self, query: str, at: datetime | None) -> asks.Ask:
        return asks.read(query, self.index.names, self.index.years, self._policy, at)

    def _vectors(self, asked: asks.Ask, vector: Sequence[float] | None = None) -> tuple[Any, Any]:
        if self._embedder is None or self.index.vectors is None:
            return None, None
        return self._embed(asked, vector if asked.bare == asked.text else None)

    def _embed(self, asked: asks.Ask, vector: Sequence[float] | None) -> tuple[Any, Any]:
        """The question, and those of its words that the conversation does not hold, embedded together."""
        assert self._embedder is not None
        known, table, basis = self.index.vocabulary, self.index.words, self.index.word_basis
        if len(self._words) > self._policy.recall.query_max:
            self._words.clear()
        new = [word for term, word in asked.terms if term not in known and word not in self._words]
        if vector is None:
            made = _matrix(self._embedder, [asked.bare, *new])
        else:
            made = np.concatenate([np.asarray([vector], np.float32), _matrix(self._embedder, new)])
        if table is None or basis is None or not asked.terms:
            return made[0], None
        if new:
            self._words.update(zip(new, made[1:] @ basis, strict=True))
        rows = [table[known[term]] if term in known else self._words[word] for term, word in asked.terms]
        return made[0], np.stack(rows)


def load(index: TurnIndex, conversation: str, policy: Policy, embedder: Embedder | None) -> Recaller:
    """Missing vectors, or those of another space, are made again from the turns and kept."""
    turns = index.turns(conversation)
    if not turns:
        raise NotFound(f"no conversation {conversation!r} has been ingested", pointer="--conversation")
    lines = [turn.line for turn in turns]
    parts = [passages(line.text, policy.recall) for line in lines]
    if embedder is None:
        return Recaller(build(lines, parts, policy), policy, None)
    made = _prepare(index, conversation, turns, policy, embedder)
    if made.new_vectors or made.new_words:
        # Derived data: a database that cannot be written now still answers.
        with suppress(StoreFailure):
            index.save(conversation, space=embedder.space, vectors=made.new_vectors, words=made.new_words)
    return Recaller(build(lines, parts, policy, vectors=made.rows, words=made.words), policy, embedder)


_WARM: OrderedDict[tuple[str, str, str, str], Recaller] = OrderedDict()


def warm(index: TurnIndex, conversation: str, policy: Policy, embedder: Embedder | None) -> Recaller:
    """Loaded once and kept while the process lives; loaded again when turns came in."""
    key = (index.place, conversation, embedder.space if embedder else "", policy.fingerprint)
    kept = _WARM.get(key)
    if kept is None or kept.index.size != index.size(conversation):
        kept = load(index, conversation, policy, embedder)
        _WARM[key] = kept
        while len(_WARM) > policy.recall.warm_conversations:
            _WARM.popitem(last=False)
    _WARM.move_to_end(key)
    return kept


def keep_up(
    index: TurnIndex, conversation: str, turns: Sequence[StoredTurn], policy: Policy, embedder: Embedder | None
) -> None:
    """Vectors of turns just written; nothing else of the conversation is read."""
    if embedder is None or not turns:
        return
    names = Names((turn.line.speaker for turn in turns), policy)
    texts = [[names.removed(p) for p in passages(turn.line.text, policy.recall)] for turn in turns]
    made = _matrix(embedder, [p for group in texts for p in group])
    new: dict[int, TurnVectors] = {}
    at = 0
    for turn, group in zip(turns, texts, strict=True):
        new[turn.position] = TurnVectors(sha256("\x1f".join(group)), made[at : at + len(group)])
        at += len(group)
    index.save(conversation, space=embedder.space, vectors=new)


def _merge(
    stored: Sequence[StoredTurn], lines: Sequence[Line]
) -> tuple[list[StoredTurn], list[StoredTurn], list[StoredTurn]]:
    """(all turns, added, changed): a turn is known by its id, or by its index where it has none."""
    turns = {turn.position: turn for turn in stored}
    place = {_key(turn.line): turn.position for turn in stored}
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
        position = place.get(key)
        if position is None:
            turn = StoredTurn(len(turns), line)
            added.append(turn)
        elif _said(turns[position].line) != _said(line):
            turn = StoredTurn(position, line)
            changed.append(turn)
        else:
            continue
        turns[turn.position] = turn
    return [turns[position] for position in sorted(turns)], added, changed


def _key(line: Line) -> tuple[str, Any]:
    return ("id", line.id) if line.id is not None else ("index", line.index)


def _said(line: Line) -> tuple[str, str, datetime | None]:
    return line.speaker, line.text, line.at


def _prepare(
    index: TurnIndex, conversation: str, turns: Sequence[StoredTurn], policy: Policy, embedder: Embedder
) -> Prepared:
    space, width = embedder.space, embedder.dimensions
    names = Names((turn.line.speaker for turn in turns), policy)
    parts = [passages(turn.line.text, policy.recall) for turn in turns]
    texts = [[names.removed(passage) for passage in group] for group in parts]
    digests = [sha256("\x1f".join(group)) for group in texts]
    kept = index.vectors(conversation, space, width)
    missing = [
        i
        for i, turn in enumerate(turns)
        if turn.position not in kept or kept[turn.position].digest != digests[i]
    ]
    words = dict(index.words(conversation, space, width))
    lacking = [word for word in vocabulary_words(parts, policy) if word not in words]
    flat = [passage for i in missing for passage in texts[i]]
    made = _matrix(embedder, [*flat, *lacking])
    new: dict[int, TurnVectors] = {}
    at = 0
    for i in missing:
        rows = made[at : at + len(texts[i])]
        at += len(texts[i])
        new[turns[i].position] = TurnVectors(digests[i], rows)
    new_words = dict(zip(lacking, made[at:], strict=True))
    everything = {**kept, **new}
    rows = np.concatenate([everything[turn.position].rows for turn in turns]) if turns else made
    return Prepared(rows, {**words, **new_words}, new, new_words)


def _matrix(embedder: Embedder, texts: Sequence[str]) -> Any:
    """float32 rows on the grid that is stored, so that a reload changes no score."""
    if not texts:
        return np.zeros((0, embedder.dimensions), np.float32)
    whole = getattr(embedder, "matrix", None)
    once = {text: row for row, text in enumerate(dict.fromkeys(texts))}
    unique = list(once)
    rows = np.asarray(whole(unique) if whole is not None else embedder.embed(unique), np.float32)
    if rows.shape != (len(unique), embedder.dimensions):
        raise InvalidInput(
            f"the embedder gave {rows.shape} for {len(unique)} texts of {embedder.dimensions} dimensions",
            pointer="/vectors",
        )
    return rows.astype(np.float16).astype(np.float32)[[once[text] for text in texts]]
