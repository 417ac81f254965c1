"""Learning a fact: slot or subject supersession, contradictions linked first (rulings N1, N10–N12, N18).

A new fact's id is the UUIDv5 of "fact", normalized subject, normalized attribute, content and time.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from fractions import Fraction

import regex

from clew.kernel.compare.compared_text import read
from clew.kernel.compare.likeness import cosine, memory_likeness
from clew.kernel.compare.retellings import pairs, same_thing
from clew.kernel.compare.updates import turns_over, updates
from clew.kernel.read.comparable import memory_words
from clew.kernel.text.canonical import derived_id, iso
from clew.kernel.text.guards import veto
from clew.kernel.text.normalize import normal
from clew.kernel.text.similarity import containment, jaccard
from clew.kernel.text.tokens import overlap_words
from clew.model.fact import Fact, FactEvent, FactOrigin, Learned, NewFact, Supersede
from clew.model.memory import EventKind
from clew.model.update import DatedStatement, Update
from clew.policy import Policy
from clew.policy.remember import RecordPolicy
from clew.programs import program

_PUNCTUATION = regex.compile(r"(?<=[\p{L}\p{N}])-(?=[\p{L}\p{N}])(*SKIP)(*FAIL)|[^\p{L}\p{N}\p{M}\s]")
_QUOTES = {ord(c): "'" for c in "\u2018\u2019\u02bc"}


def normalize_key(text: str, most: int, records: RecordPolicy) -> str:
    """One spelling of a subject or attribute, repeated until nothing changes (ruling N12)."""
    before, now = None, text
    while now != before:
        before = now
        now = unicodedata.normalize("NFC", now).translate(_QUOTES).casefold().replace("_", " ")
        now = _PUNCTUATION.sub(" ", program(records.possessive).sub("", now))
        now = program(records.articles).sub("", " ".join(now.split()))[:most].strip()
    return now


def learn(
    facts: Sequence[Fact],
    new: NewFact,
    *,
    at: datetime,
    policy: Policy,
    supersede: Supersede = Supersede.SLOT,
) -> Learned:
    """Insert first, then supersede, all in one answer (ruling N18)."""
    numbers = policy.remember.records
    subject = normalize_key(new.subject, numbers.subject_max, numbers)
    attribute = normalize_key(new.attribute or "", numbers.attribute_max, numbers)
    fact = Fact(
        id=_new_id(facts, subject, attribute, new.content, at),
        subject=new.subject,
        attribute=new.attribute,
        content=new.content,
        confidence=new.confidence,
        active=True,
        learned_at=at,
        origin=new.origin,
        vector=new.vector,
    )
    out = list(facts)
    events: list[FactEvent] = []
    partners = [f for f in facts if f.active and _related(f, fact, subject, attribute, supersede, policy)]
    if supersede is Supersede.SLOT:
        partners = _about_one_thing(partners, fact, facts, at, policy)
        for old in partners:
            if _same_claim(old, fact):
                out[out.index(old)] = replace(
                    old, confidence=max(old.confidence, fact.confidence), last_confirmed_at=at
                )
                return Learned(tuple(out), (FactEvent(EventKind.CONFIRMED, old.id, "learn.same_claim"),))
    clash = _contradicted(facts, fact, subject, attribute, policy)
    if clash is not None:
        fact = replace(fact, contradiction_of=clash.id)
    barrier = next((f for f in partners if not may_supersede(fact.origin, f.origin)), None)
    if barrier is not None:  # ruling N11: what was inferred waits behind what was said
        fact = replace(fact, active=False, superseded_by=barrier.id)
    out.append(fact)
    events.append(FactEvent(EventKind.CREATED, fact.id, "learn.new"))
    if clash is not None:
        events.append(FactEvent(EventKind.CONTRADICTED, clash.id, "learn.contradiction", by=fact.id))
    if barrier is not None:
        events.append(FactEvent(EventKind.SKIPPED, fact.id, "learn.inferred_under_stated", by=barrier.id))
        return Learned(tuple(out), tuple(events))
    rule = f"learn.same_{supersede}"
    for old in partners:
        out[out.index(old)] = replace(old, active=False, superseded_by=fact.id)
        events.append(FactEvent(EventKind.SUPERSEDED, old.id, rule, by=fact.id))
    return Learned(tuple(out), tuple(events))


def _about_one_thing(
    partners: Sequence[Fact], new: Fact, facts: Sequence[Fact], at: datetime, policy: Policy
) -> list[Fact]:
    """Long accounts of one writer are alike as texts; without an attribute they must be about one thing too."""
    if not partners or not read(new.content, policy).account:
        return list(partners)
    most = policy.remember.records.subject_max
    subject = normalize_key(new.subject, most, policy.remember.records)
    known = [f for f in facts if f.active and normalize_key(f.subject, most, policy.remember.records) == subject]
    found = pairs(
        DatedStatement("", new.content, at, new.vector),
        [DatedStatement(f.id, f.content, f.learned_at, f.vector) for f in known],
        policy,
    )
    same = {f.id: same_thing(pair, policy) for f, pair in zip(known, found, strict=True)}
    return [
        old
        for old in partners
        if (old.attribute and new.attribute)
        or _same_claim(old, new)
        or not read(old.content, policy).account
        or same[old.id] >= 0  # likelier one thing than two
    ]


def likely_update(facts: Sequence[Fact], new: NewFact, *, at: datetime, policy: Policy) -> Update:
    """Advice beside `learn`: which active fact of the subject the new one seems to change."""
    most = policy.remember.records.subject_max
    subject = normalize_key(new.subject, most, policy.remember.records)
    earlier = [f for f in facts if f.active and normalize_key(f.subject, most, policy.remember.records) == subject]

    def bare(content: str) -> str:  # that both name the subject says nothing
        if len(new.subject.strip()) > most:
            return content  # nobody's name is so long, and looking for it would cost more than it tells
        name = regex.escape(new.subject.strip())
        return regex.sub(rf"\b{name}(?:'s)?\b", " ", content, flags=regex.I) if name else content

    return updates(
        DatedStatement("", bare(new.content), at, new.vector),
        [DatedStatement(f.id, bare(f.content), f.learned_at, f.vector) for f in earlier],
        policy,
    )


def may_supersede(new: FactOrigin, old: FactOrigin) -> bool:
    return not (new is FactOrigin.INFERRED and old is FactOrigin.STATED)


def _related(
    old: Fact, new: Fact, subject: str, attribute: str, supersede: Supersede, policy: Policy
) -> bool:
    numbers = policy.remember.records
    if not subject or normalize_key(old.subject, numbers.subject_max, numbers) != subject:
        return False
    if supersede is Supersede.SUBJECT:
        return True
    held = normalize_key(old.attribute or "", numbers.attribute_max, numbers)
    if held and attribute:
        return held == attribute
    if _same_claim(old, new):
        return True
    alike = likeness(old, new, policy) >= numbers.slot_similarity and not _other_thing(old, new, policy)
    if not alike and not turns_over(new.content, old.content, policy):
        return False
    # Another person, number or date is another fact; an opposite is news about the same one.
    return veto(old.content, new.content, policy.text) != "entity"


def _other_thing(old: Fact, new: Fact, policy: Policy) -> bool:
    """Near by the vector alone, one thing exchanged: tea and coffee are two likings (general ruling 3)."""
    numbers = policy.remember.records
    shared = jaccard(memory_words(old.content, policy), memory_words(new.content, policy))
    worded = likeness(replace(old, vector=None), replace(new, vector=None), policy)
    if (
        worded >= numbers.slot_similarity
        or shared < numbers.conflict_overlap
        or read(new.content, policy).account
    ):
        return False
    if veto(old.content, new.content, policy.text) in ("polarity", "antonym"):
        return False
    return not memory_likeness(old.content, new.content, policy, old.vector, new.vector).duplicate


def likeness(a: Fact, b: Fact, policy: Policy) -> Fraction:
    """The larger of word overlap (ruling N7: enough words) and the vectors' cosine."""
    left, right = overlap_words(a.content, policy.text), overlap_words(b.content, policy.text)
    enough = min(len(left), len(right)) >= policy.text.overlap_min_words
    score = containment(left, right) if enough else Fraction(0)
    if a.vector and b.vector and len(a.vector) == len(b.vector):
        score = max(score, cosine(a.vector, b.vector))
    return score


def _same_claim(a: Fact, b: Fact) -> bool:
    return bool(normal(a.content).no_punct) and normal(a.content).no_punct == normal(b.content).no_punct


def _contradicted(
    facts: Sequence[Fact], new: Fact, subject: str, attribute: str, policy: Policy
) -> Fact | None:
    """Looked for before supersession takes the partner away (ruling N10); the newest clash is linked."""
    numbers = policy.remember.records
    found = []
    for old in facts:
        if not old.active or _same_claim(old, new):
            continue
        same_subject = bool(subject) and normalize_key(old.subject, numbers.subject_max, numbers) == subject
        same_slot = (
            same_subject
            and bool(attribute)
            and normalize_key(old.attribute or "", numbers.attribute_max, numbers) == attribute
        )
        overlap = containment(
            overlap_words(old.content, policy.text), overlap_words(new.content, policy.text)
        )
        enough = numbers.conflict_overlap if same_subject else numbers.slot_similarity
        guard = veto(old.content, new.content, policy.text)
        opposed = guard in ("polarity", "antonym") or (same_subject and guard == "entity")
        if (
            same_slot
            or (opposed and overlap >= enough)
            or (same_subject and turns_over(new.content, old.content, policy))
        ):
            found.append(old)
    return max(found, key=lambda f: (f.learned_at, f.id), default=None)


def _new_id(facts: Sequence[Fact], subject: str, attribute: str, content: str, at: datetime) -> str:
    taken = {f.id for f in facts}
    fresh = derived_id("fact", subject, attribute, content, iso(at))
    return (
        fresh if fresh not in taken else derived_id("fact", subject, attribute, content, iso(at), len(facts))
    )
