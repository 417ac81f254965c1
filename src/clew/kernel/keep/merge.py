"""From candidates to memories: confirm, supersede, contradict (turn-pipeline §12.3, rulings P70, P76, P78, P83, P84).

A new memory's id is the UUIDv5 of "memory", message_id, key and value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from decimal import Decimal

from clew.kernel.keep.keys import bare_value, canonical, canonical_value, stance_of
from clew.kernel.keep.lifecycle import ACTIVE, move, without_suppression
from clew.kernel.keep.same_things import same_thing, same_things
from clew.kernel.text.canonical import derived_id
from clew.kernel.text.normalize import normalize
from clew.kernel.text.slug import slug
from clew.model.memory import Candidate, EventKind, MemoryEvent, MemoryRecord, MemoryType, Origin, Remembered
from clew.model.profile import UserControls
from clew.policy import Policy
from clew.policy.remember import hundredths


def initial_confidence(origin: Origin, policy: Policy) -> Decimal:
    return hundredths(policy.remember.model if origin is Origin.LLM else policy.remember.heuristic)


def remember(
    memories: Sequence[MemoryRecord],
    candidates: Sequence[Candidate],
    controls: UserControls,
    *,
    message_id: str,
    at: datetime,
    policy: Policy,
    crisis: bool = False,
    explicit: bool = False,
) -> Remembered:
    """Each candidate in order; the list keeps its order and new records come last."""
    records = {m.memory_id: m for m in memories}
    events: list[MemoryEvent] = []
    _one_per_key(records, events, at)
    for candidate in candidates:
        known = canonical(candidate.key, policy)
        value = canonical_value(candidate.type, candidate.value)
        if known is None or known[0] is not candidate.type or value is None:
            events.append(_skipped("remember.unmappable"))
            continue
        if crisis and candidate.type is not MemoryType.EMOTIONAL_PATTERN:
            events.append(_skipped("remember.crisis"))
            continue
        key = known[1]
        lifted = False
        barred = same_things(key, controls.suppressed_memory_keys, policy)
        if barred:
            if not explicit:
                events.append(_skipped("remember.suppressed"))
                continue
            controls, lifted = without_suppression(controls, barred), True
        fresh = replace(candidate, key=key, value=value)
        held = _store(records, events, fresh, message_id=message_id, at=at, policy=policy)
        if lifted:
            events.append(MemoryEvent(EventKind.RESTORED, held, "remember.suppression_lifted"))
    return Remembered(tuple(records.values()), controls, tuple(events))


def _store(
    records: dict[str, MemoryRecord],
    events: list[MemoryEvent],
    candidate: Candidate,
    *,
    message_id: str,
    at: datetime,
    policy: Policy,
) -> str:
    old = next((m for m in records.values() if m.status is ACTIVE and m.memory_key == candidate.key), None)
    others = [] if old is not None else _spelt_otherwise(records, candidate, policy)
    turned = [m for m in others if stance_of(m.memory_value) != stance_of(candidate.value)]
    held = old if old is not None or turned else next(iter(others), None)
    if held is not None and same_value(held.memory_value, candidate.value, candidate.type, policy):
        return _confirm(records, events, held, message_id=message_id, at=at, policy=policy)
    opposite = bool(turned) or (
        old is not None
        and candidate.type is MemoryType.PREFERENCE
        and stance_of(old.memory_value) != stance_of(candidate.value)
    )
    confidence = candidate.confidence
    if opposite:  # §12.3.2 as ruling P70 reads it: the new one is current, but not yet trusted
        confidence = min(confidence, hundredths(policy.remember.contradicted_most))
    memory_id = derived_id("memory", message_id, candidate.key, candidate.value)
    if memory_id in records:  # said, contradicted and said again within one message
        memory_id = derived_id("memory", message_id, candidate.key, candidate.value, len(records))
    records[memory_id] = MemoryRecord(
        memory_id=memory_id,
        type=candidate.type,
        memory_key=candidate.key,
        memory_value=candidate.value,
        confidence=confidence,
        status=ACTIVE,
        created_at=at,
        last_confirmed_at=at,
        source_message_ids=(message_id,),
    )
    left = turned if old is None else [old]
    reason = "remember.new_value" if left else "remember.new"
    events.append(MemoryEvent(EventKind.CREATED, memory_id, reason))
    rule = "remember.same_thing" if turned else "remember.newer_value"
    for gone in left:
        records[gone.memory_id] = move(gone, "supersede", at, by=memory_id)
        events.append(MemoryEvent(EventKind.SUPERSEDED, gone.memory_id, rule, by=memory_id))
        if opposite:
            events.append(
                MemoryEvent(EventKind.CONTRADICTED, gone.memory_id, "remember.opposite_stance", by=memory_id)
            )
    return memory_id


def _spelt_otherwise(
    records: dict[str, MemoryRecord], candidate: Candidate, policy: Policy
) -> list[MemoryRecord]:
    """The very same thing under another slug (horror films, horror movies; jazz, jazz music)."""
    if candidate.type is not MemoryType.PREFERENCE:
        return []
    return [
        m for m in records.values() if m.status is ACTIVE and same_thing(m.memory_key, candidate.key, policy)
    ]


def _confirm(
    records: dict[str, MemoryRecord],
    events: list[MemoryEvent],
    old: MemoryRecord,
    *,
    message_id: str,
    at: datetime,
    policy: Policy,
) -> str:
    """One message is one piece of evidence, however often it says the thing or is replayed."""
    if message_id in old.source_message_ids:
        events.append(MemoryEvent(EventKind.SKIPPED, old.memory_id, "remember.same_message"))
        return old.memory_id
    numbers = policy.remember
    records[old.memory_id] = replace(
        move(old, "confirm", at),
        confidence=min(old.confidence + hundredths(numbers.confirm), hundredths(numbers.most)),
        last_confirmed_at=max(at, old.last_confirmed_at),
        source_message_ids=(*old.source_message_ids, message_id),
    )
    events.append(MemoryEvent(EventKind.CONFIRMED, old.memory_id, "remember.same_value"))
    return old.memory_id


def same_value(a: str, b: str, kind: MemoryType, policy: Policy) -> bool:
    """Under one key a preference is its stance; other values compare as slugs (ruling P78)."""
    if kind is MemoryType.PREFERENCE:
        return stance_of(a) == stance_of(b)
    left, right = slug(bare_value(a), policy.text), slug(bare_value(b), policy.text)
    return left == right if left or right else normalize(a) == normalize(b)


def _one_per_key(records: dict[str, MemoryRecord], events: list[MemoryEvent], at: datetime) -> None:
    """Never two ACTIVE under one key, whatever was handed in: the newest stays."""
    holders: dict[str, list[MemoryRecord]] = {}
    for record in records.values():
        if record.status is ACTIVE:
            holders.setdefault(record.memory_key, []).append(record)
    for held in holders.values():
        if len(held) < 2:
            continue
        newest = max(held, key=lambda m: (m.last_confirmed_at, m.created_at, m.memory_id))
        for record in held:
            if record is not newest:
                records[record.memory_id] = move(record, "supersede", at, by=newest.memory_id)
                events.append(
                    MemoryEvent(
                        EventKind.SUPERSEDED, record.memory_id, "remember.one_per_key", by=newest.memory_id
                    )
                )


def _skipped(reason: str) -> MemoryEvent:
    return MemoryEvent(EventKind.SKIPPED, None, reason)
