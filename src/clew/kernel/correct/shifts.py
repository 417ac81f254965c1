"""A part of something held, put right in passing: "on Sunday, not Saturday", "the dentist moved to Tuesday".

What is meant shares the thing with the message, or was told last. It keeps all but the part that changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from clew.kernel.correct.other_person import of_another
from clew.kernel.correct.recounted import recounted
from clew.kernel.correct.renamed import put_right_in, renamed
from clew.kernel.correct.shift_parts import Moment, Shift, Told, led, made_anew, named_terms
from clew.kernel.correct.shifted_times import clock_words, day_told, in_time
from clew.kernel.correct.told_again import corrected, respelled, same_shape
from clew.kernel.keep.keys import bare_value, row_of
from clew.kernel.keep.lifecycle import ACTIVE
from clew.kernel.keep.times import When
from clew.kernel.language.packs import writer
from clew.kernel.language.scripts import has_syllables
from clew.kernel.statements.patterns import compiled
from clew.model.key import Key, KeyKind
from clew.model.memory import MemoryRecord
from clew.model.utterance import Wording
from clew.policy import Policy
from clew.policy.checks import CheckWords
from clew.programs import program

# What is put right elsewhere, or is no matter of a part.
_WHOLE = ("death", "called", "birthday")
_NAMES = ("name", "exists")
# So many words at most are a value that another one takes the place of.
_FEW = 3


def shifted(
    said: Wording,
    memories: Sequence[MemoryRecord],
    just: Sequence[MemoryRecord],
    policy: Policy,
    *,
    message_id: str,
    at: datetime,
    zone: ZoneInfo,
    shown: Sequence[MemoryRecord] = (),
    before: str = "",
) -> Shift | None:
    """None where nothing that is held is put right.

    just: what the message before told. shown: what the last reply told. before: the words of the message before.
    """
    if said.asks or len(said.text) > policy.remember.correct.clause_characters:
        return None
    all_held = [m for m in memories if m.status is ACTIVE and not m.pinned]
    all_held.sort(key=lambda m: (m.last_confirmed_at, m.memory_id), reverse=True)
    held = [m for m in all_held if m.attribute not in _WHOLE]
    turn = Moment(message_id, at, zone)
    if found := recounted(said, all_held, just, turn, policy) or renamed(said, held, just, turn, policy):
        return found
    shifts = tuple(_told(said, policy))
    # "That got moved", right after it was asked for, is no word of what was told since.
    named = named_terms(before, policy) if shifts else frozenset()
    spoken_of = {m.memory_id for m in shown}
    shared = {m.memory_id: len(named & named_terms(_words(m), policy)) if named else 0 for m in held}
    held.sort(key=lambda m: (-shared[m.memory_id], m.memory_id not in spoken_of))
    pointed = {i for i, n in shared.items() if n or i in spoken_of} if _points(said, policy) else frozenset()
    for told in shifts:
        found = of_another(told, [m for m in just if m.status is ACTIVE], turn, policy)
        found = found or in_time(told, held, turn, policy, pointed) or _in_words(told, held, just, turn, policy)
        if found:
            return found
    return _put_right(said, held, just, turn, policy)


def _points(said: Wording, policy: Policy) -> bool:
    """ "They rang, it's the 11th instead"."""
    pointing = {w for words in policy.checks.languages.values() for w in words.points_at}
    return any(w.strip(" .,!?~…") in pointing for c in said.clauses for w in c.text.lower().split())


def _words(record: MemoryRecord) -> str:
    return f"{bare_value(record.memory_value)} {record.statement or ''}"


def _put_right(
    said: Wording, held: Sequence[MemoryRecord], just: Sequence[MemoryRecord], turn: Moment, policy: Policy
) -> Shift | None:
    """ "actually it's cashews" right after an allergy: the one thing just told that could be that has this value."""
    spelled = respelled(said, policy)
    new, old = (spelled, None) if spelled else corrected(said, policy) or ("", None)
    if spelled:
        just = [m for m in just if m.attribute in _NAMES and _near(m.memory_value, spelled)]
        new = spelled[:1].upper() + spelled[1:] if any(m.memory_value[:1].isupper() for m in just) else spelled
    parts = [(m, part) for m in just if m in held and (part := _replaceable(m))]
    alike = [(m, part) for m, part in parts if same_shape(part, new) and part.lower() != new.lower()]
    # A name and what else is told of its bearer are one thing.
    alike = [p for p in alike if p[0].attribute in _NAMES] or alike
    if not new or old or len(alike) != 1:
        return None
    record, part = alike[0]
    if not row_of(record.attribute, policy).many and record.attribute not in _NAMES:
        return None  # of which there is one, is put right by its key
    return _in_words(Told(new, part, (), 1, False), [record, *(m for m in held if m != record)], [record], turn, policy)


def _near(old: str, new: str) -> bool:
    """Two spellings of one name begin or end alike: Karl and Carl, Jon and John."""
    one, two = old.lower(), new.lower()
    return one[:2] == two[:2] or one[-2:] == two[-2:]


def _replaceable(record: MemoryRecord) -> str:
    """The few words of it that another value would stand for; nothing where it is told in a phrase."""
    key = Key.parse(record.memory_key)
    value = bare_value(record.memory_value)
    if key is not None and key.kind is KeyKind.NOTE and key.item:
        value = key.item.replace("_", " ")
    return value if len(value.split()) <= _FEW else ""


def _told(said: Wording, policy: Policy) -> Iterator[Told]:
    text = said.text.strip()
    for words in policy.checks.languages.values():
        rows = tuple(words.shifted.values())
        for place, match in compiled(rows).matches(text):
            row = rows[place]
            old = _without_talk(_old(match, policy), words)
            around = [w.strip(" .,!?~…'\"").lower() for w in text.split()]
            rest = tuple(w for w in around if not _talk(w, words.shift_talk) and w not in old.lower())
            opened = re.search(words.shift_opener, text, re.I) is not None
            yield Told(_without_talk(match["new"].strip(), words), old, rest, row.toward, row.sure or opened)


def _old(match: re.Match[str], policy: Policy) -> str:
    """What is put right, as a whole word: 바닷가 말고 speaks of no 바닷."""
    if not match.groupdict().get("old"):
        return ""
    said, (start, end) = match.string, match.span("old")
    return said[start : writer(said[start:end]).value_end(said, start, end, policy)].strip()


def _as_noun(new: str) -> str:
    """솔밭을 걸어: of a clause the noun that it opens with takes the other's place."""
    spoken = writer(new)
    return new if not new or spoken.noun_phrase(new) else spoken.noun_phrase(new.split()[0]) or new


def _without_talk(part: str, table: CheckWords) -> str:
    """ "she's coming friday", "Figueres sorry": the words that only put it right are no part of what is put right."""
    words = part.split()
    lead = program(table.shift_before, re.I)
    while len(words) > 1 and (words[0].lower() in table.shift_talk or lead.fullmatch(words[0])):
        words.pop(0)
    while len(words) > 1 and words[-1].lower() in table.shift_talk:
        words.pop()
    return " ".join(words)


def _talk(word: str, talk: Sequence[str]) -> bool:
    """Of a Hangul word the beginning tells enough."""
    return word in talk or any(len(t) > 1 and has_syllables(t) and word.startswith(t) for t in talk)


def _in_words(
    told: Told, held: Sequence[MemoryRecord], just: Sequence[MemoryRecord], turn: Moment, policy: Policy
) -> Shift | None:
    """Another place, number or name inside of what is held; the old one must be named."""
    new = _as_noun(_stripped(led(told.new, policy), policy))
    if not told.old or not new or new.lower() == told.old.lower():
        return None
    if len(new.split()) > policy.remember.say.fact_words:
        return None
    if clock_words(told.old, policy) or day_told(told.old, turn.at, turn.zone, policy, 1):
        return None  # another day needs another day
    for record in held:
        if record.attribute in _NAMES:
            if found := put_right_in(told, new, record, held, turn, policy):
                return found
            continue
        value = bare_value(record.memory_value)
        if not (told.sure or record in just) or not _word(told.old).search(value):
            continue
        spoken = writer(value)
        fresh = spoken.exchanged(value, told.old, new)
        said = spoken.exchanged(record.statement or value, told.old, new)
        whole = record.memory_value.replace(value, fresh)
        when = When(record.when_text or "", record.when_start, record.when_end)
        return Shift(record, made_anew(record, whole, said, turn, policy, when))
    return None


def _stripped(part: str, policy: Policy) -> str:
    """Without the adverbs before it."""
    words = part.split()
    while len(words) > 1 and words[0] in policy.remember.said("adverbs"):
        words.pop(0)
    return " ".join(words)


def _word(said: str) -> re.Pattern[str]:
    """A whole word; behind a Hangul one a particle may hang."""
    tail = r"(?![A-Za-z0-9])" if not has_syllables(said[-1:]) else ""
    return re.compile(rf"(?<!\w){re.escape(said)}{tail}", re.I)
