"""A figure told anew: "it's 40 now" after "I take 20mg", "four actually", "rent went up to 910"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from clew.frozen import dataclass
from clew.kernel.correct.shift_parts import Moment, Shift, made_anew, named_terms
from clew.kernel.keep.keys import bare_value
from clew.kernel.keep.times import When, clock_told
from clew.kernel.statements.patterns import compiled
from clew.model.memory import MemoryRecord
from clew.model.utterance import Wording
from clew.policy import Policy
from clew.programs import program

# The number of a door or a phone is no amount, and who is dead has no more of anything.
_NO_AMOUNT = ("code", "death", "called", "name")


@dataclass(frozen=True, slots=True)
class Figure:
    """A number in a text, with the unit that stands by it."""

    start: int
    end: int
    number: str
    unit: str


def recounted(
    said: Wording, held: Sequence[MemoryRecord], just: Sequence[MemoryRecord], turn: Moment, policy: Policy
) -> Shift | None:
    """The one figure of what was just told, or of the one thing named, gives way to the new one.

    Where several figures could be meant, none is changed.
    """
    for match in _heard(said, policy):
        told = match.groupdict()
        new = next(iter(figures(told.get("new") or told.get("made") or "", policy)), None)
        if new is None or clock_told(told.get("new") or "", policy):
            continue
        thing = told.get("thing")
        named = named_terms(thing, policy) if thing else frozenset()
        if thing and not named:
            continue
        among = [m for m in held if (m.attribute not in _NO_AMOUNT and (m in just or named)) or _its_code(m, thing)]
        fits = [(m, f) for m in among for f in _fitting(m, new, named, policy)]
        if len({(f.number, f.unit) for _, f in fits}) != 1 or len({m.subject for m, _ in fits}) != 1:
            continue
        pairs = [(m, _with(m, figure, new, turn, policy)) for m, figure in fits]
        if len({m.memory_id for m, _ in pairs}) == len(pairs):
            return Shift(*pairs[0], tuple(pairs[1:]))
    return None


def _its_code(record: MemoryRecord, thing: str | None) -> bool:
    """A code is put right by the name of what it opens, never as an amount."""
    return record.attribute == "code" and thing is not None


def figures(value: str, policy: Policy) -> Iterator[Figure]:
    """In a figure's own place only one language sees it."""
    ends = -1
    found = [m for words in policy.checks.languages.values() for m in program(words.figure, re.I).finditer(value)]
    for match in sorted(found, key=lambda m: (m.start(), -m.end())):
        if match.start() >= ends:
            ends = match.end()
            yield Figure(match.start(), match.end(), match["number"], match["unit"])


def _heard(said: Wording, policy: Policy) -> Iterator[re.Match[str]]:
    for words in policy.checks.languages.values():
        yield from (match for _, match in compiled(tuple(words.recounted.values())).matches(said.text.strip()))


def _fitting(record: MemoryRecord, new: Figure, named: frozenset[str], policy: Policy) -> Iterator[Figure]:
    """The figures of a memory that the new one can stand for: of its unit, or where one of the two names none."""
    value = bare_value(record.memory_value)
    if named and not named <= named_terms(f"{value} {record.statement or ''}", policy):
        return
    hour = clock_told(value, policy)
    for figure in figures(value, policy):
        alike = _plain(figure.unit) == _plain(new.unit) or not new.unit or not figure.unit
        spoken = hour is not None and value[figure.start : figure.end].lower() in hour[1]
        if alike and not spoken and figure.number != new.number:
            yield figure


def _with(record: MemoryRecord, old: Figure, new: Figure, turn: Moment, policy: Policy) -> MemoryRecord:
    value = bare_value(record.memory_value)
    # "it's 1450" after "€1400" is still told in euros.
    sign = old.number[:1] if not (old.number[:1].isalnum() or not new.number[:1].isdigit()) else ""
    written, before = f"{sign}{new.number}{new.unit or old.unit}", value[old.start : old.end]
    fresh = f"{value[: old.start]}{written}{value[old.end :]}"
    statement = (record.statement or value).replace(before, written, 1)
    when = When(record.when_text or "", record.when_start, record.when_end)
    return made_anew(record, record.memory_value.replace(value, fresh), statement, turn, policy, when)


def _plain(unit: str) -> str:
    return "".join(unit.split()).lower()
