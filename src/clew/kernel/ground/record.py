"""The producers of continuity: present, record, reject, clarified, reset (ruling G19)."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from clew.model.continuity import ASKED, OFFERED, Action, ContinuityState, PendingClarifier, Scope
from clew.policy.ground import GroundPolicy


def reset(state: ContinuityState) -> ContinuityState:
    """Stop confirmed, exit chosen, or chat cleared."""
    return ContinuityState()


def present(state: ContinuityState, option_set_id: str | None, scope: Scope) -> ContinuityState:
    """A new list is shown: it replaces the one before, and rejections do not carry over."""
    same_set = state.option_set_id is not None and state.option_set_id == option_set_id
    if same_set and scope.same(state.scope):
        return state
    return replace(
        state, option_set_id=option_set_id, scope=scope, rejected=(), pending=PendingClarifier.NONE
    )


def record(
    state: ContinuityState,
    *,
    type: str,
    choice_id: str,
    option_set_id: str | None,
    scope: Scope,
    at: datetime | None,
    outcome: str,
    policy: GroundPolicy,
    turn: int | None = None,
) -> ContinuityState:
    """A choice was acted on: newest first, windows bounded."""
    action = Action(type, choice_id, scope, option_set_id, at, outcome, turn)
    accepted = tuple(dict.fromkeys((choice_id, *state.accepted)))[: policy.choice_window]
    state = present(state, option_set_id, scope)
    return replace(
        state,
        last_action=action,
        trace=(action, *state.trace)[: policy.recent_action_trace_max_entries],
        last_accepted=choice_id,
        accepted=accepted,
        rejected=tuple(i for i in state.rejected if i != choice_id),
        pending=PendingClarifier.NONE,
    )


def offer(
    state: ContinuityState,
    *,
    choice_id: str,
    option_set_id: str | None,
    scope: Scope,
    at: datetime | None,
    policy: GroundPolicy,
    turn: int | None = None,
) -> ContinuityState:
    """The assistant put one candidate forward: the next "that one" means it."""
    action = Action("offer", choice_id, scope, option_set_id, at, OFFERED, turn)
    state = present(state, option_set_id, scope)
    return replace(state, trace=(action, *state.trace)[: policy.recent_action_trace_max_entries])


def asked(
    state: ContinuityState,
    *,
    choice_id: str,
    option_set_id: str | None,
    scope: Scope,
    at: datetime | None,
    policy: GroundPolicy,
    turn: int | None = None,
) -> ContinuityState:
    """One candidate was asked about: nothing was done, but the next "it" means it."""
    action = Action(ASKED, choice_id, scope, option_set_id, at, "answered", turn)
    state = present(state, option_set_id, scope)
    return replace(state, trace=(action, *state.trace)[: policy.recent_action_trace_max_entries])


def reject(state: ContinuityState, ids: tuple[str, ...], policy: GroundPolicy) -> ContinuityState:
    """Repair phrases and list navigation turn candidates down."""
    if not ids:
        return state
    return replace(state, rejected=tuple(dict.fromkeys((*ids, *state.rejected)))[: policy.choice_window])


def clarified(
    state: ContinuityState, kind: PendingClarifier, option_set_id: str | None, scope: Scope
) -> ContinuityState:
    """The state after a question is asked back: which question is open, and over which list."""
    return replace(present(state, option_set_id, scope), pending=kind)
