"""Was a proactive message noticed, and how long to wait after those that were not? (rulings P92, P99)"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from clew.model.outreach import AcknowledgedBy, AppOpen, Attempt, AttemptStatus, Attributed, Standing
from clew.model.verdict import Reason
from clew.policy.reach import ReachPolicy


def attribute(
    attempt: Attempt,
    delivered: Sequence[Attempt],
    replies: Sequence[datetime],
    opens: Sequence[AppOpen],
    now: datetime,
    policy: ReachPolicy,
) -> Attributed:
    """`delivered` are all proactive messages of this friend, this one included."""
    if attempt.delivered_at is None:
        return Attributed(attempt.status)
    start, span = attempt.delivered_at, timedelta(hours=policy.ignored_hours)
    end = start + span
    if any(start < at <= end for at in replies):
        return Attributed(AttemptStatus.ACKNOWLEDGED, AcknowledgedBy.REPLY)
    # An open counts only after delivery (P99).
    timely = [o for o in opens if start < o.at <= end]
    if attempt.notification_id and any(o.notification_id == attempt.notification_id for o in timely):
        return Attributed(AttemptStatus.ACKNOWLEDGED, AcknowledgedBy.APP_OPEN_NOTIFICATION)
    known = {a.notification_id for a in delivered if a.notification_id}
    for opened in timely:
        if opened.notification_id in known:
            continue
        near = [
            a for a in delivered if a.delivered_at is not None and timedelta(0) <= opened.at - a.delivered_at <= span
        ]
        if len(near) == 1:
            return Attributed(AttemptStatus.ACKNOWLEDGED, AcknowledgedBy.APP_OPEN_INFERRED)
    return Attributed(AttemptStatus.IGNORED if now > end else AttemptStatus.DELIVERED)


def standing(
    attempts: Sequence[Attempt],
    replies: Sequence[datetime],
    opens: Sequence[AppOpen],
    now: datetime,
    policy: ReachPolicy,
) -> Standing:
    """Every attempt judged, and the backoff after all of them: twice for each one ignored since the last sign of life.

    What was judged before stays: an attempt that was acknowledged is not ignored later.
    """
    judged = tuple(
        Attributed(a.status)
        if a.status is AttemptStatus.ACKNOWLEDGED
        else attribute(a, attempts, replies, opens, now, policy)
        for a in attempts
    )
    backoff, reasons = 1, []
    signs = sorted(at for at in replies if at <= now)
    there = ((a.delivered_at, place) for place, a in enumerate(attempts) if a.delivered_at is not None)
    order = sorted((at, place) for at, place in there if at <= now)
    last = None
    for at, place in order:
        if last is not None and any(last < sign <= at for sign in signs):
            backoff = 1
        last = at
        status = judged[place].status
        if status is AttemptStatus.IGNORED:
            backoff = next_backoff(backoff, True, policy)
        elif status is AttemptStatus.ACKNOWLEDGED:
            backoff = 1
    if last is not None and any(sign > last for sign in signs):
        backoff = 1
    for found in judged:
        if found.status is AttemptStatus.ACKNOWLEDGED:
            reasons.append(Reason("reach.acknowledged", found.by.value if found.by else "before"))
        elif found.status is AttemptStatus.IGNORED:
            reasons.append(Reason("reach.ignored", f"nothing within {policy.ignored_hours} hours"))
    reasons.append(Reason("reach.backoff", str(backoff)))
    return Standing(judged, backoff, tuple(reasons))


def next_backoff(current: int, ignored: bool, policy: ReachPolicy) -> int:
    """Twice as long after each ignored one, up to a bound; one again once noticed or spoken to (P92)."""
    return min(policy.backoff_max, max(1, current) * policy.backoff_factor) if ignored else 1
