"""What a message offers to be remembered: the reading always, a model only behind its gate."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime

from clew.engine.changing import changes_of
from clew.engine.parts import Parts
from clew.engine.turn_state import Offered, Turn
from clew.errors import ModelFailure, ModelGarbage
from clew.kernel.correct.commands import is_explicit
from clew.kernel.correct.recording import is_off
from clew.kernel.keep.model_asking import instruction, schema, wants_model
from clew.kernel.keep.model_candidates import ModelReading, read_answer, unreadable
from clew.kernel.keep.people import everybody
from clew.kernel.keep.values import off_the_record
from clew.kernel.plan.wishes import wishes_in
from clew.kernel.text.passage import passage
from clew.model.memory import Candidate
from clew.model.notes import CandidateNote, ChangeNote, EndingNote, ExtractNote, ModelNote
from clew.model.turn import WritePolicy
from clew.model.verdict import Reason
from clew.policy import Policy
from clew.ports.llm import PromptMessage, Writer, WriterRequest


def gather(parts: Parts, turn: Turn) -> Turn:
    """Candidates of this message, unless it only corrects, points, or may not be kept."""
    route, policy = turn.route, parts.policy
    barred = route.memory_write_policy is WritePolicy.NONE
    if barred or turn.asked.only or turn.pointed.reply:
        turn.notes.add(ExtractNote(route.memory_write_policy))
        return turn
    told = turn.told
    explicit = is_explicit(turn.read.wording, policy)
    if (is_off(turn.rules) and not explicit) or off_the_record(turn.text, policy):
        turn.notes.add(ExtractNote(route.memory_write_policy, unrecorded=True))
        return replace(turn, unrecorded=True)
    candidates = _with_wishes(told.candidates, turn.text, policy)
    if turn.arranged.wish is not None:
        # What is to be reminded of is a promise, not a fact; the rest of the message is kept as ever.
        wished = turn.arranged.wish.sentence
        candidates = tuple(c for c in candidates if not _says_the_same(c.statement or wished, wished))
    wanted = wants_model(
        turn.text,
        policy,
        valence=turn.heard.emotion.valence,
        strong=turn.heard.emotion.strong,
        seen=_seen(turn, candidates),
        at=turn.at,
        read=turn.read,
        found=len(candidates) + len(told.endings),
    )
    reasons: tuple[Reason, ...] = ()
    model: ModelNote | None = None
    endings = told.endings
    if wanted is not None and parts.extractor is not None and not route.crisis:
        proposed, model = _ask_model(parts, parts.extractor, turn, candidates)
        better = {c.key for c in proposed.candidates}
        candidates = (*(c for c in candidates if c.key not in better), *proposed.candidates)
        endings = (*endings, *proposed.endings)
        reasons = (wanted, *proposed.reasons)
    changes = () if route.crisis else changes_of(parts, turn)
    turn.notes.add(
        ExtractNote(
            policy=route.memory_write_policy,
            candidates=tuple(CandidateNote(c.key, c.value, c.origin, c.subject) for c in candidates),
            endings=tuple(EndingNote(e.subject, e.attribute, e.key) for e in endings),
            changes=tuple(ChangeNote(c.memory_id, c.verdict, c.chance) for c in changes),
            model=model,
            reasons=reasons,
        )
    )
    return replace(turn, found=Offered(candidates, endings, explicit, changes))


def _says_the_same(statement: str, wished: str) -> bool:
    return statement in wished or wished in statement


def _with_wishes(told: tuple[Candidate, ...], text: str, policy: Policy) -> tuple[Candidate, ...]:
    """A wish about the friend's own manner goes under its limit, once."""
    wishes = wishes_in(passage(text, policy), policy)
    said = {w.statement for w in wishes}
    return (*(c for c in told if not (c.attribute == "rule" and c.statement in said)), *wishes)


def _ask_model(
    parts: Parts, extractor: Writer, turn: Turn, stated: tuple[Candidate, ...]
) -> tuple[ModelReading, ModelNote]:
    """A model's finding never replaces a statement; its failure costs nothing but itself.

    What it answered is noted as it came: it cannot be computed again.
    """
    asking = parts.policy.remember.extractor
    request = WriterRequest(
        purpose="extract",
        messages=(PromptMessage("system", instruction(parts.policy)), PromptMessage("user", turn.text)),
        max_tokens=asking.tokens,
        temperature=0.0,
        schema=schema(parts.policy),
        item_by_item=True,
        timeout_seconds=asking.seconds,
    )
    raw: str | None = None
    try:
        raw = extractor.write(request).text
        answer = json.loads(raw)
    except ModelFailure as why:
        failed = why.code
        found = unreadable(failed) if isinstance(why, ModelGarbage) else ModelReading()
    except (ValueError, RecursionError):
        failed = ModelGarbage.code
        found = unreadable(failed)
    except Exception as why:  # a writer of somebody else's that breaks its promise
        failed = type(why).__name__
        found = ModelReading()
    else:
        failed = ""
        names = everybody(turn.memories)
        found = read_answer(answer, turn.read, stated, parts.policy, at=turn.at, zone=turn.zone, names=names)
    return found, ModelNote(extractor.name, **found.counts, failed=failed or None, answer=raw)


def _seen(turn: Turn, candidates: tuple[Candidate, ...]) -> dict[str, list[datetime]]:
    """Extraction events per key: the messages a memory names as its sources (ruling P82)."""
    moments = {m.message_id: m.at for m in turn.history}
    keys = {c.key for c in candidates}
    return {
        m.memory_key: sorted(moments[i] for i in m.source_message_ids if i in moments)
        for m in turn.memories
        if m.memory_key in keys
    }
