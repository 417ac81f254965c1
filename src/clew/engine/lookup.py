"""Memories and turns of one user in one ranking: what a search at any door answers with.

What the question asks for by name comes first, then what the one recall finds by words and meaning.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from clew.engine import recall
from clew.engine.parts import Parts
from clew.engine.vectors import vector_of
from clew.errors import InvalidInput
from clew.kernel.read.utterance import read
from clew.kernel.recall.answers import fitting, wanted_attributes
from clew.model.memory import MemoryRecord
from clew.model.plan import Snippet

if TYPE_CHECKING:
    from clew.engine.service import Place

KINDS = ("memory", "said", "reply")
DEFAULT_KINDS = ("memory", "said")
# A row of the attribute table that was asked for by name stands before what only sounds like it.
_BY_NAME = 1.0


@dataclass(frozen=True, slots=True)
class Found:
    """`kind`: memory, said (by the user) or reply; `id` is the memory's or the message's."""

    kind: str
    id: str
    text: str
    score: float
    key: str | None = None
    value: str | None = None
    subject: str | None = None
    when: datetime | None = None
    why: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of_memory(cls, record: MemoryRecord, score: float, why: Mapping[str, Any]) -> Found:
        return cls(
            kind="memory",
            id=record.memory_id,
            text=sentence(record),
            score=score,
            key=record.memory_key,
            value=record.memory_value,
            subject=subject(record),
            when=getattr(record, "when", None) or record.created_at,
            why=why,
        )


def sentence(record: MemoryRecord) -> str:
    """The user's own words where they are kept, else key and value as a phrase."""
    told = getattr(record, "statement", None)
    if told:
        return str(told)
    snippet = Snippet.of(record)
    name = record.memory_key.split(":")[1 if record.memory_key.count(":") < 2 else 2]
    if snippet.stance:
        return f"{snippet.stance}s {snippet.words}"
    return f"{name.replace('_', ' ')}: {snippet.words}"


def subject(record: MemoryRecord) -> str:
    return str(getattr(record, "subject", None) or "user")


def find(
    parts: Parts,
    place: Place,
    query: str,
    *,
    k: int = 8,
    as_of: datetime | None = None,
    kinds: Sequence[str] = DEFAULT_KINDS,
    conversation: str | None = None,
) -> list[Found]:
    """`conversation`: only turns said there (its id); memories belong to all of them."""
    for kind in kinds:
        if kind not in KINDS:
            raise InvalidInput(f"no kind {kind!r}; known: {', '.join(KINDS)}", pointer="/kinds")
    if not query.strip():
        raise InvalidInput("query is empty", pointer="/query")
    out: dict[str, Found] = {}
    covered: set[str] = set()  # a turn that a better memory already tells
    for record, found in _found(parts, place, query, k, as_of, kinds, conversation):
        if found.id not in out and found.id not in covered:
            out[found.id] = found
            covered.update(record.source_message_ids if record else ())
    return list(out.values())[:k]


def _found(
    parts: Parts,
    place: Place,
    query: str,
    k: int,
    as_of: datetime | None,
    kinds: Sequence[str],
    conversation: str | None,
) -> Iterator[tuple[MemoryRecord | None, Found]]:
    if "memory" in kinds and as_of is None:
        for record in _asked_for(parts, place, query):
            yield record, Found.of_memory(record, _BY_NAME, {"rule": "recall.asked"})
    spoken = [s for kind, s in (("said", "user"), ("reply", "assistant")) if kind in kinds]
    among = [recall.MEMORY] * ("memory" in kinds) + [recall.TURN] * bool(spoken)
    hits = recall.find(
        parts,
        place.scope,
        query,
        k=min(max(3 * k, 1), parts.policy.recall.k_max),
        at=as_of or parts.clock.now(),
        kinds=among,
        conversation=conversation,
        as_of=as_of,
    )
    with parts.store.read() as session:
        ids = [h.id for h in hits if h.kind == recall.MEMORY]
        held = {m.memory_id: m for m in session.memories_about(*_pair(place), ids=ids)}
    for hit in hits:
        if hit.kind == recall.MEMORY:
            if (record := held.get(hit.id)) is not None:
                yield record, Found.of_memory(record, hit.score, hit.why)
        elif hit.subject in spoken:
            kind, speaker = ("said", "user") if hit.subject == "user" else ("reply", "friend")
            yield None, Found(kind, hit.id, hit.text, hit.score, subject=speaker, when=hit.at, why=hit.why)


def _asked_for(parts: Parts, place: Place, query: str) -> list[MemoryRecord]:
    """Memories of what the question asks for: "what should I avoid?" asks for allergies first."""
    asks = read(query, parts.policy, vector=vector_of(parts, query)).asks
    if not asks:
        return []
    with parts.store.read() as session:
        records = session.memories_by_attribute(*_pair(place), wanted_attributes(asks, parts.policy))
    return [record for record, named in fitting(asks, records, parts.policy) if named == 1]


def _pair(place: Place) -> tuple[str, str]:
    return place.scope.user_id, place.scope.friend_id
