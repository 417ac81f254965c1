"""One look at one user: may the friend write first now, and if so the message, made and kept like a turn.

The synthetic turn has no user's words. It passes the same route, plan, writer and gate as any other, and what it
leaves is the friend's line and an attempt. Everything is decided again under the user's lock before it is written.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from clew.engine.delivering import hand_over
from clew.engine.looking import stand
from clew.engine.notes import Notes
from clew.engine.parts import Parts, user_lock
from clew.engine.turn_state import Turn
from clew.engine.vectors import read_vector
from clew.engine.weaving import life_loops, loops_of, turn_number
from clew.engine.writing import frame_of, make_plan, spoken
from clew.errors import ModelFailure
from clew.frozen import dataclass
from clew.kernel.cast.library import template
from clew.kernel.gate.check import check
from clew.kernel.gate.repetition import opener
from clew.kernel.language.packs import OTHER, language_of
from clew.kernel.plan.prompt import render
from clew.kernel.reach.attribute import standing
from clew.kernel.reach.eligible import why_not
from clew.kernel.reach.reach_door import reach_out
from clew.kernel.reach.select import select
from clew.kernel.reach.telling import RULES
from clew.kernel.read.utterance import read
from clew.kernel.route.decide import decide
from clew.kernel.text.sentences import sentences
from clew.kernel.weave.arising import plans_of
from clew.model.account import Conversation, Message, Trace
from clew.model.canonical import derived_id, iso
from clew.model.event import Event, Put
from clew.model.exchange import Incoming
from clew.model.language import HOUSE
from clew.model.memory import MemoryStatus
from clew.model.notes import DraftNote, ReachNote, ReachRouteNote
from clew.model.outreach import (
    AcknowledgedBy,
    Attempt,
    AttemptStatus,
    Content,
    Outreach,
    PlanAhead,
    ReachAsk,
    SentLine,
    Skip,
)
from clew.model.plan import ResponsePlan, Snippet
from clew.model.profile import UserState
from clew.model.rows import put_outreach, put_thread, put_trace
from clew.model.thread import KeptThread
from clew.model.turn import Source
from clew.model.verdict import Reason
from clew.ports.llm import PromptMessage, WriterRequest
from clew.ports.store import Session

_SEND = "SEND"


@dataclass(frozen=True, slots=True)
class Looked:
    """What came of one look: a message, or the first reason why there is none."""

    skip: Skip | None
    reasons: tuple[Reason, ...] = ()
    message: Outreach | None = None

    @property
    def sent(self) -> bool:
        return self.message is not None


@dataclass(frozen=True, slots=True)
class Stood:
    """What stands for a user and a friend at one moment."""

    ask: ReachAsk
    conversation: Conversation
    attempts: tuple[Outreach, ...]
    ignored: tuple[Outreach, ...]
    last_said: str
    loops: dict[str, KeptThread]


def reach_user(parts: Parts, user_id: str, friend_id: str, slot: datetime) -> Looked:
    """At most one attempt for a user and an hour, however many look."""
    now = parts.clock.now()
    with parts.store.read() as session:
        stood = stand_for(parts, session, user_id, friend_id, now)
    if isinstance(stood, Skip):
        return Looked(stood, (Reason(RULES[stood]),))
    reached = reach_out(stood.ask, parts.policy)
    if not reached.send:
        return Looked(reached.skip_reason, reached.reasons)
    turn = _synthetic(parts, stood, user_id, slot, now)
    if turn.route.retention_policy != _SEND:
        return Looked(Skip.UNSAFE, (*turn.route.reasons, Reason(RULES[Skip.UNSAFE])))
    written = _written(parts, turn, stood)
    if written is None:
        return Looked(Skip.SAID_ALREADY, (Reason(RULES[Skip.SAID_ALREADY]),))
    content, text, writer = written
    turn.notes.add(
        ReachNote(
            kind=content.kind, intent=content.intent, writer=writer, stage=stood.ask.stage, zone=stood.ask.timezone,
            backoff=stood.ask.backoff, reasons=reached.reasons,
        )
    )  # fmt: skip
    return _kept(parts, turn, stood, content, text, reached.reasons)


def look_at(parts: Parts, user_id: str, friend_id: str) -> Looked:
    """The same look without sending anything: why would nothing come now?"""
    now = parts.clock.now()
    with parts.store.read() as session:
        stood = stand_for(parts, session, user_id, friend_id, now)
    if isinstance(stood, Skip):
        return Looked(stood, (Reason(RULES[stood]),))
    reached = reach_out(stood.ask, parts.policy)
    return Looked(reached.skip_reason, reached.reasons)


def stand_for(parts: Parts, session: Session, user_id: str, friend_id: str, now: datetime) -> Stood | Skip:
    """Everything the decision needs, in one read."""
    user, friend = session.user(user_id), session.friend(friend_id)
    if user is None or friend is None or user.state is not UserState.ACTIVE:
        return Skip.GONE
    talk, history = _newest(session, user_id, friend_id, parts.policy.engine.history_messages)
    if talk is None:
        return Skip.NEVER_MET
    relationship = session.relationship(user_id, friend_id)
    words = [m for m in history if m.role == "user"]
    met = [relationship.last_interaction_at, words[-1].at if words else None]
    last = max((at for at in met if at is not None), default=None)
    sent = session.outreach_of(user_id, now - timedelta(days=parts.policy.jobs.history_days))
    unasked = tuple(m for m in sent if m.unasked and m.status is not AttemptStatus.SKIPPED)
    attempts, ignored, backoff = judged(parts, unasked, last, now)
    known = template(friend.assignment.template_id, parts.policy)
    kept = session.threads(talk.conversation_id)
    asked = {m.about for m in sent if m.about}
    gone = [m.delivered_at for m in attempts if m.status is AttemptStatus.IGNORED and m.delivered_at]
    facts = session.memories_about(user_id, friend_id, keys=parts.policy.reach.nudge_facts)
    ask = ReachAsk(
        now=now,
        timezone=user.answers.client_timezone or "",
        stage=relationship.relationship_stage,
        controls=session.controls(user_id),
        last_interaction_at=last,
        attempts=tuple(m.attempt for m in attempts),
        backoff=backoff,
        memories=tuple(
            Snippet.of(m) for m in facts if m.status is MemoryStatus.ACTIVE and not m.paused and not m.sensitive
        ),
        last_messages=tuple(SentLine(m.role, m.source, m.text, m.at) for m in history),
        taboo=known.taboo_soft_bounds if known else (),
        seed=friend.assignment.seed,
        language=_language(parts, words),
        recent_openers=tuple(m.opener for m in unasked if m.opener),
        plans=_plans(parts, session, (user_id, friend_id), kept, talk, asked),
        waiting_since=max(gone, default=None) if backoff > 1 else None,
    )
    return Stood(ask, talk, attempts, ignored, words[-1].text if words else "", {k.id: k for k in kept})


def judged(
    parts: Parts, sent: Sequence[Outreach], last: datetime | None, now: datetime
) -> tuple[tuple[Outreach, ...], tuple[Outreach, ...], int]:
    """Attempts as they are to be seen now, those of them newly ignored, and the backoff."""
    signs = [last] if last is not None else []
    found = standing([m.attempt for m in sent], signs, (), now, parts.policy.reach)
    seen, ignored = [], []
    for message, verdict in zip(sent, found.judged, strict=True):
        over = verdict.status is AttemptStatus.IGNORED and message.status is AttemptStatus.DELIVERED
        seen.append(replace(message, status=AttemptStatus.IGNORED) if over else message)
        ignored += [seen[-1]] if over else []
    return tuple(seen), tuple(ignored), found.backoff


def quick_standing(
    attempts: Sequence[Attempt], last: datetime | None, now: datetime, parts: Parts
) -> tuple[int, datetime | None]:
    """The backoff, and the last attempt that was ignored, from bare attempts: for the hourly look."""
    sent = [a for a in attempts if a.status is not AttemptStatus.SKIPPED]
    found = standing(sent, [last] if last is not None else [], (), now, parts.policy.reach)
    if found.backoff == 1:
        return 1, None
    pairs = zip(sent, found.judged, strict=True)
    return found.backoff, max(
        (a.delivered_at for a, j in pairs if j.status is AttemptStatus.IGNORED and a.delivered_at), default=None
    )


def _newest(
    session: Session, user_id: str, friend_id: str, most: int
) -> tuple[Conversation | None, list[Message]]:
    """The conversation with this friend in which something was said last."""
    best: tuple[Conversation | None, list[Message]] = (None, [])
    for talk in session.conversations_of(user_id):
        if talk.friend_id != friend_id:
            continue
        said = session.recent(talk.conversation_id, most)
        if best[0] is None or (said and (not best[1] or said[-1].at > best[1][-1].at)):
            best = (talk, said)
    return best


def _language(parts: Parts, words: Sequence[Message]) -> str:
    spoken_in = (language_of(m.text, parts.policy) for m in reversed(words))
    return next((code for code in spoken_in if code != OTHER), "")


def _plans(
    parts: Parts,
    session: Session,
    scope: tuple[str, str],
    kept: Sequence[KeptThread],
    talk: Conversation,
    asked: set[str],
) -> tuple[PlanAhead, ...]:
    """Open loops of the talk that belong to a plan with a day."""
    loops = life_loops(loops_of(kept, turn_number(session, talk.conversation_id)))
    plans = [p for p in session.memories_by_attribute(*scope, ["plan"]) if p.when_end] if loops else []
    about = plans_of(loops, plans, parts.policy)
    found = []
    for loop in loops:
        mine = about[loop.id]
        if mine and mine[0].when_end is not None:
            mark = f"{talk.conversation_id}/{loop.id}"
            found.append(
                PlanAhead(mark, loop.text, mine[0].when_end, any(p.sensitive for p in mine), mark in asked)
            )
    return tuple(found)


def _synthetic(parts: Parts, stood: Stood, user_id: str, slot: datetime, now: datetime) -> Turn:
    """The turn that nobody took: what stands, no words, and the route of a proactive message."""
    with parts.store.read() as session:
        user, friend = session.user(user_id), session.friend(stood.conversation.friend_id)
    assert user is not None
    incoming = Incoming(
        attempt_id(user_id, slot), stood.conversation.conversation_id, "", source=Source.RETENTION, user_id=user_id
    )
    turn = Turn(
        incoming, now, user, Notes(parts.clock), controls=stood.ask.controls, conversation=stood.conversation,
        friend=friend,
    )  # fmt: skip
    turn = stand(parts, turn)
    # What was said last decides whether a light word is fit.
    heard = read(stood.last_said, parts.policy, vector=read_vector(parts, stood.last_said)[0])
    route = decide(heard.signals, user.state, user.answers.age_band, Source.RETENTION, parts.policy)
    turn.notes.add(ReachRouteNote(route.pipeline, Source.RETENTION, route.reasons))
    quiet = read("", parts.policy, spoken=stood.ask.language or None)
    return replace(turn, utterance=quiet, decision=route)


def _written(parts: Parts, turn: Turn, stood: Stood) -> tuple[Content, str, str] | None:
    """The first of a few renderings that the gate lets pass; a writer that strays is replaced by the plain line."""
    limits = parts.policy.reach
    for number in range(limits.opener_tries):
        content = select(replace(stood.ask, seed=stood.ask.seed + 7919 * number), parts.policy)
        plan = replace(make_plan(parts, turn), line=content.text, language=stood.ask.language or HOUSE)
        frame = replace(
            frame_of(turn, plan), memories=stood.ask.memories, topics_blocked=content.topics_blocked, reviewed=True
        )
        drafts = [(content.text, "reach")]
        if number == 0:
            drafts = [*_drafts(parts, turn, plan, content), *drafts]
        for text, writer in drafts:
            # The outcome of a plan names the plan, and a nudge its one fact; nothing else may be named.
            strict = replace(frame, reviewed=writer in ("reach", "composer"))
            if check(text, strict, parts.policy).ok and _within(parts, text, content, stood):
                return content, text, writer
    return None


def _drafts(parts: Parts, turn: Turn, plan: ResponsePlan, content: Content) -> list[tuple[str, str]]:
    """What the writer makes of the line; nothing when it fails, and the plain line stands."""
    prompt = render(plan, spoken(parts, turn), parts.policy)
    told = parts.policy.reach.instruction.format(
        sentences=content.max_sentences, questions=content.max_questions, line=content.text
    )
    messages = [*(PromptMessage(m.role, m.content) for m in prompt.messages[:-1]), PromptMessage("user", told)]
    engine = parts.policy.engine
    try:
        answer = parts.writer.write(
            WriterRequest(
                purpose="reply", messages=tuple(messages), plan=plan, max_tokens=engine.rewrite_tokens,
                temperature=engine.reply_temperature, seed=plan.variation, timeout_seconds=engine.model_timeout_seconds,
            )
        )  # fmt: skip
    except ModelFailure as why:
        turn.notes.add(DraftNote(failed=why.code))
        return []
    return [(answer.text.strip(), parts.writer.name)]


def _within(parts: Parts, text: str, content: Content, stood: Stood) -> bool:
    """Short, at most one question, and no opener of the last ten."""
    policy = parts.policy
    recent = {opener(o, policy) or o for o in stood.ask.recent_openers[-policy.reach.opener_window :]}
    return (
        bool(text)
        and len(sentences(text, policy.text)) <= max(content.max_sentences, policy.gate.retention_sentences)
        and text.count("?") + text.count("？") <= content.max_questions
        and (not opener(text, policy) or opener(text, policy) not in recent)
    )


def _kept(
    parts: Parts, turn: Turn, stood: Stood, content: Content, text: str, reasons: tuple[Reason, ...]
) -> Looked:
    """Decided once more on what stands now, under the user's lock, then written whole."""
    now, user_id, friend_id = parts.clock.now(), turn.user.user_id, stood.conversation.friend_id
    retention_id = turn.incoming.message_id
    with parts.store.write(user_lock(user_id)) as session:
        if session.outreach(retention_id) is not None:
            return Looked(Skip.MIN_GAP, (Reason(RULES[Skip.MIN_GAP], "this hour's attempt was made already"),))
        again = stand_for(parts, session, user_id, friend_id, now)
        why = (again, "") if isinstance(again, Skip) else why_not(again.ask, parts.policy.reach)
        if why is not None:
            return Looked(why[0], (Reason(RULES[why[0]], why[1]),))
        assert isinstance(again, Stood)
        message = Outreach(
            retention_id=retention_id,
            user_id=user_id,
            friend_id=friend_id,
            conversation_id=stood.conversation.conversation_id,
            kind=content.kind,
            status=AttemptStatus.SCHEDULED,
            text=text,
            created_at=now,
            opener=opener(text, parts.policy) or content.opener,
            about=content.about,
            memory_id=content.memory_id,
            notification_id=derived_id("notification", retention_id),
        )
        told = turn.notes.body(parts.policy.fingerprint)
        trace = Trace(retention_id, message.conversation_id, user_id, now, told)
        more: list[Put] = [put_trace(trace), *(put_outreach(m) for m in again.ignored)]
        more += _asked(stood, content, now)
        note = {"reasons": [r.as_dict() for r in reasons], "seed": stood.ask.seed}
        message = hand_over(parts, session, message, now, *more, note=note)
    return Looked(None, reasons, message)


def _asked(stood: Stood, content: Content, now: datetime) -> list[Put]:
    """A plan whose outcome was asked for is not asked about again."""
    thread = stood.loops.get((content.about or "").rpartition("/")[2])
    return [] if thread is None else [put_thread(thread.resolved("asked about", now))]


def attempt_id(user_id: str, slot: datetime) -> str:
    """One id for a user and an hour: the database itself refuses a second attempt."""
    return derived_id("outreach", user_id, iso(slot))


def acknowledged_by_reply(session: Session, user_id: str, at: datetime, parts: Parts) -> list[Put]:
    """Inside the write-back of a turn: what was sent within a day before it is answered by it."""
    span = timedelta(hours=parts.policy.reach.ignored_hours)
    out: list[Put] = []
    for message in session.outreach_of(user_id, at - 2 * span):
        if message.status is not AttemptStatus.DELIVERED or message.delivered_at is None:
            continue
        if message.delivered_at < at <= message.delivered_at + span:
            out.append(
                put_outreach(
                    replace(
                        message, status=AttemptStatus.ACKNOWLEDGED, acknowledged_by=AcknowledgedBy.REPLY,
                        acknowledged_at=at, seen_at=message.seen_at or at,
                    )
                )
            )  # fmt: skip
    return out


def replied(parts: Parts, session: Session, user_id: str, at: datetime, message_id: str) -> list[Event]:
    puts = acknowledged_by_reply(session, user_id, at, parts)
    if not puts:
        return []
    return [
        Event(
            kind="outreach.acknowledged", at=at, user_id=user_id, policy=parts.policy.fingerprint,
            message_id=message_id, changes=tuple(puts),
        )
    ]  # fmt: skip
