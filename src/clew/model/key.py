"""The key of a memory, built and taken apart in one place (ruling M1).

fact:<attribute>  fact:<attribute>:<item>  pref:<category>:<item>  event:<domain>:<yyyy_mm>:<what>
emotion:<pattern>  habit:<what>  goal:<what>  rule:<what>  note:<what>
person:<relation>:<name or _>[:<attribute>]  pet:<kind>:<name or _>[:<attribute>]

An attribute of which a person has many is written <attribute>.<item>: person:sister:mina:like.sushi.
A part never holds a colon, so a person named like a city or a pet named like a dish is nothing special.
"""

from __future__ import annotations

import re
from dataclasses import replace
from enum import StrEnum
from functools import lru_cache

from clew.frozen import dataclass
from clew.model.memory import SELF, MemoryType

NOBODY = "_"
_PART = re.compile(r"[^\s:|]+")
_MONTH = re.compile(r"[0-9]{4}_(?:0[1-9]|1[0-2])")


class KeyKind(StrEnum):
    FACT = "fact"
    PREF = "pref"
    EVENT = "event"
    EMOTION = "emotion"
    PERSON = "person"
    PET = "pet"
    HABIT = "habit"
    GOAL = "goal"
    RULE = "rule"
    NOTE = "note"


TYPES: dict[KeyKind, MemoryType] = {
    KeyKind.FACT: MemoryType.FACT,
    KeyKind.PREF: MemoryType.PREFERENCE,
    KeyKind.EVENT: MemoryType.RELATIONSHIP_EVENT,
    KeyKind.EMOTION: MemoryType.EMOTIONAL_PATTERN,
    KeyKind.PERSON: MemoryType.FACT,
    KeyKind.PET: MemoryType.FACT,
    KeyKind.HABIT: MemoryType.FACT,
    KeyKind.GOAL: MemoryType.FACT,
    KeyKind.RULE: MemoryType.FACT,
    KeyKind.NOTE: MemoryType.NOTE,
}
# How many parts follow the kind, at least and at most.
_PARTS: dict[KeyKind, tuple[int, int]] = {
    KeyKind.FACT: (1, 2),
    KeyKind.PREF: (2, 2),
    KeyKind.EVENT: (3, 3),
    KeyKind.EMOTION: (1, 1),
    KeyKind.PERSON: (2, 3),
    KeyKind.PET: (2, 3),
    KeyKind.HABIT: (1, 1),
    KeyKind.GOAL: (1, 1),
    KeyKind.RULE: (1, 1),
    KeyKind.NOTE: (1, 1),
}
_OTHERS = (KeyKind.PERSON, KeyKind.PET)
_KINDS = {kind.value: kind for kind in KeyKind}


@dataclass(frozen=True, slots=True)
class Key:
    """`str(key)` is what is stored."""

    kind: KeyKind
    parts: tuple[str, ...]

    def __post_init__(self) -> None:
        least, most = _PARTS[self.kind]
        whole = all(_PART.fullmatch(p) for p in self.parts)
        fits = least <= len(self.parts) <= most and whole
        if not fits or (self.kind is KeyKind.EVENT and not _MONTH.fullmatch(self.parts[1])):
            raise ValueError(f"no key has the parts {self.parts!r} after {self.kind.value}")

    def __str__(self) -> str:
        return ":".join((self.kind.value, *self.parts))

    @classmethod
    def parse(cls, text: str) -> Key | None:
        """None when the text has the shape of no key; whether its words are known is not asked here."""
        return _parsed(text)

    @property
    def type(self) -> MemoryType:
        return TYPES[self.kind]

    @property
    def subject(self) -> str:
        """Whose life: self, person:<relation> or pet:<kind>. Events and notes tell it beside their key."""
        return f"{self.kind.value}:{self.parts[0]}" if self.kind in _OTHERS else SELF

    @property
    def name(self) -> str | None:
        """What a person or pet is called, in the spelling of keys; None when not known."""
        if self.kind not in _OTHERS or self.parts[1] == NOBODY:
            return None
        return self.parts[1]

    @property
    def field(self) -> str | None:
        """The attribute of a fact or of a person; the category, domain or pattern of the others."""
        if self.kind in _OTHERS:
            return self.parts[2].partition(".")[0] if len(self.parts) > 2 else None
        return self.parts[0] if len(self.parts) > 1 or self.kind in (KeyKind.FACT, KeyKind.EMOTION) else None

    @property
    def item(self) -> str | None:
        """Which of many: the liked thing, the habit, the note."""
        if self.kind in _OTHERS:
            return (self.parts[2].partition(".")[2] or None) if len(self.parts) > 2 else None
        if self.kind in (KeyKind.FACT, KeyKind.EMOTION) and len(self.parts) == 1:
            return None
        return self.parts[-1]

    @property
    def month(self) -> str | None:
        return self.parts[1] if self.kind is KeyKind.EVENT else None

    @property
    def slot(self) -> tuple[str, ...]:
        """Everything but the item: two keys of one slot may name one thing in two spellings."""
        if self.kind in _OTHERS:
            return (self.kind.value, *self.parts[:2], self.field or "")
        if self.kind is KeyKind.EVENT:
            return (self.kind.value, *self.parts[:2])
        return (self.kind.value, self.field or "")

    def called(self, name: str | None) -> Key:
        """The same attribute of the same relation, of the one called so."""
        return replace(self, parts=(self.parts[0], name or NOBODY, *self.parts[2:]))


def kind_word(key: str) -> str:
    """The first word of a key as it is written, whether or not a kind is called so."""
    return key.partition(":")[0]


def behind_kind(key: str) -> str:
    """All that follows the kind."""
    return key.partition(":")[2]


def first_part(key: str) -> str:
    """What stands right behind the kind: the category, the attribute, the relation; nothing where no part does."""
    return behind_kind(key).partition(":")[0]


def last_words(key: str) -> str:
    """The last part as words: what is liked, what happened."""
    return key.rpartition(":")[2].replace("_", " ")


def subject_of(kind: KeyKind, relation: str) -> str:
    return f"{kind.value}:{relation}"


def relation_of(subject: str) -> tuple[KeyKind, str] | None:
    """person:sister → the kind and the relation; None for the user."""
    kind, colon, relation = subject.partition(":")
    known = _KINDS.get(kind)
    return (known, relation) if colon and relation and known in _OTHERS else None


@lru_cache(maxsize=4096)
def _parsed(text: str) -> Key | None:
    """The same few keys are asked for many times in a turn."""
    kind, *parts = text.strip().split(":")
    known = _KINDS.get(kind)
    if known is None:
        return None
    try:
        return Key(known, tuple(parts))
    except ValueError:
        return None
