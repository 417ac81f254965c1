"""What a message puts right of something held, and how what is held is told anew."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from zoneinfo import ZoneInfo

from clew.kernel.correct.telling_words import of_endings
from clew.kernel.keep.keys import bare_value, make
from clew.kernel.keep.times import When, month_of
from clew.kernel.text.canonical import derived_id
from clew.kernel.text.terms import terms
from clew.model.key import Key, KeyKind
from clew.model.memory import MemoryRecord
from clew.policy import Policy


@dataclass(frozen=True, slots=True)
class Shift:
    """`old` gives way to `new`. `renamed`: what else is held of one whose name was put right, by the old name."""

    old: MemoryRecord
    new: MemoryRecord
    renamed: tuple[tuple[MemoryRecord, MemoryRecord], ...] = ()


@dataclass(frozen=True, slots=True)
class Told:
    """What the message puts right: the new part, the old one where it is named, and the words around them."""

    new: str
    old: str
    rest: tuple[str, ...]
    toward: int
    sure: bool


@dataclass(frozen=True, slots=True)
class Moment:
    message_id: str
    at: datetime
    zone: ZoneInfo


def made_anew(
    old: MemoryRecord, value: str, said: str, turn: Moment, policy: Policy, when: When
) -> MemoryRecord:
    key = _key(old, value, when, turn, policy)
    return told_by(old, derived_id("memory", turn.message_id, key, value), key, value, said, turn)


def told_by(
    old: MemoryRecord, memory_id: str, key: str, value: str, said: str, turn: Moment
) -> MemoryRecord:
    return replace(
        old,
        memory_id=memory_id,
        memory_key=key,
        memory_value=value,
        statement=said,
        created_at=turn.at,
        last_confirmed_at=turn.at,
        source_message_ids=(turn.message_id,),
    )


def _key(old: MemoryRecord, value: str, when: When, turn: Moment, policy: Policy) -> str:
    key = Key.parse(old.memory_key)
    if key is None:
        return old.memory_key
    item = bare_value(value)
    made: Key | None = None
    if key.kind is KeyKind.EVENT:
        made = make(key.kind, key.parts[0], month_of(when, turn.at, turn.zone), item, policy=policy)
    elif key.kind in (KeyKind.NOTE, KeyKind.HABIT, KeyKind.GOAL, KeyKind.RULE):
        made = make(key.kind, item, policy=policy)
    elif key.kind in (KeyKind.FACT, KeyKind.PREF) and key.item is not None:
        made = make(key.kind, key.parts[0], item, policy=policy)
    elif key.kind in (KeyKind.PERSON, KeyKind.PET) and key.item is not None:
        made = make(key.kind, *key.parts[:2], f"{key.field}.{item}", policy=policy)
    return str(made) if made is not None and value != old.memory_value else old.memory_key


def led(part: str, policy: Policy) -> str:
    """What stands behind the last word that only leads to it."""
    for words in policy.checks.languages.values():
        if words.shift_before:
            part = re.split(words.shift_before, part, flags=re.I)[-1]
    return part.strip(" ,.'\"")


def swapped(held: str, old: str, new: str) -> str:
    return re.sub(re.escape(old), lambda _: new, held, count=1, flags=re.I) if old else held


@lru_cache(maxsize=2048)
def named_terms(text: str, policy: Policy) -> frozenset[str]:
    return frozenset(term for term, _ in terms(text, policy)) - of_endings(policy)
