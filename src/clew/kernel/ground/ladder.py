"""The decision ladder: deterministic winner, bounded model, enrichment, veto, one clarifier.

Whatever happens, only an id from the given candidates is ever executed, and a failure never executes.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from typing import Any

from clew.kernel.ground.canonical import canonical
from clew.kernel.ground.clarify import Clarifier, clarify
from clew.kernel.ground.deeds import deeds
from clew.kernel.ground.evidence import fingerprint
from clew.kernel.ground.hearing import hear
from clew.kernel.ground.loop import Ask, Reply, Run, loop
from clew.kernel.ground.record import clarified, offer, record, reject, reset
from clew.kernel.ground.referent import question, unsure
from clew.kernel.ground.resolution import Resolution, remaining, turned_down
from clew.kernel.ground.semantic import answer_semantic, intent_of, split_mixed
from clew.kernel.ground.tiebreak import resolve
from clew.kernel.ground.turn import LoopGuard, OpenQuestion, Turn, open_question, stale, unconfirmed
from clew.kernel.ground.verdict import Log, Verdict
from clew.model.canonical import derived_id, sha256
from clew.model.continuity import ContinuityState, PendingClarifier
from clew.model.evidence import Act, GroundOutcome, Lane
from clew.model.verdict import Reason
from clew.policy.ground import GroundPolicy

# Blocks that a model cannot lift: they ask the user.
_NO_MODEL = frozenset(
    {
        "low_typo",
        "scope_uncertain",
        "scope_not_available",
        "ordinal_out_of_range",
        "candidate_not_executable",
        "noise",
    }
)
_EMPTY = "no_candidate"
_TARGETED = frozenset(
    {
        "ground.label",
        "ground.label_inside",
        "ground.label_told_apart",
        "ground.label_not_rejected",
        "ground.ordinal",
        "ground.deictic",
        "ground.deictic_inside",
        "ground.other_one",
    }
)
# The app holds what these words answer to.
_HANDED_BACK = frozenset({"confirms_retry", "nothing_offered"})


def guard_key(turn: Turn, policy: GroundPolicy) -> str:
    """Canonical input + candidate set + option set."""
    text = canonical(turn.text, policy).text
    return sha256([text, turn.options.ids_hash, turn.option_set_id])


def walk(turn: Turn, policy: GroundPolicy) -> Generator[Ask, Reply, Verdict]:
    """Decide, and say which acts the message holds."""
    verdict = yield from _decide(turn, policy)
    few = len(turn.options.candidates) > 0 and turn.options.count <= policy.max_candidates
    return replace(verdict, acts=deeds(turn, verdict, hear(turn, policy) if few else None, policy))


def _decide(turn: Turn, policy: GroundPolicy) -> Generator[Ask, Reply, Verdict]:
    if not policy.continuity_enabled:
        turn = replace(turn, continuity=ContinuityState())
    cycle = derived_id("loop_cycle", turn.text, turn.option_set_id, turn.scope.as_dict())
    log = Log(turn, Lane.SELECTION, cycle)
    if turn.options.count > policy.max_candidates:
        found = Resolution(Act.OTHER, "ground.too_many_candidates", blocked="too_many_candidates")
        return _clarified(turn, found, log, policy, detail="too_many_candidates")
    command, explain = split_mixed(turn.said, policy)
    if explain is not None:
        found = resolve(replace(turn, text=command), policy)
        # Praise before a question is no command: only a named or pointed-at target executes first.
        if found.winner is not None and found.rule in _TARGETED:
            log.add("semantic_followup_handoff_to_selection_lane", clause=explain)
            return _executed(turn, found, log, policy, explain=explain)
    found = resolve(turn, policy)
    intent = intent_of(turn, policy) if found.winner is None else None
    if intent is not None and policy.semantic_enabled:
        return (yield from answer_semantic(turn, intent, policy))
    if found.winner is not None:
        return _executed(turn, found, log, policy)
    if done := _left(turn, found, log, policy):
        return done
    if turn.attempt > policy.max_attempts:
        return _escaped(turn, found, log, policy, "ground.attempts_exhausted")
    return (yield from _unresolved(turn, found, log, policy))


def _left(turn: Turn, found: Resolution, log: Log, policy: GroundPolicy) -> Verdict | None:
    """Stop, question, alternatives and refusals leave the ladder before any model is asked."""
    if found.rule in ("ground.stop", "ground.kept"):
        return _escaped(turn, found, log, policy)
    if found.act is Act.QUESTION:
        if several := unsure(turn, policy):
            why = f"ambiguous_{len(several)}_candidates"
            asks = replace(found, matches=several, rule="ground.question_referent", blocked=why)
            return _clarified(turn, asks, log, policy, detail="question_referent")
        return _verdict(turn, found, log, policy, GroundOutcome.ANSWER, answer=question(turn, policy))
    if found.act is Act.ALTERNATIVES or found.blocked in _HANDED_BACK:
        return _escaped(turn, found, log, policy)
    if found.rule == "ground.hesitation":
        return _clarified(turn, found, log, policy, detail="hesitation", counts=False)
    if found.act is Act.NEGATE and _declined(turn, policy):
        return _escaped(turn, found, log, policy)
    if found.act is Act.NEGATE:
        gone = turned_down(turn) | {turn.options.position[i] for i in found.rejected}
        if not remaining(turn, gone) and found.rule != "ground.list_rejection":
            return _escaped(turn, found, log, policy)
        return _clarified(turn, found, log, policy)
    return None


def _declined(turn: Turn, policy: GroundPolicy) -> bool:
    """No to "really delete X?" ends it: nothing else is to be deleted instead."""
    asked, pending = open_question(turn), turn.continuity.pending is PendingClarifier.CONFIRMATION
    return pending and asked is not None and asked.verb in {*turn.destructive, *policy.destructive_verbs}


def _unresolved(
    turn: Turn, found: Resolution, log: Log, policy: GroundPolicy
) -> Generator[Ask, Reply, Verdict]:
    ambiguity = _ambiguity(turn, found)
    if ambiguity == _EMPTY or found.blocked in _NO_MODEL:
        detail = ambiguity if ambiguity == _EMPTY else found.blocked
        return _clarified(turn, found, log, policy, detail=detail)
    key = guard_key(turn, policy)
    if turn.guard is not None and turn.guard.key == key and turn.guard.order:
        # A repeat reuses the previous order and never executes.
        verdict = _clarified(turn, found, log, policy, order=turn.guard.order, detail="loop_guard")
        return replace(verdict, guard=turn.guard)
    run = yield from loop(turn, Lane.SELECTION, log, policy, ambiguity, lambda t: _winner(t, policy))
    if isinstance(run.settled, Resolution):
        return _counted(_executed(run.turn, run.settled, log, policy), run)
    if run.choice_id is not None and _may_execute(run, found, ambiguity, policy):
        position = run.turn.options.position[run.choice_id]
        chosen = Resolution(Act.SELECT, "ground.auto_execute", position, (position,), verb=found.verb)
        return _counted(_executed(run.turn, chosen, log, policy), run)
    order = (run.choice_id,) if run.choice_id else ()
    verdict = _clarified(run.turn, found, log, policy, order=order, detail=run.detail)
    if run.calls and verdict.clarifier is not None:
        shown = tuple(c.id for c in verdict.clarifier.candidates)
        verdict = replace(verdict, guard=LoopGuard(key, order or shown))
    return _counted(verdict, run)


def _winner(turn: Turn, policy: GroundPolicy) -> Resolution | None:
    found = resolve(turn, policy)
    return found if found.winner is not None else None


def _ambiguity(turn: Turn, found: Resolution) -> str:
    """The shared confidence classifier; a collision is its fifth row (ruling G9)."""
    if not turn.options.candidates:
        return _EMPTY
    if not found.matches or found.blocked == "no_deterministic_match":
        return "no_deterministic_match"
    if len(found.matches) > 1 and found.exact != 1:
        return "command_selection_collision" if found.verb else "multi_match_no_exact_winner"
    return found.blocked or "multi_match_no_exact_winner"


def _may_execute(run: Run, found: Resolution, ambiguity: str, policy: GroundPolicy) -> bool:
    """The gated auto-execute: off unless the policy says so (Phase C)."""
    turn = run.turn
    return (
        policy.auto_execute_enabled
        and run.fallback is None
        and run.confidence >= policy.auto_execute_confidence
        and ambiguity == "no_deterministic_match"
        and found.act is not Act.QUESTION
        and stale(turn) is None
        and (turn.guard is None or turn.guard.target != run.choice_id)
        and run.choice_id not in turn.options.blocked
    )


def _executed(
    turn: Turn, found: Resolution, log: Log, policy: GroundPolicy, explain: str | None = None
) -> Verdict:
    assert found.winner is not None
    chosen = turn.options.candidates[found.winner]
    meant = found.matches if found.several else (found.winner,)
    if unconfirmed(turn, found.verb, tuple(turn.options.candidates[p].id for p in meant), policy):
        asks = replace(found, winner=None, matches=meant, rule="ground.destructive", blocked="destructive")
        return _clarified(turn, asks, log, policy, detail="destructive", counts=False)
    if found.rule != "ground.auto_execute":
        fields = {"rule": found.rule, "matches": len(found.matches)}
        log.add("deterministic_continuity_resolve", winner=chosen.id, **fields)
    state = record(
        reject(turn.continuity, found.rejected, policy),
        type=found.verb or "select",
        choice_id=chosen.id,
        option_set_id=turn.option_set_id,
        scope=turn.scope,
        at=turn.at,
        outcome="executed",
        policy=policy,
        turn=turn.number,
    )
    out = _verdict(turn, found, log, policy, GroundOutcome.EXECUTE)
    every = tuple(turn.options.candidates[p].id for p in meant)
    return replace(out, choice_id=chosen.id, choice_ids=every, continuity=state, explain=explain)


def _escaped(
    turn: Turn, found: Resolution, log: Log, policy: GroundPolicy, rule: str | None = None
) -> Verdict:
    state = reject(turn.continuity, found.rejected, policy)
    if found.rule == "ground.stop" and found.act is Act.NEGATE:
        state = reset(state)
    out = _verdict(turn, found, log, policy, GroundOutcome.ESCAPE)
    reasons = (*out.reasons, Reason(rule)) if rule else out.reasons
    return replace(out, continuity=state, reasons=reasons)


def _clarified(
    turn: Turn,
    found: Resolution,
    log: Log,
    policy: GroundPolicy,
    order: tuple[str, ...] = (),
    detail: str | None = None,
    counts: bool = True,
) -> Verdict:
    question = clarify(turn, found, policy, order)
    log.add(
        "grounded_clarifier_asked",
        type=question.type.value,
        blocked=found.blocked,
        non_winners=[c.id for c in question.candidates],
    )
    state = clarified(turn.continuity, question.type, turn.option_set_id, turn.scope)
    state = reject(state, found.rejected, policy)
    if question.type is PendingClarifier.CONFIRMATION and len(question.candidates) == 1:
        # "Do you mean X?" puts X forward: the next "yes" means it.
        state = offer(
            state,
            choice_id=question.candidates[0].id,
            option_set_id=turn.option_set_id,
            scope=turn.scope,
            at=turn.at,
            policy=policy,
            turn=turn.number,
        )
    return replace(
        _verdict(turn, found, log, policy, GroundOutcome.CLARIFY),
        clarifier=question,
        continuity=state,
        detail=detail,
        open_question=_open(turn, found, question),
        attempt=turn.attempt + 1 if counts else turn.attempt,
    )


def _open(turn: Turn, found: Resolution, question: Clarifier) -> OpenQuestion:
    before = turn.open_question.verb if turn.open_question else None
    return OpenQuestion(tuple(c.id for c in question.candidates), found.verb or before)


def _verdict(
    turn: Turn, found: Resolution, log: Log, policy: GroundPolicy, outcome: GroundOutcome, **more: Any
) -> Verdict:
    reasons = [Reason(found.rule, found.verb or "")]
    if found.blocked:
        reasons.append(Reason("ground.blocked", found.blocked))
    prints = () if turn.options.count > policy.max_candidates else (fingerprint(turn, policy),)
    return Verdict(
        outcome,
        found.act,
        Lane.SELECTION,
        turn.continuity,
        tuple(reasons),
        verb=found.verb,
        fingerprints=prints,
        telemetry=tuple(log.events),
        **more,
    )


def _counted(verdict: Verdict, run: Run) -> Verdict:
    return replace(
        verdict,
        llm_calls=run.calls,
        enrichment_steps=run.steps,
        fingerprints=tuple(run.fingerprints),
        fallback=None if verdict.outcome is GroundOutcome.EXECUTE else run.fallback,
        reasons=(*verdict.reasons, *run.reasons),
    )
