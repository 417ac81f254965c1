"""What is answered by rule, before anything is weighed: what must be minded, what is on, how many there are."""

from __future__ import annotations

import re
from collections.abc import Sequence

from clew.engine.parts import Parts
from clew.engine.remembered import all_memories, and_told_now
from clew.engine.turn_state import Turn
from clew.kernel.keep.keys import bare_value
from clew.kernel.keep.times import resolve
from clew.kernel.read.change_words import says
from clew.kernel.recall.agenda import asks_whats_on, planned
from clew.kernel.recall.answers import WHO, Moment, finding_of
from clew.kernel.recall.counting import asks_how_many, counted, told_of_somebody
from clew.kernel.recall.matters import matter_of, minded
from clew.kernel.recall.memories.closed import closed_ids
from clew.kernel.recall.named import names_it
from clew.kernel.recall.there_is import asks_whether_there, never_told, there
from clew.kernel.recall.which_one import which_one
from clew.model.key import Key
from clew.model.memory import SELF, MemoryRecord
from clew.model.plan import Finding, Snippet
from clew.model.utterance import Act
from clew.policy import Policy


def minded_first(parts: Parts, turn: Turn) -> tuple[Finding, ...] | None:
    """What must be minded where something is eaten, drunk or taken; None where the question is to be weighed."""
    question, policy = question_of(turn), parts.policy
    matter = matter_of(question, turn.read.language, policy)
    if matter is None:
        return None
    held = open_to_say_of(parts, turn, {m.memory_id: m for m in all_memories(parts, turn)})
    held = and_told_now(parts, turn, held)
    moment = Moment(turn.read.language, turn.at, turn.zone)
    whom = {a.subject for a in turn.read.asks if a.subject != SELF}
    found = minded(question, turn.read.language, held, policy, whom)
    told = tuple(finding_of(record, 1.0, policy, moment) for record in found)
    return told if told or matter.leave else None


def looked_through(parts: Parts, turn: Turn) -> tuple[Finding, ...]:
    """How many of somebody there are, what is on, whom something was told of: all that is held is looked through."""
    question, policy = question_of(turn), parts.policy
    many, whom = asks_how_many(question, policy), says(question, "of_whom", policy)
    on, whether = asks_whats_on(question, turn.read.language, policy), asks_whether_there(question, policy)
    which = says(question, "own_fact", policy)
    if only_tells(turn) or not (many or whom or on or whether or which):
        return ()
    held = open_to_say_of(parts, turn, {m.memory_id: m for m in all_memories(parts, turn)})
    if whom and not (many or on or whether or which) and _named_alone(turn, held):
        return ()
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
    if whether and not told:
        named = any(names_it(question, m.subject, m.memory_value, policy) for m in held)
        return () if named else never_told(question, policy)
    return told or ((_nothing_on(question, turn, policy),) if on else ())


def _nothing_on(question: str, turn: Turn, policy: Policy) -> Finding:
    """Of the days that are asked for nothing is held: they are named by the words of the question."""
    days = resolve(question, turn.at, turn.zone, policy, 1)
    return Finding("", "none", subject=SELF, attribute="plan", value=days.text.strip() if days else "", named=0.0)


def _named_alone(turn: Turn, held: Sequence[MemoryRecord]) -> bool:
    """ "Who's Isla?" asks for her alone, where she is known by her name."""
    asked = {a.name.lower() for a in turn.read.asks if a.attribute == WHO and a.name}
    keys = (Key.parse(m.memory_key) for m in held)
    return any(key is not None and (key.name or "").replace("_", " ") in asked for key in keys)


def only_tells(turn: Turn) -> bool:
    """ "My brother said I can stay with him" asks for nothing; "내가 어디 산다고 했더라" does, unmarked."""
    if turn.read.asks_surely:
        return False
    acts = {s.act for s in turn.read.sentences}
    return bool(acts) and acts == {Act.STATEMENT} and "?" not in turn.text and not turn.heard.flags.is_question


def question_of(turn: Turn) -> str:
    """What is asked, without what is told beside it."""
    said = [s.text for s in turn.read.sentences if s.act in (Act.QUESTION, Act.REQUEST)]
    return " ".join(said) or turn.text


def open_to_say_of(parts: Parts, turn: Turn, records: dict[str, MemoryRecord]) -> list[MemoryRecord]:
    """Without what the user closed and does not raise now."""
    known = tuple(Snippet.of(m) for m in records.values())
    closed = closed_ids(known, turn.controls.suppressed_topics, turn.text, parts.policy)
    return [m for i, m in records.items() if i not in closed]


def edible(found: tuple[Finding, ...], turn: Turn, policy: Policy) -> tuple[Finding, ...]:
    """An allergy to cat hair is no answer to whether one may eat a cake; to a medicine it may be."""
    words = policy.compose.languages.get(turn.read.language)
    if words is None or not words.no_food or not words.medicine or re.search(words.medicine, turn.text):
        return found
    return tuple(f for f in found if not re.search(words.no_food, bare_value(f.value)))
