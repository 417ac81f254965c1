"""The user's own words as an answer: found by the words of the question, without what was to be forgotten."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from clew.engine.by_rule import question_of
from clew.engine.overtaken import undone_messages
from clew.engine.parts import Parts
from clew.engine.recall import MEMORY, TURN, find
from clew.engine.recall import SearchHit as Hit
from clew.engine.rights import Scope
from clew.engine.turn_state import Turn
from clew.engine.vectors import vector_of
from clew.engine.weighing import said_just_before
from clew.kernel.correct.commands import hear_command
from clew.kernel.correct.wishes import command_words
from clew.kernel.keep.telling import tell
from clew.kernel.read.change_words import says
from clew.kernel.read.utterance import stated_in
from clew.kernel.read.wording import wording
from clew.kernel.recall.narrowing import Wanted
from clew.kernel.recall.narrowing import held as terms_held
from clew.kernel.recall.own_words import OwnMessage as Stated
from clew.kernel.recall.own_words import explained, introducing, leaning, only_greets, points_back
from clew.model.memory import Command, MemoryRecord
from clew.model.plan import Finding

# How surely a quotation answers that holds a word of the question's own, and one that does not.
SHARED = 0.6
_NEAR = 0.4


def said_before(
    parts: Parts, turn: Turn, kinds: tuple[str, ...] = (TURN,), most: int | None = None
) -> tuple[Hit, ...]:
    """What the search by words finds of the user's, without greetings, what is outdated or was to be forgotten."""
    asked = question_of(turn)
    hits = find(
        parts,
        Scope(*turn.scope),
        asked,
        k=most or parts.policy.recall.answers_by_words,
        at=turn.at,
        vector=turn.read.vector if asked == turn.text else None,
        kinds=kinds,
        speaker="user",
        exclude_message_ids=(turn.incoming.message_id, *undone_messages(parts, turn).hidden),
    )
    told = (h for h in hits if not only_greets(h.text, parts.policy))
    return tuple(h for h in told if not _forgets(parts, turn, h.text))


def by_words(
    parts: Parts,
    turn: Turn,
    records: Sequence[MemoryRecord],
    question: Wanted,
    already: frozenset[str] = frozenset(),
    kinds: tuple[str, ...] = (MEMORY, TURN),
) -> tuple[Finding, ...]:
    """What the words of the question lead to: memories under another name, and what the user once said."""
    limits = parts.policy.recall
    hits = said_before(parts, turn, kinds)
    floors = {MEMORY: limits.memory_kind_floor, TURN: limits.answers_floor}
    shared = {h.id: len(question.own & terms_held(h.text, parts.policy)) for h in hits}
    best = [
        h
        for h in hits
        if h.id not in already
        and h.score >= (limits.answers_floor_shared if shared[h.id] else floors[h.kind])
    ]
    # What tells a change comes before what it changed.
    best.sort(key=lambda h: (-shared[h.id], not _changes(parts, h.text)))
    most = limits.answers_quoted if TURN in kinds else limits.answers_each
    made = ((_quoted(parts, turn, h, records), shared[h.id]) for h in best)
    told = [replace(x, named=SHARED) if n else x for x, n in made if x is not None]
    return tuple(told[:most])


def introduced(parts: Parts, turn: Turn, name: str, heard: Sequence[Hit]) -> tuple[Finding, ...]:
    """Who somebody is, in the words that first told it, where no more than a name is held."""
    one = introducing(name, _stated(parts, turn, heard), parts.policy)
    if one is None:
        return ()
    found = Finding(one.words, "turn", one.id, at=next(h.at for h in heard if h.id == one.id))
    # "The oldest is Duchess" says who she is by the words before it.
    leans = not explained(one.words, parts.policy) and points_back(one.words, turn.read.language, parts.policy)
    return (_led(parts, turn, found, one.before, heard) if leans else found,)


def with_lead(parts: Parts, turn: Turn, found: Finding, heard: Sequence[Hit]) -> Finding:
    """A quotation that leans on the words before it is told with them."""
    one = next((s for s in _stated(parts, turn, heard) if s.id == found.id), None) if found.source == "turn" else None
    if one is None or found.told != one.words or not leaning(one, question_of(turn), turn.read.language, parts.policy):
        return found
    return _led(parts, turn, found, one.before, heard)


def _led(parts: Parts, turn: Turn, found: Finding, before: str, heard: Sequence[Hit]) -> Finding:
    """With the words before it, unless they were to be forgotten or hold no more."""
    if not before or turn.gone.holds(before, found.at):
        return found
    undone = undone_messages(parts, turn)
    if any(h.text == before and (h.id in undone.by or h.id in undone.hidden) for h in heard):
        return found
    lead = stated_in(before, turn.read.language, parts.policy).rstrip(" .!?~…")
    return replace(found, told=f"{lead} – {found.told}") if lead else found


def _stated(parts: Parts, turn: Turn, heard: Sequence[Hit]) -> list[Stated]:
    """The user's messages that state something, in the order of time, each with what came just before it."""
    before = said_just_before(heard, parts.policy)
    ordered = sorted(heard, key=lambda h: (h.at is not None, h.at, h.id))
    made = (Stated(h.id, stated_in(h.text, turn.read.language, parts.policy), before[h.id]) for h in ordered)
    return [one for one in made if one.words]


def _forgets(parts: Parts, turn: Turn, text: str) -> bool:
    return wishes_forgotten(parts, text, turn.read.language)


def wishes_forgotten(parts: Parts, text: str, language: str) -> bool:
    """A wish to forget names what was to be forgotten, and is never quoted or found."""
    policy = parts.policy
    said = command_words(wording(text, policy), language, vector_of(parts, text), policy)
    return hear_command(said, policy).command in (Command.FORGET, Command.FORGET_TARGET, Command.SUPPRESS_TOPIC)


def _changes(parts: Parts, text: str) -> bool:
    return says(text, "instead", parts.policy) or says(text, "ended", parts.policy)


def _quoted(parts: Parts, turn: Turn, hit: Hit, records: Sequence[MemoryRecord]) -> Finding | None:
    """A memory as it is told; a message by its sentences that state something. A question answers nothing."""
    language = turn.read.language
    if hit.kind == MEMORY:
        record = next((r for r in records if r.memory_id == hit.id), None)
        if record is not None and not record.statement:
            told = tell(record, language, parts.policy, at=turn.at, zone=turn.zone)
            return Finding(told, "memory", hit.id, at=hit.at, named=_NEAR)
        # Found by its words, so it is told in them: it may answer another question than its attribute's.
        return Finding(record.statement or hit.text if record else hit.text, "turn", hit.id, at=hit.at, named=_NEAR)
    stated = stated_in(hit.text, language, parts.policy)
    return Finding(stated, "turn", hit.id, at=hit.at, named=_NEAR) if stated else None
