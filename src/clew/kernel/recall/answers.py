"""From a question about the user's own life to the memories that answer it (ruling M10).

First what was asked for by name, then what stands beside it in the attribute table, then the user's own words.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

from clew.frozen import dataclass
from clew.kernel.keep.keys import attribute_for, relation_name
from clew.kernel.keep.telling import tell, who, words_of
from clew.kernel.keep.told_times import time_of
from clew.kernel.read.change_words import says
from clew.kernel.recall.narrowing import Wanted, narrowed, strays
from clew.kernel.text.slug import slug
from clew.model.key import Key, KeyKind, relation_of
from clew.model.memory import SELF, InvalidReason, MemoryRecord, MemoryStatus
from clew.model.plan import Finding
from clew.model.utterance import Ask
from clew.policy import Policy

ANY, WHO, WHEN, HISTORY = "any", "who", "when", "history"
# What is over may be told when it is asked for; what was denied, forgotten or taken back may not.
_TOLD_AS_PAST = (InvalidReason.ENDED,)
_HAPPENS = ("plan", "event")
_LOVE = "relationship"
POINTED = ("person:she", "person:he", "person:they", "person:it")
ANYBODY = (*POINTED, "person:_", "person:person", "pet:_", "pet:pet")


@dataclass(frozen=True, slots=True)
class Moment:
    """How and when it is told."""

    language: str
    at: datetime
    zone: ZoneInfo


def wanted_attributes(asks: Sequence[Ask], policy: Policy) -> tuple[str, ...]:
    """Which rows of the table the questions reach, with their neighbours; all of them where the whole is asked for."""
    rows = policy.attributes.rows
    if any(a.attribute in (ANY, WHO, WHEN, HISTORY) for a in asks):
        return tuple(rows)
    near = policy.recall.near_attributes
    return tuple(dict.fromkeys(x for a in asks for x in (a.attribute, *near.get(a.attribute, ()))))


def answers(
    asks: Sequence[Ask], records: Sequence[MemoryRecord], policy: Policy, moment: Moment, question: Wanted | None = None
) -> tuple[Finding, ...]:
    """What is held, the most needed first; at most so many for each question, and only what it asks for."""
    found = fitting(asks, records, policy, question)
    return tuple(finding_of(r, named, policy, moment) for r, named in found)


def fitting(
    asks: Sequence[Ask], records: Sequence[MemoryRecord], policy: Policy, question: Wanted | None = None
) -> tuple[tuple[MemoryRecord, float], ...]:
    """The records that answer, each once, with how surely it is what was asked."""
    found: dict[str, tuple[MemoryRecord, float]] = {}
    past = any(a.attribute == HISTORY for a in asks)
    whole = replace(asks[0], attribute=ANY) if asks else Ask(SELF, ANY)
    plain = [a for a in asks if a.attribute != HISTORY] or [whole]
    for ask in sorted(plain, key=lambda a: _urgency(a, policy)):
        most = policy.recall.answers_whole if ask.attribute in (ANY, WHO) else policy.recall.answers_each
        fits = tuple(_fitting(ask, records, policy, past))
        if ask.attribute == "exists" or ask.subject in ANYBODY:
            fits = _with_deaths(fits, records, policy)
        if question is not None and ask.attribute not in (ANY, WHO) and not _urgent(ask, policy):
            fits = narrowed(fits, question, policy)
            if strays(fits, question, policy):
                fits = tuple((r, named / 2) for r, named in fits)
        for record, named in fits[:most]:
            found.setdefault(record.memory_id, (record, named))
    return tuple(found.values())


def _with_deaths(
    fits: Sequence[tuple[MemoryRecord, float]], records: Sequence[MemoryRecord], policy: Policy
) -> tuple[tuple[MemoryRecord, float], ...]:
    """ "Do I have any pets?": who has died is told as such, not as if they were there."""
    gone = {_bearer(r): r for r in records if attribute_for(r, policy) == "death" and tellable(r, past=False)}
    told: dict[str, tuple[MemoryRecord, float]] = {}
    for record, named in fits:
        one = gone.get(_bearer(record), record) if attribute_for(record, policy) in ("name", "exists") else record
        told.setdefault(one.memory_id, (one, named))
    return tuple(told.values())


def died(asks: Sequence[Ask], records: Sequence[MemoryRecord], policy: Policy) -> list[MemoryRecord]:
    """ "How is my gran?": of whom nothing is held that answers, that they died is the answer."""
    asked = {s for a in asks if a.subject != SELF and not a.name for s in meant_by(a.subject, policy)}
    gone = [r for r in records if attribute_for(r, policy) == "death" and tellable(r, past=False)]
    return [r for r in gone if r.subject in asked][:1]


def _bearer(record: MemoryRecord) -> tuple[str, str | None]:
    key = Key.parse(record.memory_key)
    return record.subject, key.name if key else None


def plainly_held(
    asks: Sequence[Ask], records: Sequence[MemoryRecord], policy: Policy, own: Collection[str] = ()
) -> tuple[MemoryRecord, ...]:
    """What is held under the very name that plain words ask for, of the very one they ask of.

    Of what a table holds few of, all are the answer: no guess among the user's words is nearer.
    own: other words of the question; what a café is called is not what the user is called.
    """
    if any(a.attribute == HISTORY for a in asks):
        return ()
    # "Where am I from": nothing else is named, and one side of the life is asked for as good as surely.
    surely = 1.0 if own else policy.recall.answers_asked_surely
    plain = [a for a in asks if a.certainty == 1 or (a is asks[0] and a.certainty >= surely)]
    plain = [a for a in plain if a.attribute in policy.recall.answers_plainly]
    identity = policy.compose.identity if own else ()
    found = {
        r.memory_id: r
        for a in plain
        for r, sure in _fitting(a, records, policy, past=False)
        if sure == 1 and r.status is MemoryStatus.ACTIVE
    }
    return tuple(r for r in found.values() if r.subject != SELF or attribute_for(r, policy) not in identity)


def _urgency(ask: Ask, policy: Policy) -> int:
    """An allergy comes before a taste when food is in question (ruling M9)."""
    first = policy.recall.answers_first
    return first.index(ask.attribute) if ask.attribute in first else len(first)


def _urgent(ask: Ask, policy: Policy) -> bool:
    """What bears on safety is told whatever the words: "what should I cook?"."""
    return ask.attribute in policy.recall.answers_first[: policy.recall.answers_urgent]


def _fitting(
    ask: Ask, records: Sequence[MemoryRecord], policy: Policy, past: bool
) -> Iterator[tuple[MemoryRecord, float]]:
    """Records that answer, newest first, each with how surely it is what was asked."""
    held = [r for r in records if tellable(r, past) and _about(ask, r, policy)]
    held.sort(key=lambda r: (r.last_confirmed_at, r.memory_id), reverse=True)
    if ask.attribute in (ANY, WHO):
        yield from ((r, 1.0) for r in held)
        return
    if ask.attribute == WHEN:
        yield from ((r, 1.0) for r in held if r.when_start is not None)
        return
    together = (ask.attribute, *policy.recall.answers_with.get(ask.attribute, ()))
    exact = [r for r in held if attribute_for(r, policy) in together]
    yield from ((r, 1.0) for r in exact)
    if not exact and not past:
        over = [r for r in records if tellable(r, True) and r.invalid_reason and _about(ask, r, policy)]
        exact = [r for r in over if attribute_for(r, policy) == ask.attribute]
        yield from ((r, 1.0) for r in exact)
    if not exact:
        near = policy.recall.near_attributes.get(ask.attribute, ())
        beside = [r for name in near for r in held if attribute_for(r, policy) == name]
        if ask.subject != SELF and not beside:
            # Asked of somebody, what else is known of them comes nearest.
            beside = [r for r in held if attribute_for(r, policy) != "name"]
        yield from ((r, 0.5) for r in beside)


def tellable(record: MemoryRecord, past: bool) -> bool:
    if record.paused:
        return False
    if past:
        return record.status is MemoryStatus.SUPERSEDED or record.invalid_reason in _TOLD_AS_PAST
    return record.status is MemoryStatus.ACTIVE


def _about(ask: Ask, record: MemoryRecord, policy: Policy) -> bool:
    """Is this record about the one who was asked for? A flatmate is a roommate."""
    if (beside := policy.recall.relations_beside.get(ask.subject.partition(":")[2])) is not None:
        return record.subject.startswith(f"{KeyKind.PERSON}:") and record.subject.partition(":")[2] not in beside
    if (other := relation_of(ask.subject)) is not None:
        known = relation_name(*other, policy)
        ask = replace(ask, subject=f"{other[0].value}:{known}") if known else ask
    if ask.name and not _is_called(record, ask.name, policy):
        # "what does Mina do?" may have been told under her relation alone, before her name was known.
        key = Key.parse(record.memory_key)
        return record.subject == ask.subject != SELF and key is not None and key.name is None
    if ask.attribute == WHO and ask.name:
        return True
    if ask.subject in ANYBODY:
        animal = ask.subject.startswith(f"{KeyKind.PET}:")
        return record.subject.startswith(f"{KeyKind.PET}:") if animal else record.subject != SELF
    if ask.subject == SELF and ask.attribute == ANY:
        return True
    if record.subject in meant_by(ask.subject, policy):
        return True
    return ask.name is not None and record.subject != SELF


def meant_by(subject: str, policy: Policy) -> tuple[str, ...]:
    """Everybody that a word for somebody takes in: the kids are the sons and the daughters too."""
    kind, _, relation = subject.partition(":")
    return (subject, *(f"{kind}:{name}" for name in policy.recall.relations_within.get(relation, ())))


def as_held(asks: Sequence[Ask], records: Sequence[MemoryRecord], policy: Policy) -> tuple[Ask, ...]:
    """The asks, each under the word that its person is held by.

    "How old is my son?" means the child of whom nobody told whether it is a son, unless a son is held too.
    """
    held = {r.subject for r in records}
    wider = {name: whole for whole, names in policy.recall.relations_within.items() for name in names}

    def word_for(subject: str) -> str:
        kind, _, relation = subject.partition(":")
        whole = wider.get(relation, relation)
        spoken = relation_of(f"{kind}:{whole}")
        other = f"{kind}:{(relation_name(*spoken, policy) if spoken else None) or whole}"
        # Who has daughters and is asked for a son is not told of them.
        besides = any(f"{kind}:{name}" in held for name in policy.recall.relations_within.get(whole, ()))
        return other if subject not in held and other in held and not besides else subject

    loved = _loved(records, policy)
    # "How long have Sam and I been together?" asks for what is held of the user's own love life.
    both = any(r.subject == SELF and attribute_for(r, policy) == _LOVE for r in records)
    asks = [
        replace(a, subject=SELF, name=None)
        if both and a.attribute == _LOVE and a.subject in policy.changes.lovers
        else a
        for a in asks
    ]
    return tuple(
        replace(a, subject=loved[0], name=loved[1])
        if loved and a.subject in policy.changes.lovers and a.subject not in held and not a.name
        else replace(a, subject=word_for(a.subject))
        for a in asks
    )


def _loved(records: Sequence[MemoryRecord], policy: Policy) -> tuple[str, str] | None:
    """도현이랑 사귀기로 했어: whoever is known by the name is whom "my boyfriend" means from then on."""
    own = [r for r in records if r.subject == SELF and tellable(r, past=False)]
    said = [r.statement or "" for r in own if attribute_for(r, policy) == "relationship"]
    said = [s for s in said if says(s, "paired", policy)]
    for record in records:
        key = Key.parse(record.memory_key)
        if record.subject != SELF and key is not None and key.name and any(key.name in s for s in said):
            return record.subject, key.name
    return None


def _is_called(record: MemoryRecord, name: str, policy: Policy) -> bool:
    key = Key.parse(record.memory_key)
    wanted = slug(name, policy.text)
    if key is not None and key.name is not None and record.subject != SELF:
        return key.name == wanted or _is_ranked(record, key.name, name, policy)
    said = f"{record.statement or ''} {record.memory_value}".lower()
    return bool(wanted) and name.lower() in said


def _is_ranked(record: MemoryRecord, called: str, name: str, policy: Policy) -> bool:
    """둘째는 하준이요: whoever is asked for by which one they are, told in one clause with their own name."""
    ranks = [shape for words in policy.checks.languages.values() for shape in words.ranked.values()]
    if not any(re.fullmatch(rf"(?:{rank.pattern})", name, re.I) for rank in ranks):
        return False
    said = (record.statement or "").lower()
    before, found, _ = said.partition(called)
    _, ranked, between = before.rpartition(name.lower())
    if not found or not ranked:
        return False
    others = (w for words in policy.attributes.languages.values() for ways in words.relations.values() for w in ways)
    return not any(w in between for w in others)


def finding_of(record: MemoryRecord, named: float, policy: Policy, moment: Moment) -> Finding:
    return Finding(
        told=tell(record, moment.language, policy, at=moment.at, zone=moment.zone),
        source="memory",
        id=record.memory_id,
        subject=record.subject,
        attribute=attribute_for(record, policy),
        value=record.memory_value,
        key=record.memory_key,
        at=record.created_at,
        past=record.status is not MemoryStatus.ACTIVE,
        named=named,
        day=_day(record, policy, moment),
        whose=who(record, moment.language, policy),
    )


def _day(record: MemoryRecord, policy: Policy, moment: Moment) -> str:
    """When it happens, in words; nothing where no time was told."""
    if record.when_start is None or attribute_for(record, policy) not in _HAPPENS:
        return ""
    return time_of(record, words_of(moment.language, policy), moment.at, moment.zone, policy).strip(" ,")
