"""What a message offers to be remembered: the reading always, a model only behind its gate."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime

from clew.engine.changing import changes_of
from clew.engine.parts import Parts
from clew.engine.turn_state import Found, Turn
from clew.errors import ModelFailure
from clew.kernel.correct.commands import is_explicit
from clew.kernel.correct.recording import is_off
from clew.kernel.keep.model_candidates import SCHEMA, read_answer, wants_model
from clew.kernel.keep.values import off_the_record
from clew.kernel.plan.wishes import wishes_in
from clew.kernel.text.passage import passage
from clew.model.memory import Candidate
from clew.model.turn import WritePolicy
from clew.model.verdict import Reason
from clew.policy import Policy
from clew.ports.llm import PromptMessage, Writer, WriterRequest


def gather(parts: Parts, turn: Turn) -> Turn:
    """Candidates of this message, unless it only corrects, points, or may not be kept."""
    route, policy = turn.route, parts.policy
    barred = route.memory_write_policy is WritePolicy.NONE
    if barred or turn.asked.only or turn.pointed.reply:
        turn.notes.room("extract", policy=route.memory_write_policy, candidates=[])
        return turn
    told = turn.told
    explicit = is_explicit(turn.read.wording, policy)
    if (is_off(turn.rules) and not explicit) or off_the_record(turn.text, policy):
        turn.notes.room("extract", policy=route.memory_write_policy, candidates=[], unrecorded=True)
        return replace(turn, unrecorded=True)
    candidates = _with_wishes(told.candidates, turn.text, policy)
    if turn.arranged.wish is not None:
        # What is to be reminded of is a promise, not a fact; the rest of the message is kept as ever.
        wished = turn.arranged.wish.sentence
        candidates = tuple(c for c in candidates if not _says_the_same(c.statement or wished, wished))
    reasons: tuple[Reason, ...] = ()
    wanted = wants_model(
        turn.text,
        policy,
        valence=turn.heard.emotion.valence,
        strong=turn.heard.emotion.strong,
        seen=_seen(turn, candidates),
        at=turn.at,
    )
    model: dict[str, object] = {}
    if wanted is not None and parts.extractor is not None and not route.crisis:
        more, why, model = _ask_model(parts, parts.extractor, turn, candidates)
        candidates, reasons = (*candidates, *more), (wanted, *why)
    changes = () if route.crisis else changes_of(parts, turn)
    turn.notes.room(
        "extract",
        reasons=reasons,
        policy=route.memory_write_policy,
        candidates=[
            {"key": c.key, "value": c.value, "origin": c.origin, "subject": c.subject} for c in candidates
        ],
        endings=[{"subject": e.subject, "attribute": e.attribute, "key": e.key} for e in told.endings],
        changes=[{"memory_id": c.memory_id, "verdict": c.verdict, "chance": c.chance} for c in changes],
        **model,
    )
    return replace(turn, found=Found(candidates, told.endings, explicit, changes))


def _says_the_same(statement: str, wished: str) -> bool:
    return statement in wished or wished in statement


def _with_wishes(told: tuple[Candidate, ...], text: str, policy: Policy) -> tuple[Candidate, ...]:
    """A wish about the friend's own manner goes under its limit, once."""
    wishes = wishes_in(passage(text, policy), policy)
    said = {w.statement for w in wishes}
    return (*(c for c in told if not (c.attribute == "rule" and c.statement in said)), *wishes)


def _ask_model(
    parts: Parts, extractor: Writer, turn: Turn, stated: tuple[Candidate, ...]
) -> tuple[tuple[Candidate, ...], tuple[Reason, ...], dict[str, object]]:
    """A model's finding never replaces a statement; its failure costs nothing but itself."""
    request = WriterRequest(
        purpose="extract",
        messages=(
            PromptMessage("system", parts.policy.engine.extract_instruction),
            PromptMessage("user", turn.text),
        ),
        max_tokens=parts.policy.engine.reply_tokens,
        temperature=0.0,
        schema=SCHEMA,
        timeout_seconds=parts.policy.engine.model_timeout_seconds,
    )
    try:
        raw = extractor.write(request).text
        answer = json.loads(raw)
    except (ModelFailure, ValueError) as why:
        return (), (), {"model_failed": getattr(why, "code", "model_garbage")}
    found, reasons = read_answer(answer, turn.text, stated, parts.policy)
    return found, reasons, {"model_answer": raw}


def _seen(turn: Turn, candidates: tuple[Candidate, ...]) -> dict[str, list[datetime]]:
    """Extraction events per key: the messages a memory names as its sources (ruling P82)."""
    moments = {m.message_id: m.at for m in turn.history}
    keys = {c.key for c in candidates}
    return {
        m.memory_key: sorted(moments[i] for i in m.source_message_ids if i in moments)
        for m in turn.memories
        if m.memory_key in keys
    }
