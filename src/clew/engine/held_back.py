"""What the user had forgotten of one friendship, read from what is over: every door that tells anything asks it."""

from __future__ import annotations

from clew.kernel.correct.forgotten import Forgotten, forgotten_in
from clew.kernel.correct.forgotten_marks import FORGOT
from clew.model.memory import MemoryStatus
from clew.policy import Policy
from clew.ports.store import Session


def held_back(session: Session, user_id: str, friend_id: str, policy: Policy) -> Forgotten:
    """Who never wished anything forgotten costs no look at what gave way."""
    over = session.memories(user_id, friend_id, [MemoryStatus.INVALID])
    if any(m.invalid_reason == FORGOT for m in over):
        over = [*over, *session.memories(user_id, friend_id, [MemoryStatus.SUPERSEDED])]
    return forgotten_in(over, policy)
