"""What is over closes the memory it names or implies (ruling M7)."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from datetime import datetime

from clew.kernel.keep.keys import attribute_of, bare_value, row_of
from clew.kernel.keep.lifecycle import ACTIVE, move
from clew.kernel.keep.same_things import same_thing
from clew.kernel.keep.values import abstains
from clew.kernel.statements.features import mentions
from clew.kernel.text.normalize import normal
from clew.kernel.text.terms import terms
from clew.kernel.text.tokens import content_words
from clew.model.key import Key, KeyKind
from clew.model.memory import SELF, Ending, EventKind, InvalidReason, MemoryEvent, MemoryRecord
from clew.policy import Policy

ENDED, DENIED = InvalidReason.ENDED, InvalidReason.DENIED
# A word for whoever one is with: 애인, "my partner".
_PARTNER = "person:partner"


def close_ended(
    records: dict[str, MemoryRecord],
    events: list[MemoryEvent],
    endings: Sequence[Ending],
    message_id: str,
    at: datetime,
    policy: Policy,
    beside: AbstractSet[str] = frozenset(),
) -> None:
    """What the same message states anew stays; so does what it stands `beside` and does not name."""
    for ending in endings:
        held = [m for m in records.values() if m.status is ACTIVE and message_id not in m.source_message_ids]
        reason = DENIED if ending.denied else ENDED
        for record in meant(ending, held, policy):
            if record.memory_id in beside and not _names(ending, record, policy):
                continue
            records[record.memory_id] = move(record, "invalidate", at, reason=reason)
            events.append(MemoryEvent(EventKind.INVALIDATED, record.memory_id, reason))


def close_implied(
    records: dict[str, MemoryRecord],
    events: list[MemoryEvent],
    new: MemoryRecord,
    message_id: str,
    at: datetime,
    policy: Policy,
) -> None:
    """A death ends where somebody lives and works: that is superseded by it, and kept as history."""
    attribute = new.attribute or ""
    implied = policy.attributes.rows[attribute].supersedes if attribute in policy.attributes.rows else ()
    if not implied:
        return
    mine = Key.parse(new.memory_key)
    for record in list(records.values()):
        if record.status is not ACTIVE or record.subject != new.subject or record is new:
            continue
        key = Key.parse(record.memory_key)
        other = mine is not None and key is not None and key.name and mine.name and key.name != mine.name
        pet = new.attribute == "death" and mine is not None and mine.kind is KeyKind.PET
        gone = (*implied, "exists") if pet else implied
        if not other and _attribute(record, policy) in gone:
            records[record.memory_id] = move(record, "supersede", at, by=new.memory_id)
            events.append(
                MemoryEvent(EventKind.SUPERSEDED, record.memory_id, "remember.ended", by=new.memory_id)
            )


def close_parted(
    records: dict[str, MemoryRecord],
    events: list[MemoryEvent],
    gone: MemoryRecord,
    message_id: str,
    at: datetime,
    policy: Policy,
) -> None:
    """Who was left is nobody's boyfriend any more: what was held of him under that word is over with his name.

    So is that the user is with him, where both were told in one breath.
    """
    key = Key.parse(gone.memory_key)
    if gone.subject not in policy.changes.lovers or _attribute(gone, policy) != "name" or key is None:
        return
    for record in list(records.values()):
        other = Key.parse(record.memory_key)
        theirs = record.subject == gone.subject and other is not None and other.name == key.name
        both = {*record.source_message_ids} & {*gone.source_message_ids}
        ours = record.subject == SELF and _attribute(record, policy) == "relationship" and bool(both)
        if (theirs or ours) and record.status is ACTIVE and message_id not in record.source_message_ids:
            records[record.memory_id] = move(record, "invalidate", at, reason=ENDED)
            events.append(MemoryEvent(EventKind.INVALIDATED, record.memory_id, ENDED))


def meant(ending: Ending, held: Sequence[MemoryRecord], policy: Policy) -> list[MemoryRecord]:
    """The memories that an ending names, and with them those that cannot outlast them."""
    row = row_of(ending.attribute, policy)
    own = [m for m in held if m.subject == ending.subject]
    same = [m for m in own if _attribute(m, policy) == ending.attribute or _tastes(m, ending, policy)]
    # Who quit drinking drinks no more: what says so already is not over.
    named = [m for m in same if _names(ending, m, policy) and (ending.denied or not abstains(m, policy))]
    if not named and not row.many and not ending.denied and _unspecific(ending, policy):
        named = [m for m in same if not abstains(m, policy)]
    if ending.denied or (same and not named):
        return named
    implied = [m for m in own if _attribute(m, policy) in row.ends and m not in named]
    gone = [m for m in held if m.subject in row.ends and _not_another(ending, m, policy)]
    return [*named, *implied, *gone]


def _attribute(record: MemoryRecord, policy: Policy) -> str | None:
    if record.attribute:
        return record.attribute
    key = Key.parse(record.memory_key)
    return attribute_of(key, policy) if key else None


def _tastes(record: MemoryRecord, ending: Ending, policy: Policy) -> bool:
    """Climbing may be held as a sport, a hobby, a habit or a liking."""
    key = Key.parse(record.memory_key)
    loose = (KeyKind.PREF, KeyKind.HABIT)
    return key is not None and key.kind in loose and row_of(ending.attribute, policy).key in loose


def _names(ending: Ending, record: MemoryRecord, policy: Policy) -> bool:
    if ending.key is not None:
        key = Key.parse(ending.key)
        one_of_many = key is not None and key.item is not None
        if one_of_many and same_thing(ending.key, record.memory_key, policy):
            return True
    told = _words(ending.value) if ending.value else _words(ending.statement)
    value = _words(bare_value(record.memory_value))
    if not told or not value:
        return ending.key == record.memory_key and not ending.value
    if value <= told or (bool(ending.value) and told <= value):
        return True
    spoken, held = _stems(ending.value, policy), _stems(bare_value(record.memory_value), policy)
    return bool(spoken) and spoken <= held  # "I quit teaching": you taught chemistry


def _stems(text: str | None, policy: Policy) -> frozenset[str]:
    return frozenset(term for term, _ in terms(text or "", policy))


def _words(text: str | None) -> frozenset[str]:
    bare = normal(text or "").no_punct
    return content_words(bare) or frozenset(bare.split())


def _unspecific(ending: Ending, policy: Policy) -> bool:
    """ "I quit my job", "we broke up": no value is named, so the one that is held is meant."""
    if not ending.value:
        return True
    labels = {
        w for words in policy.attributes.languages.values() for w in words.asked.get(ending.attribute, ())
    }
    bare = normal(ending.value).no_punct
    left = ending.attribute in policy.checks.leaving and any(
        bare in words.left for words in policy.checks.languages.values()
    )
    return left or bare in labels or ending.attribute in policy.attributes.one_at_a_time


def _not_another(ending: Ending, record: MemoryRecord, policy: Policy) -> bool:
    """Broke up with Tunde: my boyfriend Tunde, not my boyfriend Sam; "with my boyfriend" means whoever that is."""
    key = Key.parse(record.memory_key)
    if key is None or key.name is None or not ending.value:
        return True
    spoken_of = {m.subject for m in mentions(ending.value, policy.reader)}
    if spoken_of:
        return bool(spoken_of & {record.subject, _PARTNER})
    return key.name in _words(ending.value) or key.name in _words(ending.statement)
