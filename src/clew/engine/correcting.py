"""Corrections in words: heard before writing, applied in the write-back."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from clew.engine.forgetting import Taken, asked_for, command_in, said_before, taken_along, with_marks
from clew.engine.parts import Parts
from clew.engine.texts import say
from clew.engine.turn_state import Asked, Turn, Words
from clew.kernel.correct.apply import ENDED, correct
from clew.kernel.correct.recording import Recording, recording_wish
from clew.kernel.correct.targets import EVERYTHING, LAST_SURFACED
from clew.kernel.correct.whole import CONFIRMED, confirms_all
from clew.kernel.read.signals import flags
from clew.kernel.text.normalize import normal
from clew.model.memory import Command, Corrected, MemoryRecord, MemoryStatus
from clew.model.notes import CorrectionNote
from clew.model.profile import UserControls
from clew.model.turn import Pipeline
from clew.policy import Policy
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

_FORGETS = (Command.FORGET, Command.FORGET_TARGET)

# So many messages back something was just said.
_JUST = 2
_SAY = {
    LAST_SURFACED: "forgotten_last",
    EVERYTHING: "clarify_everything",
    CONFIRMED: "everything_forgotten",
    ENDED: "amended",
}


def heed(parts: Parts, turn: Turn) -> Turn:
    """A correction in words, if the message is one. A correction turn never calls a model."""
    if turn.route.pipeline is Pipeline.REFUSAL or turn.route.crisis or turn.pointed.reply or turn.arranged.reply:
        return turn
    memories: Iterable[MemoryRecord] = turn.memories
    if turn.conversation is not None:
        with parts.store.read() as session:
            memories = within_reach(parts, turn, session, turn.memories)
    wish = recording_wish(turn.read.wording, parts.policy)
    if wish is not None:
        return _switched(parts, turn, wish)
    memories = tuple(memories)
    meant = asked_for(parts, turn, command_in(parts, turn), memories)
    about = frozenset(m.memory_id for m in meant)
    corrected = apply(parts, replace(turn, asked=replace(turn.asked, about=about)), memories, turn.controls)
    if corrected.command is Command.NONE:
        return turn
    unsaid = _unsaid(turn, corrected, parts.policy)
    said, named = said_before(parts, turn, corrected) if not unsaid else (unsaid, "")
    along = Taken()
    if corrected.command in _FORGETS and not unsaid and (said or corrected.targets):
        along = taken_along(parts, turn, corrected.targets, said, named)
    if said:
        corrected = replace(corrected, clarify=False)
    if corrected.clarify and isinstance(command_in(parts, turn), str):
        return turn  # a wish that was only guessed at, and names nothing that was told
    turn.notes.add(CorrectionNote(corrected.command, corrected.targets, corrected.clarify, corrected.reasons))
    restated = corrected.command is Command.DENY and _restates(turn, memories)
    command = Command.AMEND if restated else corrected.command
    asks_back = corrected.clarify and not restated
    text_id = _ASK.get(command, "clarify") if asks_back else _TEXT[command]
    # Not what was named, or more than one sentence should do: say so.
    for reason in () if restated else corrected.reasons:
        text_id = _SAY.get(reason.rule, text_id)
    words = say(
        text_id,
        turn.read.language,
        turn.incoming.message_id,
        parts.policy,
        tuple(m.text for m in turn.replies),
        turn.text,
    )
    asked = Asked(
        command, Words(words, "correction"), restated, () if unsaid else said, named, along.messages, unsaid,
        about=about, along=along.memories,
    )  # fmt: skip
    return replace(turn, asked=asked)


def _unsaid(turn: Turn, corrected: Corrected, policy: Policy) -> tuple[str, ...]:
    """ "Delete what I just said": the message itself goes, whether or not a memory holds it."""
    if corrected.command is not Command.FORGET or not re.search(policy.remember.correct.just_said, turn.text.lower()):
        return ()
    said = [m for m in reversed(turn.history) if m.role == "user"]
    # Who told something, asked for it, and wants it gone does not mean the question.
    told = (m for m in said[:_JUST] if not flags(normal(m.text), policy).is_question)
    last = next(told, said[0] if said else None)
    return (last.message_id,) if last is not None else ()


def _switched(parts: Parts, turn: Turn, wish: Recording) -> Turn:
    turn.notes.add(CorrectionNote(f"recording_{wish}"))
    said = tuple(m.text for m in turn.replies)
    words = say(
        f"recording_{wish}", turn.read.language, turn.incoming.message_id, parts.policy, said, turn.text
    )
    return replace(turn, asked=Asked(reply=Words(words, "correction"), recording=wish))


def _restates(turn: Turn, memories: Iterable[MemoryRecord]) -> bool:
    """Does the message give another value for something that is held?"""
    held = {m.memory_key: m.memory_value for m in memories if m.status is MemoryStatus.ACTIVE}
    return any(c.key in held and held[c.key] != c.value for c in turn.told.candidates)


def within_reach(
    parts: Parts, turn: Turn, session: Session, near: Iterable[MemoryRecord]
) -> list[MemoryRecord]:
    """What is near, every fact ("my job" shares no word with a nurse), and what the message states anew."""
    last = turn.last_reply
    if confirms_all(turn.read.wording, last.text if last else "", parts.policy):
        return session.memories(*turn.scope)
    facts = [f"fact:{field}" for field in parts.policy.remember.keys.facts]
    keys, meant = [*facts, *(c.key for c in turn.told.candidates)], [*turn.asked.about, *turn.asked.along]
    known = [
        *session.memories_about(*turn.scope, keys=keys),
        *(session.memories_about(*turn.scope, ids=meant) if meant else ()),
    ]
    return list({m.memory_id: m for m in (*near, *known)}.values())


def _just_told(turn: Turn, memories: Iterable[MemoryRecord]) -> tuple[MemoryRecord, ...]:
    """What the user's last message told: "no, it's Grenoble" may mean that."""
    last = next((m.message_id for m in reversed(turn.history) if m.role == "user"), None)
    return tuple(m for m in memories if last in m.source_message_ids)


def apply(parts: Parts, turn: Turn, memories: Iterable[MemoryRecord], controls: UserControls) -> Corrected:
    last = turn.last_reply
    memories = tuple(memories)
    shown = last.surfaced_memory_ids if last else ()
    if re.search(parts.policy.remember.correct.just_said, turn.text.lower()):
        shown = ()  # their own words are meant, not what the reply brought up
    said = command_in(parts, turn)
    about = [m for m in memories if m.memory_id in turn.asked.about]
    done = correct(
        said,
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
        about=about,
        states=None if isinstance(said, str) or said.text != turn.text else turn.told.by_words,
        named_only=True,
        along=[m for m in memories if m.memory_id in turn.asked.along],
    )
    return with_marks(done, turn, parts.policy)
