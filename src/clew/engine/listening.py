"""Hearing a message and choosing its pipeline, before anything is written."""

from __future__ import annotations

from clew.engine.notes import Notes
from clew.engine.parts import Parts
from clew.engine.scene import Scene
from clew.engine.texts import say
from clew.engine.vectors import heads_fit, vector_of
from clew.kernel.gate.fallback import crisis_text
from clew.kernel.listen.signals import hear
from clew.kernel.route.decide import decide
from clew.model.exchange import Outcome
from clew.model.profile import UserState
from clew.model.signals import Signals
from clew.model.turn import Pipeline, RoutingDecision


def listen(parts: Parts, scene: Scene, notes: Notes) -> Signals:
    text = scene.incoming.text
    heard = hear(text, parts.policy, scene.previous, vector_of(parts, text))
    raised = [name for name in heard.flags.__dataclass_fields__ if getattr(heard.flags, name)]
    notes.room(
        "heard",
        reasons=(*heard.safety.reasons, *heard.emotion.reasons),
        language=heard.language,
        heads="on" if heads_fit(parts) else "off",
        flags=raised,
        topics=[{"topic": m.topic, "confidence": float(m.confidence), "hits": m.hits} for m in heard.topics],
        mentioned=heard.mentioned,
        emotion={
            "valence": heard.emotion.valence,
            "tags": heard.emotion.tags,
            "strong": heard.emotion.strong,
        },
        safety={"class": heard.safety.kind, "crisis": heard.safety.crisis},
    )
    return heard


def steer(parts: Parts, scene: Scene, heard: Signals, notes: Notes) -> RoutingDecision:
    route = decide(heard, scene.user.state, scene.user.answers.age_band, scene.incoming.source, parts.policy)
    notes.room(
        "route",
        reasons=route.reasons,
        pipeline=route.pipeline,
        safety_policy=route.safety_policy,
        memory_read_policy=route.memory_read_policy,
        memory_write_policy=route.memory_write_policy,
        vector_search_policy=route.vector_search_policy,
        relationship_update_policy=route.relationship_update_policy,
        crisis=route.crisis,
        user_state=scene.user.state,
        age_band=scene.user.answers.age_band,
        source=scene.incoming.source,
    )
    return route


def turned_away(parts: Parts, scene: Scene, notes: Notes) -> Outcome:
    """CREATED is refused and an unfinished onboarding is named; neither leaves a trace (P20, P23, P34)."""
    state, incoming = scene.user.state, scene.incoming
    heard = listen(parts, scene, notes)
    route = steer(parts, scene, heard, notes)
    reply: str | None = None
    if route.crisis:
        reply = crisis_text(heard.language, incoming.message_id, parts.policy)
    elif state is UserState.CREATED:
        reply = say("onboarding_required", heard.language, incoming.message_id, parts.policy)
    return Outcome(
        message_id=incoming.message_id,
        conversation_id=incoming.conversation_id,
        reply_id=None,
        reply=reply,
        pipeline=Pipeline.REFUSAL if state is UserState.CREATED else Pipeline.ONBOARDING_CHAT,
        user_state=state,
        persisted=False,
        missing=scene.missing if state is UserState.ONBOARDING else (),
    )
