"""One person under a relation and a name: "my sister", later "my sister Mina" (rulings M1, M2)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from clew.kernel.keep.lifecycle import ACTIVE
from clew.kernel.language.packs import pack
from clew.kernel.statements.subjects import speaks
from clew.kernel.text.slug import slug
from clew.model.key import Key
from clew.model.memory import SELF, MemoryRecord
from clew.model.utterance import Statement, Status
from clew.policy import Policy


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


def told_of_known(
    statements: Sequence[Statement], records: Iterable[MemoryRecord], language: str, policy: Policy
) -> tuple[Statement, ...]:
    """ "서아는 다섯 살이에요": a sentence that opens with the name of somebody known is about them, not the user."""
    known: dict[str, tuple[str, str]] = {}
    for record in records:
        key = Key.parse(record.memory_key) if record.status is ACTIVE and record.subject != SELF else None
        if key is not None and key.name is not None:
            known[key.name] = (record.subject, key.name)
    spoken = pack(language)
    if not known or spoken is None:
        return tuple(statements)

    def whose(told: Statement) -> Statement | None:
        topic = spoken.topic(told.sentence) if told.subject == SELF else None
        found = known.get(slug(topic, policy.text)) if topic else None
        if found is None or topic is None or told.start < told.sentence.find(topic):
            return told
        at = told.sentence.find(told.value)
        if at > 0 and speaks(told.sentence, 0, at, policy.reader):
            return told  # 우진이는 의사고 저는 교사예요: the user speaks of themself behind it
        if later := _named_behind_a_comma(told.sentence[:at] if at > 0 else "", known):
            return replace(told, subject=known[later][0], name=known[later][1])
        value = told.value
        if value.startswith(topic):  # 소연이는 초밥: the topic is no part of the value
            value = value[len(topic) :].partition(" ")[2]
            if not value or told.attribute == "name":
                return told if told.status is Status.ENDED else None
        return replace(told, subject=found[0], name=topic, value=value)

    return tuple(made for told in statements if (made := whose(told)) is not None)


def _named_behind_a_comma(before: str, known: Collection[str]) -> str:
    """ "Marco's a plumber, Luis is at uni": the last of those known whose clause stands before the value."""
    opens = [(m.start(), name) for name in known for m in re.finditer(rf"[,;]\s+{re.escape(name)}(?!\w)", before, re.I)]
    return max(opens, default=(0, ""))[1]


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
