"""Was a proactive message noticed? (rulings P92, P99)"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from clew.model.outreach import AcknowledgedBy, AppOpen, Attempt, AttemptStatus, Attributed
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


def next_backoff(current: int, ignored: bool, policy: ReachPolicy) -> int:
    """Twice as long after each ignored one, up to a bound; one again once noticed or spoken to (P92)."""
    return min(policy.backoff_max, max(1, current) * policy.backoff_factor) if ignored else 1
