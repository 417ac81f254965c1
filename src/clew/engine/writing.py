"""From a plan to words that passed the gate (turn-pipeline §8–§10, rulings P50, P51)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from clew.engine.notes import Notes
from clew.engine.parts import Parts
from clew.engine.recollection import Recalled
from clew.engine.scene import Scene
from clew.engine.texts import say
from clew.errors import ModelFailure
from clew.kernel.gate.check import settle
from clew.kernel.gate.fallback import fallback
from clew.kernel.gate.surfacing import place
from clew.kernel.plan.outline import outline
from clew.kernel.plan.prompt import render, rewrite
from clew.model.persona import StableStyleParams
from clew.model.plan import Frame, Gated, PlanAsk, Prompt, ResponsePlan, Snippet, Spoken
from clew.model.signals import Signals
from clew.model.topic import TopicId
from clew.model.turn import Pipeline, RoutingDecision
from clew.policy import Policy
from clew.ports.llm import PromptMessage, Purpose, WriterRequest


@dataclass(frozen=True, slots=True)
class Words:
    text: str
    path: str
    surfaced: tuple[str, ...] = ()
    # What only the model knew: recorded, because it cannot be computed again.
    raw: Mapping[str, Any] = field(default_factory=dict)


def write_reply(
    parts: Parts, scene: Scene, heard: Signals, route: RoutingDecision, recalled: Recalled, notes: Notes
) -> Words:
    plan = make_plan(parts, scene, heard, route, recalled)
    frame = frame_of(scene, heard, route, recalled, plan)
    if route.pipeline is Pipeline.REFUSAL:
        text = fallback(frame, parts.policy)
        notes.room("gate", path="refusal")
        return Words(text, "refusal")
    loops = scene.loops.shown(parts.policy, still_closed(scene, plan))
    prompt = render(plan, spoken(scene), parts.policy, loops=loops.text.splitlines())
    notes.room(
        "plan",
        threads={"shown": loops.chosen, "left_out": loops.left_out},
        plan=_plan_facts(plan),
        prompt=[{"section": s.name, "tokens": s.tokens} for s in prompt.sections],
        left_out=prompt.left_out,
        tokens=prompt.tokens,
    )
    words = _draft_and_settle(parts, scene, plan, prompt, frame, notes)
    if not route.crisis:
        return words
    resource = crisis_resource(scene, heard.language, parts.policy)
    return replace(words, text=f"{words.text} {resource}") if resource else words


def still_closed(scene: Scene, plan: ResponsePlan) -> tuple[TopicId, ...]:
    """Suppressed topics that this message does not raise itself."""
    return tuple(t for t in scene.controls.suppressed_topics if t in plan.constraints.topics_blocked)


def crisis_resource(scene: Scene, language: str, policy: Policy) -> str:
    """Whom to call where the user lives; nothing is invented for a country without an entry."""
    found = policy.engine.crisis_resources.get(scene.user.answers.country_or_region or "")
    lately = [m.text for m in scene.replies[-policy.engine.resource_every :]]
    if found is None or any(found.contact in text for text in lately):
        return ""
    said = say("crisis_resource", language, scene.incoming.message_id, policy)
    return said.format(name=found.name, contact=found.contact)


def make_plan(
    parts: Parts, scene: Scene, heard: Signals, route: RoutingDecision, recalled: Recalled
) -> ResponsePlan:
    ask = PlanAsk(
        text=scene.incoming.text,
        signals=heard,
        pipeline=route.pipeline,
        stage=scene.relationship.relationship_stage,
        assignment=scene.friend.assignment if scene.friend else None,
        controls=scene.controls,
        snippets=recalled.snippets,
        previous=scene.previous,
        recent_replies=tuple(m.text for m in scene.replies),
        preferred_name=scene.user.answers.preferred_name,
        message_id=scene.incoming.message_id,
        turn=scene.history[-1].position // 2 if scene.history else 0,
        crisis=route.crisis,
        safety=route.safety_policy,
        source=scene.incoming.source,
    )
    return outline(ask, parts.policy)


def frame_of(
    scene: Scene, heard: Signals, route: RoutingDecision, recalled: Recalled, plan: ResponsePlan
) -> Frame:
    return Frame(
        style=scene.friend.assignment.stable_style_params if scene.friend else StableStyleParams(),
        stage=scene.relationship.relationship_stage,
        pipeline=route.pipeline,
        user_text=scene.incoming.text,
        language=heard.language,
        recent_replies=tuple(m.text for m in scene.replies),
        previous=scene.previous,
        memories=recalled.known,
        topics_blocked=plan.constraints.topics_blocked,
        topics_suppressed=scene.controls.suppressed_topics,
        source=scene.incoming.source,
        crisis=route.crisis,
        message_id=scene.incoming.message_id,
        kind="refusal" if route.pipeline is Pipeline.REFUSAL else "reply",
    )


def _draft_and_settle(
    parts: Parts, scene: Scene, plan: ResponsePlan, prompt: Prompt, frame: Frame, notes: Notes
) -> Words:
    limits = parts.policy.engine
    raw: dict[str, Any] = {"writer": parts.writer.name}

    def ask(purpose: Purpose, asked: Prompt, tokens: int, temperature: float) -> str:
        answer = parts.writer.write(
            WriterRequest(
                purpose=purpose,
                messages=tuple(PromptMessage(m.role, m.content) for m in asked.messages),
                plan=plan,
                max_tokens=tokens,
                temperature=temperature,
                seed=plan.variation,
                timeout_seconds=limits.model_timeout_seconds,
            )
        )
        raw[purpose] = answer.text
        raw["model"] = answer.model
        return answer.text

    def again(gated: Gated) -> str | None:
        """The one constrained rewrite; a model that fails here costs the rewrite, not the turn."""
        try:
            wanted = rewrite(plan, raw["reply"], gated.violations, parts.policy)
            return ask("rewrite", wanted, limits.rewrite_tokens, limits.rewrite_temperature)
        except ModelFailure as why:
            raw["rewrite_failed"] = why.code
            return None

    draft = ask("reply", prompt, limits.reply_tokens, limits.reply_temperature)
    notes.room("draft", writer=parts.writer.name)
    frame = replace(frame, memories=_watched(parts, scene, frame, draft))
    settled = settle(draft, frame, parts.policy, again)
    notes.room(
        "gate",
        reasons=settled.gated.reasons,
        path=settled.path,
        violations=[{"code": v.code, "detail": v.detail} for v in settled.gated.violations],
        surfaced=settled.surfaced,
    )
    return Words(settled.text, settled.path, settled.surfaced, raw)


def _watched(parts: Parts, scene: Scene, frame: Frame, draft: str) -> tuple[Snippet, ...]:
    """Also the memories that the draft's own words lead to, offered or not (ruling P57)."""
    assert scene.conversation is not None
    with parts.store.read() as session:
        near = session.memories_matching(
            scene.conversation.user_id,
            scene.conversation.friend_id,
            draft,
            per_term=parts.policy.engine.memories_per_term,
            newest=0,
        )
    found = (*frame.memories, *(Snippet.of(m) for m in near))
    if frame.pipeline is Pipeline.INFO_QA:
        # No memory was read: naming what the question named is no memory (§6.3, §12.4).
        found = tuple(s for s in found if place(s, frame.user_text, parts.policy) < 0)
    return tuple({s.memory_id: s for s in found}.values())


def spoken(scene: Scene) -> tuple[Spoken, ...]:
    return tuple(Spoken(m.role, m.text) for m in scene.history)


def _plan_facts(plan: ResponsePlan) -> dict[str, Any]:
    return {
        "tone": plan.emotional_tone,
        "ack": plan.ack_style,
        "outline": plan.answer_outline,
        "followup": plan.followup_question,
        "snippets": [s.memory_id for s in plan.snippets],
        "constraints": plan.constraints,
    }
