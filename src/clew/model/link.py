"""Who tried what, and what came of it."""

from __future__ import annotations

from dataclasses import fields
from enum import StrEnum
from typing import Any

from clew.frozen import dataclass


class IntentType(StrEnum):
    QUESTION = "question"
    DECLARE = "declare"
    PROPOSE = "propose"
    REQUEST = "request"


class Strength(StrEnum):
    """Ruling C12: two words, not a flag."""

    STRONG = "strong"
    WEAK = "weak"


class ConsequenceType(StrEnum):
    ROLL = "roll"
    DETERMINISTIC = "deterministic"
    INFORMATION = "information"
    COMMITMENT = "commitment"
    DM_STATEMENT = "dm_statement"
    OTHER = "other"
    NONE = "none"


class Exclusion(StrEnum):
    """In the order in which reasons are reported."""

    COMBAT = "combat"
    OOC_REFINED = "ooc_refined"
    OOC_HARD = "ooc_hard"
    OOC_SOFT = "ooc_soft"
    TRANSITION = "transition"
    NOISE = "noise"


class ClaimReason(StrEnum):
    STRONG_PRECEDENCE = "strong_precedence"
    SCORE_THRESHOLD = "score_threshold"
    NO_CANDIDATE = "no_candidate"
    EDGE_GREEDY = "edge_greedy_one_to_one"
    BEST_PARENT = "best_parent"


class Tier(StrEnum):
    LINK = "link"
    BEAT = "beat"
    EVENT = "event"
    SCENE = "scene"


@dataclass(frozen=True, slots=True)
class ExcludedRange:
    """Why these lines are out: the reason, and the rule and words that decided it."""

    start_index: int
    end_index: int
    reason: Exclusion
    rule: str = ""
    detail: str = ""

    def as_dict(self) -> dict[str, Any]:
        return {
            "start_index": self.start_index,
            "end_index": self.end_index,
            "reason": self.reason.value,
            "rule": self.rule,
            "detail": self.detail,
        }


@dataclass(frozen=True, slots=True)
class Chunk:
    """A stretch of the transcript between two framings; gating only (Overview)."""

    id: str
    start_index: int
    end_index: int


@dataclass(frozen=True, slots=True)
class Intent:
    """`position` counts lines of the transcript, `index` is the line's own number."""

    position: int
    index: int
    actor: str
    text: str
    type: IntentType
    strength: Strength
    rule: str


@dataclass(frozen=True, slots=True)
class CausalLink:
    """`continuation`: the same speaker goes on (general conversation, profile `best` only)."""

    id: str
    session_id: str
    actor: str
    intent_text: str
    intent_type: IntentType
    intent_strength: Strength
    intent_anchor_index: int
    consequence_text: str | None
    consequence_type: ConsequenceType
    consequence_anchor_index: int | None
    distance: int | None
    score: float | None
    claimed: bool
    created_at_ms: int
    continuation: bool = False

    def as_dict(self) -> dict[str, Any]:
        out = {name: getattr(self, name) for name in _LINK_FIELDS}
        for name in ("intent_type", "intent_strength", "consequence_type"):
            out[name] = out[name].value
        return out


_LINK_FIELDS = tuple(f.name for f in fields(CausalLink))


@dataclass(frozen=True, slots=True)
class PossibleConsequence:
    """One line that could have been the consequence, and how it scored."""

    index: int
    distance: int
    score: float
    hill: float
    lexical: float
    answer: float
    prompt: bool = False
    taken_by: int | None = None

    def as_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in _CANDIDATE_FIELDS}


_CANDIDATE_FIELDS = tuple(f.name for f in fields(PossibleConsequence))


@dataclass(frozen=True, slots=True)
class Allocation:
    """How one intent was allocated; `shared_with` are the intents that claim the same line."""

    intent_index: int
    actor: str
    strength: Strength
    rule: str
    candidates: tuple[PossibleConsequence, ...]
    winner: int | None
    claim_reason: ClaimReason
    detail: str
    shared_with: tuple[int, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        return {
            "intent_index": self.intent_index,
            "actor": self.actor,
            "strength": self.strength.value,
            "rule": self.rule,
            "candidates": [c.as_dict() for c in self.candidates],
            "winner": self.winner,
            "claim_reason": self.claim_reason.value,
            "detail": self.detail,
            "shared_with": list(self.shared_with),
        }


@dataclass(frozen=True, slots=True)
class Provenance:
    kernel_version: str
    profile: str
    params: dict[str, Any]
    param_hash: str

    def as_dict(self) -> dict[str, Any]:
        return {
            "kernel_version": self.kernel_version,
            "profile": self.profile,
            "params": self.params,
            "param_hash": self.param_hash,
        }
