"""A change told in words: what takes another's place, and what is over, closes what was held (ruling M7)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache

from clew.kernel.keep.keys import bare_value, row_of
from clew.kernel.keep.lifecycle import ACTIVE, move
from clew.kernel.keep.values import abstains
from clew.kernel.read.change_words import says, without_common
from clew.kernel.statements.features import mentions
from clew.kernel.text.terms import terms
from clew.model.key import Key
from clew.model.memory import EventKind, InvalidReason, MemoryEvent, MemoryRecord
from clew.policy import Policy
from clew.policy.attributes import Identity

REPLACED, OVER = "remember.changed", InvalidReason.ENDED


def close_changed(
    records: dict[str, MemoryRecord],
    events: list[MemoryEvent],
    new: MemoryRecord,
    message_id: str,
    at: datetime,
    policy: Policy,
) -> None:
    """The older ones that a new memory replaces or ends by its own words."""
    if not new.statement or new.status is not ACTIVE or message_id not in new.source_message_ids:
        return
    instead, over = says(new.statement, "instead", policy), says(new.statement, "ended", policy)
    if not (instead or over) or says(new.statement, "beside", policy):
        return
    said = _terms(new.statement, policy)
    for old in list(records.values()):
        if old.status is not ACTIVE or message_id in old.source_message_ids:
            continue
        if over and old.subject == new.subject and _named(old, said, policy):
            records[old.memory_id] = move(old, "invalidate", at, reason=OVER)
            events.append(MemoryEvent(EventKind.INVALIDATED, old.memory_id, OVER))
            continue
        beside = _told_beside(old, records, policy) if instead else frozenset()
        if instead and (replaces(old, new, policy, beside) or _swapped(old, new, records, said, policy)):
            records[old.memory_id] = move(old, "supersede", at, by=new.memory_id)
            events.append(MemoryEvent(EventKind.SUPERSEDED, old.memory_id, REPLACED, by=new.memory_id))


def _in_their_place(old: MemoryRecord, new: MemoryRecord, policy: Policy) -> bool:
    """Of whom one has one, the new one takes the place: "my new boss is called Ines"."""
    if new.attribute != "name" or new.subject not in policy.changes.one_of or old.subject != new.subject:
        return False
    named = any(new.subject == m.subject for m in mentions(new.statement or "", policy.reader))
    return named and _other_name(old, new)


def _told_beside(old: MemoryRecord, records: Mapping[str, MemoryRecord], policy: Policy) -> frozenset[str]:
    """The words of all else that was told with it: who changes the database does not change the framework."""
    beside = (m for m in records.values() if m is not old and m.statement == old.statement and old.statement)
    return frozenset(t for m in beside for t in _terms(bare_value(m.memory_value), policy))


def replaces(
    old: MemoryRecord, new: MemoryRecord, policy: Policy, beside: frozenset[str] = frozenset()
) -> bool:
    """The same side of the same life, and a word in common besides the values; a diet or a goal needs none.

    beside: the words of other things that were told with the old one.
    """
    if old.subject != new.subject or _other_name(old, new):
        return False
    if row_of(new.attribute, policy).identity is Identity.LABEL and old.memory_key != new.memory_key:
        return False  # the code of another door, the status of another thing
    kinds = {old.attribute, new.attribute}
    if len(kinds) > 1 and not kinds <= set(policy.checks.dated):
        return False
    if new.attribute in policy.checks.exclusive:
        return True
    if new.attribute in ("like", "dislike"):
        return False  # liking one thing now takes nothing from another
    values = _terms(f"{bare_value(old.memory_value)}" if new.attribute not in policy.checks.dated else "", policy)
    before, now = (_terms(without_common(_timeless(m), policy.changes.common), policy) for m in (old, new))
    closing = _closing(policy)
    return any(term[-1] not in closing for term in (before - values - beside) & now - _plain(policy))


def _timeless(record: MemoryRecord) -> str:
    """Its words without their time: two plans of next week, or of next month, are not one plan."""
    said = record.statement or ""
    return said.replace(record.when_text, " ") if record.when_text else said


def close_told_over(
    records: dict[str, MemoryRecord],
    events: list[MemoryEvent],
    text: str,
    message_id: str,
    at: datetime,
    policy: Policy,
) -> None:
    """ "The band split up", though nothing to keep was read from it: what it names is over."""
    if not says(text, "ended", policy) or says(text, "beside", policy):
        return
    said = _terms(text, policy)
    for old in list(records.values()):
        if old.status is not ACTIVE or message_id in old.source_message_ids or old.attribute not in policy.checks.ends:
            continue
        if abstains(old, policy):
            continue
        value = _terms(bare_value(old.memory_value), policy) - _no_things(policy)
        if value and len(value & said) * policy.checks.ends_share >= len(value):
            records[old.memory_id] = move(old, "invalidate", at, reason=OVER)
            events.append(MemoryEvent(EventKind.INVALIDATED, old.memory_id, OVER))


def _swapped(
    old: MemoryRecord, new: MemoryRecord, records: dict[str, MemoryRecord], said: frozenset[str], policy: Policy
) -> bool:
    """The old one is named beside the new, or is the only one that "switched to" can mean."""
    if _in_their_place(old, new, policy):
        return True
    if (old.subject, old.attribute) != (new.subject, new.attribute) or _other_name(old, new):
        return False
    if old.attribute == "event":
        return False  # what happened is not swapped
    if _named(old, said, policy):
        return True
    alike = [
        m
        for m in records.values()
        if m.status is ACTIVE and (m.subject, m.attribute) == (new.subject, new.attribute) and m is not new
    ]
    return says(new.statement or "", "switched", policy) and alike == [old]


def overtakes(text: str, old: MemoryRecord, policy: Policy) -> bool:
    """A later message that names the value and says that it is over, or that another took its place."""
    if not any(says(text, kind, policy) for kind in ("instead", "ended", "switched", "swap")):
        return False
    if row_of(old.attribute, policy).timeless or abstains(old, policy):
        return False  # whoever is called by a name when something else changes is called so still
    value = _terms(bare_value(old.memory_value), policy) - _no_things(policy)
    return bool(value) and value <= _terms(text, policy) and not says(text, "beside", policy)


def _named(old: MemoryRecord, said: frozenset[str], policy: Policy) -> bool:
    """Every word of the value is in the sentence that ends it."""
    value = _terms(bare_value(old.memory_value), policy) - _no_things(policy)
    closed = old.attribute in ("event", "name", "note", "death") or abstains(old, policy)
    return bool(value) and value <= said and not closed


def _other_name(old: MemoryRecord, new: MemoryRecord) -> bool:
    one, two = Key.parse(old.memory_key), Key.parse(new.memory_key)
    return bool(one and two and one.name and two.name and one.name != two.name)


@lru_cache(maxsize=2048)
def _terms(text: str, policy: Policy) -> frozenset[str]:
    return frozenset(term for term, _ in terms(text, policy))


@lru_cache(maxsize=4)
def _plain(policy: Policy) -> frozenset[str]:
    """Words of talk and endings of verbs, which two statements may share without being about one thing.

    이직했어, 이사했어: both are told in the past, and that is all.
    """
    tables = policy.checks.languages.values()
    endings = (e for w in tables for e in (*w.endings.closed, *w.endings.open, *w.endings.any, *w.endings.verbal))
    return frozenset(t for w in (*(a for w in tables for a in w.asking), *endings) for t in _terms(w, policy))


@lru_cache(maxsize=4)
def _closing(policy: Policy) -> frozenset[str]:
    """퇴사했어, 이사했어: a pair of letters that ends in an ending is half of no word."""
    return frozenset(e for w in policy.checks.languages.values() for e in w.endings.verbal if len(e) == 1)


@lru_cache(maxsize=4)
def _no_things(policy: Policy) -> frozenset[str]:
    """Words that name nothing which could be over: "two weeks ago" does not end "under two hours"."""
    tables = (t for w in policy.times.languages.values() for t in (w.numbers, w.units, w.weekdays, w.months, w.days))
    return _plain(policy) | frozenset(term for table in tables for word in table for term in _terms(word, policy))
