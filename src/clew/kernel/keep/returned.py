"""What was over and comes back: "we're back together", "I started smoking again", "the migraines are back"."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import lru_cache

from clew.kernel.keep.ended import ENDED
from clew.kernel.keep.keys import attribute_for, bare_value, row_of
from clew.kernel.keep.lifecycle import ACTIVE, INVALID, SUPERSEDED, move
from clew.kernel.read.change_words import clauses, says, without_common
from clew.kernel.text.terms import terms
from clew.model.key import Key
from clew.model.memory import SELF, EventKind, MemoryEvent, MemoryRecord
from clew.policy import Policy

CAME_BACK = "remember.came_back"
# What happened once does not come back, and a plan is made anew.
_ONCE = ("event", "plan", "death", "name", "exists", "note", "like", "dislike", "age")


def says_back(text: str, policy: Policy) -> bool:
    return says(text, "together_again", policy) or says(text, "again", policy)


def come_back(
    memories: Sequence[MemoryRecord], text: str, message_id: str, at: datetime, policy: Policy
) -> tuple[tuple[MemoryRecord, ...], tuple[MemoryEvent, ...]]:
    """With what the message brings back, and whatever ended with it; whoever holds its place steps back."""
    records = {m.memory_id: m for m in memories}
    told = [m for m in memories if m.status is ACTIVE and message_id in m.source_message_ids]
    events = []
    for old in _meant(memories, told, text, message_id, policy):
        for other in list(records.values()):
            if other.status is ACTIVE and other.memory_key == old.memory_key:
                records[other.memory_id] = move(other, "supersede", at, by=old.memory_id)
                events.append(MemoryEvent(EventKind.SUPERSEDED, other.memory_id, CAME_BACK, by=old.memory_id))
        sources = tuple(dict.fromkeys((*old.source_message_ids, message_id)))
        records[old.memory_id] = replace(move(old, "restore", at), last_confirmed_at=at, source_message_ids=sources)
        events.append(MemoryEvent(EventKind.RESTORED, old.memory_id, CAME_BACK))
        for parting in _partings(old, records.values(), policy):
            records[parting.memory_id] = move(parting, "supersede", at, by=old.memory_id)
            events.append(MemoryEvent(EventKind.SUPERSEDED, parting.memory_id, CAME_BACK, by=old.memory_id))
    return tuple(records.values()), tuple(events)


def _meant(
    memories: Sequence[MemoryRecord], told: Sequence[MemoryRecord], said: str, message_id: str, policy: Policy
) -> list[MemoryRecord]:
    by_id = {m.memory_id: m for m in memories}
    over = [m for m in memories if (m.status is INVALID and m.invalid_reason == ENDED) or _gave_way(m, by_id, policy)]
    over = [m for m in over if m.ended_at is not None and message_id not in m.source_message_ids]
    over.sort(key=lambda m: (m.ended_at or m.created_at, m.memory_id), reverse=True)
    if says(said, "together_again", policy):
        first = _lover(over, memories, said, policy)
    else:
        spoken = _stems(" ".join(c for c in clauses(said, policy) if says(c, "again", policy)) or said, policy)
        named = [m for m in over if _may_return(m, policy) and _things(m, policy) & spoken]
        most = max((len(_things(m, policy) & spoken) for m in named), default=0)
        first = next((m for m in named if len(_things(m, policy) & spoken) == most), None)
    if first is None or any(_same(first, m, policy) for m in told):
        return []
    with_it = [first]
    if first.subject != SELF:
        together = [m for m in over if m.ended_at == first.ended_at and m.status is first.status]
        with_it = [m for m in together if _bearer(m) == _bearer(first)]
    keys: dict[str, MemoryRecord] = {}
    for m in with_it:
        keys.setdefault(m.memory_key, m)
    return list(keys.values())


def _partings(
    old: MemoryRecord, memories: Iterable[MemoryRecord], policy: Policy
) -> list[MemoryRecord]:
    """That two broke up is no longer how they stand."""
    if old.subject not in policy.changes.lovers:
        return []
    return [
        m
        for m in memories
        if m.status is ACTIVE and m.created_at == old.ended_at and says(m.statement or m.memory_value, "parted", policy)
    ]


def _gave_way(record: MemoryRecord, by_id: Mapping[str, MemoryRecord], policy: Policy) -> bool:
    """Something else took its place, and may leave it again; what was put right never was so."""
    new = by_id.get(record.superseded_by or "")
    if record.status is not SUPERSEDED or new is None or row_of(attribute_for(record, policy), policy).many:
        return False
    return not set(new.source_message_ids) & set(record.source_message_ids)


def _lover(
    over: Sequence[MemoryRecord], memories: Sequence[MemoryRecord], text: str, policy: Policy
) -> MemoryRecord | None:
    """Whoever is named, or the last one where "we" are said to be together; nobody where somebody else is held."""
    lovers = [m for m in over if m.subject in policy.changes.lovers and m.invalid_reason == ENDED and _bearer(m)[1]]
    spoken = _stems(text, policy)
    named = [m for m in lovers if _stems((_bearer(m)[1] or "").replace("_", " "), policy) & spoken]
    now = [m for m in memories if m.status is ACTIVE and m.subject in policy.changes.lovers]
    ours = says(text, "ours", policy)
    return next(iter(named), None) or (next(iter(lovers), None) if ours and not now else None)


def _may_return(record: MemoryRecord, policy: Policy) -> bool:
    return record.subject == SELF and attribute_for(record, policy) not in _ONCE


def _same(old: MemoryRecord, new: MemoryRecord, policy: Policy) -> bool:
    """The message tells it itself, and better: "I'm vegan again"."""
    if old.memory_key == new.memory_key and old.memory_value == new.memory_value:
        return True
    alike = (old.subject, old.attribute) == (new.subject, new.attribute)
    return alike and old.attribute not in _ONCE and _things(old, policy) <= _things(new, policy)


def _bearer(record: MemoryRecord) -> tuple[str, str | None]:
    key = Key.parse(record.memory_key)
    return record.subject, key.name if key else None


def _things(record: MemoryRecord, policy: Policy) -> frozenset[str]:
    bare = without_common(bare_value(record.memory_value), policy.changes.common)
    return frozenset(t for t in _stems(bare, policy) if not t.isdigit()) - _no_things(policy)


@lru_cache(maxsize=4)
def _no_things(policy: Policy) -> frozenset[str]:
    """Days and numbers are common to what has nothing in common."""
    tables = (t for w in policy.times.languages.values() for t in (w.numbers, w.units, w.weekdays, w.months, w.days))
    return frozenset(term for table in tables for word in table for term in _stems(word, policy))


@lru_cache(maxsize=1024)
def _stems(text: str, policy: Policy) -> frozenset[str]:
    return frozenset(term for term, _ in terms(text, policy))
