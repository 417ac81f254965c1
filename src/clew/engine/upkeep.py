"""What keeps the house in order: messages whose holder died are answered, turns made findable, old jobs forgotten."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from clew.engine.claim import unanswered
from clew.engine.failures import set_aside
from clew.engine.histories import Keeper
from clew.engine.parts import Parts
from clew.engine.turn import take_turn
from clew.errors import ClewError
from clew.model.exchange import Incoming
from clew.model.job import Job

_PAGE = 200


def recover(parts: Parts, job: Job) -> dict[str, Any]:
    """Messages that were taken in by somebody who is gone. What was tried often enough stays set aside."""
    with parts.store.read() as session:
        talks = sorted({lease.conversation_id for lease in session.all_leases()})
    answered, failed = 0, 0
    for talk in talks:
        for lease in unanswered(parts, talk):
            if set_aside(lease, parts.policy.engine.turn_attempts) or lease.failure is not None:
                continue  # its sender was told, and may send it again
            try:
                take_turn(parts, Incoming(lease.message_id, lease.conversation_id, lease.text))
                answered += 1
            except ClewError:
                failed += 1
    return {"answered": answered, "failed": failed}


def index(parts: Parts, job: Job) -> dict[str, Any]:
    """Words and vectors that are missing: of conversations that were cut off, imported, or read by an older version."""
    if parts.index is None:
        return {"conversations": 0}
    seen, after = 0, ""
    while True:
        with parts.store.read() as session:
            talks = session.conversation_ids(after, _PAGE)
        if not talks:
            return {"conversations": seen}
        for talk in talks:
            keeper = Keeper(parts.index, talk, parts.policy, parts.embedder)
            keeper.catch_up(parts.policy.recall.catch_up_turns)
            keeper.tell(most=keeper.state.last + 1)
            seen += 1
        after = talks[-1]


def tidy(parts: Parts, job: Job) -> dict[str, Any]:
    with parts.store.write() as session:
        gone = session.drop_jobs(parts.clock.now() - timedelta(days=parts.policy.jobs.keep_days))
    return {"forgotten": gone}
