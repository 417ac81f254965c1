"""Memories, turns and transcripts of one user in one ranking: what a search at any door answers with.

Turns whose memory was corrected, forgotten or withdrawn do not come back, unless an older moment is asked for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from datetime import datetime
from typing import Any

from clew.engine import recall
from clew.engine.likeliest import likeliest
from clew.engine.own_words import wishes_forgotten
from clew.engine.parts import Parts
from clew.engine.rights import Scope
from clew.engine.vectors import vector_of
from clew.errors import InvalidInput
from clew.frozen import dataclass
from clew.kernel.correct.forgotten import Forgotten, forgotten_in
from clew.kernel.keep.decided import without_repeats
from clew.kernel.keep.telling import tell
from clew.kernel.language.packs import language_of
from clew.kernel.read.utterance import read
from clew.kernel.recall.answers import fitting
from clew.model.canonical import derived_id
from clew.model.memory import MemoryRecord, MemoryStatus
from clew.policy import Policy, default

KINDS = ("memory", "said", "reply", "transcript", "episode")
DEFAULT_KINDS = ("memory", "said", "transcript")
# What was asked for by name stands before what only sounds like it.
_BY_NAME = 1.0


@dataclass(frozen=True, slots=True)
class Found:
    """`kind`: memory, said (by the user), reply, transcript or episode; `id` is that of the thing it names."""

    kind: str
    id: str
    text: str
    score: float
    key: str | None = None
    value: str | None = None
    subject: str | None = None
    when: datetime | None = None
    why: Mapping[str, Any] = field(default_factory=dict)
    conversation: str | None = None  # of a turn
    # What each part adds to the score or takes from it, the most first.
    parts: tuple[tuple[str, float], ...] = ()

    @classmethod
    def of_memory(
        cls,
        record: MemoryRecord,
        score: float,
        why: Mapping[str, Any],
        parts: tuple[tuple[str, float], ...] = (),
    ) -> Found:
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
            parts=parts,
        )


def sentence(record: MemoryRecord, policy: Policy | None = None) -> str:
    """What the memory holds, told to its owner in the language it was told in; a note in the user's own words.

    Not the whole statement it was learned from: that may also tell what no longer holds.
    """
    policy = policy or default()
    return tell(record, language_of(record.statement or record.memory_value, policy), policy)


def subject(record: MemoryRecord) -> str:
    """`user`, or whom of theirs it is about."""
    found = str(getattr(record, "subject", "") or "user")
    return "user" if found == "self" else found


def find(
    parts: Parts,
    scope: Scope,
    query: str,
    *,
    k: int = 8,
    at: datetime | None = None,
    as_of: datetime | None = None,
    kinds: Sequence[str] = DEFAULT_KINDS,
    conversation: str | None = None,
    speaker: str | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
) -> list[Found]:
    """Best first; every door asks here.

    at: when it is asked, now unless told.   as_of: what was known at that moment.
    conversation: only turns said there (the id of a chat or transcript); memories belong to all of them.
    speaker: `user`, `assistant`, or a name in a transcript.   since, until: said or confirmed then.
    """
    for kind in kinds:
        if kind not in KINDS:
            raise InvalidInput(f"no kind {kind!r}; known: {', '.join(KINDS)}", pointer="/kinds")
    if not query.strip():
        raise InvalidInput("query is empty", pointer="/query")
    with parts.store.read() as session:
        held_all = session.memories(scope.user_id, scope.friend_id)
    gone = forgotten_in(held_all, parts.policy)
    everything = gone.memories(held_all)
    if "episode" in kinds:
        narrow = {"at": at, "as_of": as_of, "conversation": conversation, "speaker": speaker}
        narrow |= {"since": since, "until": until}
        return _with_episodes(parts, scope, query, kinds, k, narrow)
    turns = {"said", "reply"} & set(kinds)
    wanted = {recall.MEMORY: "memory" in kinds, recall.TURN: bool(turns), recall.TRANSCRIPT: "transcript" in kinds}
    if speaker is None and len(kinds) == 1 and turns:
        speaker = {"said": "user", "reply": "assistant"}[kinds[0]]
    hits = recall.find(
        parts,
        scope,
        query,
        k=k if k > parts.policy.recall.k_max else min(3 * k, parts.policy.recall.k_max),
        at=at or parts.clock.now(),
        kinds=[kind for kind, asked in wanted.items() if asked],
        speaker=speaker,
        conversation=conversation,
        since=since,
        until=until,
        as_of=as_of,
        exclude_message_ids=() if as_of else _stale(everything),
        exclude_memory_ids=[m.memory_id for m in everything if m.paused],
    )
    hits = tuple(_without_wishes(parts, hits, gone))
    held = {m.memory_id: m for m in (everything if as_of else without_repeats(everything, parts.policy))}
    # What is asked for by name comes first, unless only a part of what is known was asked for.
    whole = as_of is None and since is None and until is None and speaker in (None, "user")
    asked = _asked_for(parts, query, everything) if "memory" in kinds and whole else []
    found = _told(asked, hits, held, kinds, len(hits) + len(asked))
    if not whole or not {"memory", "said"} & set(kinds):
        return found[:k]
    told = "memory" in kinds
    records = [m for m in held.values() if told and m.status is MemoryStatus.ACTIVE and not m.paused]
    chances = likeliest(parts, query, at or parts.clock.now(), records, hits)
    return _likeliest_first(found, chances, held, parts.policy)[:k]


def _without_wishes(parts: Parts, hits: Sequence[recall.SearchHit], gone: Forgotten) -> list[recall.SearchHit]:
    """A wish to forget names what was to be forgotten, and is not found again."""
    asked = {one.at for one in gone.gone}

    def wishes(hit: recall.SearchHit) -> bool:
        own = hit.kind == recall.TURN and hit.subject == "user" and hit.at in asked
        return own and wishes_forgotten(parts, hit.text, language_of(hit.text, parts.policy))

    return [hit for hit in hits if not wishes(hit)]


def _with_episodes(
    parts: Parts, scope: Scope, query: str, kinds: Sequence[str], k: int, narrow: Mapping[str, Any]
) -> list[Found]:
    """Sessions by what they were about, behind what answers by itself."""
    from clew.engine.episodes import find_episodes

    others = [kind for kind in kinds if kind != "episode"]
    found = find(parts, scope, query, k=k, kinds=others, **narrow) if others else []
    return [*found, *find_episodes(parts, scope, query, k)][:k]


def _asked_for(parts: Parts, query: str, records: Sequence[MemoryRecord]) -> list[MemoryRecord]:
    """Memories of what the question asks for by name: "what should I avoid?" asks for allergies first."""
    asks = read(query, parts.policy, vector=vector_of(parts, query)).asks
    return [record for record, named in fitting(asks, records, parts.policy) if named == 1] if asks else []


def _stale(records: Sequence[MemoryRecord]) -> set[str]:
    """Messages whose memory was replaced or is paused, and the replies to them: they tell what no longer holds."""
    gone = {i for m in records if m.status is not MemoryStatus.ACTIVE or m.paused for i in m.source_message_ids}
    return gone | {derived_id("reply", i) for i in gone}


def _likeliest_first(
    found: Sequence[Found], chances: Mapping[str, float], held: Mapping[str, MemoryRecord], policy: Policy
) -> list[Found]:
    """What likely answers stands first, the likeliest before the others; what is unlikely keeps its place behind."""
    sure = {i: round(c, 3) for i, c in chances.items() if c >= policy.recall.answers_ranked}
    there = {f.id for f in found}
    more = [Found.of_memory(held[i], 0.0, {}) for i in sure if i in held and i not in there]
    weighed = [
        replace(f, score=max(f.score, sure[f.id]), why={**f.why, "answers": sure[f.id]}) if f.id in sure else f
        for f in (*found, *more)
    ]
    return sorted(weighed, key=lambda f: -sure.get(f.id, 0.0))


def _told(
    asked: Sequence[MemoryRecord],
    hits: Sequence[recall.SearchHit],
    held: Mapping[str, MemoryRecord],
    kinds: Sequence[str],
    k: int,
) -> list[Found]:
    out = [Found.of_memory(m, _BY_NAME, {"rule": "recall.asked"}) for m in asked]
    first = {m.memory_id for m in asked}
    covered = {i for m in asked for i in m.source_message_ids}  # a turn that a better memory already tells
    for hit in hits:
        if hit.kind == recall.MEMORY:
            if hit.id in first or hit.id not in held:
                continue
            record = held[hit.id]
            out.append(Found.of_memory(record, hit.score, hit.why, hit.parts))
            covered.update(record.source_message_ids)
            continue
        kind = "transcript" if hit.kind == recall.TRANSCRIPT else "said" if hit.subject == "user" else "reply"
        if kind in kinds and hit.id not in covered and hit.text.strip():
            out.append(
                Found(
                    kind,
                    hit.id,
                    hit.text,
                    hit.score,
                    subject=hit.subject,
                    when=hit.at,
                    why=hit.why,
                    conversation=hit.conversation,
                    parts=hit.parts,
                )
            )
    return out[:k]
