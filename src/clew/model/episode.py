"""A stretch of activity with one user."""

from __future__ import annotations

from datetime import datetime
from fractions import Fraction

from clew.frozen import dataclass
from clew.model.verdict import Reason


@dataclass(frozen=True, slots=True)
class Episode:
    id: str
    user_id: str
    summary: str
    started_at: datetime
    ended_at: datetime | None = None
    agent_id: str | None = None
    # Sessions that hold it: it ends with the last of them (ruling N6).
    holders: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reuse:
    episode_id: str | None
    similarity: Fraction
    reason: Reason
