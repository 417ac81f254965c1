"""The semantic lane: explain, summarise, say why. It answers or asks once; it never executes."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any

from clew.kernel.ground.canonical import canonical, polite
from clew.kernel.ground.clarify import Clarifier, clarify
from clew.kernel.ground.evidence import fingerprint
from clew.kernel.ground.lexicon import words
from clew.kernel.ground.loop import Ask, Reply, loop
from clew.kernel.ground.phrases import Phrases, Tokens
from clew.kernel.ground.record import clarified
from clew.kernel.ground.resolution import Resolution
from clew.kernel.ground.slots import Slots, fill
from clew.kernel.ground.turn import Turn
from clew.kernel.ground.verdict import Log, Verdict
from clew.kernel.read.follow_up import FollowUp
from clew.model.canonical import derived_id
from clew.model.continuity import PendingClarifier
from clew.model.evidence import Act, GroundOutcome, Intent, Lane
from clew.model.verdict import Reason
from clew.policy.ground import GroundPolicy

# A short Korean question with its "why" up front asks about what was just done.
_SHORT = 4
_PENDING = frozenset({PendingClarifier.SELECTION, PendingClarifier.SCOPE})


@dataclass(frozen=True, slots=True, eq=False)
class _Intents:
    explain_last: Phrases
    summarize: Phrases
    why: Phrases
    entity: Phrases


@lru_cache(maxsize=8)
def _intents(policy: GroundPolicy) -> _Intents:
    lists = policy.semantic
    return _Intents(
        Phrases(lists["explain_last_action"]),
        Phrases(lists["summarize_recent_activity"]),
        Phrases(lists["reflective_why_followup"]),
        Phrases(lists["explain_entity_meaning"]),
    )


def split_mixed(said: FollowUp, policy: GroundPolicy) -> tuple[str, str | None]:
    """ "open sample2 and explain why": the command, and the clause to answer after it."""
    tokens = said.words
    lists = _intents(policy)
    grammar = words(policy).grammar
    joiners = grammar["request_joiner"]
    tell = words(policy).tell
    most = max(lists.why.longest, lists.explain_last.longest, tell.longest)
    after = len(tokens)
    found: tuple[int, int] | None = None
    # From the back, so that each run of joiners is passed once; the first place wins.
    for i in range(len(tokens) - 2, 0, -1):
        if tokens[i + 1] not in joiners:
            after = i + 1
        if tokens[i] not in joiners:
            continue
        rest = tokens[after : after + most]
        asks = lists.why.head(rest) or lists.explain_last.head(rest) or tell.head(rest)
        if asks or (rest and rest[0] in grammar["explaining"]):
            found = (i, after)
    if found is None:
        return said.text, None
    return " ".join(tokens[: found[0]]), " ".join(tokens[found[1] :])


def intent_of(turn: Turn, policy: GroundPolicy) -> Intent | None:
    """Only questions about what happened, why, or what a thing means; others are plain questions."""
    tokens = polite(turn.said.words, policy)
    lists = _intents(policy)
    if not tokens:
        return None
    if lists.explain_last.head(tokens):
        return Intent.EXPLAIN_LAST_ACTION
    if words(policy).grammar["asking_why"] & set(tokens[:2]) and len(tokens) <= _SHORT:
        return Intent.REFLECTIVE_WHY_FOLLOWUP
    if head := lists.why.head(tokens):
        deictic = words(policy).deictic_words & set(tokens[1:3])
        about_us = not words(policy).grammar["addressed"].isdisjoint(tokens[:4]) or not tokens[head:] or deictic
        return Intent.REFLECTIVE_WHY_FOLLOWUP if about_us else None
    if head := lists.summarize.head(tokens):
        named = (
            turn.options.whole(canonical(" ".join(tokens[head:]), policy), policy) if tokens[head:] else ()
        )
        return Intent.EXPLAIN_ENTITY_MEANING if named else Intent.SUMMARIZE_RECENT_ACTIVITY
    if lists.summarize.inside(tokens) and tokens[0] not in words(policy).command_verbs:
        return Intent.SUMMARIZE_RECENT_ACTIVITY
    if head := lists.entity.head(tokens):
        return Intent.EXPLAIN_ENTITY_MEANING if _means(turn, tokens, head, policy) else None
    return None


def _means(turn: Turn, tokens: Tokens, head: int, policy: GroundPolicy) -> bool:
    if words(policy).grammar["meaning"] & set(tokens) or tokens[:1] == ("explain",):
        return True
    rest = canonical(" ".join(tokens[head:]), policy)
    return bool(rest.rest) and bool(turn.options.whole(rest, policy))


def answer_semantic(turn: Turn, intent: Intent, policy: GroundPolicy) -> Generator[Ask, Reply, Verdict]:
    log = Log(turn, Lane.SEMANTIC, derived_id("loop_cycle", "semantic", turn.text, turn.option_set_id))
    if turn.continuity.pending in _PENDING:
        return _blocked(turn, intent, log, policy)
    slots = fill(turn, intent, policy)
    _log_slots(slots, log)
    if not slots.missing:
        return _answered(turn, slots, log, policy)
    log.add("semantic_followup_missing_slot", slots=list(slots.missing))
    settle = partial(_filled, intent=intent, policy=policy)
    run = yield from loop(turn, Lane.SEMANTIC, log, policy, "missing_slot", settle)
    settled = run.settled if isinstance(run.settled, Slots) else None
    if run.answered:
        settled = replace(slots, missing=())
    if settled is not None:
        verdict = _answered(run.turn, settled, log, policy)
    else:
        verdict = _asked(run.turn, slots, log, policy)
    return replace(
        verdict,
        llm_calls=run.calls,
        enrichment_steps=run.steps,
        fingerprints=tuple(run.fingerprints),
        fallback=None if verdict.outcome is GroundOutcome.ANSWER else run.fallback,
        detail=None if verdict.outcome is GroundOutcome.ANSWER else run.detail,
        reasons=(*verdict.reasons, *run.reasons),
    )


def _filled(turn: Turn, intent: Intent, policy: GroundPolicy) -> Slots | None:
    slots = fill(turn, intent, policy)
    return None if slots.missing else slots


def _log_slots(slots: Slots, log: Log) -> None:
    if slots.borrowed:
        log.add("continuity_slot_filled", source=slots.borrowed)
    for why in slots.blocked:
        log.add(f"continuity_slot_{why}")


def _answered(turn: Turn, slots: Slots, log: Log, policy: GroundPolicy) -> Verdict:
    log.add("semantic_followup_answered", intent=slots.intent.value)
    return _verdict(turn, slots, log, policy, GroundOutcome.ANSWER, answer=slots.as_dict())


def _asked(turn: Turn, slots: Slots, log: Log, policy: GroundPolicy) -> Verdict:
    """One packed clarifier for all missing slots, then stop."""
    log.add("semantic_followup_context_insufficient", slots=list(slots.missing))
    log.add("semantic_followup_single_clarifier_asked")
    text = policy.clarifier_texts["missing_slot"].format(
        slots=policy.clarifier_texts["joiner"].join(policy.slot_texts[s] for s in slots.missing)
    )
    question = Clarifier(PendingClarifier.MISSING_SLOT, (), text)
    state = clarified(turn.continuity, question.type, turn.option_set_id, turn.scope)
    out = _verdict(turn, slots, log, policy, GroundOutcome.CLARIFY, clarifier=question)
    return replace(out, continuity=state, attempt=turn.attempt + 1)


def _blocked(turn: Turn, intent: Intent, log: Log, policy: GroundPolicy) -> Verdict:
    """While a selection is being arbitrated the lane does not start: the open question is asked again."""
    log.add("semantic_followup_context_insufficient", reason="selection_pending")
    found = Resolution(Act.QUESTION, "ground.selection_pending", blocked="selection_pending")
    question = replace(clarify(turn, found, policy), type=turn.continuity.pending)
    out = _verdict(turn, Slots(intent), log, policy, GroundOutcome.CLARIFY, clarifier=question)
    reasons = (*out.reasons, Reason("ground.selection_pending"))
    return replace(out, reasons=reasons, detail="selection_pending")


def _verdict(
    turn: Turn, slots: Slots, log: Log, policy: GroundPolicy, outcome: GroundOutcome, **more: Any
) -> Verdict:
    reasons = [Reason(f"ground.semantic.{slots.intent.value}", ", ".join(slots.missing))]
    reasons += [Reason(f"ground.semantic.{why}") for why in slots.blocked]
    return Verdict(
        outcome,
        Act.QUESTION,
        Lane.SEMANTIC,
        turn.continuity,
        tuple(reasons),
        fingerprints=(fingerprint(turn, policy),),
        telemetry=tuple(log.events),
        **more,
    )
