"""Corrections in words, carried out (turn-pipeline §12.4, rulings P70–P76, P86)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

from clew.kernel.listen.topics import topics
from clew.kernel.remember.amend import amendment
from clew.kernel.remember.commands import Said, hear_command
from clew.kernel.remember.denied import denied_fact
from clew.kernel.remember.detect import extract
from clew.kernel.remember.lifecycle import ACTIVE, move, with_suppression
from clew.kernel.remember.merge import remember, same_value
from clew.kernel.remember.targets import meant_by
from clew.kernel.text.normalize import normalize
from clew.kernel.text.tokens import words
from clew.model.memory import Candidate, Command, Corrected, EventKind, MemoryEvent, MemoryRecord, MemoryType
from clew.model.profile import UserControls
from clew.model.topic import TopicId
from clew.model.verdict import Reason
from clew.policy import Policy

# A fact that was so once: true to the user's life, no longer current.
ENDED = "correct.ended"


def correct(
    text: str,
    memories: Sequence[MemoryRecord],
    controls: UserControls,
    surfaced_memory_ids: Sequence[str],
    *,
    message_id: str,
    at: datetime,
    zone: ZoneInfo,
    policy: Policy,
    last_assistant_text: str = "",
    previous: Sequence[str] = (),
) -> Corrected:
    said = hear_command(text, policy)
    last = _last_surfaced(memories, surfaced_memory_ids)
    shown = [m for m in memories if m.memory_id in surfaced_memory_ids and m.status is ACTIVE]
    if said.command in (Command.NONE, Command.DENY):
        news = amendment(text, memories, shown if said.command is Command.DENY else None, at, zone, policy)
        if news:
            done = remember(memories, news, controls, message_id=message_id, at=at, policy=policy)
            touched = [e.memory_id for e in done.events if e.memory_id and e.kind is not EventKind.CREATED]
            amended = Corrected(
                Command.AMEND, tuple(dict.fromkeys(touched)), done.memories, done.controls, done.events,
                reasons=tuple(Reason("correct.amend", fact.key) for fact in news),
            )  # fmt: skip
            more = [c for c in extract(text, at, zone, policy) if not _told_again(c, news)]
            return _also_stated(amended, None, more, message_id, at, policy)
        denied = denied_fact(text, memories, surfaced_memory_ids, at, zone, policy)
        if denied is not None:
            last = denied.memory
            said = Said(Command.DENY, denied.clause)
        if said.command is Command.DENY:
            ended = denied is not None and denied.ended
            why = "user_ended" if ended else "user_denied"
            gone = _invalidate(said, [last] if last else [], memories, controls, at, why)
            if ended:
                gone = replace(gone, reasons=(*gone.reasons, Reason(ENDED, said.clause)))
            return _also_stated(gone, last, extract(text, at, zone, policy), message_id, at, policy)
    match said.command:
        case Command.FORGET:
            return _invalidate(said, [last] if last else [], memories, controls, at, "user_forgot")
        case Command.FORGET_TARGET | Command.NONE:
            meant = meant_by(said, text, memories, surfaced_memory_ids, at, zone, policy)
            if meant is None:
                return Corrected(Command.NONE, (), tuple(memories), controls)
            done_so = _invalidate(meant.said, meant.memories, memories, controls, at, "user_forgot")
            return replace(done_so, reasons=(*done_so.reasons, Reason(meant.rule, meant.said.named or "")))
        case _:
            topic = _topic(said, text, last_assistant_text, previous, policy)
            return _suppress(said, topic, memories, controls)


def _told_again(candidate: Candidate, news: Sequence[Candidate]) -> bool:
    """Facts are amended already, and "moved to Porto" is the new city over again."""
    if candidate.type is not MemoryType.RELATIONSHIP_EVENT:
        return candidate.type is MemoryType.FACT
    return any(fact.value.lower() in candidate.value.lower() for fact in news)


def _also_stated(
    gone: Corrected,
    denied: MemoryRecord | None,
    stated: Sequence[Candidate],
    message_id: str,
    at: datetime,
    policy: Policy,
) -> Corrected:
    """ "That's not true. I love pizza": what else is said is learned; the denied value is not."""
    news = [
        c
        for c in stated
        if denied is None
        or c.key != denied.memory_key
        or not same_value(c.value, denied.memory_value, denied.type, policy)
    ]
    if gone.clarify or not news:
        return gone
    done = remember(gone.memories, news, gone.controls, message_id=message_id, at=at, policy=policy)
    return replace(gone, memories=done.memories, controls=done.controls, events=(*gone.events, *done.events))


def _last_surfaced(memories: Sequence[MemoryRecord], surfaced: Sequence[str]) -> MemoryRecord | None:
    """The list is in order of appearance, so its last id is the target (ruling P86)."""
    if not surfaced:
        return None
    return next((m for m in memories if m.memory_id == surfaced[-1] and m.status is ACTIVE), None)


def _invalidate(
    said: Said,
    targets: Sequence[MemoryRecord],
    memories: Sequence[MemoryRecord],
    controls: UserControls,
    at: datetime,
    reason: str,
) -> Corrected:
    rule = f"correct.{said.command}"
    if not targets:
        reasons = (Reason(rule, said.clause), Reason("correct.clarify", "no memory fits"))
        return Corrected(said.command, (), tuple(memories), controls, clarify=True, reasons=reasons)
    chosen = {m.memory_id for m in targets}
    after = tuple(move(m, "invalidate", at, reason=reason) if m.memory_id in chosen else m for m in memories)
    events = [MemoryEvent(EventKind.INVALIDATED, m.memory_id, reason) for m in targets]
    if said.command is not Command.DENY:  # ruling P71: a denied key stays teachable
        keys = tuple(dict.fromkeys(m.memory_key for m in targets))
        fresh = [k for k in keys if k not in controls.suppressed_memory_keys]
        controls = with_suppression(controls, fresh)
        events += [MemoryEvent(EventKind.SUPPRESSED, None, f"correct.suppressed_key {key}") for key in fresh]
    return Corrected(
        said.command, tuple(m.memory_id for m in targets), after, controls, tuple(events),
        reasons=(Reason(rule, said.clause),),
    )  # fmt: skip


def _topic(
    said: Said, text: str, last_assistant_text: str, previous: Sequence[str], policy: Policy
) -> TopicId | None:
    """A named topic; else the last reply's, else this or an earlier user message's (ruling P75)."""
    deictic = policy.remember.correct.deictic
    named = " ".join((said.named or "").split())
    if named and named not in deictic:
        found = _strongest(named, policy) or _by_name(named, policy)
        shared = set(words(named)) & set(words(last_assistant_text))
        if found or not shared:
            return found
    for source in (last_assistant_text, text, *reversed(previous)):
        found = _strongest(source, policy)
        if found:
            return found
    return None


def _strongest(text: str, policy: Policy) -> TopicId | None:
    found = topics(text, policy)
    return max(found, key=lambda m: m.confidence).topic if found else None


def _by_name(named: str, policy: Policy) -> TopicId | None:
    said = f" {normalize(named)} "
    best: tuple[int, TopicId] | None = None
    for topic, names in policy.remember.correct.topic_names.items():
        for name in names:
            if f" {name} " in said and (best is None or len(name) > best[0]):
                best = (len(name), topic)
    return best[1] if best else None


def _suppress(
    said: Said, topic: TopicId | None, memories: Sequence[MemoryRecord], controls: UserControls
) -> Corrected:
    reason = Reason("correct.suppress_topic", said.clause)
    if topic is None:
        reasons = (reason, Reason("correct.clarify", "no topic found"))
        return Corrected(said.command, (), tuple(memories), controls, clarify=True, reasons=reasons)
    after = replace(controls, suppressed_topics=tuple(dict.fromkeys((*controls.suppressed_topics, topic))))
    event = MemoryEvent(EventKind.SUPPRESSED, None, f"correct.suppressed_topic {topic}")
    return Corrected(said.command, (topic.value,), tuple(memories), after, (event,), reasons=(reason,))
