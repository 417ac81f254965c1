"""Looking for what answers a question about the user's life: memories, history, then their own words."""

from __future__ import annotations

from clew.engine.parts import Parts
from clew.engine.recall import MEMORY, TURN, find
from clew.engine.recall import Found as Hit
from clew.engine.rights import Scope
from clew.engine.turn_state import Turn
from clew.kernel.keep.telling import tell
from clew.kernel.read.utterance import sentences_of
from clew.kernel.recall.answers import HISTORY, WHO, Moment, answers, wanted_attributes
from clew.kernel.recall.memories.closed import closed_ids
from clew.model.memory import MemoryRecord, MemoryStatus
from clew.model.plan import Finding, Snippet
from clew.model.turn import Pipeline
from clew.model.utterance import Act, Ask

_EVERY = tuple(MemoryStatus)


def answering(parts: Parts, turn: Turn) -> tuple[Finding, ...]:
    """Findings, the most needed first; one of source "none" when something was asked and nothing is known."""
    asks = turn.read.asks
    if turn.route.pipeline is Pipeline.REFUSAL or turn.route.crisis or turn.conversation is None:
        return ()
    if not asks:
        return _unread(parts, turn)
    past = any(a.attribute == HISTORY for a in asks)
    with parts.store.read() as session:
        held = session.memories_by_attribute(
            *turn.scope,
            wanted_attributes(asks, parts.policy),
            statuses=_EVERY if past else (MemoryStatus.ACTIVE,),
        )
    records = _open(parts, turn, {m.memory_id: m for m in (*turn.memories, *held)})
    moment = Moment(turn.read.language, turn.at, turn.zone)
    found = answers(asks, records, parts.policy, moment)
    if not found or all(f.named < 1 for f in found):
        found = (*found, *_by_words(parts, turn, {f.id for f in found}, records))
    if not found and not all(a.attribute == WHO for a in asks):
        found = (_unknown(asks),)
    turn.notes.room(
        "answer",
        asks=[{"subject": a.subject, "attribute": a.attribute, "name": a.name} for a in asks],
        findings=[{"source": f.source, "id": f.id, "told": f.told, "named": f.named} for f in found],
    )
    return found


def _unread(parts: Parts, turn: Turn) -> tuple[Finding, ...]:
    """Without a vector nothing tells what is asked: a question about oneself is answered by its words."""
    flags, limits = turn.heard.flags, parts.policy.recall
    if turn.read.vector is not None or not (flags.is_question and flags.has_personal_pronoun):
        return ()
    if any(token.startswith(limits.advice) for token in turn.heard.tokens):
        return ()
    records = _open(parts, turn, {m.memory_id: m for m in turn.memories})
    return _by_words(parts, turn, set(), records, kinds=(MEMORY,))


def _open(parts: Parts, turn: Turn, records: dict[str, MemoryRecord]) -> list[MemoryRecord]:
    """Without what the user closed and does not raise now."""
    known = tuple(Snippet.of(m) for m in records.values())
    closed = closed_ids(known, turn.controls.suppressed_topics, turn.text, parts.policy)
    return [m for i, m in records.items() if i not in closed]


def _by_words(
    parts: Parts,
    turn: Turn,
    already: set[str],
    records: list[MemoryRecord],
    kinds: tuple[str, ...] = (MEMORY, TURN),
) -> tuple[Finding, ...]:
    """What the words of the question lead to: memories under another name, and what the user once said."""
    limits = parts.policy.recall
    hits = find(
        parts,
        Scope(*turn.scope),
        turn.text,
        k=limits.answers_by_words,
        at=turn.at,
        vector=turn.read.vector,
        kinds=kinds,
        speaker="user",
        exclude_message_ids=(turn.incoming.message_id,),
    )
    floors = {MEMORY: limits.memory_kind_floor, TURN: limits.answers_floor}
    best = [h for h in hits if h.score >= floors[h.kind] and h.id not in already]
    most = limits.answers_quoted if TURN in kinds else limits.answers_each
    return tuple(x for h in best[:most] if (x := _quoted(parts, turn, h, records)))


def _quoted(parts: Parts, turn: Turn, hit: Hit, records: list[MemoryRecord]) -> Finding | None:
    """A memory as it is told; a message by its sentences that state something. A question answers nothing."""
    language = turn.read.language
    if hit.kind == MEMORY:
        record = next((r for r in records if r.memory_id == hit.id), None)
        if record is not None and not record.statement:
            told = tell(record, language, parts.policy, at=turn.at, zone=turn.zone)
            return Finding(told, "memory", hit.id, at=hit.at, named=0.4)
        # Found by its words, so it is told in them: it may answer another question than its attribute's.
        return Finding(record.statement or hit.text if record else hit.text, "turn", hit.id, at=hit.at, named=0.4)
    said = sentences_of(hit.text, language, parts.policy)
    stated = " ".join(s.text for s in said if s.act is Act.STATEMENT)
    return Finding(stated, "turn", hit.id, at=hit.at, named=0.4) if stated else None


def _unknown(asks: tuple[Ask, ...]) -> Finding:
    return Finding("", "none", subject=asks[0].subject, attribute=asks[0].attribute, named=0.0)
