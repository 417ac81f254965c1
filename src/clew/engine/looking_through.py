"""Questions that are answered by looking through all that is held: how many, who, what is on, whether there is one."""

from __future__ import annotations

from clew.engine.parts import Parts
from clew.engine.turn_state import Turn
from clew.kernel.correct.forgotten import hushed, without_forgotten
from clew.kernel.read.change_words import says
from clew.kernel.recall.agenda import asks_whats_on, planned
from clew.kernel.recall.answers import Moment, finding_of
from clew.kernel.recall.counting import asks_how_many, counted, told_of_somebody
from clew.kernel.recall.memories.closed import closed_ids
from clew.kernel.recall.there_is import asks_whether_there, never_told, there
from clew.kernel.recall.which_one import which_one
from clew.model.memory import SELF, MemoryRecord
from clew.model.notes import AnswerNote, AskNote, FindingNote
from clew.model.plan import Finding, Snippet


def looked_through(parts: Parts, turn: Turn, question: str, *, tells: bool) -> tuple[Finding, ...]:
    """How many of somebody there are, what is on, whom something was told of: all that is held is looked through."""
    policy = parts.policy
    many, whom = asks_how_many(question, policy), says(question, "of_whom", policy)
    on, whether = asks_whats_on(question, turn.read.language, policy), asks_whether_there(question, policy)
    which = says(question, "own_fact", policy)
    if tells or not (many or whom or on or whether or which):
        return ()
    with parts.store.read() as session:
        every = without_forgotten(session.memories(*turn.scope), turn.gone, policy)
    held = open_to_say_of(parts, turn, {m.memory_id: m for m in every if not hushed(m, turn.gone)})
    if on:
        found = planned(question, turn.read.language, held, turn.at, turn.zone, policy)
    elif whether:
        found = there(question, held, policy)
    elif which:
        found = which_one(question, turn.read.language, held, policy)
    else:
        found = counted(turn.read.asks, held, policy) if many else told_of_somebody(question, held, policy)
    moment = Moment(turn.read.language, turn.at, turn.zone)
    told = tuple(finding_of(record, 1.0, policy, moment) for record in found[: policy.recall.answers_whole])
    if told:
        asked = tuple(AskNote(a.subject, a.attribute, a.name) for a in turn.read.asks)
        turn.notes.add(AnswerNote(asked, tuple(FindingNote(f.source, f.id, f.told, f.named) for f in told)))
    if whether and not told:
        return never_told(question, policy)
    return told or ((Finding("", "none", subject=SELF, attribute="plan", named=0.0),) if on else ())


def open_to_say_of(parts: Parts, turn: Turn, records: dict[str, MemoryRecord]) -> list[MemoryRecord]:
    """Without what the user closed and does not raise now."""
    known = tuple(Snippet.of(m) for m in records.values())
    closed = closed_ids(known, turn.controls.suppressed_topics, turn.text, parts.policy)
    return [m for i, m in records.items() if i not in closed]
