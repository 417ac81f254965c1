"""The shared enrichment loop: call, enrich, fingerprint, veto, retry or stop (rulings G1, G2, G6, G7).

A generator: it yields what it needs and is sent the answer, so that the scripted door and
the live engine walk the very same steps. It never calls a model twice on one fingerprint.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from clew.kernel.ground.evidence import enrich, fingerprint, wanted
from clew.kernel.ground.turn import Turn
from clew.kernel.ground.verdict import AskEvidence, AskModel, Log
from clew.model.evidence import Excerpt, Fallback, Lane, ModelAnswer
from clew.model.fields import Fields
from clew.model.verdict import Reason
from clew.policy.ground import GroundPolicy

Ask = AskModel | AskEvidence
Reply = ModelAnswer | Mapping[str, Any] | None
_MORE = frozenset({"need_more_info", "request_context"})
_NOTHING = frozenset({"none", "ask_clarify", "reroute", "repair", "reject_list"})


@dataclass(slots=True)
class Run:
    """How a loop ended. `settled` is what the lane's own deterministic test gave after enrichment."""

    turn: Turn
    calls: int = 0
    steps: int = 0
    fingerprints: list[str] = field(default_factory=list)
    reasons: list[Reason] = field(default_factory=list)
    fallback: Fallback | None = None
    detail: str | None = None
    choice_id: str | None = None
    confidence: Fraction = Fraction(0)
    answered: bool = False
    settled: Any = None


@dataclass(frozen=True, slots=True)
class Budget:
    calls: int
    steps: int

    @staticmethod
    def of(lane: Lane, policy: GroundPolicy) -> Budget:
        if lane is Lane.SELECTION:
            return Budget(policy.selection_max_llm_calls, policy.selection_max_enrichment_steps)
        steps = policy.semantic_max_enrichment_steps
        # One initial call and one per step (ruling G6).
        return Budget(1 + steps * policy.semantic_max_llm_calls_per_step, steps)


def loop(
    turn: Turn,
    lane: Lane,
    log: Log,
    policy: GroundPolicy,
    ambiguity: str,
    settle: Callable[[Turn], Any],
) -> Generator[Ask, Reply, Run]:
    budget = Budget.of(lane, policy)
    run = Run(turn, fingerprints=[fingerprint(turn, policy)])
    excerpts: tuple[str, ...] = ()
    while run.calls < budget.calls:
        now = run.fingerprints[-1]
        answer = yield AskModel(lane, run.turn, now, run.calls + 1, ambiguity)
        if not isinstance(answer, ModelAnswer):
            run.detail = run.detail or "no_model"
            if run.calls:
                run.fallback = Fallback.ABSTAIN
            return run
        run.calls += 1
        if not _asks_for_more(answer, run, lane, log, policy):
            return run
        if run.steps >= budget.steps:
            return _exhausted(run, log, budget, settle)
        need = wanted(answer.needed, run.turn, policy)
        run.reasons.extend(need.reasons)
        added = (yield AskEvidence(lane, run.turn, need.types)) if need.types else None
        if isinstance(added, Mapping) and added:
            run.steps += 1
            excerpts = _add(run, added, lane, excerpts)
        after = fingerprint(run.turn, policy, excerpts)
        if isinstance(added, Mapping) and added:
            run.fingerprints.append(after)
        fields = _loop_fields(now, after, run, budget)
        if after == now:
            log.add(_enrichment(lane, "fingerprint_unchanged"), **fields)
            log.add("need_more_info_veto_blocked_reason", reason="no_new_evidence", **fields)
            run.fallback = Fallback.NO_NEW_EVIDENCE
            run.detail = need.detail or (None if added else "enrichment_unavailable")
            return run
        run.settled = settle(run.turn)
        if run.settled is not None:
            log.add("need_more_info_veto_applied", **fields)
            return run
        log.add("need_more_info_veto_blocked_reason", reason="not_unique_after_enrichment", **fields)
        if run.calls < budget.calls:
            log.add(_enrichment(lane, "retry_called"), **fields)
    return _exhausted(run, log, budget, settle)


def _exhausted(run: Run, log: Log, budget: Budget, settle: Callable[[Turn], Any]) -> Run:
    """The final veto sees the evidence the last call saw; it is logged, then the clarifier is asked."""
    now = run.fingerprints[-1] if run.fingerprints else ""
    fields = _loop_fields(now, now, run, budget)
    log.add(_enrichment(log.lane, "budget_exhausted"), **fields)
    run.settled = settle(run.turn) if run.steps else None
    if run.settled is None:
        log.add("need_more_info_veto_blocked_reason", reason="budget_exhausted", **fields)
    run.fallback = Fallback.BUDGET_EXHAUSTED
    return run


def _enrichment(lane: Lane, event: str) -> str:
    prefix = "continuity" if lane is Lane.SELECTION else "semantic"
    return f"{prefix}_enrichment_{event}"


def _loop_fields(before: str, after: str, run: Run, budget: Budget) -> dict[str, Any]:
    return {
        "fingerprint_before": before,
        "fingerprint_after": after,
        "retry_attempt_index": run.calls,
        "retry_budget_remaining": max(0, budget.calls - run.calls),
    }


def _asks_for_more(answer: ModelAnswer, run: Run, lane: Lane, log: Log, policy: GroundPolicy) -> bool:
    """True when the loop goes on; otherwise the run says how it ended (the degradation matrix)."""
    if answer.error is not None:
        run.fallback = answer.error
        return False
    if answer.contract_version not in (None, policy.contract_version):
        run.fallback, run.detail = Fallback.ABSTAIN, "contract_version_mismatch"
        return False
    if answer.decision in _MORE:
        log.add("llm_need_more_info", retry_attempt_index=run.calls)
        return True
    if lane is Lane.SEMANTIC:
        run.answered = answer.decision == "answer"
        run.fallback = None if run.answered else Fallback.ABSTAIN
        return False
    if answer.decision == "select":
        _selected(answer, run, log, policy)
        return False
    run.fallback = Fallback.ABSTAIN
    run.detail = None if answer.decision in _NOTHING else "out_of_contract"
    return False


def _selected(answer: ModelAnswer, run: Run, log: Log, policy: GroundPolicy) -> None:
    """The floor applies to `select` only (ruling G7); an unknown id is no choice."""
    confidence = Fraction(str(answer.confidence))
    if answer.choice_id not in run.turn.options.position:
        run.fallback, run.detail = Fallback.ABSTAIN, "choice_outside_pool"
    elif confidence < policy.select_floor:
        run.fallback = Fallback.LOW_CONFIDENCE
    else:
        run.choice_id, run.confidence = answer.choice_id, confidence
        log.add("llm_select", winner=answer.choice_id, confidence=float(confidence))


def _add(run: Run, added: Mapping[str, Any], lane: Lane, excerpts: tuple[str, ...]) -> tuple[str, ...]:
    fetched = dict(added)
    read: list[Excerpt] = []
    if lane is Lane.SEMANTIC:
        for kind, value in added.items():
            items = value.get("excerpts") if isinstance(value, Mapping) else None
            if isinstance(items, (list, tuple)):
                read.extend(Excerpt.read(Fields(i, f"/enrichment/{kind}/excerpts")) for i in items)
                fetched[kind] = {k: v for k, v in value.items() if k != "excerpts"}
    result = enrich(run.turn.options, fetched)
    run.reasons.extend(result.reasons)
    known = tuple(dict.fromkeys((*run.turn.excerpts, *read)))
    run.turn = replace(run.turn, options=result.options, excerpts=known)
    return tuple(sorted({*excerpts, *result.excerpts}))
