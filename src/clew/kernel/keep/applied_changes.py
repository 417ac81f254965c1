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
from clew.kernel.keep.change_reader import UNDOES, Judged, Verdict
from clew.kernel.keep.change_signs import shared_words
from clew.kernel.keep.changeable import another_ended, may_change, nothing_in_its_place, only_ahead, swept
from clew.kernel.keep.ended import close_parted
from clew.kernel.keep.keys import build, row_of
from clew.kernel.keep.lifecycle import ACTIVE, move
from clew.kernel.keep.only_named import only_named
from clew.kernel.keep.successors import attribute_in, successor_of
from clew.kernel.keep.switched import is_time, switched_to
from clew.kernel.keep.values import abstains
from clew.kernel.keep.whose_change import (
    another,
    delivered,
    moved_out,
    names_its_people,
    naming,
    of_something_else,
    same_matter,
    says_no_more,
    unsaid,
)
from clew.kernel.read.change_words import says, says_change, says_over, tells_change, without_common
from clew.kernel.statements.features import mentions
from clew.model.key import Key
from clew.model.memory import SELF, Candidate, EventKind, InvalidReason, MemoryEvent, MemoryRecord, MemoryType
from clew.model.utterance import Act, Statement, Status, Utterance
from clew.policy import Policy

REPLACED, ENDED, DENIED = "remember.changed", InvalidReason.ENDED, InvalidReason.DENIED
BESIDE, NO_CHANGE = "remember.beside", "remember.no_change"
# Sentences that change nothing: what is wished, supposed or quoted is not so.
_IDLE = (Act.WISH, Act.SUPPOSITION, Act.QUOTATION)
_NOTE = "note"
_OVER = (Status.NOT, Status.ENDED)
_TASTES = ("like", "dislike")
_LIKED = (*_TASTES, "hobby", "sport", "game")
# What one may have several of, each on its own day; what stands on a day.
_DAYS = ("plan",)
_DATED = ("plan", "event", "routine", "work_hours", "birthday", "rule", "limit")


@dataclass(frozen=True, slots=True)
class Change:
    """What becomes of one held memory; `words`: the message's own words, to be kept where nothing better was read."""

    memory_id: str
    verdict: Verdict
    chance: float
    words: Candidate | None = None


def decided(judged: Judged, record: MemoryRecord, message: Utterance, policy: Policy) -> Verdict | None:
    """The verdict where it is sure enough: surer where several may stand, and where nothing new was read."""
    table, told, text = policy.changes, message.statements, message.text
    attribute = attribute_in(record, policy)
    row = row_of(attribute, policy)
    alike = [s for s in told if row_of(s.attribute, policy).group == row.group]
    called = attribute == "name" and shared_words(record.memory_value, text, policy)
    of_them = naming(record, message, policy) if called else text
    if attribute == "name" and record.subject in table.parting and says(of_them, "parted", policy):
        ours = record.subject in table.lovers and not message.of_others and not mentions(text, policy.reader)
        if called or (ours and all(s.subject == SELF for s in told)):
            return Verdict.ENDS  # "Selin and me broke up", "we broke up"
    if delivered(record, message, policy) or (attribute == "home" and moved_out(record, text, policy)):
        return Verdict.ENDS
    if attribute == "name" and _renamed(judged, record, told, text, policy):
        return Verdict.REPLACES
    near = [s for s in alike if s.subject == record.subject and not another(s, record, policy)]
    if abstains(record, policy) and all(s.status in _OVER for s in near) and (near or says_over(text, policy)):
        return Verdict.OTHER  # "I quit drinking" ends no "I don't drink"
    if message.of_others and record.subject == SELF:
        return Verdict.OTHER  # "Len's not selling after all" says nothing of the user's own garage
    if attribute == "name" and not called and _succeeded(judged, record, told, policy):
        return Verdict.REPLACES  # one has one boss: whoever is named in her place is the boss now
    if attribute == _NOTE and not same_matter(record, text, policy):
        return Verdict.OTHER  # a sentence that was kept as it stands is undone by nothing but what speaks of it
    if says(text, "thing_named", policy) and not says(record.statement or "", "thing_named", policy):
        return Verdict.OTHER  # another name for the shop changes nothing of its hours
    ends = judged.undoing is Verdict.ENDS
    if (alike and not near) or of_something_else(message, near, record, attribute, policy, ends=ends):
        return Verdict.OTHER  # where the sister lives says nothing of the user, nor what becomes of Joe of Ben
    if another_ended(near, record, text, policy):
        return Verdict.OTHER  # where one worked once says nothing of where one works
    nearer = any(s.attribute == "relationship" and s.status is Status.IS for s in told)
    surely = judged.undoing is Verdict.ENDS and judged.undone >= table.undone_at_parting
    parted = surely and (says(of_them, "ended", policy) or says(of_them, "parted", policy))
    if attribute == "name" and record.subject in table.parting and parted and not nearer:
        return Verdict.ENDS  # "Tim moved out": he is the lodger no more
    if attribute == "relationship" and says(text, "together_again", policy):
        return None  # moving back in with her ends nothing
    if attribute == "employer" and says(text, "promoted", policy) and all(s.attribute != attribute for s in near):
        return Verdict.OTHER  # who rises where she works still works there
    new = switched_to(text, policy)
    if new and attribute not in _DATED and is_time(new, record.last_confirmed_at, policy):
        return Verdict.OTHER  # a day takes the place of a day, never of a job
    if called and not says(text, "instead", policy):
        return Verdict.OTHER  # whoever is called by it is called so
    least = table.undone_at_many if row.many else table.undone_at
    had, said = (without_common(words, table.common) for words in (record.memory_value, text))
    apart = not shared_words(had, said, policy)
    if attribute in _TASTES and apart and any(s.attribute in _LIKED and s.status is Status.IS for s in near):
        return Verdict.COEXISTS  # liking one thing now takes nothing from another
    lasting_side = attribute in (*policy.checks.single, "language", "nationality")
    if lasting_side and only_ahead(told) and not says_over(text, policy):
        return Verdict.OTHER  # what one wants to be takes nothing from what one is
    if attribute in policy.checks.work and near and all(s.attribute == "work_hours" for s in near):
        return Verdict.OTHER  # who works no more nights works on
    elsewhere_now = bool(near) and all(s.attribute == "employer" and s.status is Status.IS for s in near)
    if attribute == "job" and elsewhere_now and not says(text, "ended", policy):
        return Verdict.COEXISTS  # another place to work at takes nobody's trade
    moved = apart and (says(text, "shifted", policy) or says_over(text, policy))
    if attribute in _DAYS and apart and not moved and any(s.attribute in _DAYS for s in near):
        return Verdict.COEXISTS  # an operation in December takes nothing from going back to work in March
    planned = bool(told) and all(s.attribute in ("plan", "event") for s in told)
    if attribute == "routine" and planned and not says_change(text, policy):
        return Verdict.COEXISTS  # meeting on Saturday is no end of meeting every other week
    kin = next((k for k in table.kin if attribute in k), (attribute,))
    if told and apart and not any(s.attribute in kin for s in near) and not swept(attribute, record, policy):
        return Verdict.OTHER  # getting engaged takes nobody's job, and another medicine no illness
    if judged.undoing is Verdict.REPLACES and not new and nothing_in_its_place(record, near, kin, text, policy):
        return Verdict.OTHER  # a boss who counts the sick days takes nobody's job
    if row.many and apart:
        least = max(least, table.undone_at_many_apart)
    fresh = any(s.attribute == attribute and s.status is Status.IS for s in near)
    if attribute in table.gathered and fresh and not says_change(text, policy):
        least = max(least, table.undone_at_gathered)  # a second hobby or language takes nothing from the first
    if says(text, "switched", policy) and not says(text, "beside", policy):
        least = min(least, table.undone_at_switched)
    elif not near:
        if told and not new and unsaid(record, text, lasting_side and judged.undoing is Verdict.REPLACES, policy):
            return Verdict.OTHER  # taking the cat to the clinic ends no work at a hospital
        # What was read of something else is seldom this one's new value; without a word in common almost never.
        elsewhere = told and judged.undoing is Verdict.REPLACES
        least = max(least, table.undone_at_elsewhere if elsewhere else table.undone_at_unread)
        named = names_its_people(message, policy)
        if apart and not told and not row.timeless and named and not tells_change(text, policy):
            return Verdict.OTHER  # "got in!!!" is about nothing that is held, and ends none of it
        replaced = judged.undoing is Verdict.REPLACES and not says_over(text, policy)
        if apart and (told or record.subject != SELF or replaced):
            least = max(least, table.undone_at_apart)  # nothing was told that could take its place
    lasting = attribute in (*table.places, "routine") and not any(s.attribute in kin for s in near)
    if lasting and not says_change(text, policy):
        least = max(least, table.undone_at_unsaid)
    plain = any(s.certainty == 1 and s.attribute == attribute and s.status is Status.IS for s in near)
    plain = plain or (fresh and says_no_more(message, policy))
    if attribute in table.places and says(text, "visit", policy) and not plain:
        return Verdict.OTHER
    if judged.undone >= least:
        # A name or a birthday may be put right; it does not end.
        undoing = judged.undoing
        swapped = new or any(says(text, kind, policy) for kind in ("instead", "switched", "swap"))
        used = attribute == "name" and shared_words(record.memory_value, text, policy)
        if undoing is Verdict.REPLACES and row.timeless and not fresh and (used or not swapped):
            return None  # a name gives way to a name, never to a sentence
        if undoing is Verdict.REPLACES and near and all(s.status is Status.ENDED for s in near):
            undoing = Verdict.ENDS  # nothing was told that could take its place
        return None if (row.timeless or attribute == "age") and undoing is Verdict.ENDS else undoing
    if judged.of(Verdict.COEXISTS) >= table.beside_at and (not plain or says(text, "beside", policy)):
        return Verdict.COEXISTS
    if judged.of(Verdict.OTHER) >= table.no_change_at and not plain:
        return Verdict.OTHER
    return None


def _renamed(
    judged: Judged, record: MemoryRecord, told: Sequence[Statement], text: str, policy: Policy
) -> bool:
    """ "The kitten is called Professor now": another name for the same one, said to stand instead."""
    others = [s for s in told if s.attribute == "name" and s.subject == record.subject]
    surely = judged.undoing is Verdict.REPLACES and judged.undone >= policy.changes.undone_at_unread
    return bool(others) and surely and says(text, "instead", policy) and not says(text, "beside", policy)


def _succeeded(judged: Judged, record: MemoryRecord, told: Sequence[Statement], policy: Policy) -> bool:
    """Of those whom one has one of: somebody else surely stands in their place."""
    if record.subject not in policy.changes.one_of or judged.undoing is not Verdict.REPLACES:
        return False
    wed = any(s.attribute == "relationship" and s.subject == SELF and s.status is Status.IS for s in told)
    return judged.undone >= policy.changes.undone_at_succeeded and not wed


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
