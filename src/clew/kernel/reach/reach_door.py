"""`reach` and `acknowledge` at the kernel door."""

from __future__ import annotations

from typing import Any

from clew.errors import InvalidInput
from clew.kernel.cast.library import template
from clew.kernel.door import Mode
from clew.kernel.gate.gate_door import read_memories, read_topics
from clew.kernel.reach.attribute import standing
from clew.kernel.reach.eligible import why_not
from clew.kernel.reach.select import select
from clew.kernel.reach.telling import RULES, not_sent
from clew.model.fields import Fields
from clew.model.outreach import (
    AppOpen,
    Attempt,
    AttemptStatus,
    Content,
    PlanAhead,
    ReachAsk,
    Reached,
    SentLine,
)
from clew.model.profile import UserControls
from clew.model.relationship import Stage
from clew.model.turn import Source
from clew.model.verdict import Reason
from clew.policy import Policy


def reach_out(ask: ReachAsk, policy: Policy) -> Reached:
    """Send or stay silent, and what to send."""
    if why := why_not(ask, policy.reach):
        return Reached(False, why[0], None, (Reason(RULES[why[0]], why[1]),))
    content = select(ask, policy)
    return Reached(True, None, content, (Reason(f"reach.{content.kind.value.lower()}", content.intent),))


def reach(payload: Fields, policy: Policy, mode: Mode) -> dict[str, Any]:
    result = reach_out(read_ask(payload, policy), policy)
    answer: dict[str, Any] = {
        "policy_decision": "SEND" if result.send else "SKIP",
        "reasons": [r.as_dict() for r in result.reasons],
    }
    if result.skip_reason:
        answer["skip_reason"] = result.skip_reason.value
        if language := payload.text("language", ""):
            answer["told"] = not_sent(result.skip_reason, language, policy)
    if result.content:
        answer["content"] = show_content(result.content)
    return answer


def acknowledge(payload: Fields, policy: Policy, mode: Mode) -> dict[str, Any]:
    """What became of each attempt, and the backoff for the next one."""
    attempts = payload.each("attempts", _attempt)
    found = standing(
        attempts,
        payload.each("replies", lambda item: item.time("at")),
        payload.each("opens", _open),
        payload.time("now"),
        policy.reach,
    )
    return {
        "attempts": [
            {"status": j.status.value, "acknowledged_by": j.by.value if j.by else None} for j in found.judged
        ],
        "backoff": found.backoff,
        "reasons": [r.as_dict() for r in found.reasons],
    }


def read_ask(payload: Fields, policy: Policy) -> ReachAsk:
    zone = payload.zone("timezone")
    backoff = payload.number("backoff", 1)
    if backoff < 1:
        raise InvalidInput(f"backoff must be 1 or more, got {backoff}", pointer=payload.at("backoff"))
    persona = payload.child("persona", Fields({}, payload.at("persona")))
    known = template(persona.text("template_id", ""), policy)
    taboo = read_topics(persona, "taboo_soft_bounds")
    return ReachAsk(
        now=payload.time("now"),
        timezone=zone.key,
        stage=payload.enum("stage", Stage),
        controls=read_controls(payload.child("controls", Fields({}, payload.at("controls")))),
        last_interaction_at=payload.time("last_interaction_at", None),
        attempts=payload.each("attempts", _attempt),
        backoff=backoff,
        memories=read_memories(payload),
        last_messages=payload.each("last_messages", _said),
        taboo=taboo or (known.taboo_soft_bounds if known else ()),
        seed=persona.integer("seed", 0),
        language=payload.text("language", ""),
        recent_openers=payload.strings("recent_openers", ()),
        plans=payload.each("plans", _plan),
    )


def _plan(item: Fields) -> PlanAhead:
    return PlanAhead(
        id=item.id("id"),
        text=item.text("text"),
        until=item.time("until"),
        sensitive=item.flag("sensitive", False),
        asked=item.flag("asked", False),
    )


def read_controls(fields: Fields) -> UserControls:
    return UserControls(
        proactive_messages_enabled=fields.flag("proactive_messages_enabled", True),
        mute_until=fields.far_time("mute_until", None),
        suppressed_topics=read_topics(fields, "suppressed_topics"),
        suppressed_memory_keys=fields.strings("suppressed_memory_keys", ()),
    )


def _attempt(item: Fields) -> Attempt:
    return Attempt(
        delivered_at=item.time("delivered_at", None),
        status=item.enum("status", AttemptStatus),
        notification_id=item.text("notification_id", None),
    )


def _open(item: Fields) -> AppOpen:
    return AppOpen(at=item.time("at"), notification_id=item.text("notification_id", None))


def _said(item: Fields) -> SentLine:
    return SentLine(
        role=item.choice("role", ("user", "assistant")),
        source=item.enum("source", Source, Source.CHAT).value,
        text=item.text("text"),
        at=item.time("at"),
    )


def show_content(content: Content) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "kind": content.kind.value,
        "intent": content.intent,
        "text": content.text,
        "constraints": {
            "max_sentences": content.max_sentences,
            "max_questions": content.max_questions,
            "max_personal_facts": content.max_personal_facts,
            "topics_blocked": [t.value for t in content.topics_blocked],
        },
    }
    if content.opener:
        shown["opener"] = content.opener
    if content.memory_id:
        shown["memory_id"] = content.memory_id
    if content.about:
        shown["about"] = content.about
    return shown
