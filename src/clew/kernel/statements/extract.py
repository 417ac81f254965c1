"""Extraction: the user's own statements become candidates (turn-pipeline §12.2, facts §1.7, rulings P79–P81)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from clew.kernel.keep.keys import build
from clew.kernel.keep.merge import initial_confidence
from clew.kernel.read.heads import checked
from clew.kernel.statements import long_messages, statements_ko
from clew.kernel.statements.avoidances import abstained
from clew.kernel.statements.categories import category_by_vector
from clew.kernel.statements.emotional_patterns import moods
from clew.kernel.statements.events import events
from clew.kernel.statements.experiences import experienced
from clew.kernel.statements.facts_en import facts
from clew.kernel.statements.likes_en import Liking, stated
from clew.kernel.statements.long_messages import is_account
from clew.kernel.statements.own_words import statements
from clew.kernel.text.tokens import is_hangul_dominant
from clew.model.memory import Candidate, MemoryType, Origin
from clew.policy import Policy


def extract(
    text: str, at: datetime, zone: ZoneInfo, policy: Policy, vector: Sequence[float] | None = None
) -> tuple[Candidate, ...]:
    """Candidates in order of appearance, one per key; the last stance about a thing wins."""
    known = checked(vector, policy.remember.heads)
    said = statements(text, policy)
    found: dict[str, Candidate] = {}
    for kind, key, value in _read(said, at, zone, policy, known):
        if key is not None:
            found.pop(key, None)
            found[key] = Candidate(kind, key, value, initial_confidence(Origin.HEURISTIC, policy))
    return tuple(found.values())


def _one_thing(said: Sequence[str], policy: Policy) -> bool:
    """The vector is the whole message's, so it tells about a thing only when there is nothing else."""
    return len(said) == 1 and len(said[0].split()) <= policy.remember.category_words


def _read(
    said: Sequence[str], at: datetime, zone: ZoneInfo, policy: Policy, known: Sequence[float] | None
) -> Iterator[tuple[MemoryType, str | None, str]]:
    likings: list[Liking] = []
    unknown = category_by_vector(known, policy) if known and _one_thing(said, policy) else None
    long = is_account(said, policy)
    told = [tuple(events(sentence, at, zone, policy)) for sentence in said]
    for sentence, happened in zip(said, told, strict=True):
        hangul = is_hangul_dominant(sentence, policy.text)
        for field, value in (statements_ko.facts if hangul else facts)(sentence, policy):
            yield MemoryType.FACT, build(MemoryType.FACT, field, policy=policy), value
        if hangul or not long:
            likings.extend((statements_ko.likings if hangul else stated)(sentence, policy, unknown))
            likings.extend(abstained(sentence, policy))
        for domain, month, what in happened:
            key = build(MemoryType.RELATIONSHIP_EVENT, domain, month, what, policy=policy)
            yield MemoryType.RELATIONSHIP_EVENT, key, what
        for pattern, value in moods(sentence, policy, eventful=any(told)):
            yield (
                MemoryType.EMOTIONAL_PATTERN,
                build(MemoryType.EMOTIONAL_PATTERN, pattern, policy=policy),
                value,
            )
    if long:
        likings.extend(long_messages.told(said, policy, known))
    elif not likings:
        likings.extend(tuple(experienced(said, policy)) or long_messages.taken_up(said, policy))
    for liking in likings:
        key = build(MemoryType.PREFERENCE, liking.item.category, liking.item.text, policy=policy)
        yield MemoryType.PREFERENCE, key, f"{liking.stance}|{liking.item.text}"
