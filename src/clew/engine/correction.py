"""Corrections in words: heard before writing, applied in the write-back (turn-pipeline §12.4)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from clew.engine.notes import Notes
from clew.engine.parts import Parts
from clew.engine.scene import Scene
from clew.engine.texts import say
from clew.engine.writing import Words
from clew.kernel.remember.correct import correct
from clew.kernel.text.tokens import language
from clew.model.memory import Command, Corrected, MemoryRecord
from clew.model.profile import UserControls
from clew.model.turn import Pipeline, RoutingDecision

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


@dataclass(frozen=True, slots=True)
class Asked:
    """`reply` is None when the message corrects nothing."""

    command: Command = Command.NONE
    reply: Words | None = None


def heed(parts: Parts, scene: Scene, route: RoutingDecision, notes: Notes) -> Asked:
    """A correction turn never calls a model."""
    if route.pipeline is Pipeline.REFUSAL or route.crisis:
        return Asked()
    corrected = apply(parts, scene, scene.memories, scene.controls)
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
    said = say(
        text_id,
        language(scene.incoming.text, parts.policy.text),
        scene.incoming.message_id,
        parts.policy,
        tuple(m.text for m in scene.replies),
    )
    return Asked(corrected.command, Words(said, "correction"))


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
