"""Grounding for applications: their candidates, their executor, their model, the same ladder.

The orchestrator owns the loop; the model never calls itself. Everything it may not know
(what executing does, where evidence comes from, what time it is) is handed in as a callable.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from clew.engine.meanings import at_hand
from clew.errors import ClewError, ModelFailure, ModelRateLimited, ModelTimeout
from clew.kernel.ground.context import blend
from clew.kernel.ground.door import read_answer
from clew.kernel.ground.drive import drive
from clew.kernel.ground.ladder import guard_key
from clew.kernel.ground.loop import Ask, Reply
from clew.kernel.ground.options import OptionSet
from clew.kernel.ground.record import asked, clarified, offer, present, reset
from clew.kernel.ground.turn import LoopGuard, OpenQuestion, Turn
from clew.kernel.ground.verdict import AskEvidence, AskModel, Verdict
from clew.model.canonical import canonical_json
from clew.model.continuity import ContinuityState, PendingClarifier, Scope, option_set_id
from clew.model.evidence import Candidate, Excerpt, Fallback, GroundOutcome, Lane, ModelAnswer
from clew.model.fields import Fields
from clew.model.verdict import Reason
from clew.policy import Policy, default

# A model answers a request with the contract's object; it raises ModelFailure when it cannot.
Model = Callable[[Mapping[str, Any]], Mapping[str, Any] | None]
# An enricher gives {evidence_type: what it adds}, only for what was asked.
Enricher = Callable[[AskEvidence], Mapping[str, Any]]
# An executor acts on the chosen candidate; what it returns is handed back.
Executor = Callable[[Candidate, str | None], Any]
# Telemetry events, as they are, to a trace or an OpenTelemetry span.
Sink = Callable[[Mapping[str, Any]], None]


@dataclass(frozen=True, slots=True)
class Step:
    """One follow-up, judged and, when it was a choice, acted on. Several choices have several results."""

    verdict: Verdict
    result: Any = None
    error: str | None = None
    results: tuple[Any, ...] = ()

    @property
    def text(self) -> str | None:
        """What to say when nothing was executed."""
        return self.verdict.clarifier.text if self.verdict.clarifier else None


@dataclass(slots=True)
class Grounding:
    """The state of one list in one place. `show` lists, `offer` puts one forward, `hear` resolves."""

    clock: Callable[[], datetime]
    scope: Scope = field(default_factory=lambda: Scope("chat", "main"))
    executor: Executor | None = None
    model: Model | None = None
    enricher: Enricher | None = None
    sink: Sink | None = None
    policy: Policy = field(default_factory=default)
    continuity: ContinuityState = field(default_factory=ContinuityState)
    options: OptionSet = field(default_factory=lambda: OptionSet(()))
    offered: tuple[str, ...] = ()
    guard: LoopGuard | None = None
    attempt: int = 1
    open_question: OpenQuestion | None = None
    turns: int = 0
    # What the assistant said last: with it "yes", "thanks" and "no" are read for what they answer.
    last_assistant_text: str | None = None
    # Verbs that are confirmed before they are done; an application declares its own.
    destructive: tuple[str, ...] | None = None

    @property
    def option_set_id(self) -> str:
        return option_set_id(self.scope, self.options.ids)

    def show(self, candidates: Sequence[Candidate]) -> str:
        """A new list is on the table; what was pending about the old one is over."""
        self.options = OptionSet(tuple(candidates))
        self.continuity = present(self.continuity, self.option_set_id, self.scope)
        self.offered, self.guard, self.attempt, self.open_question = (), None, 1, None
        return self.option_set_id

    def offer(self, choice_id: str) -> None:
        if choice_id not in self.options.position:
            raise KeyError(f"{choice_id!r} is not on the table")
        self.offered = (choice_id,)
        self.continuity = offer(
            self.continuity,
            choice_id=choice_id,
            option_set_id=self.option_set_id,
            scope=self.scope,
            at=self.clock(),
            policy=self.policy.ground,
            turn=self.turns,
        )

    def say(self, text: str, offer: str | None = None) -> None:
        """The assistant said this, and put forward that candidate or nothing."""
        self.last_assistant_text = text
        self.offered = ()
        if offer is not None:
            self.offer(offer)

    def clear(self) -> None:
        self.continuity = reset(self.continuity)
        self.show(())

    def hear(
        self,
        text: str,
        *,
        last_assistant_text: str | None = None,
        excerpts: Sequence[Excerpt] = (),
        history: Sequence[str] = (),
    ) -> Step:
        self.turns += 1
        said = last_assistant_text if last_assistant_text is not None else self.last_assistant_text
        declared = self.destructive
        turn = Turn(
            text,
            self.options,
            self.continuity,
            self.scope,
            self.option_set_id if self.options.candidates else None,
            at=self.clock(),
            offered=self.offered,
            last_assistant_text=said,
            guard=self.guard,
            attempt=self.attempt,
            open_question=self.open_question,
            number=self.turns,
            excerpts=tuple(excerpts),
            history=tuple(history),
            destructive=self.policy.ground.destructive_verbs if declared is None else declared,
            meanings=at_hand(),
        )
        verdict = drive(turn, self.policy.ground, self._reply)
        self._emit(verdict)
        if verdict.outcome is GroundOutcome.EXECUTE:
            return self._execute(turn, verdict)
        self._keep(verdict)
        self._talked_about(turn, verdict)
        self.last_assistant_text = verdict.clarifier.text if verdict.clarifier else None
        return Step(verdict)

    def _talked_about(self, turn: Turn, verdict: Verdict) -> None:
        """What was asked about is what "it" means next (ruling G27)."""
        about = (verdict.answer or {}).get("about")
        if verdict.outcome is GroundOutcome.ANSWER and about in self.options.position:
            self.continuity = asked(
                self.continuity,
                choice_id=str(about),
                option_set_id=turn.option_set_id,
                scope=turn.scope,
                at=turn.at,
                policy=self.policy.ground,
                turn=turn.number,
            )

    def _reply(self, ask: Ask) -> Reply:
        if isinstance(ask, AskEvidence):
            return self.enricher(ask) if self.enricher is not None else {}
        return self._ask(ask) if self.model is not None else None

    def _ask(self, ask: AskModel) -> ModelAnswer:
        assert self.model is not None
        try:
            answer = self.model(request(ask, self.policy))
        except ModelTimeout:
            return ModelAnswer("none", error=Fallback.TIMEOUT)
        except ModelRateLimited:
            return ModelAnswer("none", error=Fallback.RATE_LIMITED)
        except (ModelFailure, OSError):
            return ModelAnswer("none", error=Fallback.TRANSPORT_ERROR)
        return read_answer(Fields(answer)) if isinstance(answer, Mapping) else ModelAnswer("none")

    def _execute(self, turn: Turn, verdict: Verdict) -> Step:
        results: list[Any] = []
        for choice in verdict.choice_ids or (verdict.choice_id or "",):
            chosen = self.options.candidates[self.options.position[choice]]
            if self.executor is not None:
                try:
                    results.append(self.executor(chosen, verdict.verb))
                except (ClewError, OSError, ValueError, LookupError) as why:
                    return self._failed(turn, verdict, chosen, why)
        self._keep(verdict)
        self.last_assistant_text = None
        return Step(verdict, results[0] if results else None, results=tuple(results))

    def _failed(self, turn: Turn, verdict: Verdict, chosen: Candidate, why: Exception) -> Step:
        """Nothing is recorded as done; the same words do not run into the same wall again (ruling G8)."""
        self.continuity = clarified(turn.continuity, PendingClarifier.REPAIR, turn.option_set_id, turn.scope)
        self.guard = LoopGuard(guard_key(turn, self.policy.ground), (chosen.id,), chosen.id)
        self.offered = ()
        failed = replace(
            verdict,
            continuity=self.continuity,
            reasons=(*verdict.reasons, Reason("ground.executor_failed", type(why).__name__)),
        )
        return Step(failed, error=str(why) or type(why).__name__)

    def _keep(self, verdict: Verdict) -> None:
        self.continuity, self.guard, self.attempt = verdict.continuity, verdict.guard, verdict.attempt
        self.open_question = verdict.open_question
        self.offered = ()

    def _emit(self, verdict: Verdict) -> None:
        if self.sink is not None:
            for event in verdict.telemetry:
                self.sink(event)


def span_sink(span: Any) -> Sink:
    """Telemetry as events of an OpenTelemetry span; nested values become JSON."""

    def add(event: Mapping[str, Any]) -> None:
        flat = {
            k: v if isinstance(v, (str, bool, int, float)) else canonical_json(v)
            for k, v in event.items()
            if k != "name" and v is not None
        }
        span.add_event(event["name"], attributes=flat)

    return add


def request(ask: AskModel, policy: Policy) -> dict[str, Any]:
    """What a model sees: bounded, structured, no transcript; ids are the execution boundary (Step 2)."""
    state = ask.turn.continuity
    ground = policy.ground
    out: dict[str, Any] = {
        "contract_version": ground.contract_version,
        "lane": ask.lane.value,
        "text": ask.turn.text,
        "candidates": [c.as_dict() for c in ask.turn.options.candidates],
        "continuityContext": state.as_dict(),
        "evidenceFingerprint": ask.fingerprint,
        "attempt": ask.attempt,
        "ambiguity": ask.ambiguity,
        "limits": {
            "timeout_ms": ground.model_timeout_ms,
            "temperature": ground.model_temperature,
            "max_tokens": ground.model_max_tokens,
        },
    }
    if ask.lane is Lane.SEMANTIC:
        out |= blend(ask.turn, policy)
    return out
