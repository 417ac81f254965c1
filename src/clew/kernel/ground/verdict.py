"""What a walk through the ladder leaves behind."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from clew.kernel.ground.clarify import Clarifier
from clew.kernel.ground.turn import LoopGuard, OpenQuestion, Turn
from clew.model.continuity import ContinuityState
from clew.model.evidence import Act, EvidenceType, Fallback, GroundOutcome, Lane, Said
from clew.model.verdict import Reason


@dataclass(frozen=True, slots=True)
class AskModel:
    """A bounded question: the candidates' ids are the only permitted choices."""

    lane: Lane
    turn: Turn
    fingerprint: str
    attempt: int
    ambiguity: str


@dataclass(frozen=True, slots=True)
class AskEvidence:
    """What would help, in order; the app owns the fetching."""

    lane: Lane
    turn: Turn
    types: tuple[EvidenceType, ...]


@dataclass(frozen=True, slots=True)
class Deed:
    """One act of a message and the candidates it is about."""

    act: Said
    ids: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        out: dict[str, Any] = {"act": self.act.value}
        if self.ids:
            out["choice_id"] = self.ids[0]
        if len(self.ids) > 1:
            out["choice_ids"] = list(self.ids)
        return out


@dataclass(frozen=True, slots=True)
class Verdict:
    outcome: GroundOutcome
    act: Act
    lane: Lane
    continuity: ContinuityState
    reasons: tuple[Reason, ...] = ()
    choice_id: str | None = None
    # All that are meant, when they are several; the first is `choice_id`.
    choice_ids: tuple[str, ...] = ()
    # What the message does, in order (ruling G25).
    acts: tuple[Deed, ...] = ()
    verb: str | None = None
    clarifier: Clarifier | None = None
    fallback: Fallback | None = None
    detail: str | None = None
    llm_calls: int = 0
    enrichment_steps: int = 0
    fingerprints: tuple[str, ...] = ()
    telemetry: tuple[dict[str, Any], ...] = ()
    guard: LoopGuard | None = None
    answer: dict[str, Any] | None = None
    # The clause of a mixed request that is still to be answered after executing.
    explain: str | None = None
    attempt: int = 1
    open_question: OpenQuestion | None = None

    def as_dict(self) -> dict[str, Any]:
        out: dict[str, Any] = {"outcome": self.outcome.value, "act": self.act.value, "lane": self.lane.value}
        if self.choice_id is not None:
            out["choice_id"] = self.choice_id
        if len(self.choice_ids) > 1:
            out["choice_ids"] = list(self.choice_ids)
        out["acts"] = [deed.as_dict() for deed in self.acts]
        if self.verb is not None:
            out["verb"] = self.verb
        if self.clarifier is not None:
            out["clarifier"] = self.clarifier.as_dict()
        if self.fallback is not None:
            out["fallback_reason"] = self.fallback.value
        if self.detail is not None:
            out["detail"] = self.detail
        if self.answer is not None:
            out["answer"] = self.answer
        if self.explain is not None:
            out["explain"] = self.explain
        out |= {
            "continuity": self.continuity.as_dict(),
            "llm_calls": self.llm_calls,
            "enrichment_steps": self.enrichment_steps,
            "fingerprints": list(self.fingerprints),
            "telemetry": [dict(t) for t in self.telemetry],
            "loop_guard": None,
            "attempt": self.attempt,
            "open_question": None,
            "reasons": [r.as_dict() for r in self.reasons],
        }
        if self.guard is not None:
            out["loop_guard"] = {
                "key": self.guard.key,
                "order": list(self.guard.order),
                "target": self.guard.target,
            }
        if self.open_question is not None:
            out["open_question"] = {"shown": list(self.open_question.shown), "verb": self.open_question.verb}
        return out


@dataclass(slots=True)
class Log:
    """Telemetry of one walk, with the fields that every event carries (Step 5)."""

    turn: Turn
    lane: Lane
    cycle_id: str
    events: list[dict[str, Any]] = field(default_factory=list)

    def add(self, name: str, **fields: Any) -> None:
        self.events.append(
            {
                "name": name,
                "lane_name": name if name.startswith(self.lane.value) else f"{self.lane.value}_{name}",
                "activeOptionSetId": self.turn.option_set_id,
                "activeScope": self.turn.scope.as_dict(),
                "loop_cycle_id": self.cycle_id,
                **fields,
            }
        )
