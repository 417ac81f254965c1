"""May a message be sent at all? (rulings P90–P93, P99)"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from fractions import Fraction
from functools import lru_cache
from zoneinfo import ZoneInfo

from clew.model.outreach import Attempt, AttemptStatus, ReachAsk, Skip
from clew.model.profile import UserControls
from clew.model.relationship import Stage
from clew.policy.reach import ReachPolicy

# Whatever became of it later, a delivered message was a message (P91).
COUNTED = (AttemptStatus.DELIVERED, AttemptStatus.ACKNOWLEDGED, AttemptStatus.IGNORED)

_HOUR = 3_600_000_000  # microseconds
WhyNot = tuple[Skip, str]


def why_not(ask: ReachAsk, policy: ReachPolicy) -> WhyNot | None:
    """The first reason to stay silent and its detail, or None."""
    return not_now(
        ask.now, ask.timezone, ask.stage, ask.controls, ask.last_interaction_at, ask.attempts, ask.backoff, policy,
        ask.waiting_since,
    )  # fmt: skip


def not_now(
    now: datetime,
    timezone: str,
    stage: Stage,
    controls: UserControls,
    last_interaction_at: datetime | None,
    attempts: Sequence[Attempt],
    backoff: float,
    policy: ReachPolicy,
    waiting_since: datetime | None = None,
) -> WhyNot | None:
    """The same from bare values, for whoever asks it of very many users."""
    zone = zone_of(timezone)
    return (
        closed_to_all(now, timezone, stage, controls, policy)
        or (zone and _too_much(now, zone, stage, attempts, policy))
        or _too_soon(now, stage, last_interaction_at, backoff, policy)
        or _unanswered(now, stage, waiting_since, backoff, policy)
    )


def closed_to_all(
    now: datetime, timezone: str, stage: Stage, controls: UserControls, policy: ReachPolicy
) -> WhyNot | None:
    """The reasons that need no history. They come before all others, so most users need nothing else read."""
    if not controls.proactive_messages_enabled:
        return Skip.PROACTIVE_DISABLED, "the user switched it off"
    if controls.mute_until is not None and now <= controls.mute_until:
        return Skip.MUTED, "the user's mute has not passed"
    zone = zone_of(timezone)
    if zone is None:
        return Skip.UNKNOWN_TIME_ZONE, f"no time zone {timezone[:60]!r}" if timezone else "no time zone was told"
    local = now.astimezone(zone)
    if policy.quiet_from <= local.hour < policy.quiet_to:
        return Skip.QUIET_HOURS, f"{local:%H:%M} local"
    if not policy.attempt_from <= local.hour < policy.attempt_to:
        return Skip.OUTSIDE_ATTEMPT_WINDOW, f"{local:%H:%M} local"
    if policy.stages[stage].cap == 0:
        return Skip.STRANGER, "never to a stranger"
    return None


@lru_cache(maxsize=1024)
def zone_of(name: str) -> ZoneInfo | None:
    """None for a zone that does not exist: nobody is written to at an hour that is not known."""
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return None


def _too_much(
    now: datetime, zone: ZoneInfo, stage: Stage, attempts: Sequence[Attempt], policy: ReachPolicy
) -> WhyNot | None:
    """A message delivered later than now, by a clock that ran ahead, counts as one just delivered."""
    limits = policy.stages[stage]
    sent = sorted(a.delivered_at for a in attempts if a.delivered_at is not None and a.status in COUNTED)
    if limits.rolling_hours:
        span = timedelta(hours=limits.rolling_hours)
        count = sum(1 for at in sent if now - at < span)
        window = f"{limits.rolling_hours} hours"
    else:
        today = now.astimezone(zone).date()
        count = sum(1 for at in sent if at.astimezone(zone).date() == today)
        window = "local day"
    if count >= limits.cap:
        return Skip.CAP_EXCEEDED, f"{count} in this {window}, at most {limits.cap}"
    if sent and now - sent[-1] < timedelta(hours=limits.gap_hours):
        return Skip.MIN_GAP, f"less than {limits.gap_hours} hours since the last one"
    return None


def _too_soon(
    now: datetime, stage: Stage, last_interaction_at: datetime | None, backoff: float, policy: ReachPolicy
) -> WhyNot | None:
    if last_interaction_at is None:
        return Skip.NEVER_MET, "they have not talked yet"
    hours = _hours(stage, backoff, policy)
    if (now - last_interaction_at) // timedelta(microseconds=1) < hours * _HOUR:
        return Skip.RECENTLY_ACTIVE, f"less than {hours.numerator}/{hours.denominator} hours of silence"
    return None


def _unanswered(
    now: datetime, stage: Stage, waiting_since: datetime | None, backoff: float, policy: ReachPolicy
) -> WhyNot | None:
    """After one that was ignored the next waits as long again, times the backoff, however long the silence is."""
    if waiting_since is None:
        return None
    hours = _hours(stage, backoff, policy)
    if (now - waiting_since) // timedelta(microseconds=1) < hours * _HOUR:
        return Skip.WAITING_LONGER, f"{hours.numerator}/{hours.denominator} hours after one that was ignored"
    return None


def _hours(stage: Stage, backoff: float, policy: ReachPolicy) -> Fraction:
    times = Fraction(backoff) if isinstance(backoff, int) else Fraction(str(backoff))
    return policy.stages[stage].inactivity_hours * times
