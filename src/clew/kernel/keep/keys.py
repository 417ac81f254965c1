"""The one constructor of memory keys: what it refuses is not stored (turn-pipeline §12.3.1, ruling P81)."""

from __future__ import annotations

import re

from clew.kernel.text.slug import slug
from clew.model.memory import MemoryType
from clew.policy import Policy

_PREFIX = {
    MemoryType.FACT: "fact",
    MemoryType.PREFERENCE: "pref",
    MemoryType.RELATIONSHIP_EVENT: "event",
    MemoryType.EMOTIONAL_PATTERN: "emotion",
}
_MONTH = re.compile(r"[0-9]{4}_(?:0[1-9]|1[0-2])")
STANCES = ("like", "dislike")


def build(kind: MemoryType, *parts: str, policy: Policy) -> str | None:
    """`fact:<field>`, `pref:<category>:<item>`, `event:<domain>:<yyyy_mm>:<what>`, `emotion:<pattern>`."""
    keys = policy.remember.keys
    match kind, parts:
        case MemoryType.FACT, (field,) if field in keys.facts:
            return f"fact:{field}"
        case MemoryType.EMOTIONAL_PATTERN, (pattern,) if pattern in keys.patterns:
            return f"emotion:{pattern}"
        case MemoryType.PREFERENCE, (category, item) if category in keys.categories:
            name = _name(item, policy)
            return f"pref:{category}:{name}" if name else None
        case MemoryType.RELATIONSHIP_EVENT, (domain, month, what) if domain in keys.domains:
            name = _name(what, policy)
            return f"event:{domain}:{month}:{name}" if name and _MONTH.fullmatch(month) else None
        case _:
            return None


def _name(text: str, policy: Policy) -> str:
    """A slug cut in the middle may end in an underscore, and would be another name when read again."""
    return slug(text, policy.text).strip("_")


def canonical(key: str, policy: Policy) -> tuple[MemoryType, str] | None:
    """A key from outside in its one spelling, with its type; None when no such key can exist."""
    prefix, *parts = key.strip().split(":")
    for kind, name in _PREFIX.items():
        if prefix == name:
            built = build(kind, *parts, policy=policy)
            return (kind, built) if built else None
    return None


def canonical_value(kind: MemoryType, value: str) -> str | None:
    """Trimmed; a preference is `like|…` or `dislike|…` and nothing else (§12.3.2)."""
    bare = " ".join(value.split())
    if kind is not MemoryType.PREFERENCE:
        return bare or None
    stance, bar, item = bare.partition("|")
    stance, item = stance.strip().lower(), item.strip()
    return f"{stance}|{item}" if bar and item and stance in STANCES else None


def stance_of(value: str) -> str:
    return value.partition("|")[0]


def bare_value(value: str) -> str:
    """A preference without its stance; any other value as it is."""
    stance, bar, item = value.partition("|")
    return item if bar and stance in STANCES else value
