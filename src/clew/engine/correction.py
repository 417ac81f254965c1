"""Corrections in words: heard before writing, applied in the write-back (turn-pipeline §12.4)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from clew.engine.notes import Notes
from clew.engine.parts import Parts
from clew.engine.scene import Scene
from clew.engine.texts import say
from clew.engine.writing import Words
from clew.kernel.correct.apply import ENDED, correct
from clew.kernel.correct.targets import EVERYTHING, LAST_SURFACED
from clew.kernel.language.packs import language_of
from clew.kernel.statements.extract import extract
from clew.model.memory import Command, Corrected, MemoryRecord
from clew.model.profile import UserControls
from clew.model.turn import Pipeline, RoutingDecision
from clew.ports.store import Session

_TEXT = {
    Command.DENY: "denied",
    Command.FORGET: "forgotten",
    Command.FORGET_TARGET: "forgotten",
    Command.AMEND: "amended",
    Command.SUPPRESS_TOPIC: "topic_suppressed",
}
# What is asked back when nothing fits; a denial asks which part is wrong (turn-pipeline §12.4).
_ASK = {
    Command.FORGET: "clarify_forget",
    Command.FORGET_TARGET: "clarify_forget",
    Command.SUPPRESS_TOPIC: "clarify_topic",
}

_SAY = {LAST_SURFACED: "forgotten_last", EVERYTHING: "clarify_everything", ENDED: "amended"}


@dataclass(frozen=True, slots=True)
class Asked:
    """`reply` is None when the message corrects nothing."""

    command: Command = Command.NONE
    reply: Words | None = None


def heed(parts: Parts, scene: Scene, route: RoutingDecision, notes: Notes) -> Asked:
    """A correction turn never calls a model."""
    if route.pipeline is Pipeline.REFUSAL or route.crisis:
        return Asked()
    memories: Iterable[MemoryRecord] = scene.memories
    if scene.conversation is not None:
        with parts.store.read() as session:
            memories = within_reach(parts, scene, session, scene.memories)
    corrected = apply(parts, scene, memories, scene.controls)
    if corrected.command is Command.NONE:
        return Asked()
    notes.room(
        "correction",
        reasons=corrected.reasons,
        command=corrected.command,
        targets=corrected.targets,
        clarify=corrected.clarify,
    )
    text_id = _ASK.get(corrected.command, "clarify") if corrected.clarify else _TEXT[corrected.command]
    for reason in corrected.reasons:  # not what was named, or more than one sentence should do: say so
        text_id = _SAY.get(reason.rule, text_id)
    said = say(
        text_id,
        language_of(scene.incoming.text, parts.policy),
        scene.incoming.message_id,
        parts.policy,
        tuple(m.text for m in scene.replies),
    )
    return Asked(corrected.command, Words(said, "correction"))


def within_reach(
    parts: Parts, scene: Scene, session: Session, near: Iterable[MemoryRecord]
) -> list[MemoryRecord]:
    """What is near, every fact ("my job" shares no word with a nurse), and what the message states anew."""
    assert scene.conversation is not None
    facts = [f"fact:{field}" for field in parts.policy.remember.keys.facts]
    stated = extract(scene.incoming.text, scene.at, scene.zone, parts.policy)
    known = session.memories_about(
        scene.conversation.user_id, scene.conversation.friend_id, keys=[*facts, *(c.key for c in stated)]
    )
    return list({m.memory_id: m for m in (*near, *known)}.values())


def apply(parts: Parts, scene: Scene, memories: Iterable[MemoryRecord], controls: UserControls) -> Corrected:
    last = scene.last_reply
    return correct(
        scene.incoming.text,
        tuple(memories),
        controls,
        last.surfaced_memory_ids if last else (),
        message_id=scene.incoming.message_id,
        at=scene.at,
        zone=scene.zone,
        policy=parts.policy,
        last_assistant_text=last.text if last else "",
        previous=scene.previous,
    )
