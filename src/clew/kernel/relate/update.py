"""One message changes a bond (rulings P60–P64, P67, P68)."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from clew.kernel.read.signals import hear
from clew.kernel.relate.evidence import Shown, shown, told_preferences
from clew.kernel.text.passage import Passage, passage
from clew.model.relationship import Evidence, Related, RelationshipState, Stage
from clew.model.signals import Emotion
from clew.model.turn import UpdatePolicy
from clew.model.verdict import Reason
from clew.policy import Policy
from clew.policy.relate import RelatePolicy

STAGES = tuple(Stage)


def update(
    state: RelationshipState,
    message: Passage | str,
    at: datetime,
    policy: Policy,
    *,
    emotion: Emotion | None = None,
    last_assistant_text: str | None = None,
    update: UpdatePolicy = UpdatePolicy.ON,
    correction: bool = False,
    preferences: int | None = None,
) -> Related:
    """The bond after this message. Sessions and cooldowns are judged before any time is moved (P60).

    `correction`: a command about memory is no reply, so it cannot be a short one.
    `preferences`: how many the message tells, where that was read already.
    """
    if update is UpdatePolicy.OFF:
        return Related(0, (), state, reasons=(Reason("relate.off", "no update at all (P68)"),))
    relate = policy.relate
    fresh = starts_session(state, at, relate)
    if fresh:
        state = replace(
            state,
            sessions_count=state.sessions_count + 1,
            last_session_at=at,
            short_replies=0,
            past_reference_counted=False,
        )
    said = passage(message, policy)
    felt = emotion or hear(said.text, policy).emotion
    told = told_preferences(said, at, policy) if preferences is None else preferences
    seen = shown(said, policy, felt=felt, last_assistant_text=last_assistant_text, preferences=told)
    if correction:
        seen = replace(seen, short=False)
    short_replies = state.short_replies + (1 if seen.short else 0)
    evidence = weigh(seen, short_replies, state.past_reference_counted, relate)
    delta = clamp(sum(e.points for e in evidence), relate.delta_min, relate.delta_max)
    state = replace(
        state,
        rapport_score=clamp(state.rapport_score + delta, relate.score_min, relate.score_max),
        last_interaction_at=later(state.last_interaction_at, at),
        decay_applied_weeks=0,
        short_replies=short_replies,
        past_reference_counted=state.past_reference_counted or seen.past,
    )
    reasons = [Reason(f"relate.{e.kind}", e.detail) for e in evidence]
    if fresh:
        reasons.insert(0, Reason("relate.session", f"session {state.sessions_count}"))
    after = promote(state, at, relate)
    promoted = after.relationship_stage is not state.relationship_stage
    if promoted:
        reasons.append(Reason("relate.promoted", after.relationship_stage.value))
    return Related(delta, evidence, after, fresh, promoted, tuple(reasons))


def starts_session(state: RelationshipState, at: datetime, policy: RelatePolicy) -> bool:
    """No session yet means no earlier message, whatever onboarding wrote into last_interaction_at (P60)."""
    if state.sessions_count == 0 or state.last_interaction_at is None:
        return True
    return at - state.last_interaction_at > timedelta(hours=policy.session_gap_hours)


def weigh(seen: Shown, short_replies: int, past_counted: bool, policy: RelatePolicy) -> tuple[Evidence, ...]:
    out: list[Evidence] = []

    def found(kind: str, points: int) -> None:
        out.append(Evidence(kind, points, policy.detail.get(kind, "")))

    if seen.preferences:
        many = seen.preferences >= policy.preferences_from
        found("preference_share", policy.preferences_points if many else policy.preference_points)
    if seen.meaningful:
        found("meaningful_response", policy.meaningful_points)
    if seen.disclosure:
        found("emotional_disclosure", policy.disclosure_points)
    if seen.past and not past_counted:
        found("past_reference", policy.past_points)
    # The third short reply of a session and each one after it (P61).
    if seen.short and short_replies >= policy.disengaged_from:
        found("disengaged", policy.disengaged_points)
    return tuple(out)


def promote(state: RelationshipState, at: datetime, policy: RelatePolicy) -> RelationshipState:
    """One stage at most, never inside the cooldown."""
    step = STAGES.index(state.relationship_stage)
    if step + 1 >= len(STAGES) or state.rapport_score < policy.promote_at[step]:
        return state
    if state.sessions_count < policy.promote_sessions:
        return state
    last = state.last_stage_promotion_at
    if last is not None and at - last < timedelta(days=policy.promote_cooldown_days):
        return state
    return replace(state, relationship_stage=STAGES[step + 1], last_stage_promotion_at=at)


def clamp(value: int, low: int, high: int) -> int:
    return max(low, min(high, value))


def later(a: datetime | None, b: datetime) -> datetime:
    """A message that arrives late never moves the clock back."""
    return b if a is None or b > a else a
