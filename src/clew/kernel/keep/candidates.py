"""From what a message tells to what may be kept: one candidate per statement, and what is over (rulings M1–M9)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

from clew.frozen import dataclass
from clew.kernel.keep.backed import backed
from clew.kernel.keep.clean_values import clean
from clew.kernel.keep.confidence import initial_confidence
from clew.kernel.keep.keys import make, row_of
from clew.kernel.keep.own_times import only_of_now, only_time, others_time
from clew.kernel.keep.put_off import put_off
from clew.kernel.keep.times import When, leaning, month_of, resolve
from clew.kernel.keep.values import clause_around, denied, is_sensitive, item_of, spoken, tidy
from clew.kernel.language.packs import language_of
from clew.kernel.statements.categories import category_of
from clew.kernel.statements.events import domain_of
from clew.model.key import NOBODY, Key, KeyKind, relation_of
from clew.model.memory import SELF, Candidate, Ending, Origin
from clew.model.utterance import Statement, Status
from clew.policy import Policy
from clew.policy.attributes import Attribute, Identity

# Statuses that point in time; the others let the words say.
_TOWARD = {Status.FUTURE: 1, Status.PAST: -1, Status.ENDED: -1}
_EVENTS = ("plan", "event")
_GONE = (Status.PAST, Status.ENDED)
# What shall not be: how long it lasts is counted from now on.
_BOUNDS = ("limit", "rule", "diet")
_UNDATED = ("birthday", "name", "called", "pronouns", "exists", "goal")


@dataclass(frozen=True, slots=True)
class _Moment:
    at: datetime
    zone: ZoneInfo
    told: tuple[Statement, ...] = ()


def candidates(
    statements: Sequence[Statement], at: datetime, zone: ZoneInfo, policy: Policy
) -> tuple[Candidate, ...]:
    """In order of appearance; the last of one key wins."""
    found: dict[str, Candidate] = {}
    told = _named(clean(backed(statements, policy), policy))
    for statement in told:
        for candidate in _kept(statement, _Moment(at, zone, tuple(told)), policy):
            if candidate.sensitive and not policy.attributes.keep_sensitive:
                continue
            found.pop(candidate.key, None)
            found[candidate.key] = candidate
    return tuple(found.values())


def endings(statements: Sequence[Statement], policy: Policy) -> tuple[Ending, ...]:
    """What is over, and what never was so, in order of appearance (ruling M7)."""
    out = []
    for told in _named(clean(backed(statements, policy), policy)):
        row = row_of(told.attribute, policy)
        over = told.status is Status.ENDED
        if not over and not (told.status is Status.NOT and not row.many):
            continue
        value = tidy(told.value, policy)
        key = _key(told, row, value, policy)
        out.append(
            Ending(
                told.subject, told.attribute, told.sentence, str(key) if key else None, value, denied=not over
            )
        )
    return tuple(out)


def _named(statements: Sequence[Statement]) -> list[Statement]:
    """A person named once in the message is meant by the relation throughout it."""
    names: dict[str, dict[str, None]] = {}
    for told in statements:
        if told.name or told.attribute == "name":
            names.setdefault(told.subject, {})[told.name or told.value] = None
    alone = {subject: next(iter(found)) for subject, found in names.items() if len(found) == 1}

    def with_name(told: Statement) -> Statement:
        if told.subject == SELF or (told.name and told.attribute != "name"):
            return told
        return replace(told, name=told.value if told.attribute == "name" else alone.get(told.subject))

    return [with_name(told) for told in statements]


def _kept(told: Statement, now: _Moment, policy: Policy) -> Iterator[Candidate]:
    row = row_of(told.attribute, policy)
    value = tidy(told.value, policy)
    if told.attribute == "plan" and value and only_time("plan", value, now.at, now.zone, policy):
        # 졸업식이 6월 3일이에요: a plan of which the reader found only when it is, in the words that say what.
        value = tidy(clause_of(told, policy), policy)
    untold = told.attribute in policy.attributes.not_times
    if not value or (untold and only_time(told.attribute, value, now.at, now.zone, policy)):
        return
    match told.status:
        case Status.ENDED:
            yield _event(told, value, now, policy)
            if row.denies_when_ended:
                yield from _denied(told, row, value, now, policy)
        case Status.NOT:
            yield from _denied(told, row, value, now, policy)
        case Status.PAST | Status.FUTURE if not row.timeless and row.key is not KeyKind.EVENT:
            yield _event(told, value, now, policy)
        case _:
            yield _stated(told, row, value, now, policy)


def _stated(told: Statement, row: Attribute, value: str, now: _Moment, policy: Policy) -> Candidate:
    if row.key is KeyKind.EVENT:
        return _event(told, value, now, policy)
    if row.key is KeyKind.PREF:
        return _taste(told, row, value, _stance(told), now, policy)
    if row.key is KeyKind.NOTE:
        return _note(told, value, now, policy)
    key = _key(told, row, value, policy)
    said = spoken(told.value, policy)
    return _candidate(told, key, said, now, policy) if key else _note(told, value, now, policy)


def _denied(told: Statement, row: Attribute, value: str, now: _Moment, policy: Policy) -> Iterator[Candidate]:
    """A denied statement as a candidate: "I don't eat pork" gets the key of pork.

    Where an attribute has one value only, the denial becomes a note.
    """
    if row.key is KeyKind.PREF and told.attribute == "like":
        yield _taste(told, row, value, "dislike", now, policy)
        return
    key = _key(told, row, value, policy) if row.many and row.key is KeyKind.FACT else None
    if told.attribute == "exists":
        key = _key(told, row, value, policy)
    if key is None:
        yield _note(told, value, now, policy)
        return
    yield _candidate(told, key, denied(told.attribute, value, policy), now, policy)


def _key(told: Statement, row: Attribute, value: str, policy: Policy) -> Key | None:
    """Where this would stand; None when its words give no key."""
    item = item_of(value, told.sentence, row.identity, policy)
    if row.identity is Identity.LABEL and told.name and told.subject == SELF:
        item = tidy(told.name, policy)
    other = relation_of(told.subject)
    if row.key is KeyKind.NOTE:
        return make(KeyKind.NOTE, value, policy=policy)
    if other is not None:
        kind, relation = other
        name = told.name or NOBODY
        if told.attribute in ("name", "exists"):
            return make(kind, relation, name, policy=policy)
        which = f"{told.attribute}.{item}" if row.many else told.attribute
        return make(kind, relation, name, which, policy=policy)
    if row.key is KeyKind.PREF:
        category = row.field or category_of(item, policy)
        return make(KeyKind.PREF, category, item, policy=policy) if category else None
    if row.key in (KeyKind.HABIT, KeyKind.GOAL, KeyKind.RULE):
        return make(row.key, item, policy=policy)
    if told.attribute == "origin":
        country = value.lower() in policy.remember.say.countries
        return make(KeyKind.FACT, "home_country" if country else "home_city", policy=policy)
    if told.attribute == "language" and _mother_tongue(told.sentence, policy):
        return make(KeyKind.FACT, "language_primary", policy=policy)
    if row.many:
        return make(KeyKind.FACT, told.attribute, item, policy=policy)
    return make(KeyKind.FACT, told.attribute, policy=policy)


def _mother_tongue(sentence: str, policy: Policy) -> bool:
    low = sentence.lower()
    return any(w in low for words in policy.attributes.languages.values() for w in words.mother_tongue)


def _stance(told: Statement) -> str:
    return told.stance or ("dislike" if told.attribute == "dislike" else "like")


def _taste(
    told: Statement, row: Attribute, value: str, stance: str, now: _Moment, policy: Policy
) -> Candidate:
    """The item keeps what narrows it; without a sure category, or too long, it is a note (ruling M8)."""
    if relation_of(told.subject) is not None:
        liked = "dislike" if stance == "dislike" else told.attribute
        key = _key(replace(told, attribute=liked), row_of(liked, policy), value, policy)
        return _candidate(told, key, value, now, policy, liked) if key else _note(told, value, now, policy)
    short = len(value.split()) <= policy.attributes.item_words
    key = _key(told, row, value, policy) if short else None
    attribute = stance if told.attribute in ("like", "dislike") else told.attribute
    if key is None:
        return _note(told, value, now, policy, attribute)
    return _candidate(told, key, f"{stance}|{value}", now, policy, attribute)


def _note(
    told: Statement, value: str, now: _Moment, policy: Policy, attribute: str | None = None
) -> Candidate:
    """In the user's own words, under what it is about (ruling M3)."""
    words = told.sentence.strip() or value
    key = make(KeyKind.NOTE, value, policy=policy) or make(KeyKind.NOTE, words, policy=policy)
    if key is None:  # nothing but signs: they are their own name
        key = Key(KeyKind.NOTE, ("".join(f"u{ord(c):x}" for c in value[:8]),))
    return _candidate(told, key, words[: policy.attributes.note_characters], now, policy, attribute)


def _event(told: Statement, value: str, now: _Moment, policy: Policy) -> Candidate:
    """What happened, ended, or will be, under the month it falls in (rulings M6, M7)."""
    coming = told.status is Status.FUTURE or (told.status is Status.IS and told.attribute == "plan")
    coming = coming or put_off(told, now.at, now.zone, policy)
    toward = 1 if coming else _TOWARD.get(told.status, -1 if told.attribute == "event" else 0)
    phrase = _happened(told, value, policy)
    when = _when(told, now, policy, toward, anywhere=not phrase)
    if when is not None and when.end is None and told.status in _GONE:
        when = None  # "I was a teacher for 32 years" does not say when
    if when is not None and others_time(told, when.text, now.told):
        when = None  # "I was a roofer, retired in 2019"
    what = value if told.attribute in _EVENTS else phrase or clause_of(told, policy)
    key = make(
        KeyKind.EVENT,
        domain_of(f"{told.sentence} {told.attribute}", policy),
        month_of(when, now.at, now.zone),
        what,
        policy=policy,
    )
    attribute = "plan" if coming else "event"
    if key is None:
        return _note(told, value, now, policy, attribute)
    return _dated(_candidate(told, key, what, now, policy, attribute), when)


def _happened(told: Statement, value: str, policy: Policy) -> str:
    """ "before that Utrecht" has no verb of its own: you lived in Utrecht. Other clauses tell it themselves."""
    words = policy.attributes.languages.get(language_of(told.sentence, policy))
    row = words.told.get(told.attribute) if words else None
    clause = clause_of(told, policy).lower().split()
    if words is None or row is None or not row.happened or told.status not in (Status.PAST, Status.ENDED):
        return ""
    own = told.subject != SELF or (clause and clause[0] in words.turned_open)
    short = len(clause) <= len(value.split()) + policy.attributes.bare_words
    return row.happened.format(value=value) if short and not own else ""


def clause_of(told: Statement, policy: Policy) -> str:
    """The words around the value that say what happened to it."""
    return clause_around(told.sentence, told.value, policy)


def _when(
    told: Statement, now: _Moment, policy: Policy, toward: int, *, anywhere: bool = False
) -> When | None:
    """The time said in the clause of the value; of an event also elsewhere in its sentence."""
    found = resolve(clause_of(told, policy), now.at, now.zone, policy, toward)
    if found is None and anywhere:
        found = resolve(told.sentence, now.at, now.zone, policy, toward)
    return found


def _dated(candidate: Candidate, when: When | None) -> Candidate:
    if when is None:
        return candidate
    return replace(candidate, when_start=when.start, when_end=when.end, when_text=when.text)


def _candidate(
    told: Statement, key: Key, value: str, now: _Moment, policy: Policy, attribute: str | None = None
) -> Candidate:
    attribute = attribute or told.attribute
    made = Candidate(
        type=key.type,
        key=str(key),
        value=value,
        confidence=initial_confidence(Origin.HEURISTIC, policy),
        subject=told.subject,
        attribute=attribute,
        statement=f"{told.before} {told.sentence}".strip() or told.value,
        sensitive=is_sensitive(told.attribute, f"{told.value} {clause_of(told, policy)}", policy),
    )
    if attribute in _UNDATED or made.key.startswith(f"{KeyKind.RULE}:"):
        return made  # comes every year, or holds always
    toward = _TOWARD.get(told.status, -1)
    if told.attribute in _BOUNDS and leaning(told.sentence, policy) >= 0:
        toward = 1  # "no alcohol for two weeks" begins now
    when = _when(told, now, policy, toward)
    if when is None or only_of_now(when, now.at, policy) or (when.end is None and told.status in _GONE):
        return made
    if others_time(told, when.text, now.told):
        return made
    return _dated(made, replace(when, end=None))  # what is so since last month is so still
