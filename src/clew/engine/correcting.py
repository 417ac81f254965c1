"""Corrections in words: heard before writing, applied in the write-back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from clew.engine.parts import Parts
from clew.engine.texts import say
from clew.engine.turn_state import Asked, Turn, Words
from clew.kernel.correct.apply import ENDED, correct
from clew.kernel.correct.targets import EVERYTHING, LAST_SURFACED
from clew.kernel.correct.whole import CONFIRMED, confirms_all
from clew.model.memory import Command, Corrected, MemoryRecord, MemoryStatus
from clew.model.profile import UserControls
from clew.model.turn import Pipeline
from clew.ports.store import Session

_TEXT = {
    Command.DENY: "denied",
    Command.FORGET: "forgotten",
    Command.FORGET_TARGET: "forgotten",
    Command.AMEND: "amended",
    Command.SUPPRESS_TOPIC: "topic_suppressed",
    Command.REOPEN_TOPIC: "topic_reopened",
}
# What is asked back when nothing fits; a denial asks which part is wrong.
_ASK = {
    Command.FORGET: "clarify_forget",
    Command.FORGET_TARGET: "clarify_forget",
    Command.SUPPRESS_TOPIC: "clarify_topic",
}

_SAY = {
    LAST_SURFACED: "forgotten_last",
    EVERYTHING: "clarify_everything",
    CONFIRMED: "everything_forgotten",
    ENDED: "amended",
}


def heed(parts: Parts, turn: Turn) -> Turn:
    """A correction in words, if the message is one. A correction turn never calls a model."""
    if turn.route.pipeline is Pipeline.REFUSAL or turn.route.crisis or turn.pointed.reply:
        return turn
    memories: Iterable[MemoryRecord] = turn.memories
    if turn.conversation is not None:
        with parts.store.read() as session:
            memories = within_reach(parts, turn, session, turn.memories)
    corrected = apply(parts, turn, memories, turn.controls)
    if corrected.command is Command.NONE:
        return turn
    turn.notes.room(
        "correction",
        reasons=corrected.reasons,
        command=corrected.command,
        targets=corrected.targets,
        clarify=corrected.clarify,
    )
    restated = corrected.command is Command.DENY and _restates(turn, memories)
    command = Command.AMEND if restated else corrected.command
    asks_back = corrected.clarify and not restated
    text_id = _ASK.get(command, "clarify") if asks_back else _TEXT[command]
    # Not what was named, or more than one sentence should do: say so.
    for reason in () if restated else corrected.reasons:
        text_id = _SAY.get(reason.rule, text_id)
    said = say(
        text_id,
        turn.read.language,
        turn.incoming.message_id,
        parts.policy,
        tuple(m.text for m in turn.replies),
    )
    return replace(turn, asked=Asked(command, Words(said, "correction"), restated))


def _restates(turn: Turn, memories: Iterable[MemoryRecord]) -> bool:
    """Does the message give another value for something that is held?"""
    held = {m.memory_key: m.memory_value for m in memories if m.status is MemoryStatus.ACTIVE}
    return any(c.key in held and held[c.key] != c.value for c in turn.told.candidates)


def within_reach(
    parts: Parts, turn: Turn, session: Session, near: Iterable[MemoryRecord]
) -> list[MemoryRecord]:
    """What is near, every fact ("my job" shares no word with a nurse), and what the message states anew."""
    last = turn.last_reply
    if confirms_all(turn.text, last.text if last else "", parts.policy):
        return session.memories(*turn.scope)
    facts = [f"fact:{field}" for field in parts.policy.remember.keys.facts]
    known = session.memories_about(*turn.scope, keys=[*facts, *(c.key for c in turn.told.candidates)])
    return list({m.memory_id: m for m in (*near, *known)}.values())


def _just_told(turn: Turn, memories: Iterable[MemoryRecord]) -> tuple[MemoryRecord, ...]:
    """What the user's last message told: "no, it's Grenoble" may mean that."""
    last = next((m.message_id for m in reversed(turn.history) if m.role == "user"), None)
    return tuple(m for m in memories if last in m.source_message_ids)


def apply(parts: Parts, turn: Turn, memories: Iterable[MemoryRecord], controls: UserControls) -> Corrected:
    last = turn.last_reply
    memories = tuple(memories)
    shown = last.surfaced_memory_ids if last else ()
    return correct(
        turn.text,
        memories,
        controls,
        shown,
        told=_just_told(turn, memories),
        message_id=turn.incoming.message_id,
        at=turn.at,
        zone=turn.zone,
        policy=parts.policy,
        last_assistant_text=last.text if last else "",
        previous=turn.previous,
    )
