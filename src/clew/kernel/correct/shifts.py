"""A part of something held, put right in passing: "she's coming on Sunday, not Saturday", "the dentist moved to Tuesday".

What is meant shares the thing with the message, or was told last. It keeps all but the part that changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from clew.kernel.keep.keys import bare_value, make
from clew.kernel.keep.lifecycle import ACTIVE
from clew.kernel.keep.times import When, clock_told, month_of, resolve
from clew.kernel.recall.terms import terms
from clew.kernel.text.canonical import derived_id
from clew.kernel.text.slug import slug
from clew.model.key import Key, KeyKind
from clew.model.memory import MemoryRecord
from clew.model.utterance import Wording
from clew.policy import Policy
from clew.policy.checks import Shifted
from clew.policy.times import TimeWords

_WEEK = timedelta(days=7)
# What is put right elsewhere, or is no matter of a part.
_WHOLE = ("death", "called", "birthday")
_NAMES = ("name", "exists")


@dataclass(frozen=True, slots=True)
class Shift:
    """`old` gives way to `new`. `renamed`: what else is held of one whose name was put right, by the old name."""

    old: MemoryRecord
    new: MemoryRecord
    renamed: tuple[tuple[MemoryRecord, MemoryRecord], ...] = ()


@dataclass(frozen=True, slots=True)
class _Told:
    """What the message puts right: the new part, the old one where it is named, and the words around them."""

    new: str
    old: str
    rest: tuple[str, ...]
    toward: int
    sure: bool


@dataclass(frozen=True, slots=True)
class _Turn:
    message_id: str
    at: datetime
    zone: ZoneInfo


def shifted(
    said: Wording,
    memories: Sequence[MemoryRecord],
    just: Sequence[MemoryRecord],
    policy: Policy,
    *,
    message_id: str,
    at: datetime,
    zone: ZoneInfo,
) -> Shift | None:
    """`just`: what the message before told. None where nothing that is held is put right."""
    if said.asks or len(said.text) > policy.remember.correct.clause_characters:
        return None
    held = [m for m in memories if m.status is ACTIVE and not m.pinned and m.attribute not in _WHOLE]
    held.sort(key=lambda m: (m.last_confirmed_at, m.memory_id), reverse=True)
    turn = _Turn(message_id, at, zone)
    for told in _told(said.text.strip(), policy):
        found = _in_time(told, held, turn, policy) or _in_words(told, held, just, turn, policy)
        if found:
            return found
    return None


def _told(text: str, policy: Policy) -> Iterator[_Told]:
    for words in policy.checks.languages.values():
        for row in words.shifted.values():
            match = _compiled(row).search(text)
            if match is None:
                continue
            old = (match.groupdict().get("old") or "").strip()
            around = [w.strip(" .,!?~…'\"").lower() for w in text.split()]
            rest = tuple(w for w in around if not _talk(w, words.shift_talk) and w not in old.lower())
            opened = re.search(words.shift_opener, text, re.I) is not None
            yield _Told(match["new"].strip(), old, rest, row.toward, row.sure or opened)


def _talk(word: str, talk: Sequence[str]) -> bool:
    """Of a Hangul word the beginning tells enough."""
    return word in talk or any(len(t) > 1 and not t.isascii() and word.startswith(t) for t in talk)


def _in_time(told: _Told, held: Sequence[MemoryRecord], turn: _Turn, policy: Policy) -> Shift | None:
    """Another day or hour of what has one."""
    day = _day(told.new, turn.at, turn.zone, policy, 1)
    clock = _clock(told.new, policy)
    if (day is None or day.start is None) and clock is None:
        return None
    named_time = f"{day.text if day else ''} {clock or ''}".lower().split()
    thing = _terms(" ".join(w for w in told.rest if not any(_inside(t, w) for t in named_time)), policy)
    for record in held:
        said = record.statement or record.memory_value
        piece = resolve(said, record.created_at, turn.zone, policy, 1)
        hour = clock_told(said, policy)
        dated = record.when_start is not None or piece is not None
        if not (dated if day else (hour is not None or record.when_start is not None)):
            continue
        if record.attribute not in policy.checks.dated and record.when_start is None:
            continue
        named = bool(told.old) and told.old.lower() in said.lower()
        about = bool(thing & _terms(f"{said} {record.memory_value}", policy))
        if told.old and not named and not about:
            continue
        if not (named or about or not thing):
            continue
        return Shift(record, _at_another_time(record, told, day, piece, turn, policy))
    return None


def _day(text: str, at: datetime, zone: ZoneInfo, policy: Policy, toward: int) -> When | None:
    """Also where only the word that leads to a day is left out: "the 14th"."""
    leads = [lead for words in policy.checks.languages.values() for lead in words.shift_leads]
    bare = _led(text, policy)
    said = (text, *(f"{lead} {bare}" for lead in leads))
    tries = (resolve(one, at, zone, policy, toward) for one in said)
    return next((when for when in tries if when is not None), None)


def _inside(piece: str, word: str) -> bool:
    return piece == word if word.isascii() else piece in word


def _at_another_time(
    old: MemoryRecord, told: _Told, day: When | None, piece: When | None, turn: _Turn, policy: Policy
) -> MemoryRecord:
    said, value = old.statement or old.memory_value, old.memory_value
    start, end, text = old.when_start, old.when_end, old.when_text
    if day is not None:
        when = _counted(told, day, old, turn, policy)
        new_words = _day_words(day.text, piece.text if piece else "", when, old, turn.zone, policy)
        if piece is not None:
            bare = _bare(piece.text, policy)
            said, value = _swapped(said, bare, new_words), _swapped(value, bare, new_words)
        exact = start is not None and start == end and when.start is not None and when.start != when.end
        if exact and start is not None and when.start is not None:
            hour = start.astimezone(turn.zone)
            moment = when.start.astimezone(turn.zone).replace(hour=hour.hour, minute=hour.minute)
            when = replace(when, start=moment, end=moment)
        if start is not None:  # a habit on Thursdays has no date, and gets none
            start, end, text = when.start, when.end, new_words
    clock, before = _clock(told.new, policy), clock_told(said, policy)
    if clock is not None and (found := clock_told(clock, policy)):
        if before is not None:
            spoken = before[1].strip()
            words = spoken.replace(_bare(spoken, policy), _bare(clock, policy))
            said, value = _swapped(said, spoken, words), _swapped(value, spoken, words)
        if start is not None:
            start = end = start.astimezone(turn.zone).replace(hour=found[0].hour, minute=found[0].minute)
    made = _made(old, value, said, turn, policy, When(text or "", start, end))
    return replace(made, when_start=start, when_end=end, when_text=text)


def _counted(told: _Told, day: When, old: MemoryRecord, turn: _Turn, policy: Policy) -> When:
    """A bare weekday or day of a month is counted from where the old one lay."""
    low = f" {day.text.lower()} "
    tables = policy.times.languages.values()
    if old.when_start is None or any(_holds(low, (*t.days, *t.which, *t.spans, *t.months)) for t in tables):
        return day
    lay = old.when_start.astimezone(turn.zone)
    if told.toward:
        base = lay
    elif any(_holds(low, t.weekdays) for t in tables):
        base = lay - timedelta(days=lay.weekday() + 1)
    else:
        base = lay.replace(day=1)
    found = _day(told.new, base, turn.zone, policy, told.toward or 1)
    ahead = found is not None and found.start is not None and found.start.date() >= turn.at.astimezone(turn.zone).date()
    return found if found is not None and ahead else day


def _day_words(
    new: str, old: str, when: When, record: MemoryRecord, zone: ZoneInfo, policy: Policy
) -> str:
    """In place of "next Saturday" "next Sunday", where that is the same week."""
    new = _bare(new, policy)
    for table in policy.times.languages.values():
        day = next((w for w in _longest(table) if w in old.lower()), None)
        if new.lower() not in table.weekdays or day is None or when.start is None or record.when_start is None:
            continue
        one, two = record.when_start.astimezone(zone).isocalendar(), when.start.astimezone(zone).isocalendar()
        if one[:2] == two[:2]:
            return _swapped(_bare(old, policy), day, new)
    return new


def _in_words(
    told: _Told, held: Sequence[MemoryRecord], just: Sequence[MemoryRecord], turn: _Turn, policy: Policy
) -> Shift | None:
    """Another place, number or name inside of what is held; the old one must be named."""
    new = _led(told.new, policy)
    if not told.old or not new or new.lower() == told.old.lower():
        return None
    if len(new.split()) > policy.remember.say.fact_words:
        return None
    if _clock(told.old, policy) or _day(told.old, turn.at, turn.zone, policy, 1):
        return None  # another day needs another day
    for record in held:
        if record.attribute in _NAMES:
            if found := _renamed(told, new, record, held, turn, policy):
                return found
            continue
        value = bare_value(record.memory_value)
        if not (told.sure or record in just) or not _word(told.old).search(value):
            continue
        fresh = _word(told.old).sub(lambda _: new, value, count=1)
        said = _word(told.old).sub(lambda _: new, record.statement or value, count=1)
        whole = record.memory_value.replace(value, fresh)
        when = When(record.when_text or "", record.when_start, record.when_end)
        return Shift(record, _made(record, whole, said, turn, policy, when))
    return None


def _renamed(
    told: _Told, new: str, record: MemoryRecord, held: Sequence[MemoryRecord], turn: _Turn, policy: Policy
) -> Shift | None:
    """A name put right, whole or in its last part, with everything that is held of its bearer."""
    key = Key.parse(record.memory_key)
    value = record.memory_value
    if key is None or key.name is None or not value.lower().endswith(told.old.lower()):
        return None
    name = value[: len(value) - len(told.old)] + new
    fresh = slug(name, policy.text)
    pairs = []
    for other in held:
        theirs = Key.parse(other.memory_key)
        if theirs is None or theirs.kind is not key.kind or theirs.parts[:2] != key.parts[:2]:
            continue
        said = name if other.memory_id == record.memory_id else other.memory_value
        statement = _swapped(other.statement or said, told.old, new)
        memory_id = derived_id("memory", turn.message_id, str(theirs.called(fresh)), said)
        made = _told_by(other, memory_id, str(theirs.called(fresh)), said, statement, turn)
        pairs.append((other, made))
    own = next(p for p in pairs if p[0].memory_id == record.memory_id)
    return Shift(*own, tuple(p for p in pairs if p is not own))


def _told_by(
    old: MemoryRecord, memory_id: str, key: str, value: str, said: str, turn: _Turn
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


def _made(
    old: MemoryRecord, value: str, said: str, turn: _Turn, policy: Policy, when: When
) -> MemoryRecord:
    key = _key(old, value, when, turn, policy)
    return _told_by(old, derived_id("memory", turn.message_id, key, value), key, value, said, turn)


def _key(old: MemoryRecord, value: str, when: When, turn: _Turn, policy: Policy) -> str:
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


def _clock(text: str, policy: Policy) -> str | None:
    """The words that tell a time of day; a bare number after "moved to" is one."""
    found = clock_told(text, policy)
    if found is not None:
        return found[1].strip()
    for words in policy.checks.languages.values():
        if words.shift_clock and re.fullmatch(r"(?:1[0-2]|[1-9])", text.strip()):
            told = clock_told(words.shift_clock.format(text.strip()), policy)
            if told is not None:
                return told[1].strip()
    return None


def _holds(low: str, words: Sequence[str] | dict[str, int]) -> bool:
    return any((f" {w} " in low) if w.isascii() else (w in low) for w in words)


@lru_cache(maxsize=8)
def _longest(table: TimeWords) -> tuple[str, ...]:
    return tuple(sorted(table.weekdays, key=lambda w: (-len(w), w)))


def _bare(piece: str, policy: Policy) -> str:
    """Without the word that only leads to a time."""
    for words in policy.checks.languages.values():
        for lead in words.shift_leads:
            if piece.lower().startswith(f"{lead} "):
                piece = piece[len(lead) + 1 :]
    return piece.strip()


def _led(text: str, policy: Policy) -> str:
    """What stands behind the last word that only leads to it."""
    for words in policy.checks.languages.values():
        if words.shift_before:
            text = re.split(words.shift_before, text, flags=re.I)[-1]
    return text.strip(" ,.'\"")


def _swapped(text: str, old: str, new: str) -> str:
    return re.sub(re.escape(old), lambda _: new, text, count=1, flags=re.I) if old else text


def _word(said: str) -> re.Pattern[str]:
    """A whole word; behind a Hangul one a particle may hang."""
    tail = r"(?![A-Za-z0-9])" if said[-1:].isascii() else ""
    return re.compile(rf"(?<!\w){re.escape(said)}{tail}", re.I)


@lru_cache(maxsize=2048)
def _terms(text: str, policy: Policy) -> frozenset[str]:
    return frozenset(term for term, _ in terms(text, policy))


@lru_cache(maxsize=64)
def _compiled(row: Shifted) -> re.Pattern[str]:
    return re.compile(row.pattern, re.I)
