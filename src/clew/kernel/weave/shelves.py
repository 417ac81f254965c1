"""Reading the narrator's entries: threats, constraints, inventory, health, promises, canon.

Must not know: what else stands on a shelf.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from clew.errors import InvalidInput
from clew.kernel.text.normalize import tidied
from clew.kernel.text.tokens import words
from clew.kernel.weave.intake import read_thread
from clew.kernel.weave.report import Report
from clew.model.fields import Fields
from clew.model.thread import (
    CanonFact,
    CanonType,
    ConstraintType,
    Entry,
    EntryKind,
    Severity,
    Story,
    ThreatType,
)
from clew.policy.weave import WeavePolicy

TYPES: dict[EntryKind, frozenset[str]] = {
    EntryKind.THREAT: frozenset(ThreatType),
    EntryKind.CONSTRAINT: frozenset(ConstraintType),
}


def read_story(state: Fields, policy: WeavePolicy) -> Story:
    """The caller's own state: here a bad item is an error, for nothing of it may be lost."""
    entries = {
        kind: tuple(_stored(item) for item in state.children(kind.value, [])) for kind in EntryKind
    }
    counters = state.child("counters", Fields({}))
    return Story(
        state.text("location", ""),
        tuple(read_thread(raw, policy) for raw in state.items("threads", [])),
        entries,
        tuple(_canon(item) for item in state.children("canon", [])),
        {name: counters.integer(name) for name in counters},
    )


def _stored(item: Fields) -> Entry:
    return Entry(
        item.id("id"), item.text("text"), item.text("type", None), item.text("character", None),
        item.text("scope", None), item.integer("age", 0),
    )


def _canon(item: Fields) -> CanonFact:
    return CanonFact(item.text("text"), canon_type(item.raw("type", None)), item.text("character", None))


def canon_type(name: object) -> CanonType:
    """Unknown kinds of fact count as LAW."""
    return CanonType(name) if isinstance(name, str) and name in CanonType.__members__ else CanonType.LAW


def same_key(entry: Entry | CanonFact) -> tuple[str, ...]:
    """Two entries are one when their words are, for the same character."""
    told = words(entry.text) or (tidied(entry.text).casefold(),)
    return ((entry.character or "").casefold(), *told)


def proposed(kind: EntryKind, raw: Any, report: Report) -> list[Entry]:
    """The adds of one shelf, without ids."""
    out: list[Entry] = []
    for index, item in enumerate(raw if isinstance(raw, (list, tuple)) else [raw]):
        for text, data in _spread(kind, item):
            entry = _entry(kind, text, data, index, report)
            if entry is not None:
                out.append(entry)
    return out


def _spread(kind: EntryKind, item: Any) -> Iterator[tuple[Any, dict[str, Any]]]:
    """Several states of one character may come in one add."""
    data = item if isinstance(item, dict) else {}
    if kind is EntryKind.CHARACTER and isinstance(data.get("states"), (list, tuple)):
        for state in data["states"]:
            yield state, data
    else:
        yield (item if isinstance(item, str) else data.get("text")), data


def _entry(kind: EntryKind, text: Any, data: dict[str, Any], index: int, report: Report) -> Entry | None:
    where = f"{kind.value}.add"
    if not isinstance(text, str) or not tidied(text):
        report.tell("malformed_entry", f"{where}[{index}] has no text", index=index, field=where)
        return None
    if data.get("id") is not None:
        message = f"{where}[{index}] carries an id; ids are given here"
        if report.tell("carries_id", message, index=index, field=where) is Severity.REJECT:
            return None
    name, character = data.get("type"), data.get("character")
    if kind in TYPES and (not isinstance(name, str) or name not in TYPES[kind]):
        known = ", ".join(sorted(TYPES[kind]))
        report.tell("malformed_entry", f"{where}[{index}] needs a type of {known}", index=index, field=where)
        name = None
    if kind is EntryKind.CHARACTER and (not isinstance(character, str) or not character.strip()):
        report.tell("malformed_entry", f"{where}[{index}] names no character", index=index, field=where)
        return None
    scope = data.get("scope")
    return Entry(
        "",
        tidied(text),
        name if kind in TYPES else None,
        tidied(character) if isinstance(character, str) else None,
        scope if isinstance(scope, str) else None,
    )


def proposed_canon(raw: Any, report: Report) -> list[tuple[int, CanonFact]]:
    """World facts and facts of characters."""
    canon = raw if isinstance(raw, dict) else {}
    out: list[tuple[int, CanonFact]] = []
    for index, item in enumerate(canon.get("world") or ()):
        _fact(item, None, index, "canon.world", report, out)
    for index, item in enumerate(canon.get("characters") or ()):
        try:
            who = Fields(item)
            name, facts = who.id("character"), who.items("facts")
        except InvalidInput as why:
            message = f"canon.characters[{index}]: {why.message}"
            report.tell("malformed_entry", message, index=index, field="canon.characters")
            continue
        for fact in facts:
            _fact(fact, tidied(name), index, "canon.characters", report, out)
    return out


def _fact(
    item: Any, who: str | None, index: int, where: str, report: Report, out: list[tuple[int, CanonFact]]
) -> None:
    data = item if isinstance(item, dict) else {"text": item}
    text = data.get("text")
    if not isinstance(text, str) or not tidied(text):
        report.tell("malformed_entry", f"{where}[{index}] has no text", index=index, field=where)
        return
    out.append((index, CanonFact(tidied(text), canon_type(data.get("type")), who)))
