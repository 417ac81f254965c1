"""What was forgotten stays forgotten: no earlier words that hold it are shown again (ruling M5).

What the user says of it afterwards, of their own accord, is theirs to say and is not held back.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from functools import lru_cache

from clew.frozen import dataclass
from clew.kernel.keep.keys import bare_value, build
from clew.kernel.statements.people import rarity
from clew.kernel.text.canonical import derived_id
from clew.kernel.text.terms import terms
from clew.model.memory import EventKind, InvalidReason, MemoryEvent, MemoryRecord, MemoryStatus, MemoryType
from clew.model.plan import Finding
from clew.policy import Policy

FORGOT = InvalidReason.FORGOT
# Told under this key, a message is only kept from coming back; its words are not held.
UNRECORDED = "note:off_the_record"


@dataclass(frozen=True, slots=True)
class Gone:
    """Words that must not come back from before `at`, and the messages that told them.

    only_said: no memory stood under them; they were forgotten as words.
    """

    words: frozenset[str]
    at: datetime
    sources: frozenset[str]
    only_said: bool = False


def gone_in(records: Iterable[MemoryRecord], policy: Policy) -> tuple[Gone, ...]:
    """From the memories that the user had forgotten."""
    return tuple(
        Gone(
            frozenset() if m.memory_key == UNRECORDED else told_words(bare_value(m.memory_value), policy),
            m.ended_at or m.last_confirmed_at,
            frozenset(m.source_message_ids),
            m.memory_key != UNRECORDED and m.type is MemoryType.NOTE,
        )
        for m in records
        if m.status is MemoryStatus.INVALID and m.invalid_reason == FORGOT
    )


def holds_forgotten(
    text: str, at: datetime | None, gone: Sequence[Gone], policy: Policy, message_id: str | None = None
) -> bool:
    """Does the text hold something that was to be forgotten? `at`: when it was said; None where that is not known."""
    said = _terms(text, policy) if gone else frozenset()
    for one in gone:
        if message_id is not None and message_id in one.sources:
            return True
        if one.words and one.words <= said and (at is None or at <= one.at):
            return True
    return False


def without_forgotten(
    records: Sequence[MemoryRecord], gone: Sequence[Gone], policy: Policy
) -> tuple[MemoryRecord, ...]:
    """A memory whose own words also tell what was forgotten is told by its value alone."""
    if not gone:
        return tuple(records)

    def clean(record: MemoryRecord) -> MemoryRecord:
        told = record.statement
        if not told or not holds_forgotten(told, record.created_at, gone, policy):
            return record
        return replace(record, statement=None)

    return tuple(clean(m) for m in records)


def of_forgotten(question: str, found: Sequence[Finding], gone: Sequence[Gone], policy: Policy) -> tuple[Finding, ...]:
    """Asked for what was forgotten, only what was told of it since answers, not whatever comes nearest."""
    asked = told_words(question, policy) & frozenset(w for one in gone for w in one.words)
    named = frozenset(w for w in asked if rarity(w, policy) >= policy.checks.name_rarity)
    return tuple(f for f in found if not named or named & _terms(f.told, policy))


def hushed(record: MemoryRecord, gone: Sequence[Gone]) -> bool:
    """It was read from a message that was forgotten as words, because no memory was found under what was named.

    "Forget the hawk's age": whosever age it was taken for, it is not told again.
    """
    told = frozenset(record.source_message_ids)
    found = {one.at for one in gone if not one.only_said}
    return bool(told) and any(one.only_said and one.at not in found and told <= one.sources for one in gone)


def forgotten_words(
    named: str, sources: Sequence[str], message_id: str, at: datetime, policy: Policy
) -> tuple[MemoryRecord, MemoryEvent] | None:
    """Something that was said and never became a memory, forgotten all the same: it leaves only its mark."""
    key = build(MemoryType.NOTE, named, policy=policy)
    if key is None:
        return None
    record = _mark(key, named, tuple(sources), derived_id("memory", message_id, key, FORGOT), at)
    return record, MemoryEvent(EventKind.SUPPRESSED, record.memory_id, "correct.suppressed_words")


def unrecorded(held: MemoryRecord | None, message_id: str, at: datetime) -> MemoryRecord:
    """One mark for all messages that were said off the record."""
    if held is None:
        return _mark(UNRECORDED, "off the record", (message_id,), derived_id("memory", message_id, UNRECORDED), at)
    sources = tuple(dict.fromkeys((*held.source_message_ids, message_id)))
    return replace(held, source_message_ids=sources, ended_at=at)


def _mark(key: str, value: str, sources: tuple[str, ...], memory_id: str, at: datetime) -> MemoryRecord:
    return MemoryRecord(
        memory_id=memory_id,
        type=MemoryType.NOTE,
        memory_key=key,
        memory_value=value,
        confidence=Decimal("1.00"),
        status=MemoryStatus.INVALID,
        created_at=at,
        last_confirmed_at=at,
        source_message_ids=sources,
        invalid_reason=FORGOT,
        ended_at=at,
        attribute="note",
    )


def told_words(text: str, policy: Policy) -> frozenset[str]:
    """The words that name something; words of talk alone would hold everything back."""
    return _terms(text, policy) - _talk(policy)


@lru_cache(maxsize=2048)
def _terms(text: str, policy: Policy) -> frozenset[str]:
    return frozenset(term for term, _ in terms(text, policy))


@lru_cache(maxsize=4)
def _talk(policy: Policy) -> frozenset[str]:
    listed = (w for words in policy.checks.languages.values() for w in words.asking)
    stop = policy.remember.correct.target_stop
    return frozenset(t for w in (*listed, *stop) for t in _terms(w, policy))
