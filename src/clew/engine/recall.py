"""One recall: memories, the conversation's own turns and the owner's transcripts, in one ranking.

It only reads, and finds nothing outside its scope; `lookup` is what doors ask. What a user has forgotten stays
forgotten: the messages from which a now INVALID memory was learned, and the replies to them, are never found here, and
neither is what is said about a topic the user has closed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import field, replace
from datetime import datetime
from typing import Any

from clew.engine.held_back import held_back
from clew.engine.histories import ready
from clew.engine.parts import Parts
from clew.engine.rights import Scope
from clew.engine.vectors import vectors_of
from clew.errors import InvalidInput, NotFound
from clew.frozen import dataclass
from clew.kernel.correct.forgotten import Forgotten
from clew.kernel.keep.lifecycle import as_of as current_then
from clew.kernel.recall.memories.closed import closed_ids, stays_closed
from clew.kernel.recall.memories.ranking import asks_of_the_person, memory_text, rank_memories
from clew.kernel.recall.turns.only import Only
from clew.kernel.text.passage import passage
from clew.model.canonical import derived_id
from clew.model.memory import MemoryRecord, MemoryStatus
from clew.model.plan import Snippet
from clew.model.profile import UserControls

MEMORY, TURN, TRANSCRIPT = "memory", "turn", "transcript"
KINDS = (MEMORY, TURN, TRANSCRIPT)


@dataclass(frozen=True, slots=True)
class SearchHit:
    """One result. `score` is comparable across kinds; `why` holds the parts that spoke for it."""

    kind: str  # memory, turn or transcript
    id: str  # memory id, message id, or the turn's own id in its transcript
    text: str
    score: float
    subject: str  # whom a memory is about, or who said a turn
    at: datetime | None  # when it was last confirmed, or said
    key: str | None = None  # of a memory
    conversation: str | None = None  # of a turn
    why: dict[str, float | str] = field(default_factory=dict)
    parts: tuple[
        tuple[str, float], ...
    ] = ()  # what each part adds to the score or takes from it, the most first


def find(
    parts: Parts,
    scope: Scope,
    question: str,
    *,
    k: int | None = None,
    at: datetime | None = None,
    vector: Sequence[float] | None = None,
    kinds: Collection[str] = KINDS,
    conversation: str | None = None,
    speaker: str | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
    as_of: datetime | None = None,
    exclude_message_ids: Collection[str] = (),
    exclude_memory_ids: Collection[str] = (),
) -> tuple[SearchHit, ...]:
    """The best `k` of all kinds asked for, best first.

    at: when it is asked; "last week" counts from there.   vector: of the question, if the caller has it already.
    conversation: only turns of this chat or transcript of the user; None: all of the scope.
    speaker: `user`, `assistant` or a name; memories are the user's.   since, until: said or confirmed then.
    as_of: what was known at that moment: memories as they stood, turns up to it.
    exclude_message_ids, exclude_memory_ids: what must not come back, beside what the user has forgotten.
    """
    policy = parts.policy
    k = policy.recall.default_k if k is None else k
    if not 1 <= k <= policy.recall.k_max:
        raise InvalidInput(f"k must be between 1 and {policy.recall.k_max}, got {k}", pointer="/k")
    if not question.strip():
        raise InvalidInput("query must not be empty", pointer="/query")
    if unknown := sorted(set(kinds) - set(KINDS)):
        raise InvalidInput(f"kinds are {', '.join(KINDS)}; got {unknown[0]!r}", pointer="/kinds")
    if as_of is not None:
        until = as_of if until is None else min(until, as_of)
    if vector is None:
        vector = vectors_of(parts, [question]).get(question)
    stands = _stands(parts, scope, question, as_of, conversation)
    found: list[SearchHit] = []
    if MEMORY in kinds and speaker in (None, "user"):
        hidden = {*exclude_memory_ids}
        found += _memories(parts, scope, question, k, vector, stands, hidden, since, until)
    most = k if parts.reranker is None else max(k, policy.recall.rerank_pool)
    gone = stands.forgotten | frozenset(exclude_message_ids)
    only = Only(speaker=speaker, since=since, until=until, without=gone)
    for kind, name in _histories(parts, scope, kinds, conversation, stands):
        found += _turns(parts, kind, name, question, most, at, vector, only, stands)
    found.sort(key=lambda f: (-f.score, KINDS.index(f.kind), f.id))
    return tuple(_reranked(parts, question, found)[:k])


def _reranked(parts: Parts, question: str, found: list[SearchHit]) -> list[SearchHit]:
    """The first of them in the reranker's order; a reranker that cannot tell changes nothing."""
    pool = parts.policy.recall.rerank_pool
    if parts.reranker is None or len(found) < 2:
        return found
    places = parts.reranker.order(question, [f.text for f in found[:pool]])
    if not places:
        return found
    first = [replace(found[p], why={**found[p].why, "reranked": f"was {p + 1}"}) for p in places]
    return first + [f for p, f in enumerate(found) if p not in set(places)]


@dataclass(frozen=True, slots=True)
class _Stands:
    """What the store says before anything is ranked."""

    controls: UserControls
    memories: tuple[MemoryRecord, ...]
    forgotten: frozenset[str]  # messages that must not come back
    gone: Forgotten  # and what must not come back from any
    conversations: tuple[str, ...]


def _stands(
    parts: Parts, scope: Scope, question: str, as_of: datetime | None, conversation: str | None
) -> _Stands:
    limits, own = parts.policy.engine, (scope.user_id, scope.friend_id)
    with parts.store.read() as session:
        if as_of is not None:
            then = current_then(session.memories(*own), as_of)
            # What was current then is looked at as it stood then.
            records = [replace(m, status=MemoryStatus.ACTIVE, ended_at=None) for m in then if not _barred(m)]
        elif asks_of_the_person(question, parts.policy):
            records = session.memories(*own, [MemoryStatus.ACTIVE])
        else:
            records = session.memories_matching(
                *own, question, per_term=limits.memories_per_term, newest=limits.memories_newest
            )
        gone = [m for m in session.memories(*own, [MemoryStatus.INVALID]) if m.source_message_ids]
        words = held_back(session, *own, parts.policy)
        talks = [
            c.conversation_id
            for c in session.conversations_of(scope.user_id)
            if c.friend_id == scope.friend_id
        ]
        controls = session.controls(scope.user_id)
    if conversation is not None:
        talks = [c for c in talks if c == conversation]
    records = list(words.memories(records))
    sources = words.sources | {i for m in gone for i in m.source_message_ids}
    replies = {derived_id("reply", i) for i in sources}
    return _Stands(controls, tuple(records), frozenset(sources | replies), words, tuple(talks))


def _barred(memory: MemoryRecord) -> bool:
    """A forgotten memory is not brought back by asking for an earlier day."""
    return memory.status is MemoryStatus.INVALID


def _memories(
    parts: Parts,
    scope: Scope,
    question: str,
    k: int,
    vector: Sequence[float] | None,
    stands: _Stands,
    hidden: set[str],
    since: datetime | None,
    until: datetime | None,
) -> Iterator[SearchHit]:
    policy, controls = parts.policy, stands.controls
    records = [
        m
        for m in stands.memories
        if (since is None or m.last_confirmed_at >= since) and (until is None or m.created_at <= until)
    ]
    if not records:
        return
    hidden |= closed_ids([Snippet.of(m) for m in records], controls.suppressed_topics, question, policy)
    vectors: dict[str, Any] = {}
    if vector is not None:
        texts = {m.memory_id: memory_text(m) for m in records}
        made = vectors_of(parts, list(texts.values()))
        vectors = {i: made[text] for i, text in texts.items() if text in made}
    for hit in rank_memories(
        question,
        records,
        policy,
        suppressed_keys=controls.suppressed_memory_keys,
        exclude_ids=hidden,
        query_vector=vector,
        vectors=vectors,
        limit=k,
    ):
        m = hit.memory
        yield SearchHit(
            kind=MEMORY,
            id=m.memory_id,
            text=getattr(m, "statement", None) or memory_text(m),
            score=hit.score,
            subject=getattr(m, "subject", None) or "user",
            at=m.last_confirmed_at,
            key=m.memory_key,
            why=dict(hit.parts),
            parts=tuple(sorted(hit.parts, key=lambda part: -abs(part[1]))),
        )


def _histories(
    parts: Parts, scope: Scope, kinds: Collection[str], conversation: str | None, stands: _Stands
) -> Iterator[tuple[str, str]]:
    if parts.index is None:
        return
    if TURN in kinds:
        for name in stands.conversations:
            yield TURN, name
    if TRANSCRIPT in kinds:
        for name in parts.index.owned(scope.user_id):
            if conversation in (None, name):
                yield TRANSCRIPT, name


def _turns(
    parts: Parts,
    kind: str,
    name: str,
    question: str,
    k: int,
    at: datetime | None,
    vector: Sequence[float] | None,
    only: Only,
    stands: _Stands,
) -> Iterator[SearchHit]:
    assert parts.index is not None
    try:
        recaller = ready(parts.index, name, parts.policy, parts.embedder)
    except NotFound:
        return  # nothing has been said there yet
    hits = recaller.recall(question, k, at=at, only=only, vector=vector)
    if not hits:
        return
    # The order is the ranking's; the scale is how well the best of them fits by itself.
    scale = max(h.fit for h in hits) / (hits[0].score or 1.0)
    closed, asked = stands.controls.suppressed_topics, passage(question, parts.policy)
    for hit in hits:
        if closed and stays_closed(passage(hit.line.text, parts.policy), closed, asked, parts.policy):
            continue
        if kind == TURN and stands.gone.holds(hit.line.text, hit.line.at):
            continue
        yield SearchHit(
            kind=kind,
            id=str(hit.line.id if hit.line.id is not None else hit.line.index),
            text=hit.line.text,
            score=round(hit.score * scale, parts.policy.recall.score_digits),
            subject=hit.line.speaker,
            at=hit.line.at,
            conversation=name,
            why={**hit.why, "fit": hit.fit},
            parts=hit.parts,
        )
