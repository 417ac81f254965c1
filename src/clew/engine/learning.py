"""What a message offers to be remembered: heuristics always, the model only behind its gate (§12.2)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime

from clew.engine.correction import Asked
from clew.engine.notes import Notes
from clew.engine.parts import Parts
from clew.engine.scene import Scene
from clew.engine.vectors import vector_of
from clew.errors import ModelFailure
from clew.kernel.correct.commands import is_explicit
from clew.kernel.keep.model_candidates import SCHEMA, read_answer, wants_model
from clew.kernel.statements.extract import extract
from clew.model.memory import Candidate, Command
from clew.model.signals import Signals
from clew.model.turn import RoutingDecision, WritePolicy
from clew.model.verdict import Reason
from clew.ports.llm import PromptMessage, Writer, WriterRequest


@dataclass(frozen=True, slots=True)
class Found:
    candidates: tuple[Candidate, ...] = ()
    explicit: bool = False


def gather(
    parts: Parts, scene: Scene, heard: Signals, route: RoutingDecision, asked: Asked, notes: Notes
) -> Found:
    if route.memory_write_policy is WritePolicy.NONE or asked.command is not Command.NONE:
        notes.room("extract", policy=route.memory_write_policy, candidates=[])
        return Found()
    text, policy = scene.incoming.text, parts.policy
    candidates = extract(text, scene.at, scene.zone, policy, vector_of(parts, text))
    reasons: tuple[Reason, ...] = ()
    wanted = wants_model(
        text,
        policy,
        valence=heard.emotion.valence,
        strong=heard.emotion.strong,
        seen=_seen(scene, candidates),
        at=scene.at,
    )
    model: dict[str, object] = {}
    if wanted is not None and parts.extractor is not None:
        more, why, model = _ask_model(parts, parts.extractor, scene, candidates)
        candidates, reasons = (*candidates, *more), (wanted, *why)
    notes.room(
        "extract",
        reasons=reasons,
        policy=route.memory_write_policy,
        candidates=[{"key": c.key, "value": c.value, "origin": c.origin} for c in candidates],
        **model,
    )
    return Found(candidates, is_explicit(text, policy))


def _ask_model(
    parts: Parts, extractor: Writer, scene: Scene, stated: tuple[Candidate, ...]
) -> tuple[tuple[Candidate, ...], tuple[Reason, ...], dict[str, object]]:
    """A model's finding never replaces a statement; its failure costs nothing but itself."""
    request = WriterRequest(
        purpose="extract",
        messages=(
            PromptMessage("system", parts.policy.engine.extract_instruction),
            PromptMessage("user", scene.incoming.text),
        ),
        max_tokens=parts.policy.engine.reply_tokens,
        temperature=0.0,
        schema=SCHEMA,
        timeout_seconds=parts.policy.engine.model_timeout_seconds,
    )
    try:
        raw = extractor.write(request).text
        answer = json.loads(raw)
    except (ModelFailure, ValueError) as why:
        return (), (), {"model_failed": getattr(why, "code", "model_garbage")}
    found, reasons = read_answer(answer, scene.incoming.text, stated, parts.policy)
    return found, reasons, {"model_answer": raw}


def _seen(scene: Scene, candidates: tuple[Candidate, ...]) -> dict[str, list[datetime]]:
    """Extraction events per key: the messages a memory names as its sources (ruling P82)."""
    moments = {m.message_id: m.at for m in scene.history}
    keys = {c.key for c in candidates}
    return {
        m.memory_key: sorted(moments[i] for i in m.source_message_ids if i in moments)
        for m in scene.memories
        if m.memory_key in keys
    }
