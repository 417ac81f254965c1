"""One turn: what came in, how it was routed, what came out."""

from __future__ import annotations

from enum import StrEnum

from clew.frozen import dataclass
from clew.model.verdict import Reason


class Source(StrEnum):
    CHAT = "chat"
    RETENTION = "retention"


class Pipeline(StrEnum):
    ONBOARDING_CHAT = "ONBOARDING_CHAT"
    FRIEND_CHAT = "FRIEND_CHAT"
    EMOTIONAL_SUPPORT = "EMOTIONAL_SUPPORT"
    INFO_QA = "INFO_QA"
    REFUSAL = "REFUSAL"


class SafetyPolicy(StrEnum):
    ALLOW = "ALLOW"
    SOFT_REFUSE = "SOFT_REFUSE"
    HARD_REFUSE = "HARD_REFUSE"


class ReadPolicy(StrEnum):
    NONE = "NONE"
    LIGHT = "LIGHT"
    FULL = "FULL"


class VectorPolicy(StrEnum):
    OFF = "OFF"
    ON_DEMAND = "ON_DEMAND"


class WritePolicy(StrEnum):
    NONE = "NONE"
    SELECTIVE = "SELECTIVE"


class UpdatePolicy(StrEnum):
    ON = "ON"
    OFF = "OFF"


@dataclass(frozen=True, slots=True)
class RoutingDecision:
    pipeline: Pipeline
    safety_policy: SafetyPolicy
    memory_read_policy: ReadPolicy
    vector_search_policy: VectorPolicy
    memory_write_policy: WritePolicy
    relationship_update_policy: UpdatePolicy
    crisis: bool = False
    retention_policy: str | None = None
    reasons: tuple[Reason, ...] = ()
