"""Extraction: the user's own statements become candidates (rulings P79–P81, M1–M8)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

from clew.frozen import dataclass
from clew.kernel.correct.commands import is_explicit
from clew.kernel.keep.candidates import candidates as stated_candidates
from clew.kernel.keep.candidates import endings as stated_endings
from clew.kernel.keep.confidence import initial_confidence
from clew.kernel.keep.keys import attribute_of, bare_value, build
from clew.kernel.keep.same_candidates import merged
from clew.kernel.keep.times import When, month_of, resolve
from clew.kernel.keep.values import clause_around, is_sensitive, off_the_record, tells_something
from clew.kernel.language.packs import native, packs
from clew.kernel.read.heads import checked
from clew.kernel.statements import long_messages
from clew.kernel.statements.categories import category_by_vector
from clew.kernel.statements.events import month_of as told_month
from clew.kernel.statements.experiences import experienced
from clew.kernel.statements.items import Liking
from clew.kernel.statements.long_messages import is_account
from clew.kernel.statements.own_words import remembered_words
from clew.kernel.statements.own_words import statements as own_statements
from clew.kernel.statements.patterns import pattern
from clew.kernel.text.sentences import sentences
from clew.model.key import Key
from clew.model.memory import SELF, Candidate, Ending, MemoryType, Origin
from clew.model.utterance import Statement, Status
from clew.policy import Policy

# Why somebody does not eat what they may like.
_REASONS = ("allergy", "condition", "medication", "belief")
# What a move or a new post makes so.
_BEGUN = ("city", "home", "employer", "school")


@dataclass(frozen=True, slots=True)
class Extracted:
    """What may be kept, and what is over.

    by_words: what the words alone state, without a vector and without the learned reading.
    """

    candidates: tuple[Candidate, ...] = ()
    endings: tuple[Ending, ...] = ()
    by_words: tuple[Candidate, ...] = ()


def extract(
    text: str,
    at: datetime,
    zone: ZoneInfo,
    policy: Policy,
    vector: Sequence[float] | None = None,
    statements: Sequence[Statement] = (),
) -> tuple[Candidate, ...]:
    """Candidates in order of appearance, one per key; the last stance about a thing wins."""
    return extracted(text, at, zone, policy, vector, statements).candidates


def extracted(
    text: str,
    at: datetime,
    zone: ZoneInfo,
    policy: Policy,
    vector: Sequence[float] | None = None,
    statements: Sequence[Statement] = (),
    *,
    learned: bool = False,
) -> Extracted:
    """What rules read and what the reading of the message found (`statements`), as one.

    A listed reading by rule wins for its key; what is told twice is kept once (ruling M8).
    learned: the learned reader has read the message too, so rules alone tell no fact and no event beside it.
    """
    if off_the_record(text, policy):
        return Extracted()
    said = own_statements(text, policy)
    known = checked(vector, policy.remember.heads)
    by_words = _by_rule(said, at, zone, policy, None)
    by_vector = by_words if known is None else _by_rule(said, at, zone, policy, known, by_words)
    ruled = [c for c in by_vector if not _anothers(c, statements) and not (learned and _by_rule_alone(c, statements))]
    alone = _whole(text, merged(by_words, (), policy), at, zone, policy)
    if not statements and by_vector is by_words and not learned:
        return Extracted(alone, stated_endings(statements, policy), alone)
    found = merged(ruled, stated_candidates(statements, at, zone, policy), policy)
    return Extracted(_whole(text, found, at, zone, policy), stated_endings(statements, policy), alone)


def _whole(
    text: str, found: Sequence[Candidate], at: datetime, zone: ZoneInfo, policy: Policy
) -> tuple[Candidate, ...]:
    """With what was asked to be remembered, and without what may not be."""
    whole = _noted_once((*found, *_wished(text, found, at, zone, policy)))
    return whole if policy.attributes.keep_sensitive else tuple(c for c in whole if not c.sensitive)


def _noted_once(found: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """One sentence is one note of somebody, whatever words of it were taken for its key."""
    notes: dict[tuple[str, str], Candidate] = {}
    for c in found:
        if c.type is MemoryType.NOTE:
            notes.setdefault((c.subject, c.value), c)
    return tuple(c for c in found if c.type is not MemoryType.NOTE or notes[c.subject, c.value] is c)


def _anothers(candidate: Candidate, statements: Sequence[Statement]) -> bool:
    """Rules read everything as the user's own; what the reading gave to somebody else is theirs.

    A plan that was read, and a goal that a plain shape states, are not told again as an event or a job.
    """
    value = bare_value(candidate.value)
    alike = [
        told
        for told in statements
        if told.sentence.strip() == (candidate.statement or "").strip() and (told.value in value or value in told.value)
    ]
    if candidate.type is MemoryType.RELATIONSHIP_EVENT:
        theirs = any(told.subject != SELF and told.attribute in ("plan", "event") for told in alike)
        # 세종으로 이사했어: where one lives or works now, since when, is all that the move tells.
        begun = any(told.status is Status.IS and told.attribute in _BEGUN and _no_more(value, told) for told in alike)
        return theirs or begun or any(told.attribute in ("plan", "goal") for told in alike)
    if candidate.value.startswith("dislike|") and any(told.status is Status.ENDED for told in alike):
        return True  # a job that was left is over; nobody said that it was disliked
    if candidate.value.startswith("dislike|") and any(_not_eaten(told) for told in alike):
        # What may not be eaten for a reason that is told need not be disliked.
        return any(told.sentence == alike[0].sentence and told.attribute in _REASONS for told in statements)
    meant = any(told.certainty == 1 and told.attribute == "goal" for told in alike)
    return candidate.subject == SELF and (meant or any(told.subject != SELF for told in alike))


def _no_more(value: str, told: Statement) -> bool:
    """The value and its verb, and nothing besides."""
    return len(value.split()) <= len(told.value.split()) + 1


def _by_rule_alone(candidate: Candidate, statements: Sequence[Statement]) -> bool:
    """ "노래 듣는 낙으로 산다" names no town: in these words the learned reader found no fact or event.

    A taste needs no more than that the message tells anything.
    """
    if candidate.type is MemoryType.EMOTIONAL_PATTERN:
        return False
    if candidate.type is MemoryType.PREFERENCE:
        return not statements
    said, value = (candidate.statement or "").strip(), bare_value(candidate.value).lower()
    return not any(
        told.sentence.strip() == said and (told.value.lower() in value or value in told.value.lower())
        for told in statements
    )


def _not_eaten(told: Statement) -> bool:
    return told.attribute == "diet" and told.status is Status.NOT and told.certainty == 1


def _by_rule(
    said: Sequence[str],
    at: datetime,
    zone: ZoneInfo,
    policy: Policy,
    known: Sequence[float] | None,
    otherwise: tuple[Candidate, ...] = (),
) -> tuple[Candidate, ...]:
    """`otherwise`: what is read without the vector, given back where the vector tells nothing more."""
    if known is not None and not is_account(said, policy) and _unknown(said, known, policy) is None:
        return otherwise
    found: dict[str, Candidate] = {}
    for kind, key, value, sentence in _read(said, at, zone, policy, known):
        if key is not None:
            found.pop(key, None)
            found[key] = _candidate(kind, key, value, sentence, at, zone, policy)
    return tuple(found.values())


def _candidate(
    kind: MemoryType, key: str, value: str, sentence: str | None, at: datetime, zone: ZoneInfo, policy: Policy
) -> Candidate:
    made = Candidate(kind, key, value, initial_confidence(Origin.HEURISTIC, policy), statement=sentence)
    parsed = Key.parse(key)
    attribute = attribute_of(parsed, policy) if parsed else None
    if attribute == "like" and value.startswith("dislike|"):
        attribute = "dislike"
    when = None
    if sentence is not None and kind in (MemoryType.RELATIONSHIP_EVENT, MemoryType.FACT):
        # "…, starting in January" dates what starts, and not what is thought of before it.
        when = resolve(clause_around(sentence, bare_value(value), policy), at, zone, policy)
        if kind is MemoryType.RELATIONSHIP_EVENT and when and when.start and when.start > at:
            attribute = "plan"
    told = f"{value} {sentence or ''}"
    made = replace(made, attribute=attribute, sensitive=is_sensitive(attribute or "", told, policy))
    return made if when is None else _dated(made, when)


def _dated(candidate: Candidate, when: When) -> Candidate:
    return replace(candidate, when_start=when.start, when_end=when.end, when_text=when.text)


def _wished(
    text: str, found: Sequence[Candidate], at: datetime, zone: ZoneInfo, policy: Policy
) -> Iterator[Candidate]:
    """ "Please remember that …" always stores: in the user's words where nothing else was read (ruling M4)."""
    if not is_explicit(text, policy):
        return
    held = " ".join(c.statement or "" for c in found)
    spoken = [s for s in sentences(text, policy.text) if is_explicit(s, policy)] or [text]
    for sentence in spoken:
        words = remembered_words(sentence, policy)[: policy.attributes.note_characters]
        key = build(MemoryType.NOTE, words, policy=policy)
        if key is None or (held and words.rstrip(".! ") in held) or not tells_something(words, policy):
            continue
        note = Candidate(MemoryType.NOTE, key, words, initial_confidence(Origin.HEURISTIC, policy))
        note = replace(note, attribute="note", statement=words, sensitive=is_sensitive("note", words, policy))
        when = resolve(words, at, zone, policy)
        yield note if when is None else _dated(note, when)


def _unknown(said: Sequence[str], known: Sequence[float] | None, policy: Policy) -> str | None:
    """The category of a thing that no list knows, as the vector tells it."""
    return category_by_vector(known, policy) if known and _one_thing(said, policy) else None


def _one_thing(said: Sequence[str], policy: Policy) -> bool:
    """The vector is the whole message's, so it tells about a thing only when there is nothing else."""
    return len(said) == 1 and len(said[0].split()) <= policy.remember.category_words


def _read(
    said: Sequence[str], at: datetime, zone: ZoneInfo, policy: Policy, known: Sequence[float] | None
) -> Iterator[tuple[MemoryType, str | None, str, str | None]]:
    """Type, key, value, and the sentence that says it."""
    likings: list[Liking] = []
    unknown = _unknown(said, known, policy)
    long = is_account(said, policy)
    rules = [native(sentence, policy).rules for sentence in said]
    told = [tuple(own.events(sentence, policy)) for own, sentence in zip(rules, said, strict=True)]
    for sentence, own, happened in zip(said, rules, told, strict=True):
        for field, value in own.facts(sentence, policy):
            yield MemoryType.FACT, build(MemoryType.FACT, field, policy=policy), value, sentence
        if not (long and own.reads_accounts):
            likings.extend(own.likings(sentence, policy, unknown))
            for other in (p.rules for p in packs()):
                if other is not own and other.stands_in(sentence):  # "i love 김치찌개"
                    likings.extend(other.likings(sentence, policy, unknown))
            # Not for the moment, not in part, not one dish at hand: the thing as such.
            if not pattern("abstain_passing", policy).search(sentence):
                likings.extend(own.avoided(sentence, policy))
        for domain, what in happened:
            month = _month(sentence, at, zone, policy)
            key = build(MemoryType.RELATIONSHIP_EVENT, domain, month, what, policy=policy)
            yield MemoryType.RELATIONSHIP_EVENT, key, what, sentence
        for habit, value in own.moods(sentence, policy, any(told)):
            key = build(MemoryType.EMOTIONAL_PATTERN, habit, policy=policy)
            yield MemoryType.EMOTIONAL_PATTERN, key, value, sentence
    if long:
        likings.extend(long_messages.told(said, policy, known))
    elif not likings:
        likings.extend(tuple(experienced(said, policy)) or long_messages.taken_up(said, policy))
    for liking in likings:
        item = liking.item.text
        key = build(MemoryType.PREFERENCE, liking.item.category, item, policy=policy)
        spoken = next((s for s in said if item.lower() in s.lower()), None)
        yield MemoryType.PREFERENCE, key, f"{liking.stance}|{item}", spoken


def _month(sentence: str, at: datetime, zone: ZoneInfo, policy: Policy) -> str:
    """The month of the resolved time (ruling M6), else the one that the sentence names."""
    when = resolve(sentence, at, zone, policy)
    if when is None or when.start is None:
        return told_month(sentence, at, zone, policy)
    return month_of(when, at, zone)
