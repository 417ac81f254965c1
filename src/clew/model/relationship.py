"""How close two are."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from clew.frozen import dataclass
from clew.model.verdict import Reason


class Stage(StrEnum):
    STRANGER = "STRANGER"
    ACQUAINTANCE = "ACQUAINTANCE"
    FRIEND = "FRIEND"
    CLOSE_FRIEND = "CLOSE_FRIEND"


@dataclass(frozen=True, slots=True)
class RelationshipState:
    relationship_stage: Stage = Stage.STRANGER
    rapport_score: int = 0
    last_interaction_at: datetime | None = None
    last_stage_promotion_at: datetime | None = None
    sessions_count: int = 0
    last_session_at: datetime | None = None
    decay_applied_weeks: int = 0
    # Of the current session (ruling P61, P67).
    short_replies: int = 0
    past_reference_counted: bool = False


@dataclass(frozen=True, slots=True)
class Evidence:
    """One thing a message showed, and what it is worth before the clamp."""

    kind: str
    points: int
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Related:
    delta: int
    evidence: tuple[Evidence, ...]
    state: RelationshipState
    new_session: bool = False
    promoted: bool = False
    reasons: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class Decayed:
    state: RelationshipState
    delta: int
    reasons: tuple[Reason, ...] = ()
