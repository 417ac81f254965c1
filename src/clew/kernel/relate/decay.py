"""Silence wears a bond thin (rulings P65, P69)."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from clew.kernel.relate.update import STAGES
from clew.model.relationship import Decayed, RelationshipState
from clew.model.verdict import Reason
from clew.policy import Policy


def decay(state: RelationshipState, at: datetime, policy: Policy) -> Decayed:
    """Only the weeks not yet applied count, so daily and on-demand runs end at the same score."""
    relate = policy.relate
    if state.last_interaction_at is None or at <= state.last_interaction_at:
        return Decayed(state, 0, (Reason("relate.decay.none", "no silence to count"),))
    weeks = (at - state.last_interaction_at) // timedelta(days=relate.decay_days)
    new = weeks - state.decay_applied_weeks
    if new <= 0:
        return Decayed(state, 0, (Reason("relate.decay.none", f"{weeks} weeks, all applied"),))
    floor = relate.floors[STAGES.index(state.relationship_stage)]
    # A score already below its floor is left alone: decay never raises it, and never demotes (P69).
    score = min(state.rapport_score, max(floor, state.rapport_score - new * relate.decay_points))
    after = replace(state, rapport_score=score, decay_applied_weeks=weeks)
    detail = f"{new} more weeks of silence, floor {floor}"
    return Decayed(after, score - state.rapport_score, (Reason("relate.decay", detail),))
