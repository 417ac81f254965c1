"""The one constructor of memory keys: what it refuses is not stored (rulings P81, M1)."""

from __future__ import annotations

import hashlib

from clew.kernel.text.slug import slug
from clew.model.key import NOBODY, Key, KeyKind
from clew.model.memory import MemoryRecord, MemoryType
from clew.policy import Policy
from clew.policy.attributes import Attribute

_LISTED = {
    MemoryType.FACT: KeyKind.FACT,
    MemoryType.PREFERENCE: KeyKind.PREF,
    MemoryType.RELATIONSHIP_EVENT: KeyKind.EVENT,
    MemoryType.EMOTIONAL_PATTERN: KeyKind.EMOTION,
    MemoryType.NOTE: KeyKind.NOTE,
}
STANCES = ("like", "dislike")
_MARK = 7


def build(kind: MemoryType | KeyKind, *parts: str, policy: Policy) -> str | None:
    """The key in its one spelling; None when a part is empty or names nothing that may be kept."""
    made = make(kind if isinstance(kind, KeyKind) else _LISTED[kind], *parts, policy=policy)
    return str(made) if made else None


def make(kind: KeyKind, *parts: str, policy: Policy) -> Key | None:
    keys = policy.remember.keys
    match kind, parts:
        case KeyKind.FACT, (field,):
            return _known_key(kind, fact_field(field, policy))
        case KeyKind.FACT, (field, item):
            row = policy.attributes.rows.get(field)
            many = row is not None and row.many and row.key is KeyKind.FACT
            return _known_key(kind, field if many else None, item_name(item, policy))
        case KeyKind.EMOTION, (pattern,):
            return _known_key(kind, pattern if pattern in keys.patterns else None)
        case KeyKind.PREF, (category, item):
            return _known_key(kind, category if category in keys.categories else None, _name(item, policy))
        case KeyKind.EVENT, (domain, month, what):
            return _known_key(kind, domain if domain in keys.domains else None, month, _name(what, policy))
        case ((KeyKind.PERSON | KeyKind.PET), (relation, name)):
            return _known_key(kind, relation_name(kind, relation, policy), _called(name, policy))
        case ((KeyKind.PERSON | KeyKind.PET), (relation, name, attribute)):
            field, dot, item = attribute.partition(".")
            row = policy.attributes.rows.get(field)
            which = item_name(item, policy) if dot else ""
            if row is None or (dot and not which):
                return None
            whole = f"{field}.{which}" if which else field
            return _known_key(kind, relation_name(kind, relation, policy), _called(name, policy), whole)
        case ((KeyKind.HABIT | KeyKind.GOAL | KeyKind.RULE | KeyKind.NOTE), (what,)):
            return _known_key(kind, item_name(what, policy))
        case _:
            return None


def _known_key(kind: KeyKind, *parts: str | None) -> Key | None:
    named = tuple(p for p in parts if p)
    if len(named) != len(parts):
        return None
    try:
        return Key(kind, named)
    except ValueError:
        return None


def fact_field(field: str, policy: Policy) -> str | None:
    """A listed fact, or an attribute with one value; `job` is the specification's `occupation`."""
    if field in policy.remember.keys.facts:
        return field
    row = policy.attributes.rows.get(field)
    if row is None or row.many or row.key is not KeyKind.FACT:
        return None
    return row.field or field


def attribute_of(key: Key, policy: Policy) -> str | None:
    """The row of the attribute table that a key belongs to; None when the table has none (a mood, a zone)."""
    rows = policy.attributes.rows
    match key.kind:
        case KeyKind.PERSON | KeyKind.PET:
            return key.field or ("name" if key.name else "exists")
        case KeyKind.EVENT:
            return "event"
        case KeyKind.HABIT | KeyKind.GOAL | KeyKind.RULE | KeyKind.NOTE:
            return next((name for name, row in rows.items() if row.key is key.kind), "note")
        case KeyKind.PREF if key.field not in rows:
            return "like"
        case KeyKind.EMOTION:
            return "feeling_pattern" if "feeling_pattern" in rows else None
    if key.field in ("home_country", "home_city"):
        return "origin"
    if key.field == "language_primary":
        return "language"
    if key.field in rows:
        return key.field
    return next((name for name, row in rows.items() if row.field == key.field), None)


def row_of(attribute: str | None, policy: Policy) -> Attribute:
    """What no row fits is a note."""
    rows = policy.attributes.rows
    return rows.get(attribute or "note") or rows["note"]


def _name(text: str, policy: Policy) -> str:
    """A slug cut in the middle may end in an underscore, and would be another name when read again."""
    return slug(text, policy.text).strip("_")


def item_name(item: str, policy: Policy) -> str:
    """Two long notes that begin alike are two: what is cut off leaves its mark (ruling P77)."""
    short = _name(item, policy)
    bare = " ".join(item.replace("_", " ").split())
    if len(bare) <= policy.text.slug_max:
        return short
    mark = hashlib.sha256(bare.lower().encode()).hexdigest()[: _MARK - 1]
    return f"{short[: policy.text.slug_max - _MARK].rstrip('_')}_{mark}" if short else mark


def _called(name: str, policy: Policy) -> str:
    return NOBODY if name == NOBODY else _name(name, policy) or NOBODY


def attribute_for(record: MemoryRecord, policy: Policy) -> str:
    """The row a record belongs to; older records have only their key."""
    if record.attribute:
        return record.attribute
    key = Key.parse(record.memory_key)
    return (attribute_of(key, policy) if key else None) or "note"


def relation_name(kind: KeyKind, relation: str, policy: Policy) -> str:
    """mum, mom and 엄마 are one relation; one that no table knows keeps its own word."""
    bare = " ".join(relation.lower().replace("_", " ").split())
    for words in policy.attributes.languages.values():
        for name, spellings in (words.pets if kind is KeyKind.PET else words.relations).items():
            if bare == name or bare in spellings:
                return name
    return _name(bare, policy).replace("_", "-")


def canonical(key: str, policy: Policy, value: str | None = None) -> tuple[MemoryType, str] | None:
    """A key from outside in its one spelling, with its type; None when no such key can exist.

    `value` completes a key of an attribute with many values: fact:allergy is the allergy to that.
    """
    given = Key.parse(key)
    if given is None:
        return None
    made = make(given.kind, *given.parts, policy=policy)
    if made is None and value and given.kind is KeyKind.FACT and given.item is None:
        made = make(KeyKind.FACT, given.parts[0], bare_value(value), policy=policy)
    return (made.type, str(made)) if made else None


def canonical_value(kind: MemoryType, value: str) -> str | None:
    """Trimmed; a preference is `like|…` or `dislike|…` and nothing else."""
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
