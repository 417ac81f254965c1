"""`relate` and `decay` at the kernel door."""

from __future__ import annotations

from typing import Any

from clew.errors import InvalidInput
from clew.kernel.door import Mode
from clew.kernel.relate.decay import decay as let_decay
from clew.kernel.relate.update import update
from clew.model.canonical import iso
from clew.model.fields import Fields
from clew.model.relationship import RelationshipState, Stage
from clew.model.turn import UpdatePolicy
from clew.policy import Policy


def relate(payload: Fields, policy: Policy, mode: Mode) -> dict[str, Any]:
    session = payload.child("session", None)
    known = read_state(payload.child("state"), policy, session)
    result = update(
        known,
        payload.text("text"),
        payload.time("at"),
        policy,
        last_assistant_text=payload.text("last_assistant_text", None),
        update=payload.enum("update", UpdatePolicy, UpdatePolicy.ON),
    )
    return {
        "delta": result.delta,
        "evidence": [{"kind": e.kind, "points": e.points, "detail": e.detail} for e in result.evidence],
        "state": show_state(result.state),
        "session": {
            "short_replies": result.state.short_replies,
            "past_reference_counted": result.state.past_reference_counted,
        },
        "new_session": result.new_session,
        "promoted": result.promoted,
        "reasons": [r.as_dict() for r in result.reasons],
    }


def decay(payload: Fields, policy: Policy, mode: Mode) -> dict[str, Any]:
    result = let_decay(read_state(payload.child("state"), policy, None), payload.time("at"), policy)
    return {
        "state": show_state(result.state),
        "delta": result.delta,
        "reasons": [r.as_dict() for r in result.reasons],
    }


def read_state(fields: Fields, policy: Policy, session: Fields | None) -> RelationshipState:
    counts = session or fields
    return RelationshipState(
        relationship_stage=fields.enum("relationship_stage", Stage, Stage.STRANGER),
        rapport_score=_within(fields, "rapport_score", policy.relate.score_max),
        last_interaction_at=fields.time("last_interaction_at", None),
        last_stage_promotion_at=fields.time("last_stage_promotion_at", None),
        sessions_count=_within(fields, "sessions_count"),
        last_session_at=fields.time("last_session_at", None),
        decay_applied_weeks=_within(fields, "decay_applied_weeks"),
        short_replies=_within(counts, "short_replies"),
        past_reference_counted=counts.flag("past_reference_counted", False),
    )


def show_state(state: RelationshipState) -> dict[str, Any]:
    def when(moment: Any) -> str | None:
        return iso(moment) if moment is not None else None

    return {
        "relationship_stage": state.relationship_stage.value,
        "rapport_score": state.rapport_score,
        "last_interaction_at": when(state.last_interaction_at),
        "last_stage_promotion_at": when(state.last_stage_promotion_at),
        "sessions_count": state.sessions_count,
        "last_session_at": when(state.last_session_at),
        "decay_applied_weeks": state.decay_applied_weeks,
    }


def _within(fields: Fields, name: str, most: int | None = None) -> int:
    value: int = fields.integer(name, 0)
    if value < 0 or (most is not None and value > most):
        span = f"0 to {most}" if most is not None else "0 or more"
        raise InvalidInput(f"{name} must be {span}, got {value}", pointer=fields.at(name))
    return value
