"""One person under a relation and a name: "my sister", later "my sister Mina" (rulings M1, M2)."""

from __future__ import annotations

from collections.abc import Iterable

from clew.kernel.keep.lifecycle import ACTIVE
from clew.model.key import Key
from clew.model.memory import SELF, MemoryRecord


def names_known(subject: str, records: Iterable[MemoryRecord]) -> frozenset[str]:
    """What people of this relation are called, in the spelling of keys."""
    found = set()
    for record in records:
        if record.status is ACTIVE and record.subject == subject:
            key = Key.parse(record.memory_key)
            if key is not None and key.name is not None:
                found.add(key.name)
    return frozenset(found)


def everybody(records: Iterable[MemoryRecord]) -> dict[str, str]:
    """Name → who it is; a name that two of them bear tells nothing."""
    found: dict[str, set[str]] = {}
    for record in records:
        key = Key.parse(record.memory_key) if record.status is ACTIVE else None
        if key is not None and key.name is not None:
            found.setdefault(key.name.replace("_", " "), set()).add(key.subject)
    return {name: next(iter(who)) for name, who in found.items() if len(who) == 1}


def of_known_name(key: str, records: Iterable[MemoryRecord]) -> str:
    """ "My sister" is Mina when she is the only sister known by name; with two it stays open which one."""
    parsed = Key.parse(key)
    if parsed is None or parsed.subject == SELF or parsed.name is not None or parsed.field is None:
        return key
    names = names_known(parsed.subject, records)
    return str(parsed.called(next(iter(names)))) if len(names) == 1 else key


def same_slot(held: str, new: str, records: Iterable[MemoryRecord]) -> bool:
    """The same attribute of the same relation, one of them told before the name was known."""
    one, two = Key.parse(held), Key.parse(new)
    if one is None or two is None or one.subject == SELF or one.subject != two.subject:
        return False
    if one.field is None or one.called(None) != two.called(None) or (one.name and two.name):
        return False
    return len(names_known(one.subject, records) | {n for n in (one.name, two.name) if n}) <= 1
