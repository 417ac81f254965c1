"""The hourly look at everybody and the daily decay, each a slice of the users, read by the page.

However many there are, one page is held at a time. A slice that is cut off starts over and changes nothing twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

from clew.engine.parts import Parts, user_lock
from clew.engine.reaching import quick_standing, reach_user
from clew.errors import StoreFailure
from clew.kernel.reach.eligible import closed_to_all, not_now
from clew.kernel.relate.decay import decay
from clew.model.event import Event
from clew.model.job import Job
from clew.model.outreach import Attempt, DueUser, Skip
from clew.model.rows import put_relationship

_HOUR = timedelta(hours=1)


def evaluate(parts: Parts, job: Job) -> dict[str, Any]:
    """Who may be written to in this hour, and the message for each; an hour that has passed is not made up for."""
    slot = datetime.fromisoformat(job.payload["at"])
    counted: Counter[str] = Counter()
    users = 0
    for page in pages(parts, job.payload["from"], job.payload["to"]):
        users += len(page)
        for one, skip in looks(parts, page):
            if not slot <= parts.clock.now() < slot + _HOUR:
                counted["missed"] += 1
            elif skip is None:
                counted[_reached(parts, one, slot)] += 1
            else:
                counted[skip.value] += 1
    return {"users": users, "sent": counted.pop("sent", 0), "skipped": dict(sorted(counted.items()))}


def _reached(parts: Parts, one: DueUser, slot: datetime) -> str:
    """What came of one user; trouble with one does not keep the message from the next."""
    try:
        looked = reach_user(parts, one.user_id, one.friend_id, slot)
    except StoreFailure:
        raise  # the database is away, for everybody
    except Exception:
        return "failed"
    return looked.skip.value if looked.skip else "sent"


def looks(parts: Parts, page: Sequence[DueUser]) -> list[tuple[DueUser, Skip | None]]:
    """Each with the first reason to stay silent; what was sent is read only for those whom it can decide."""
    now = parts.clock.now()
    closed = [_closed(parts, one, now) for one in page]
    rest = {one.user_id for one, skip in zip(page, closed, strict=True) if skip is None}
    if not rest:
        return list(zip(page, closed, strict=True))
    with parts.store.read() as session:
        sent = session.attempts_of(rest, now - timedelta(days=parts.policy.jobs.history_days))
    return [
        (one, skip or _too_early(parts, one, sent.get(one.user_id, ()), now))
        for one, skip in zip(page, closed, strict=True)
    ]


def _closed(parts: Parts, one: DueUser, now: datetime) -> Skip | None:
    if not one.active:
        return Skip.GONE
    found = closed_to_all(now, one.timezone, one.stage, one.controls, parts.policy.reach)
    return found[0] if found else None


def _too_early(parts: Parts, one: DueUser, sent: Sequence[Attempt], now: datetime) -> Skip | None:
    asked = (now, one.timezone, one.stage, one.controls, one.last_interaction_at, sent)
    found = not_now(*asked, 1, parts.policy.reach)
    if found is None and sent:
        backoff, ignored = quick_standing(sent, one.last_interaction_at, now, parts)
        found = not_now(*asked, backoff, parts.policy.reach, ignored)
    return found[0] if found else None


def pages(parts: Parts, first: str, last: str | None) -> Iterator[list[DueUser]]:
    most, after = parts.policy.jobs.page_users, (first, "")
    while True:
        with parts.store.read() as session:
            page = session.candidates(after, last, most)
        if page:
            yield page
        if len(page) < most:
            return
        after = (page[-1].user_id, page[-1].friend_id)


def let_decay(parts: Parts, job: Job) -> dict[str, Any]:
    """What silence has worn off a bond; written only where the score moves."""
    now = parts.clock.now()
    until = now - timedelta(days=parts.policy.relate.decay_days)
    after, users, changed = (job.payload["from"], ""), 0, 0
    while True:
        with parts.store.read() as session:
            page = session.silent(after, job.payload["to"], parts.policy.jobs.page_users, until)
        if not page:
            return {"users": users, "changed": changed}
        users += len(page)
        worn = [(u, f) for u, f, state in page if decay(state, now, parts.policy).delta]
        for user_id, friend_id in worn:
            changed += _decayed(parts, user_id, friend_id, now)
        after = (page[-1][0], page[-1][1])


def _decayed(parts: Parts, user_id: str, friend_id: str, now: datetime) -> bool:
    with parts.store.write(user_lock(user_id)) as session:
        found = decay(session.relationship(user_id, friend_id), now, parts.policy)
        if not found.delta:
            return False
        event = Event(
            kind="relationship.decayed", at=now, user_id=user_id, policy=parts.policy.fingerprint,
            changes=(put_relationship(user_id, friend_id, found.state),),
            note={"reasons": [r.as_dict() for r in found.reasons]},
        )  # fmt: skip
        session.append([event])
    return True
