"""May a message be sent at all? (rulings P90–P93, P99)"""

from __future__ import annotations

from datetime import timedelta
from fractions import Fraction
from zoneinfo import ZoneInfo

from clew.model.outreach import AttemptStatus, ReachAsk
from clew.policy.reach import ReachPolicy

# Whatever became of it later, a delivered message was a message (P91).
COUNTED = (AttemptStatus.DELIVERED, AttemptStatus.ACKNOWLEDGED, AttemptStatus.IGNORED)


def why_not(ask: ReachAsk, policy: ReachPolicy) -> tuple[str, str] | None:
    """The first reason to stay silent and its detail, or None."""
    controls = ask.controls
    if not controls.proactive_messages_enabled:
        return "proactive_disabled", "the user switched it off"
    if controls.mute_until is not None and ask.now <= controls.mute_until:
        return "muted", "the user's mute has not passed"
    local = ask.now.astimezone(ZoneInfo(ask.timezone))
    if policy.quiet_from <= local.hour < policy.quiet_to:
        return "quiet_hours", f"{local:%H:%M} local"
    if not policy.attempt_from <= local.hour < policy.attempt_to:
        return "outside_attempt_window", f"{local:%H:%M} local"
    limits = policy.stages[ask.stage]
    if limits.cap == 0:
        return "stranger", "never to a stranger"
    return _too_much(ask, policy) or _too_soon(ask, policy)


def _too_much(ask: ReachAsk, policy: ReachPolicy) -> tuple[str, str] | None:
    limits = policy.stages[ask.stage]
    sent = sorted(a.delivered_at for a in ask.attempts if a.delivered_at is not None and a.status in COUNTED)
    if limits.rolling_hours:
        span = timedelta(hours=limits.rolling_hours)
        count = sum(1 for at in sent if ask.now - at < span)
        window = f"{limits.rolling_hours} hours"
    else:
        zone = ZoneInfo(ask.timezone)
        today = ask.now.astimezone(zone).date()
        count = sum(1 for at in sent if at.astimezone(zone).date() == today)
        window = "local day"
    if count >= limits.cap:
        return "cap_exceeded", f"{count} in this {window}, at most {limits.cap}"
    if sent and ask.now - sent[-1] < timedelta(hours=limits.gap_hours):
        return "min_gap", f"less than {limits.gap_hours} hours since the last one"
    return None


def _too_soon(ask: ReachAsk, policy: ReachPolicy) -> tuple[str, str] | None:
    if ask.last_interaction_at is None:
        return "never_met", "they have not talked yet"
    hours = policy.stages[ask.stage].inactivity_hours * Fraction(str(ask.backoff))
    quiet = (ask.now - ask.last_interaction_at) / timedelta(microseconds=1)
    if Fraction(int(quiet)) < hours * 3_600_000_000:
        return "recently_active", f"less than {hours.numerator}/{hours.denominator} hours of silence"
    return None
