"""Another name for the same pet or person, with everything that is held of its bearer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from clew.kernel.correct.shift_parts import Moment, Shift, Told, swapped, told_by
from clew.kernel.statements.features import mentions
from clew.kernel.text.canonical import derived_id
from clew.kernel.text.slug import slug
from clew.model.key import Key, KeyKind
from clew.model.memory import MemoryRecord
from clew.model.utterance import Wording
from clew.policy import Policy
from clew.programs import program

_NAMES = ("name", "exists")


def renamed(
    said: Wording, held: Sequence[MemoryRecord], just: Sequence[MemoryRecord], turn: Moment, policy: Policy
) -> Shift | None:
    """ "We renamed the cat, she's Mochi now": the one that is named or meant has another name.

    Meant is whoever the words point at, else the one just told of, else the only pet there is.
    """
    text = said.text.strip()
    new = _new_name(said, policy)
    if not new:
        return None
    bearers = {_bearer(m): m for m in reversed(held) if m.attribute in _NAMES and _bearer(m) is not None}
    spoken = {m.subject for m in mentions(text, policy.reader)}
    words = text.lower()
    ways = (
        [m for m in bearers.values() if _name(m) in words],
        [m for m in bearers.values() if m.subject in spoken],
        [m for m in bearers.values() if m in just],
        [m for m in bearers.values() if m.subject.startswith("pet:")],
    )
    meant = next((way for way in ways if way), [])
    record = meant[0] if len(meant) == 1 else None
    key = Key.parse(record.memory_key) if record is not None else None
    if record is None or key is None or not key.name or slug(new, policy.text) == key.name:
        return None
    return _all_of(record, key.name.replace("_", " "), new, held, turn, policy)


def put_right_in(
    told: Told, new: str, record: MemoryRecord, held: Sequence[MemoryRecord], turn: Moment, policy: Policy
) -> Shift | None:
    """A name put right, whole or in its last part."""
    key = Key.parse(record.memory_key)
    value = record.memory_value
    if key is None or key.name is None or not value.lower().endswith(told.old.lower()):
        return None
    return _all_of(record, told.old, value[: len(value) - len(told.old)] + new, held, turn, policy, new)


def _all_of(
    record: MemoryRecord,
    old: str,
    name: str,
    held: Sequence[MemoryRecord],
    turn: Moment,
    policy: Policy,
    part: str = "",
) -> Shift:
    """part: what stands in the place of `old` where that is only a part of the name."""
    key = Key.parse(record.memory_key)
    fresh = slug(name, policy.text)
    pairs = []
    for other in held:
        theirs = Key.parse(other.memory_key)
        if key is None or theirs is None or theirs.kind is not key.kind or theirs.parts[:2] != key.parts[:2]:
            continue
        own = other.memory_id == record.memory_id
        said = name if own else other.memory_value
        statement = swapped(other.statement or said, old, part or name)
        memory_id = derived_id("memory", turn.message_id, str(theirs.called(fresh)), said)
        made = told_by(other, memory_id, str(theirs.called(fresh)), said, statement, turn)
        # That there is a kitten, by the name of Pixel, is told by its new name.
        pairs.append((other, replace(made, attribute="name") if own else made))
    first = next(p for p in pairs if p[0].memory_id == record.memory_id)
    return Shift(*first, tuple(p for p in pairs if p is not first))


def _new_name(said: Wording, policy: Policy) -> str:
    for words in policy.checks.languages.values():
        for row in words.renamed.values():
            if match := program(row.pattern, re.I).search(said.text.strip()):
                told = match.groupdict()
                return str(told.get("value") or told.get("other") or "").strip()
    return ""


def _bearer(record: MemoryRecord) -> tuple[str, str] | None:
    key = Key.parse(record.memory_key)
    if key is None or key.kind not in (KeyKind.PET, KeyKind.PERSON) or not key.name:
        return None
    return record.subject, key.name


def _name(record: MemoryRecord) -> str:
    bearer = _bearer(record)
    return bearer[1].replace("_", " ") if bearer else ""
