"""What the reader of change proposes, checked and carried out (rulings M7, M8).

Pinned memories, what never changes, and what this very message tells stay as they are. What gives way is kept as
history: superseded by what takes its place, or over, in the user's own words.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

from clew.frozen import dataclass
from clew.kernel.keep.candidates import candidates as stated
from clew.kernel.keep.change_reader import UNDOES, Verdict
from clew.kernel.keep.changeable import may_change
from clew.kernel.keep.ended import close_parted
from clew.kernel.keep.keys import build, row_of
from clew.kernel.keep.lifecycle import ACTIVE, move
from clew.kernel.keep.only_named import only_named
from clew.kernel.keep.successors import attribute_in, successor_of
from clew.kernel.keep.switched import switched_to
from clew.model.key import Key
from clew.model.memory import Candidate, EventKind, InvalidReason, MemoryEvent, MemoryRecord, MemoryType
from clew.model.utterance import Act, Statement, Status
from clew.policy import Policy

REPLACED, ENDED, DENIED = "remember.changed", InvalidReason.ENDED, InvalidReason.DENIED
BESIDE, NO_CHANGE = "remember.beside", "remember.no_change"
# Sentences that change nothing: what is wished, supposed or quoted is not so.
_IDLE = (Act.WISH, Act.SUPPOSITION, Act.QUOTATION)


@dataclass(frozen=True, slots=True)
class Change:
    """What becomes of one held memory; `words`: the message's own words, to be kept where nothing better was read."""

    memory_id: str
    verdict: Verdict
    chance: float
    words: Candidate | None = None


def idle(acts: Sequence[Act]) -> bool:
    return bool(acts) and all(act in _IDLE for act in acts)


def in_words(
    record: MemoryRecord, verdict: Verdict, sentence: str, at: datetime, zone: ZoneInfo, policy: Policy
) -> Candidate | None:
    """The sentence as what takes the old one's place, or as what happened to it (ruling M7)."""
    if verdict is Verdict.DENIES:
        return None
    attribute = attribute_in(record, policy) or "note"
    key = Key.parse(record.memory_key)
    name = key.name if key else None
    told = Statement(record.subject, attribute, sentence, sentence, 0, len(sentence), name=name)
    if verdict is Verdict.REPLACES and (value := switched_to(sentence, policy)):
        anew = replace(told, value=value, start=sentence.find(value), end=sentence.find(value) + len(value))
        return next(iter(stated([anew], at, zone, policy)), None)
    if verdict is Verdict.ENDS:
        return next(iter(stated([replace(told, status=Status.ENDED)], at, zone, policy)), None)
    note = next(iter(stated([replace(told, attribute="note")], at, zone, policy)), None)
    # A sentence is no town: it stands for what is told in phrases, and beside the rest.
    return replace(note, attribute=attribute) if note and attribute not in policy.changes.places else note


def admitted(
    candidate: Candidate, records: Mapping[str, MemoryRecord], changes: Sequence[Change], policy: Policy
) -> tuple[Candidate | None, str]:
    """The candidate as it may be kept beside the changes, or None, and the rule that decided.

    A second value of what has only one becomes a note in the user's words.

    What a message surely undoes is not told anew by its name alone: "they pulled the job, so no interview".
    """
    for change in changes:
        held = records.get(change.memory_id)
        if held is not None and only_named(candidate, held, change.verdict, change.chance, policy):
            return None, NO_CHANGE
        if held is None or held.status is not ACTIVE or held.memory_key != candidate.key:
            continue
        if held.memory_value == candidate.value or row_of(candidate.attribute, policy).many:
            continue
        if change.verdict is Verdict.OTHER:
            return None, NO_CHANGE
        if change.verdict is Verdict.COEXISTS:
            return beside(candidate, policy), BESIDE
    return candidate, ""


def beside(candidate: Candidate, policy: Policy) -> Candidate:
    words = (candidate.statement or candidate.value)[: policy.attributes.note_characters]
    key = build(MemoryType.NOTE, candidate.value, policy=policy) or build(MemoryType.NOTE, words, policy=policy)
    return replace(candidate, type=MemoryType.NOTE, key=key, value=words) if key else candidate


def carry_out(
    records: dict[str, MemoryRecord],
    events: list[MemoryEvent],
    changes: Sequence[Change],
    keep: Callable[[Candidate], str | None],
    message_id: str,
    at: datetime,
    policy: Policy,
) -> None:
    """What is undone steps back. What takes its place, or the event of its end, is kept in the user's words where
    nothing better was read; `keep` stores them, and says where.
    """
    for change in changes:
        held = records.get(change.memory_id)
        if change.verdict not in UNDOES or held is None or message_id in held.source_message_ids:
            continue
        if not may_change(held, policy):
            continue
        # What is over and has something told in its place gave way to it.
        successor = successor_of(held, records, message_id, policy)
        if change.verdict is Verdict.REPLACES or (change.verdict is Verdict.ENDS and successor is not None):
            if successor is None and change.words is not None:
                successor = keep(change.words)
            if successor is not None:
                records[held.memory_id] = move(held, "supersede", at, by=successor)
                events.append(MemoryEvent(EventKind.SUPERSEDED, held.memory_id, REPLACED, by=successor))
                continue
        told = any(message_id in m.source_message_ids for m in records.values())
        if change.verdict is Verdict.ENDS and change.words is not None and not told:
            keep(change.words)
        reason = DENIED if change.verdict is Verdict.DENIES else ENDED
        records[held.memory_id] = move(held, "invalidate", at, reason=reason)
        events.append(MemoryEvent(EventKind.INVALIDATED, held.memory_id, reason))
        close_parted(records, events, held, message_id, at, policy)
