"""Corrections in words, carried out (rulings P70–P76, P86)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

from clew.kernel.correct.amendments import amendment
from clew.kernel.correct.commands import SpokenCommand, hear_command
from clew.kernel.correct.denials import denied_fact
from clew.kernel.correct.invalidated import invalidated, with_parts
from clew.kernel.correct.shift_parts import Shift
from clew.kernel.correct.shifts import shifted
from clew.kernel.correct.spared import spared
from clew.kernel.correct.targets import EVERYTHING, meant_by
from clew.kernel.correct.told_again import just_told, retold, without_old_names
from clew.kernel.correct.whole import CONFIRMED, confirms_all, opened_again
from clew.kernel.keep.lifecycle import ACTIVE, move
from clew.kernel.keep.merge import remember, same_value
from clew.kernel.read.wording import wording
from clew.kernel.statements.extract import extract
from clew.kernel.text.normalize import normalize
from clew.model.memory import (
    Candidate,
    Command,
    Corrected,
    EventKind,
    InvalidReason,
    MemoryEvent,
    MemoryRecord,
    MemoryType,
)
from clew.model.profile import UserControls
from clew.model.utterance import Wording
from clew.model.verdict import Reason
from clew.policy import Policy

# A fact that was so once: true to the user's life, no longer current.
ENDED = "correct.ended"
# One part of it is another now: the day, the place.
SHIFTED = "correct.shifted"


def correct(
    message: Wording | str,
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
    told: Sequence[MemoryRecord] = (),
    about: Sequence[MemoryRecord] = (),
    states: Sequence[Candidate] | None = None,
    named_only: bool = False,
    along: Sequence[MemoryRecord] = (),
) -> Corrected:
    """`told` is what the message before this one told; `about`: what is asked for by the words that "forget" names.

    states: what the words of this message state, where that was read already.
    named_only: "forget X" where X names nothing that is held asks back, whatever was spoken of last.
    along: what goes with that which is forgotten.
    """
    words = wording(message, policy)
    if confirms_all(words, last_assistant_text, policy):
        every = [m for m in memories if m.status is ACTIVE]
        everything = SpokenCommand(Command.FORGET_TARGET, words.text)
        gone = invalidated(everything, every, memories, controls, at, InvalidReason.FORGOT, policy)
        return replace(gone, reasons=(*gone.reasons, Reason(CONFIRMED)))
    if opened := opened_again(words, memories, controls, at, zone, policy):
        reasons = (Reason("correct.reopen_topic", opened.clause),)
        names = tuple(name for _, name in opened.named)
        return Corrected(
            Command.REOPEN_TOPIC, names, tuple(memories), opened.controls, opened.events, reasons=reasons
        )
    said = hear_command(words, policy)
    last = _last_surfaced(memories, surfaced_memory_ids)
    shown = [m for i in surfaced_memory_ids for m in memories if m.memory_id == i and m.status is ACTIVE]
    if said.command in (Command.NONE, Command.DENY):
        denies, asked = said.command is Command.DENY, "?" in normalize(last_assistant_text)
        fresh = [m for m in told if m.status is ACTIVE and not shown]
        asked = asked and not fresh
        just = just_told(memories, previous)
        shift = shifted(
            words, memories, just, policy, message_id=message_id, at=at, zone=zone, shown=shown,
            before=previous[-1] if previous else "",
        )  # fmt: skip
        if shift is not None:
            return _shifted(shift, memories, controls, at)
        news = () if denies else retold(words, just, memories, policy)
        if not news:
            news = amendment(words, memories, [*fresh, *shown], at, zone, policy, denied=denies, asked=asked)
        if news:
            memories = without_old_names(news, words, just, memories, at)
            done = remember(memories, news, controls, message_id=message_id, at=at, policy=policy)
            touched = [e.memory_id for e in done.events if e.memory_id and e.kind is not EventKind.CREATED]
            amended = Corrected(
                Command.AMEND, tuple(dict.fromkeys(touched)), done.memories, done.controls, done.events,
                reasons=tuple(Reason("correct.amend", fact.key) for fact in news),
            )  # fmt: skip
            stated = extract(words.text, at, zone, policy) if states is None else states
            more = [c for c in stated if not _told_again(c, news)]
            return _also_stated(amended, None, more, message_id, at, policy)
        stated = extract(words.text, at, zone, policy) if states is None else states
        denied = denied_fact(words, stated, memories, surfaced_memory_ids, at, zone, policy)
        if denied is not None:
            last = denied.memory
            said = SpokenCommand(Command.DENY, denied.clause)
        if said.command is Command.DENY:
            ended = denied is not None and denied.ended
            why = InvalidReason.ENDED if ended else InvalidReason.DENIED
            gone = invalidated(said, [last] if last else [], memories, controls, at, why, policy)
            if ended:
                gone = replace(gone, reasons=(*gone.reasons, Reason(ENDED, said.clause)))
            return _also_stated(gone, last, stated, message_id, at, policy)
    match said.command:
        case Command.FORGET:
            spoken_of = [last] if last else just_told(memories, previous)
            spoken_of = with_parts(spoken_of, along)
            return invalidated(said, spoken_of, memories, controls, at, InvalidReason.FORGOT, policy)
        case Command.FORGET_TARGET | Command.NONE:
            shown_ids = surfaced_memory_ids
            meant = meant_by(said, words, memories, shown_ids, at, zone, policy, about, named_only=named_only)
            if meant is None:
                return Corrected(Command.NONE, (), tuple(memories), controls)
            gone_so = meant.memories if meant.rule == EVERYTHING else with_parts(meant.memories, along)
            done_so = invalidated(meant.said, gone_so, memories, controls, at, InvalidReason.FORGOT, policy)
            return replace(done_so, reasons=(*done_so.reasons, Reason(meant.rule, meant.said.named or "")))
        case _:
            return spared(said, words, memories, controls, last_assistant_text, previous, at, zone, policy)


def _shifted(
    shift: Shift, memories: Sequence[MemoryRecord], controls: UserControls, at: datetime
) -> Corrected:
    pairs = ((shift.old, shift.new), *shift.renamed)
    gone = {old.memory_id: _overtaken(old, new, at) for old, new in pairs}
    after = (*(gone.get(m.memory_id, m) for m in memories), *(new for _, new in pairs))
    events = [
        event
        for old, new in pairs
        for event in (
            MemoryEvent(EventKind.CREATED, new.memory_id, SHIFTED),
            MemoryEvent(EventKind.SUPERSEDED, old.memory_id, SHIFTED, by=new.memory_id),
        )
    ]
    targets = tuple(old.memory_id for old, _ in pairs)
    return Corrected(
        Command.AMEND, targets, after, controls, tuple(events), reasons=(Reason(SHIFTED, shift.new.memory_key),)
    )


def _overtaken(old: MemoryRecord, new: MemoryRecord, at: datetime) -> MemoryRecord:
    """The message that names it as wrong is one of its own, so that its words are not quoted as if they held."""
    sources = tuple(dict.fromkeys((*old.source_message_ids, *new.source_message_ids)))
    return replace(move(old, "supersede", at, by=new.memory_id), source_message_ids=sources)


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
