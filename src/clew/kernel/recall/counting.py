"""How many there are, and who it is: questions that are answered by looking through all that is held.

"How many kids do I have?" counts those known by name; "who supports Arsenal?" looks for whoever that was told of.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from clew.kernel.keep.keys import attribute_for, bare_value, relation_name
from clew.kernel.keep.values import clause_around
from clew.kernel.read.change_words import says
from clew.kernel.recall.answers import ANYBODY, meant_by, tellable
from clew.kernel.recall.narrowing import held as terms_held
from clew.model.key import Key, relation_of
from clew.model.memory import SELF, MemoryRecord
from clew.model.utterance import Ask
from clew.policy import Policy

_NAME, _EXISTS, _DEATH = "name", "exists", "death"
# Who somebody is says nothing of what they do.
_NOT_TOLD_OF = ("name", "called", "exists", "note")


def asks_how_many(question: str, policy: Policy) -> bool:
    return says(question, "counting", policy)


def counted(asks: Sequence[Ask], records: Sequence[MemoryRecord], policy: Policy) -> tuple[MemoryRecord, ...]:
    """What was told of their number, then everybody of that kind who is known by name and lives."""
    asked = next((a for a in asks if a.subject != SELF and relation_of(a.subject) is not None), None)
    if asked is None or asked.name:
        return ()
    held = [r for r in records if tellable(r, past=False) and r.subject != SELF]
    if asked.subject in ANYBODY:
        kind = f"{asked.subject.partition(':')[0]}:"
        of_them = [r for r in held if r.subject.startswith(kind)]
    else:
        meant = _everybody(asked.subject, policy)
        of_them = [r for r in held if _subject(r.subject, policy) in meant]
    gone = {_name_of(r) for r in of_them if attribute_for(r, policy) == _DEATH}
    told = [r for r in of_them if attribute_for(r, policy) == _EXISTS and re.search(r"\w", r.memory_value)]
    named = [r for r in of_them if attribute_for(r, policy) == _NAME and _name_of(r) and _name_of(r) not in gone]
    # A number that was told before somebody died counts them too.
    every, same = asked.subject in ANYBODY, _subject(asked.subject, policy)
    numbers = [r for r in told if not gone and (every or _subject(r.subject, policy) == same)]
    return (*(numbers if every else numbers[:1]), *sorted(named, key=lambda r: (r.created_at, r.memory_id)))


def told_of_somebody(question: str, records: Sequence[MemoryRecord], policy: Policy) -> tuple[MemoryRecord, ...]:
    """ "Who supports Arsenal?": whatever is held whose value stands in the question, of whomever it is."""
    if not says(question, "of_whom", policy):
        return ()
    asked = terms_held(question, policy)
    talk = (w for words in policy.checks.languages.values() for w in words.asking)
    plain = frozenset(term for word in talk for term in terms_held(word, policy))
    # "Who gave me the book?" asks for somebody else.
    own = not set(question.lower().replace("?", " ").split()).isdisjoint(policy.reader.speakers)
    found = []
    for record in records:
        if own and record.subject == SELF:
            continue
        if not tellable(record, past=False) or attribute_for(record, policy) in _NOT_TOLD_OF:
            continue
        if attribute_for(record, policy) == _DEATH and asked & _labels(_DEATH, policy):
            found.append(record)
            continue
        value = terms_held(bare_value(record.memory_value).replace("_", " "), policy) - plain
        if value and value <= asked:
            found.append(record)
    found = found or _told_so(asked - plain, records, policy)
    return tuple(sorted(found, key=lambda r: (r.created_at, r.memory_id)))


def _told_so(asked: frozenset[str], records: Sequence[MemoryRecord], policy: Policy) -> list[MemoryRecord]:
    """ "Who's getting married?": what is held of somebody whose words say all that is asked."""
    if not asked:
        return []
    held = [r for r in records if r.subject != SELF and tellable(r, past=False)]
    said = [r for r in held if attribute_for(r, policy) not in _NOT_TOLD_OF]
    return [r for r in said if asked <= terms_held(_words_of(r, policy), policy)]


def _words_of(record: MemoryRecord, policy: Policy) -> str:
    """The value, with its own part of a long message: who brings the jewels is not who has the key."""
    value, said = record.memory_value.replace("_", " "), record.statement or ""
    part = clause_around(said, value, policy) if value in said else said
    return f"{value} {part}"


def _labels(attribute: str, policy: Policy) -> frozenset[str]:
    """How it is asked for, in any language: "who died?" needs no more."""
    listed = (w for words in policy.attributes.languages.values() for w in words.asked.get(attribute, ()))
    return frozenset(term for word in listed for term in terms_held(word, policy))


def _everybody(subject: str, policy: Policy) -> frozenset[str]:
    return frozenset(_subject(s, policy) for s in meant_by(_subject(subject, policy), policy))


def _subject(subject: str, policy: Policy) -> str:
    other = relation_of(subject)
    return f"{other[0].value}:{relation_name(*other, policy)}" if other else subject


def _name_of(record: MemoryRecord) -> str:
    key = Key.parse(record.memory_key)
    return (key.name if key else None) or ""
