"""What was forgotten stays forgotten: no earlier words that hold it are shown again (ruling M5).

What the user says of it afterwards, of their own accord, is theirs to say and is not held back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from clew.frozen import dataclass
from clew.kernel.correct.forgotten_marks import ALONG, FORGOT, UNRECORDED
from clew.kernel.correct.telling_words import terms_of, told_words
from clew.kernel.keep.keys import bare_value, row_of
from clew.kernel.recall.very_thing import BARE_NAMES
from clew.kernel.statements.people import rarity
from clew.model.account import Message
from clew.model.memory import (
    SELF,
    MemoryRecord,
    MemoryStatus,
    MemoryType,
)
from clew.model.plan import Finding
from clew.policy import Policy

# Held in the user's own words: whatever they hold, they tell.
IN_WORDS = ("note", "event", "plan", "status", "decision", None)


@dataclass(frozen=True, slots=True)
class Gone:
    """Words that must not come back from before `at`, and the messages that told them.

    only_said: no memory stood under them; they were forgotten as words. apart: what is told under this side of the
    same life with more words is a thing of its own (modern jazz beside jazz).
    """

    words: frozenset[str]
    at: datetime
    sources: frozenset[str]
    only_said: bool = False
    subject: str = SELF
    apart: str | None = None
    statement: str | None = None


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What the user had forgotten: whatever is told, quoted, found or shown to a writer is asked of here alone.

    chained: memories that gave way to what was forgotten, or that it ended; they are parts of the same thing.
    """

    gone: tuple[Gone, ...] = ()
    chained: frozenset[str] = frozenset()
    policy: Policy | None = None

    def __bool__(self) -> bool:
        return bool(self.gone)

    def holds(self, text: str, at: datetime | None = None, message_id: str | None = None) -> bool:
        """Do these words tell something that was to be forgotten? `at`: when they were said, where that is known."""
        if message_id is not None and message_id in self.sources:
            return True
        said = self._terms(text) if self.gone else frozenset()
        return any(one.words and one.words <= said and (at is None or at <= one.at) for one in self.gone)

    @property
    def sources(self) -> frozenset[str]:
        """The messages that told it."""
        return frozenset(i for one in self.gone for i in one.sources)

    def _terms(self, text: str) -> frozenset[str]:
        assert self.policy is not None, "who forgets something forgets it under a policy"
        return terms_of(text, self.policy)

    def messages(self, said: Iterable[Message]) -> tuple[Message, ...]:
        """Without those that told it, and without the replies to them or that told it again."""
        if not self.gone:
            return tuple(said)
        return tuple(m for m in said if not self.holds(m.text, m.at, m.reply_to or m.message_id))

    def memories(self, records: Iterable[MemoryRecord]) -> tuple[MemoryRecord, ...]:
        """What may be told of them; one whose own words also tell what was forgotten is told by its value alone."""
        if not self.gone:
            return tuple(records)
        return tuple(self._bare(m) for m in records if self.may_tell(m))

    def may_tell(self, record: MemoryRecord) -> bool:
        if record.memory_id in self.chained or record.invalid_reason == FORGOT:
            return False
        if not self.gone:
            return True
        if self._hushed(record) and record.attribute not in BARE_NAMES:
            return False
        return not any(self._tells(record, one) for one in self.gone)

    def _tells(self, record: MemoryRecord, one: Gone) -> bool:
        """It says the forgotten value once more. What is held of somebody else under its own name is another thing."""
        if record.last_confirmed_at > one.at:
            return False
        words = record.attribute in IN_WORDS
        if (
            words
            and one.statement
            and record.statement == one.statement
            and one.sources & set(record.source_message_ids)
        ):
            return True
        if not words and (record.subject != one.subject or record.attribute == one.apart):
            return False
        return bool(one.words) and one.words <= self._terms(bare_value(record.memory_value))

    def _hushed(self, record: MemoryRecord) -> bool:
        """It was read from a message that was forgotten as words, because no memory was found under what was named.

        "Forget the hawk's age": whosever age it was taken for, it is not told again.
        """
        told = frozenset(record.source_message_ids)
        found = {one.at for one in self.gone if not one.only_said}
        return bool(told) and any(
            one.only_said and one.at not in found and told <= one.sources for one in self.gone
        )

    def _bare(self, record: MemoryRecord) -> MemoryRecord:
        told = record.statement
        return replace(record, statement=None) if told and self.holds(told, record.created_at) else record

    def answers(self, question: str, found: Sequence[Finding]) -> tuple[Finding, ...]:
        """Asked for what was forgotten, only what was told of it since answers, not whatever comes nearest."""
        policy = self.policy
        if not self.gone or policy is None:
            return tuple(found)
        asked = told_words(question, policy) & frozenset(w for one in self.gone for w in one.words)
        named = frozenset(w for w in asked if rarity(w, policy) >= policy.checks.name_rarity)
        return tuple(f for f in found if not named or named & self._terms(f.told))

    def told_in(self, text: str, known: Iterable[str]) -> bool:
        """A finished reply tells something of it that neither this message nor anything that may be told holds."""
        if not self.gone:
            return False
        said = self._terms(text)
        told = [one.words for one in self.gone if one.words and one.words <= said]
        return bool(told) and not all(any(w <= self._terms(k) for k in known) for w in told)


NOTHING = Forgotten()


def forgotten_in(records: Iterable[MemoryRecord], policy: Policy) -> Forgotten:
    """From all that is over: what the user had forgotten, with what gave way to it or was ended by it."""
    over = [m for m in records if m.status is not MemoryStatus.ACTIVE]
    marked = [m for m in over if m.status is MemoryStatus.INVALID and m.invalid_reason == FORGOT]
    if not marked:
        return NOTHING
    inside = _chained(marked, over, policy)
    chained = frozenset(i for i, one in inside.items() if one.record.invalid_reason != FORGOT)
    gone = tuple(replace(_gone(one.record, policy), at=one.at) for one in inside.values())
    return Forgotten(gone, chained, policy)


def _gone(record: MemoryRecord, policy: Policy) -> Gone:
    unrecorded = record.memory_key in (UNRECORDED, ALONG)
    return Gone(
        frozenset() if unrecorded else told_words(bare_value(record.memory_value), policy),
        record.ended_at or record.last_confirmed_at,
        frozenset(record.source_message_ids),
        not unrecorded and record.type is MemoryType.NOTE,
        record.subject,
        record.attribute
        if row_of(record.attribute, policy).many and record.attribute not in IN_WORDS
        else None,
        record.statement,
    )


@dataclass(frozen=True, slots=True)
class _Part:
    """A memory that belongs to something forgotten, and when that was."""

    record: MemoryRecord
    at: datetime


def _chained(
    marked: Sequence[MemoryRecord], over: Sequence[MemoryRecord], policy: Policy
) -> dict[str, _Part]:
    """With what gave way to something forgotten, over however many changes; and with what the forgotten words ended."""
    inside = {m.memory_id: _Part(m, m.ended_at or m.last_confirmed_at) for m in marked}
    left = [m for m in over if m.memory_id not in inside]
    while left:
        found = {m.memory_id: _Part(m, at) for m in left if (at := _belongs(m, inside, policy)) is not None}
        if not found:
            break
        inside |= found
        left = [m for m in left if m.memory_id not in found]
    return inside


def _belongs(record: MemoryRecord, inside: Mapping[str, _Part], policy: Policy) -> datetime | None:
    """When the thing was forgotten that it is a part of."""
    if (new := inside.get(record.superseded_by or "")) is not None:
        return new.at
    ended = record.ended_at if record.status is MemoryStatus.INVALID else None
    if ended is None or record.invalid_reason == FORGOT:
        return None
    words = told_words(bare_value(record.memory_value), policy)
    for part in inside.values():
        one = part.record
        alike = record.attribute == one.attribute or words & told_words(bare_value(one.memory_value), policy)
        if ended == one.created_at and record.subject == one.subject and alike:
            return part.at
    return None
