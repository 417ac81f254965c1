"""Corrections in words: heard before writing, applied in the write-back."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

from clew.engine.parts import Parts
from clew.engine.recall import TURN, Found, find
from clew.engine.rights import Scope
from clew.engine.texts import say
from clew.engine.turn_state import Asked, Turn, Words
from clew.engine.vectors import vector_of
from clew.engine.weighing import meant_by_words
from clew.kernel.correct.apply import ENDED, correct
from clew.kernel.correct.commands import hear_command
from clew.kernel.correct.forgotten import forgotten_words, told_words
from clew.kernel.correct.nearest import held_in, of_these_words
from clew.kernel.correct.recording import Recording, recording_wish
from clew.kernel.correct.targets import EVERYTHING, LAST_SURFACED, tentative
from clew.kernel.correct.whole import CONFIRMED, confirms_all
from clew.kernel.correct.wishes import command_words, pointing_wish
from clew.kernel.read.signals import flags
from clew.kernel.read.utterance import read
from clew.kernel.recall.answers import ANY, HISTORY, WHEN, WHO, fitting
from clew.kernel.text.normalize import normal
from clew.kernel.text.tokens import tokens
from clew.model.memory import Command, Corrected, MemoryRecord, MemoryStatus
from clew.model.notes import CorrectionNote
from clew.model.profile import UserControls
from clew.model.turn import Pipeline
from clew.model.utterance import Wording
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
    meant = _asked_for(parts, turn, _command_words(turn, parts.policy), memories)
    about = frozenset(m.memory_id for m in meant)
    corrected = apply(parts, replace(turn, asked=replace(turn.asked, about=about)), memories, turn.controls)
    if corrected.command is Command.NONE:
        return turn
    unsaid = _unsaid(turn, corrected, parts.policy)
    said, named = _said_before(parts, turn, corrected) if not unsaid else (unsaid, "")
    if said:
        corrected = replace(corrected, clarify=False)
    if corrected.clarify and isinstance(_command_words(turn, parts.policy), str):
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
    asked = Asked(command, Words(words, "correction"), restated, () if unsaid else said, named, unsaid, about=about)
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


def _said_before(parts: Parts, turn: Turn, corrected: Corrected) -> tuple[tuple[str, ...], str]:
    """Messages that told what is to be forgotten, whether or not a memory holds it, and the words that name it."""
    policy = parts.policy
    if any(r.rule == EVERYTHING for r in corrected.reasons):
        return (), ""
    heard = hear_command(_command_words(turn, policy), policy)
    if corrected.command is Command.FORGET:
        last = next((m for m in reversed(turn.history) if m.role == "user"), None)
        mine = corrected.clarify or re.search(policy.remember.correct.just_said, turn.text.lower())
        return ((last.message_id,), last.text) if last is not None and mine else ((), "")
    named = heard.named or ""
    words = told_words(named, policy)
    if corrected.command is not Command.FORGET_TARGET or not named:
        return (), ""
    hits = _turns_about(parts, turn, named)
    meant = _meant(parts, turn, named, turn.memories)
    sources = {i for m in turn.memories if m.memory_id in meant for i in m.source_message_ids}
    found = [
        h.id
        for h in hits
        if h.id in meant or h.id in sources or (words and 2 * len(words & told_words(h.text, policy)) >= len(words))
    ]
    return (*found, *_going_on(turn, found, policy)), named


def _turns_about(parts: Parts, turn: Turn, named: str) -> tuple[Found, ...]:
    return find(
        parts,
        Scope(*turn.scope),
        named,
        k=parts.policy.recall.answers_by_words,
        at=turn.at,
        kinds=(TURN,),
        speaker="user",
        exclude_message_ids=(turn.incoming.message_id,),
    )


def _meant(parts: Parts, turn: Turn, named: str, memories: Iterable[MemoryRecord]) -> frozenset[str]:
    """Memories and messages that the words surely mean; where none is sure, the likeliest.

    The message that the search finds first is meant too where it holds most of the words that any holds.
    """
    limits, words = parts.policy.changes, told_words(named, parts.policy)
    held = [m for m in memories if m.status is MemoryStatus.ACTIVE]
    hits = _turns_about(parts, turn, named)
    said = {h.id: h.text for h in hits} | {m.memory_id: f"{m.memory_value} {m.statement or ''}" for m in held}
    named_in = {
        i: held_in(words, told_words(text, parts.policy) | set(tokens(text.lower()))) for i, text in said.items()
    }
    shared = [len(named_in[h.id]) for h in hits]
    first = {hits[0].id} if shared and shared[0] == max(shared) > 0 else set()
    chances = meant_by_words(parts, turn, named, held, hits)
    there = [m for m in held if first & set(m.source_message_ids) and len(m.source_message_ids) == 1]
    first |= {m.memory_id for m in of_these_words(there, words, chances)}
    sure = {i for i, c in chances.items() if c >= limits.forget_sure}
    naming = {i for i, there_named in named_in.items() if there_named}
    if words and any(named_in[i] == words for i in naming):
        sure &= naming  # what is named in so many words is meant, and nothing else
    likeliest_said = max(hits, key=lambda h: (chances.get(h.id, 0.0), h.id)).id if hits else ""
    # Of messages that hold none of the words only the likeliest is meant: a wish means one thing.
    sure -= {h.id for h in hits} - naming - {likeliest_said}
    best = max(chances, key=lambda i: (chances[i], i), default="")
    likeliest = {best} if best and chances[best] >= limits.forget_at else set()
    return frozenset(sure | first or likeliest)


def _going_on(turn: Turn, found: Sequence[str], policy: Policy) -> tuple[str, ...]:
    """ "She's 6", said right after what is to be forgotten, tells of the same one and goes with it."""
    own = [m for m in turn.history if m.role == "user"]
    out: list[str] = []
    for before, after in pairwise(own):
        leans = not set(after.text.lower().replace("’", "'").split()).isdisjoint(policy.reader.they)
        if leans and (before.message_id in found or before.message_id in out) and after.message_id not in found:
            out.append(after.message_id)
    return tuple(out)


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
    if re.search(parts.policy.remember.correct.just_said, turn.text.lower()):
        shown = ()  # their own words are meant, not what the reply brought up
    said = _command_words(turn, parts.policy)
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
    )
    return _with_words(done, turn, parts.policy)


def _command_words(turn: Turn, policy: Policy) -> Wording | str:
    said, language = turn.read.wording, turn.read.language
    pointing = pointing_wish(said, language, policy)
    if pointing and _was_told(turn, hear_command(pointing, policy).named or "", policy):
        return pointing
    return command_words(said, language, turn.read.vector, policy)


def _was_told(turn: Turn, named: str, policy: Policy) -> bool:
    """Some earlier words of the user hold half of it."""
    words = told_words(named, policy)
    told = [*(m.text for m in turn.history if m.role == "user"), *(m.statement or "" for m in turn.memories)]
    return bool(words) and any(2 * len(words & told_words(text, policy)) >= len(words) for text in told)


def _asked_for(
    parts: Parts, turn: Turn, said: Wording | str, memories: Sequence[MemoryRecord]
) -> list[MemoryRecord]:
    """ "Forget how much I earn" names no word of the memory; asked as a question it leads there."""
    policy = parts.policy
    heard = hear_command(said, policy)
    may = tentative(said, policy) if isinstance(said, Wording) and heard.command is Command.NONE else []
    heard = may[0] if may else heard
    if heard.command is not Command.FORGET_TARGET or not heard.named:
        return []
    question = f"{heard.named}?"
    asks = read(question, policy, vector=vector_of(parts, question)).asks
    sure = [a for a in asks if a.attribute not in (ANY, WHO, WHEN, HISTORY)]
    with parts.store.read() as session:
        held = session.memories_by_attribute(*turn.scope, [a.attribute for a in sure]) if sure else []
    known = {m.memory_id for m in memories}
    found = [m for m, named in fitting(sure, held, policy) if named == 1 and m.memory_id in known]
    found = _named_in(found, heard.named, policy)
    found = found if len(found) <= policy.changes.forget_most else []
    meant = _meant(parts, turn, heard.named, memories) if not may else ()
    return list({m.memory_id: m for m in (*found, *(m for m in memories if m.memory_id in meant))}.values())


def _named_in(found: Sequence[MemoryRecord], named: str, policy: Policy) -> list[MemoryRecord]:
    """Of what lies on the side of a life that is asked for, what holds a word of the wish; else all of it."""
    words = told_words(named, policy)
    holding = [m for m in found if held_in(words, told_words(f"{m.memory_value} {m.statement or ''}", policy))]
    return holding or list(found)


def _with_words(done: Corrected, turn: Turn, policy: Policy) -> Corrected:
    """What was only said is forgotten too: it leaves a mark that keeps it from coming back."""
    if not turn.asked.said:
        return done
    made = forgotten_words(turn.asked.named, turn.asked.said, turn.incoming.message_id, turn.at, policy)
    if made is None:
        return done
    return replace(done, memories=(*done.memories, made[0]), events=(*done.events, made[1]), clarify=False)
