"""`ground` at the kernel door: scripted model answers, given enrichment, no outside world."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from string import ascii_letters, digits
from typing import Any

from clew.errors import InvalidInput
from clew.kernel.door import MEANINGS, Mode, within_limits
from clew.kernel.ground.canonical import label_key
from clew.kernel.ground.drive import drive
from clew.kernel.ground.evidence import EVIDENCE_TYPES
from clew.kernel.ground.loop import Ask, Reply
from clew.kernel.ground.options import OptionSet
from clew.kernel.ground.pool import Pool
from clew.kernel.ground.turn import LoopGuard, OpenQuestion, Turn
from clew.kernel.ground.verdict import AskModel
from clew.kernel.read.meanings import Meanings
from clew.model.continuity import ContinuityState, Scope
from clew.model.evidence import Candidate, EvidenceType, Excerpt, Fallback, ModelAnswer
from clew.model.fields import Fields
from clew.model.verdict import Reason
from clew.policy import Policy
from clew.policy.ground import GroundPolicy
from clew.policy.text import TextPolicy

_FAILURES = (Fallback.TIMEOUT, Fallback.RATE_LIMITED, Fallback.TRANSPORT_ERROR)


def ground(payload: Fields, policy: Policy, mode: Mode) -> dict[str, Any]:
    turn, reasons = read_turn(payload, policy.ground, mode, policy.text)
    answers = iter(_answers(payload, mode))
    enrichment, unknown = _enrichment(payload, mode)

    def reply(ask: Ask) -> Reply:
        if isinstance(ask, AskModel):
            return next(answers, None)
        return {t.value: enrichment[t.value] for t in ask.types if t.value in enrichment}

    verdict = drive(turn, policy.ground, reply)
    out = verdict.as_dict()
    out["reasons"] += [r.as_dict() for r in (*reasons, *unknown)]
    return out


def read_turn(
    payload: Fields, policy: GroundPolicy, mode: Mode, limits: TextPolicy | None = None
) -> tuple[Turn, tuple[Reason, ...]]:
    """`limits` are checked on candidates that are not known yet."""
    options, reasons = read_options(payload, policy, mode, limits)
    continuity = payload.child("continuity", None)
    scope = payload.child("scope", None)
    guard = payload.child("loop_guard", None)
    state = ContinuityState()
    if continuity is not None:
        state = ContinuityState.read(
            continuity, window=policy.choice_window, trace=policy.recent_action_trace_max_entries
        )
    offered = payload.strings("offered", ())
    if last := payload.id("offer", payload.id("last_offered_id", None)):
        offered = (last,)
    meanings = payload.data.get(MEANINGS)
    turn = Turn(
        text=payload.text("text"),
        options=options,
        continuity=state,
        scope=Scope.read(scope) if scope is not None else Scope(),
        option_set_id=payload.id("option_set_id", None),
        at=payload.time("at", None),
        offered=offered,
        last_assistant_text=payload.text("last_assistant_text", None),
        nothing_offered="offer" in payload.data and not offered,
        guard=_guard(guard) if guard is not None else None,
        attempt=payload.integer("attempt", 1),
        open_question=_open_question(payload.child("open_question", None)),
        number=payload.integer("turn", None),
        excerpts=payload.each("evidence", Excerpt.read),
        entity=payload.id("active_entity", None),
        destructive=payload.strings("destructive", ()),
        meanings=meanings if isinstance(meanings, Meanings) else None,
    )
    return turn, reasons


def _open_question(fields: Fields | None) -> OpenQuestion | None:
    return None if fields is None else OpenQuestion(fields.strings("shown", ()), fields.id("verb", None))


def _guard(fields: Fields) -> LoopGuard:
    return LoopGuard(fields.id("key"), fields.strings("order", ()), fields.id("target", None))


def read_options(
    payload: Fields, policy: GroundPolicy, mode: Mode, limits: TextPolicy | None = None
) -> tuple[OptionSet, tuple[Reason, ...]]:
    """The same list is read and indexed once; a list that is too long is not read at all."""
    items = payload.items("candidates", [])
    if len(items) > policy.max_candidates:
        if mode == "strict":
            message = f"candidates holds {len(items)} items, more than {policy.max_candidates}"
            raise InvalidInput(message, pointer=payload.at("candidates"))
        few = Fields({"candidates": list(items[: policy.clarifier_candidates])})
        if limits is not None:
            within_limits("ground", few.data, limits)
        reason = Reason("ground.too_many_candidates", str(len(items)))
        return OptionSet(few.each("candidates", Candidate.read), total=len(items)), (reason,)
    items = items if isinstance(items, list) else list(items)
    for known in tuple(_read):
        # Comparing is the cheapest way to know a list again.
        if known.mode == mode and len(known.items) == len(items) and known.items == items:
            return known.found
    if limits is not None:
        within_limits("ground", {"candidates": items}, limits)
    found = _build(Fields({"candidates": items}), mode)
    if isinstance(found[0].candidates, Pool) and set(map(type, items)) == {dict}:
        _read.appendleft(_Known(list(map(dict.copy, items)), mode, found))
    return found


@dataclass(frozen=True, slots=True)
class _Known:
    # As it was given: the caller may change its own.
    items: list[dict[str, Any]]
    mode: Mode
    found: tuple[OptionSet, tuple[Reason, ...]]


# The lists read last: a conversation shows the same one for several turns.
_PLAIN = frozenset(ascii_letters + digits)
_read: deque[_Known] = deque(maxlen=8)


def _build(payload: Fields, mode: Mode) -> tuple[OptionSet, tuple[Reason, ...]]:
    items = payload.items("candidates", [])
    pool = Pool.read(items)
    if pool is not None and len(set(pool.ids)) == len(pool) and all(map(_sayable, pool.labels)):
        return OptionSet(pool), ()
    candidates = tuple(pool) if pool is not None else payload.each("candidates", Candidate.read)
    seen: dict[str, int] = {}
    blocked: set[str] = set()
    reasons: list[Reason] = []
    for i, candidate in enumerate(candidates):
        if candidate.id in seen:
            message = f"candidates[{i}] repeats the id {candidate.id!r} of candidates[{seen[candidate.id]}]"
            _refuse(mode, message, f"/candidates/{i}/id")
            blocked.add(candidate.id)
            reasons.append(Reason("ground.duplicate_id", message))
        seen.setdefault(candidate.id, i)
        if not _sayable(candidate.label):
            message = f"candidates[{i}] has a label with nothing to call it by: {candidate.label[:40]!r}"
            _refuse(mode, message, f"/candidates/{i}/label")
            blocked.add(candidate.id)
            reasons.append(Reason("ground.empty_label", message))
    return OptionSet(candidates, frozenset(blocked)), tuple(reasons)


def _sayable(label: str) -> bool:
    """A plain letter or digit at its head is enough to see at once; anything else is normalised to find out."""
    return label[:1] in _PLAIN or bool(label_key(label))


def _refuse(mode: Mode, message: str, pointer: str) -> None:
    if mode == "strict":
        raise InvalidInput(message, pointer=pointer)


def _answers(payload: Fields, mode: Mode) -> list[ModelAnswer]:
    return [read_answer(item, mode) for item in payload.children("llm", [])]


def read_answer(fields: Fields, mode: Mode = "repair") -> ModelAnswer:
    """A model's answer; whatever breaks the contract is an answer that chooses nothing."""
    try:
        if fields.has("error"):
            return ModelAnswer("none", error=Fallback(fields.choice("error", _FAILURES)))
        confidence = fields.number("confidence", 0)
        if not 0 <= confidence <= 1:
            raise InvalidInput("confidence must be between 0 and 1", pointer=fields.at("confidence"))
        return ModelAnswer(
            decision=fields.text("decision"),
            choice_id=fields.id("choice_id", None),
            confidence=confidence,
            needed=fields.strings("neededEvidenceTypes", ()),
            contract_version=fields.text("contract_version", None),
        )
    except InvalidInput:
        if mode == "strict":
            raise
        return ModelAnswer("out_of_contract")


def _enrichment(payload: Fields, mode: Mode) -> tuple[Mapping[str, Any], tuple[Reason, ...]]:
    given = payload.child("enrichment", None)
    if given is None:
        return {}, ()
    unknown = [name for name in given if name not in EVIDENCE_TYPES]
    if unknown and mode == "strict":
        known = ", ".join(EvidenceType)
        message = f"unknown evidence type {unknown[0][:60]!r}; known: {known}"
        raise InvalidInput(message, pointer=given.at(unknown[0]))
    return given.data, tuple(Reason("ground.unknown_evidence_type", name[:60]) for name in unknown)
