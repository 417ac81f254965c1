"""What may be brought to mind: the policy first, then the ranking."""

from __future__ import annotations

from dataclasses import replace

from clew.engine.answering import answering
from clew.engine.episodes import last_talk
from clew.engine.parts import Parts
from clew.engine.turn_state import Recalled, Turn
from clew.engine.vectors import vectors_of
from clew.kernel.gate.surfacing import sensitive_ids
from clew.kernel.recall.memories.closed import closed_ids
from clew.kernel.recall.memories.ranking import memory_text, rank_memories
from clew.kernel.recall.memories.trigger import vector_trigger
from clew.kernel.text.passage import passage
from clew.model.notes import HitNote, RecallNote
from clew.model.plan import Snippet
from clew.model.turn import ReadPolicy, RoutingDecision, VectorPolicy


def bring_to_mind(parts: Parts, turn: Turn) -> Turn:
    """What may be used in the reply: memories that fit, and what answers a question about the user's life."""
    if turn.asked.reply or turn.pointed.reply:
        return replace(turn, recalled=Recalled((), tuple(Snippet.of(m) for m in turn.memories)))
    snippets = _ranked(parts, turn)
    findings = last_talk(parts, turn) or answering(parts, turn)
    known = tuple(Snippet.of(m) for m in turn.memories)
    return replace(turn, recalled=Recalled(snippets, known, findings))


def _ranked(parts: Parts, turn: Turn) -> tuple[Snippet, ...]:
    heard, route, notes = turn.heard, turn.route, turn.notes
    known = tuple(Snippet.of(m) for m in turn.memories)
    if route.memory_read_policy is ReadPolicy.NONE or not turn.memories:
        notes.add(RecallNote(route.memory_read_policy))
        return ()
    light = route.memory_read_policy is ReadPolicy.LIGHT
    hidden = sensitive_ids(known, () if light else heard.mentioned, parts.policy)
    hidden |= closed_ids(known, turn.controls.suppressed_topics, turn.text, parts.policy)
    use_vectors, reasons = _vectors_wanted(parts, turn, route)
    query_vector, vectors = None, {}
    if use_vectors:
        texts = {m.memory_id: memory_text(m) for m in turn.memories}
        made = vectors_of(parts, [turn.text, *texts.values()])
        query_vector = made.get(turn.text)
        vectors = {i: made[text] for i, text in texts.items() if text in made}
    hits = rank_memories(
        turn.text,
        turn.memories,
        parts.policy,
        suppressed_keys=turn.controls.suppressed_memory_keys,
        exclude_ids=hidden,
        query_vector=query_vector,
        vectors=vectors,
        limit=parts.policy.engine.light_memories if light else None,
    )
    notes.add(
        RecallNote(
            policy=route.memory_read_policy,
            considered=len(turn.memories),
            hidden=tuple(sorted(hidden)),
            hits=tuple(HitNote(h.memory.memory_id, h.memory.memory_key, h.score, dict(h.parts)) for h in hits),
            reasons=reasons,
        )
    )
    return tuple(Snippet.of(h.memory) for h in hits)


def _vectors_wanted(parts: Parts, turn: Turn, route: RoutingDecision) -> tuple[bool, tuple]:  # type: ignore[type-arg]
    if route.vector_search_policy is VectorPolicy.OFF or parts.embedder is None:
        return False, ()
    last = turn.history[-parts.policy.engine.continuity_messages :]
    trigger = vector_trigger(
        turn.heard,
        parts.policy,
        last_messages=[passage(m.text, parts.policy) for m in last],
        turns_24h=turn.turns_today,
    )
    return trigger.on, trigger.reasons
