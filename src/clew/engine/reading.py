"""Reading a message once and choosing its pipeline, before anything is written."""

from __future__ import annotations

from dataclasses import replace

from clew.engine.parts import Parts
from clew.engine.texts import say
from clew.engine.turn_state import Turn
from clew.engine.vectors import read_vector, token_vectors_of
from clew.kernel.gate.fallback import crisis_text
from clew.kernel.keep.people import told_of_known
from clew.kernel.language.packs import OTHER, language_of
from clew.kernel.read.utterance import read
from clew.kernel.route.decide import decide
from clew.kernel.statements.extract import extracted
from clew.model.exchange import Outcome
from clew.model.memory import SELF, MemoryStatus
from clew.model.profile import UserState
from clew.model.turn import Pipeline
from clew.model.utterance import Statement, Utterance
from clew.policy import Policy

# Where names of people and pets stand.
_PEOPLE = ("name", "exists")


def hear(parts: Parts, turn: Turn) -> Turn:
    """The message as a noun: everything later rooms need to know of it."""
    vector, used = read_vector(parts, turn.text)
    message = read(
        turn.text,
        parts.policy,
        previous=turn.previous,
        vector=vector,
        tokens=token_vectors_of(parts, turn.text),
        spoken=_spoken(turn, parts.policy),
    )
    message = replace(message, statements=_of_known(parts, turn, message))
    heard = message.signals
    raised = [name for name in heard.flags.__dataclass_fields__ if getattr(heard.flags, name)]
    turn.notes.room(
        "heard",
        reasons=(*heard.safety.reasons, *heard.emotion.reasons),
        language=message.language,
        heads=used,
        flags=raised,
        sentences=[{"act": s.act, "negated": s.negated} for s in message.sentences],
        statements=[
            {"subject": s.subject, "attribute": s.attribute, "value": s.value, "status": s.status}
            for s in message.statements
        ],
        asks=[{"subject": a.subject, "attribute": a.attribute, "name": a.name} for a in message.asks],
        need=message.need,
        topics=[{"topic": m.topic, "confidence": float(m.confidence), "hits": m.hits} for m in heard.topics],
        mentioned=heard.mentioned,
        emotion={
            "valence": heard.emotion.valence,
            "tags": heard.emotion.tags,
            "strong": heard.emotion.strong,
        },
        safety={"class": heard.safety.kind, "crisis": heard.safety.crisis},
    )
    told = extracted(turn.text, turn.at, turn.zone, parts.policy, message.vector, message.statements)
    return replace(turn, utterance=message, told=told)


def _of_known(parts: Parts, turn: Turn, message: Utterance) -> tuple[Statement, ...]:
    """What is told of somebody by a name that is known already is theirs."""
    if turn.conversation is None or not any(s.subject == SELF for s in message.statements):
        return message.statements
    with parts.store.read() as session:
        people = session.memories_by_attribute(*turn.scope, _PEOPLE, statuses=(MemoryStatus.ACTIVE,))
    return told_of_known(message.statements, people, message.language, parts.policy)


def _spoken(turn: Turn, policy: Policy) -> str | None:
    """The conversation's language: that of the user's newest message that tells one."""
    for said in reversed(turn.previous):
        if (found := language_of(said, policy)) != OTHER:
            return found
    return None


def steer(parts: Parts, turn: Turn) -> Turn:
    """Which pipeline, and what may be read and written in it."""
    answers = turn.user.answers
    route = decide(
        turn.heard,
        turn.user.state,
        answers.age_band,
        turn.incoming.source,
        parts.policy,
        asks_memory=bool(turn.read.asks),
    )
    turn.notes.room(
        "route",
        reasons=route.reasons,
        pipeline=route.pipeline,
        safety_policy=route.safety_policy,
        memory_read_policy=route.memory_read_policy,
        memory_write_policy=route.memory_write_policy,
        vector_search_policy=route.vector_search_policy,
        relationship_update_policy=route.relationship_update_policy,
        crisis=route.crisis,
        user_state=turn.user.state,
        age_band=answers.age_band,
        source=turn.incoming.source,
    )
    return replace(turn, decision=route)


def turned_away(parts: Parts, turn: Turn) -> Outcome:
    """CREATED is refused and an unfinished onboarding is named; neither leaves a trace (P20, P23, P34)."""
    state, incoming = turn.user.state, turn.incoming
    turn = steer(parts, hear(parts, turn))
    reply: str | None = None
    if turn.route.crisis:
        reply = crisis_text(turn.read.language, incoming.message_id, parts.policy)
    elif state is UserState.CREATED:
        reply = say("onboarding_required", turn.read.language, incoming.message_id, parts.policy)
    return Outcome(
        message_id=incoming.message_id,
        conversation_id=incoming.conversation_id,
        reply_id=None,
        reply=reply,
        pipeline=Pipeline.REFUSAL if state is UserState.CREATED else Pipeline.ONBOARDING_CHAT,
        user_state=state,
        persisted=False,
        missing=turn.missing if state is UserState.ONBOARDING else (),
    )
