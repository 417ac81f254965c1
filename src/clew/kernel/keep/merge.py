"""From candidates to memories: confirm, supersede, contradict, end (rulings P70–P84, M5–M8).

A new memory's id is the UUIDv5 of "memory", message_id, key and value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from clew.frozen import dataclass
from clew.kernel.compare.likeness import memory_veto
from clew.kernel.keep.applied_changes import Change, admitted, carry_out
from clew.kernel.keep.barred_values import is_barred, without_barred_value
from clew.kernel.keep.change_reader import Verdict
from clew.kernel.keep.changed import close_changed, close_told_over
from clew.kernel.keep.ended import close_ended, close_implied
from clew.kernel.keep.keys import attribute_of, bare_value, canonical, canonical_value, row_of, stance_of
from clew.kernel.keep.lifecycle import ACTIVE, move, without_suppression
from clew.kernel.keep.people import of_known_name, same_slot
from clew.kernel.keep.same_things import same_thing, same_things
from clew.kernel.keep.values import affirmed
from clew.kernel.text.canonical import derived_id
from clew.kernel.text.normalize import normalize
from clew.kernel.text.slug import slug
from clew.model.key import Key
from clew.model.memory import (
    SELF,
    Candidate,
    Ending,
    EventKind,
    MemoryEvent,
    MemoryRecord,
    MemoryType,
    Remembered,
)
from clew.model.profile import UserControls
from clew.policy import Policy
from clew.policy.attributes import Identity
from clew.policy.remember import hundredths

_TASTES = ("like", "dislike")


@dataclass(frozen=True, slots=True)
class _Turn:
    message_id: str
    at: datetime


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
    endings: Sequence[Ending] = (),
    text: str = "",
    changes: Sequence[Change] = (),
) -> Remembered:
    """Each candidate in order, then what is over; the list keeps its order and new records come last.

    changes: what the reader of change says of memories that are held.
    """
    records = {m.memory_id: m for m in memories}
    events: list[MemoryEvent] = []
    turn = _Turn(message_id, at)
    _one_per_key(records, events, at)
    fresh_ids: list[str] = []
    for given in candidates:
        fresh, why = _admitted(given, records, policy, crisis=crisis)
        if fresh is not None and changes:
            fresh, why = admitted(fresh, records, changes, policy)
        if fresh is None:
            events.append(_skipped(why))
            continue
        barred = same_things(fresh.key, controls.suppressed_memory_keys, policy)
        hashed = is_barred(fresh.key, fresh.value, controls, policy)
        if (barred or hashed) and not explicit:
            events.append(_skipped("remember.suppressed" if barred else "remember.suppressed_value"))
            continue
        if barred or hashed:
            controls = without_suppression(controls, barred)
            controls = without_barred_value(controls, fresh.key, fresh.value, policy)
        held = _store(records, events, fresh, turn, policy)
        close_implied(records, events, records[held], turn.message_id, at, policy)
        fresh_ids.append(held)
        if barred or hashed:
            events.append(MemoryEvent(EventKind.RESTORED, held, "remember.suppression_lifted"))
    # What replaces comes before what is over: a value that another took the place of is not merely over.
    for held in fresh_ids:
        close_changed(records, events, records[held], turn.message_id, at, policy)
    if not crisis:
        beside = {c.memory_id for c in changes if c.verdict is Verdict.COEXISTS}
        close_ended(records, events, endings, message_id, at, policy, beside)
        close_told_over(records, events, text, message_id, at, policy)

        def keep(words: Candidate) -> str | None:
            fresh, _ = _admitted(words, records, policy, crisis=False)
            barred = same_things(words.key, controls.suppressed_memory_keys, policy)
            if fresh is None or barred or is_barred(words.key, words.value, controls, policy):
                return None
            return _store(records, events, fresh, turn, policy)

        carry_out(records, events, changes, keep, message_id, at, policy)
    return Remembered(tuple(records.values()), controls, tuple(events))


def _admitted(
    candidate: Candidate, records: dict[str, MemoryRecord], policy: Policy, *, crisis: bool
) -> tuple[Candidate | None, str]:
    """The candidate in its one spelling, or why it is not kept."""
    known = canonical(candidate.key, policy, candidate.value)
    value = canonical_value(candidate.type, candidate.value)
    if known is None or known[0] is not candidate.type or value is None:
        return None, "remember.unmappable"
    if crisis and candidate.type is not MemoryType.EMOTIONAL_PATTERN:
        return None, "remember.crisis"
    if candidate.sensitive and not policy.attributes.keep_sensitive:
        return None, "remember.sensitive"
    key = of_known_name(known[1], records.values())
    parsed = Key.parse(key)
    whose = parsed.subject if parsed and parsed.subject != SELF else candidate.subject
    return replace(candidate, key=key, value=value, subject=whose), ""


def _store(
    records: dict[str, MemoryRecord],
    events: list[MemoryEvent],
    candidate: Candidate,
    turn: _Turn,
    policy: Policy,
) -> str:
    old = next((m for m in records.values() if m.status is ACTIVE and m.memory_key == candidate.key), None)
    others = [] if old is not None else _spelt_otherwise(records, candidate, policy)
    turned = [m for m in others if _opposite(m, candidate, policy)]
    held = old if old is not None or turned else next(iter(others), None)
    if held is not None and _says_the_same(held, candidate, policy):
        return _confirm(records, events, held, candidate, turn, policy)
    if old is None and not turned and held is not None:  # the same slot, with another value
        turned = [held]
    left = turned if old is None else [old]
    opposite = any(_opposite(m, candidate, policy) for m in left)
    confidence = candidate.confidence
    if opposite:  # ruling P70: the new one is current, but not yet trusted
        confidence = min(confidence, hundredths(policy.remember.contradicted_most))
    memory_id = derived_id("memory", turn.message_id, candidate.key, candidate.value)
    if memory_id in records:  # said, contradicted and said again within one message
        memory_id = derived_id("memory", turn.message_id, candidate.key, candidate.value, len(records))
    records[memory_id] = MemoryRecord(
        memory_id=memory_id,
        type=candidate.type,
        memory_key=candidate.key,
        memory_value=candidate.value,
        confidence=confidence,
        status=ACTIVE,
        created_at=turn.at,
        last_confirmed_at=turn.at,
        source_message_ids=(turn.message_id,),
        subject=candidate.subject,
        attribute=candidate.attribute,
        statement=candidate.statement,
        when_start=candidate.when_start,
        when_end=candidate.when_end,
        when_text=candidate.when_text,
        sensitive=candidate.sensitive,
    )
    reason = "remember.new_value" if left else "remember.new"
    events.append(MemoryEvent(EventKind.CREATED, memory_id, reason))
    rule = "remember.same_thing" if old is None else "remember.newer_value"
    for gone in left:
        records[gone.memory_id] = move(gone, "supersede", turn.at, by=memory_id)
        events.append(MemoryEvent(EventKind.SUPERSEDED, gone.memory_id, rule, by=memory_id))
        if opposite:
            events.append(
                MemoryEvent(EventKind.CONTRADICTED, gone.memory_id, "remember.opposite_stance", by=memory_id)
            )
    return memory_id


def _spelt_otherwise(
    records: dict[str, MemoryRecord], candidate: Candidate, policy: Policy
) -> list[MemoryRecord]:
    """The very same thing under another key (horror films, horror movies; my sister, my sister Mina)."""
    return [
        m
        for m in records.values()
        if m.status is ACTIVE
        and (
            same_thing(m.memory_key, candidate.key, policy)
            or same_slot(m.memory_key, candidate.key, records.values())
        )
    ]


def _opposite(held: MemoryRecord, candidate: Candidate, policy: Policy) -> bool:
    """The other stance about the thing, or the thing denied."""
    if candidate.type is not held.type:
        return False
    if candidate.type is MemoryType.PREFERENCE:
        return stance_of(held.memory_value) != stance_of(candidate.value)
    if candidate.type is MemoryType.NOTE and candidate.attribute in _TASTES and held.attribute in _TASTES:
        return candidate.attribute != held.attribute
    attribute = candidate.attribute or held.attribute
    return (
        affirmed(attribute, held.memory_value, policy)[1] != affirmed(attribute, candidate.value, policy)[1]
    )


def _says_the_same(held: MemoryRecord, candidate: Candidate, policy: Policy) -> bool:
    if _opposite(held, candidate, policy):
        return False
    if held.type is MemoryType.NOTE:  # one key is one thing; its words may differ, if they do not clash
        return memory_veto(held.memory_value, candidate.value, policy) is None
    if same_value(held.memory_value, candidate.value, candidate.type, policy):
        return True
    key = Key.parse(candidate.key)
    if key is None or key.item is None or candidate.type is not MemoryType.FACT:
        return False
    # Of many values the key names the thing: an old Corolla is the old Corolla; Python 3.11 is not 3.12.
    return row_of(attribute_of(key, policy), policy).identity is Identity.VALUE


def _confirm(
    records: dict[str, MemoryRecord],
    events: list[MemoryEvent],
    old: MemoryRecord,
    candidate: Candidate,
    turn: _Turn,
    policy: Policy,
) -> str:
    """One message is one piece of evidence, however often it says the thing or is replayed."""
    if turn.message_id in old.source_message_ids:
        events.append(MemoryEvent(EventKind.SKIPPED, old.memory_id, "remember.same_message"))
        return old.memory_id
    numbers = policy.remember
    dated = old if old.when_text is not None else candidate
    records[old.memory_id] = replace(
        move(old, "confirm", turn.at),
        confidence=min(old.confidence + hundredths(numbers.confirm), hundredths(numbers.most)),
        last_confirmed_at=max(turn.at, old.last_confirmed_at),
        source_message_ids=(*old.source_message_ids, turn.message_id),
        attribute=old.attribute or candidate.attribute,
        statement=old.statement or candidate.statement,
        when_start=dated.when_start,
        when_end=dated.when_end,
        when_text=dated.when_text,
        sensitive=old.sensitive or candidate.sensitive,
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
