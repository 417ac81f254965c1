"""From a plan to words that passed the gate (rulings P50, P51)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from clew.engine.composing import NAME as BUILT_IN
from clew.engine.composing import BuiltIn
from clew.engine.meanings import lend
from clew.engine.parts import Parts
from clew.engine.turn_state import Turn, Words
from clew.engine.vectors import read_vector, vectors_of
from clew.engine.weaving import due_loop
from clew.errors import ModelFailure
from clew.kernel.care.crisis import Call, crisis_reply, help_beside
from clew.kernel.care.support import eased
from clew.kernel.compose.compose import compose
from clew.kernel.gate.check import settle
from clew.kernel.gate.drafts import runs
from clew.kernel.gate.fallback import fallback
from clew.kernel.gate.plainly import REMINDER
from clew.kernel.gate.surfacing import place
from clew.kernel.plan.outline import outline
from clew.kernel.plan.prompt import render, rewrite
from clew.kernel.read.need import AFTER_CRISIS, AFTER_GRAVE, SUFFERED
from clew.kernel.text.passage import passage
from clew.model.notes import (
    DraftNote,
    GateNote,
    OutlineNote,
    PlanNote,
    SectionNote,
    ShownThreadsNote,
    ViolationNote,
)
from clew.model.plan import Frame, Gated, PlanAsk, Prompt, ResponsePlan, Settled, Snippet, Spoken
from clew.model.signals import Need
from clew.model.topic import TopicId
from clew.model.turn import Pipeline
from clew.model.utterance import Act
from clew.ports.llm import PromptMessage, Purpose, WriterRequest

_GRAVE = frozenset({SUFFERED, AFTER_CRISIS})
# How a draft that cannot be shown is settled.
FALLBACK = "fallback"


def write_reply(parts: Parts, turn: Turn) -> Turn:
    """The plan, the draft and the gate; what a correction or a list already answered stays as it is.

    In a crisis no writer is asked at all: reviewed sentences, also when every model is down (ruling S1). In the turns
    after one the built-in writer answers, whatever writer there is: what a model says then is the gravest to get wrong.
    """
    ready = _in_crisis(parts, turn) or turn.arranged.reply or turn.asked.reply or turn.pointed.reply
    if not _soon_after_crisis(turn):
        return replace(turn, words=ready or _written(parts, turn))
    if parts.writer.name != BUILT_IN:
        parts = replace(parts, writer=BuiltIn(parts.policy))
    return replace(turn, words=ready or _with_help(parts, turn, _written(parts, turn)))


def _soon_after_crisis(turn: Turn) -> bool:
    return any(r.rule == AFTER_CRISIS for r in turn.heard.need_reasons)


def _with_help(parts: Parts, turn: Turn, words: Words) -> Words:
    """Soon after a crisis every reply names help, unless somebody has come or the means were put away (ruling S3)."""
    if turn.utterance is None or eased(turn.utterance, parts.policy):
        return words
    return replace(words, text=f"{words.text} {help_beside(_call(parts, turn), parts.policy)}".strip())


def _written(parts: Parts, turn: Turn) -> Words:
    route, notes = turn.route, turn.notes
    plan = make_plan(parts, turn)
    frame = frame_of(turn, plan)
    if route.pipeline is Pipeline.REFUSAL:
        text = fallback(frame, parts.policy)
        notes.add(GateNote("refusal"))
        return Words(text, "refusal")
    loops = turn.loops.shown(parts.policy, still_closed(turn, plan))
    prompt = render(plan, spoken(parts, turn), parts.policy, loops=loops.text.splitlines())
    notes.add(
        PlanNote(
            threads=ShownThreadsNote(loops.chosen, loops.left_out),
            plan=_outline_note(plan),
            prompt=tuple(SectionNote(s.name, s.tokens) for s in prompt.sections),
            left_out=tuple(prompt.left_out),
            tokens=prompt.tokens,
        )
    )
    return _draft_and_settle(parts, turn, plan, prompt, frame)


def still_closed(turn: Turn, plan: ResponsePlan) -> tuple[TopicId, ...]:
    """Suppressed topics that this message does not raise itself."""
    return tuple(t for t in turn.controls.suppressed_topics if t in plan.constraints.topics_blocked)


def _in_crisis(parts: Parts, turn: Turn) -> Words | None:
    if not turn.route.crisis or turn.route.pipeline is Pipeline.REFUSAL:
        return None
    said = crisis_reply(_call(parts, turn), parts.policy)
    turn.notes.add(GateNote("crisis", reasons=said.reasons))
    return Words(said.text, "crisis")


def _call(parts: Parts, turn: Turn) -> Call:
    answers = turn.user.answers
    return Call(
        turn.text,
        turn.read.language,
        turn.incoming.message_id,
        tuple(m.text for m in turn.replies),
        answers.country_or_region,
        answers.age_band in parts.policy.route.minors if answers.age_band else None,
    )


def make_plan(parts: Parts, turn: Turn) -> ResponsePlan:
    route, recalled = turn.route, turn.recalled
    ask = PlanAsk(
        text=turn.text,
        signals=turn.heard,
        utterance=turn.utterance,
        findings=recalled.findings,
        told=turn.found.candidates,
        at=turn.at.astimezone(turn.zone),
        pipeline=route.pipeline,
        stage=turn.relationship.relationship_stage,
        assignment=turn.friend.assignment if turn.friend else None,
        controls=turn.controls,
        snippets=recalled.snippets,
        previous=turn.previous,
        recent_replies=tuple(m.text for m in turn.replies),
        said=turn.said,
        preferred_name=turn.user.answers.preferred_name,
        message_id=turn.incoming.message_id,
        turn=turn.history[-1].position // 2 if turn.history else 0,
        crisis=route.crisis,
        safety=route.safety_policy,
        source=turn.incoming.source,
        rules=turn.rules,
        loop=due_loop(parts, turn),
    )
    return outline(ask, parts.policy)


def frame_of(turn: Turn, plan: ResponsePlan) -> Frame:
    route = turn.route
    # Whoever asks again is told again: an answer is no repetition.
    answers = any(f.source != "none" for f in plan.findings)
    return Frame(
        style=plan.style,
        stage=turn.relationship.relationship_stage,
        pipeline=route.pipeline,
        user_text=turn.incoming.text,
        language=turn.read.language,
        recent_replies=() if answers else tuple(m.text for m in turn.replies),
        previous=turn.previous,
        memories=turn.recalled.known,
        topics_blocked=plan.constraints.topics_blocked,
        topics_suppressed=turn.controls.suppressed_topics,
        source=turn.incoming.source,
        crisis=route.crisis,
        hurting=turn.heard.need is not Need.NONE or _amid_grave_news(turn),
        grave=not _GRAVE.isdisjoint(r.rule for r in turn.heard.need_reasons) or _amid_grave_news(turn),
        message_id=turn.incoming.message_id,
        asked=sum(f.source != "none" for f in turn.recalled.findings),
        asked_ids=_asked_ids(turn),
        answered=tuple(f.told for f in turn.recalled.findings if f.source != "none"),
        kind=_kind(turn, plan),
        known=_known(turn, plan),
        events=(*(c.key for c in turn.found.candidates), *((REMINDER,) if turn.reminders else ())),
        minima=False,
    )


def _amid_grave_news(turn: Turn) -> bool:
    """The message tells something, and grave news was told in one of the last turns; a question may be of anything."""
    told = turn.utterance is not None and all(s.act is Act.STATEMENT for s in turn.utterance.sentences)
    return told and any(r.rule == AFTER_GRAVE for r in turn.heard.need_reasons)


def _asked_ids(turn: Turn) -> tuple[str, ...]:
    """Memories that answer the question, and those read from a sentence that does: who is quoted asked for it."""
    found = turn.recalled.findings
    quoted = [f for f in found if f.source == "turn"]
    said = " ".join(f"{f.told} {f.value}" for f in quoted).lower()
    ids = {f.id for f in quoted}
    read = (
        m.memory_id
        for m in turn.memories
        if not ids.isdisjoint(m.source_message_ids) or (m.statement and m.statement.rstrip(".!?").lower() in said)
    )
    return (*(f.id for f in found if f.source == "memory"), *(read if quoted else ()))


def _known(turn: Turn, plan: ResponsePlan) -> tuple[str, ...]:
    """Everything that may be said of the user: memories, what was found, the profile, their own words lately."""
    answers = turn.user.answers
    profile = (answers.preferred_name, answers.country_or_region, answers.client_timezone)
    memories = (f"{m.memory_key} {m.memory_value} {m.statement or ''}".replace("_", " ") for m in turn.memories)
    findings = (f"{f.told} {f.value}" for f in turn.recalled.findings)
    told = (f"{c.value} {c.statement or ''}".replace("_", " ") for c in turn.found.candidates)
    snippets = (f"{s.key} {s.words}" for s in plan.snippets)
    return tuple(t for t in (*profile, *memories, *findings, *told, *snippets, *turn.previous) if t)


def _kind(turn: Turn, plan: ResponsePlan) -> str:
    """A whole list that was asked for is as long as it is (ruling M10)."""
    if turn.route.pipeline is Pipeline.REFUSAL:
        return "refusal"
    found = sum(f.source != "none" for f in turn.recalled.findings)
    return "answer" if found > plan.constraints.sentences[1] else "reply"


def _as_told(frame: Frame) -> Frame:
    """What was asked for again is told again, and the user's own words are quoted as they stand."""
    return replace(frame, reviewed=True, kind="answer", recent_replies=())


def _draft_and_settle(parts: Parts, turn: Turn, plan: ResponsePlan, prompt: Prompt, frame: Frame) -> Words:
    notes = turn.notes
    limits = parts.policy.engine
    raw: dict[str, Any] = {"writer": parts.writer.name}

    def ask(purpose: Purpose, asked: Prompt, tokens: int, temperature: float) -> str:
        answer = parts.writer.write(
            WriterRequest(
                purpose=purpose,
                messages=tuple(PromptMessage(m.role, m.content) for m in asked.messages),
                plan=plan,
                max_tokens=tokens,
                temperature=temperature,
                seed=plan.variation,
                timeout_seconds=limits.model_timeout_seconds,
            )
        )
        raw[purpose] = answer.text
        raw["model"] = answer.model
        return answer.text

    def again(gated: Gated) -> str | None:
        """The one constrained rewrite; a model that fails here costs the rewrite, not the turn."""
        try:
            wanted = rewrite(plan, raw["reply"], gated.violations, parts.policy)
            return ask("rewrite", wanted, limits.rewrite_tokens, limits.rewrite_temperature)
        except ModelFailure as why:
            raw["rewrite_failed"] = why.code
            return None

    draft = ask("reply", prompt, limits.reply_tokens, limits.reply_temperature)
    notes.add(DraftNote(parts.writer.name))
    frame = replace(frame, memories=_watched(parts, turn, frame, draft))
    reviewed = parts.writer.name == BUILT_IN
    embed = None if reviewed else partial(_vectors, parts, turn)
    lent = None if reviewed else lend(parts.embedder)
    frame = replace(frame, tokens=lent.tokens if lent is not None else None)
    frame = _as_told(frame) if reviewed and frame.asked else replace(frame, reviewed=reviewed)
    settled = settle(draft, frame, parts.policy, again, embed)
    if settled.path == FALLBACK and not reviewed:
        settled = _in_its_place(parts, plan, frame, settled)
    if turn.gone.told_in(settled.text, (turn.text, *(frame.known or ()))):
        settled = replace(settled, text=fallback(frame, parts.policy), path="fallback")
    notes.add(
        GateNote(
            path=settled.path,
            violations=tuple(ViolationNote(v.code, v.told) for v in settled.gated.violations),
            surfaced=settled.surfaced,
            reasons=settled.gated.reasons,
        )
    )
    return Words(settled.text, settled.path, settled.surfaced, raw)


def _in_its_place(parts: Parts, plan: ResponsePlan, frame: Frame, settled: Settled) -> Settled:
    """Where nothing of a model's draft can be shown, the built-in writer answers: reviewed words, and to the point."""
    frame = _as_told(frame) if frame.asked else replace(frame, reviewed=True)
    own = settle(compose(plan, parts.policy), frame, parts.policy, lambda _: None, None)
    if own.path == FALLBACK:
        return settled
    return replace(settled, text=own.text, final=own.final)


def _vectors(parts: Parts, turn: Turn, text: str) -> dict[str, Sequence[float]]:
    """Of a draft, its runs, its sentences and the message; none where the reading was fitted to another embedder."""
    if len(text) > parts.policy.gate.max_characters:
        return {}
    said = passage(text, parts.policy)
    judged = tuple(dict.fromkeys((*runs(said, parts.policy), *said.sentences)))[: parts.policy.engine.sentence_vectors]
    # In one call, which costs little more than the draft alone.
    made = vectors_of(parts, [text, *judged, turn.incoming.text])
    if read_vector(parts, text)[0] is None:
        return {}
    return {part: made[part] for part in (*judged, turn.incoming.text) if part in made}


def _watched(parts: Parts, turn: Turn, frame: Frame, draft: str) -> tuple[Snippet, ...]:
    """Also the memories that the draft's own words lead to, offered or not (ruling P57)."""
    with parts.store.read() as session:
        near = session.memories_matching(
            *turn.scope,
            draft,
            per_term=parts.policy.engine.memories_per_term,
            newest=0,
        )
    found = (*frame.memories, *(Snippet.of(m) for m in near))
    if frame.pipeline is Pipeline.INFO_QA:
        # No memory was read: naming what the question named is no memory.
        said = passage(frame.user_text, parts.policy)
        found = tuple(s for s in found if place(s, said, parts.policy) < 0)
    return tuple({s.memory_id: s for s in found}.values())


def spoken(parts: Parts, turn: Turn) -> tuple[Spoken, ...]:
    """The conversation as a model may see it; what the user had forgotten is no part of what stands."""
    return tuple(Spoken("user" if m.role == "user" else "assistant", m.text) for m in turn.history)


def _outline_note(plan: ResponsePlan) -> OutlineNote:
    return OutlineNote(
        tone=plan.emotional_tone,
        ack=plan.ack_style,
        outline=plan.answer_outline,
        followup=plan.followup_question,
        snippets=tuple(s.memory_id for s in plan.snippets),
        constraints=plan.constraints,
    )
