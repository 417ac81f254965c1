"""What may be brought to mind: the policy first, then the ranking (turn-pipeline §6.3, §7.1, §13)."""

from __future__ import annotations

from dataclasses import dataclass

from clew.engine.notes import Notes
from clew.engine.parts import Parts
from clew.engine.scene import Scene
from clew.engine.vectors import vectors_of
from clew.kernel.gate.surfacing import sensitive_ids
from clew.kernel.recall.memories.closed import closed_ids
from clew.kernel.recall.memories.ranking import memory_text, rank_memories
from clew.kernel.recall.memories.trigger import vector_trigger
from clew.model.plan import Snippet
from clew.model.signals import Signals
from clew.model.turn import ReadPolicy, RoutingDecision, VectorPolicy


@dataclass(frozen=True, slots=True)
class Recalled:
    """`snippets` may be used in the reply; `known` is everything the gate must watch for."""

    snippets: tuple[Snippet, ...] = ()
    known: tuple[Snippet, ...] = ()


def bring_to_mind(
    parts: Parts, scene: Scene, heard: Signals, route: RoutingDecision, notes: Notes
) -> Recalled:
    known = tuple(Snippet.of(m) for m in scene.memories)
    if route.memory_read_policy is ReadPolicy.NONE or not scene.memories:
        notes.room("recall", policy=route.memory_read_policy, hits=[])
        return Recalled((), known)
    light = route.memory_read_policy is ReadPolicy.LIGHT
    hidden = sensitive_ids(known, () if light else heard.mentioned, parts.policy)
    hidden |= closed_ids(known, scene.controls.suppressed_topics, scene.incoming.text, parts.policy)
    use_vectors, reasons = _vectors_wanted(parts, scene, route)
    query_vector, vectors = None, {}
    if use_vectors:
        texts = {m.memory_id: memory_text(m) for m in scene.memories}
        made = vectors_of(parts, [scene.incoming.text, *texts.values()])
        query_vector = made.get(scene.incoming.text)
        vectors = {i: made[text] for i, text in texts.items() if text in made}
    hits = rank_memories(
        scene.incoming.text,
        scene.memories,
        parts.policy,
        suppressed_keys=scene.controls.suppressed_memory_keys,
        exclude_ids=hidden,
        query_vector=query_vector,
        vectors=vectors,
        limit=parts.policy.engine.light_memories if light else None,
    )
    notes.room(
        "recall",
        reasons=reasons,
        policy=route.memory_read_policy,
        considered=len(scene.memories),
        hidden=sorted(hidden),
        hits=[
            {
                "memory_id": h.memory.memory_id,
                "key": h.memory.memory_key,
                "score": h.score,
                "parts": dict(h.parts),
            }
            for h in hits
        ],
    )
    return Recalled(tuple(Snippet.of(h.memory) for h in hits), known)


def _vectors_wanted(parts: Parts, scene: Scene, route: RoutingDecision) -> tuple[bool, tuple]:  # type: ignore[type-arg]
    if route.vector_search_policy is VectorPolicy.OFF or parts.embedder is None:
        return False, ()
    trigger = vector_trigger(
        scene.incoming.text,
        parts.policy,
        last_messages=[m.text for m in scene.history[-parts.policy.engine.continuity_messages :]],
        turns_24h=scene.turns_today,
    )
    return trigger.on, trigger.reasons
