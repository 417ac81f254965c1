"""What an agent decided: kept beside what the user told, once, and recalled without its near-identical fellows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from clew.engine.parts import Parts
from clew.engine.turn_state import Turn
from clew.kernel.keep.decided import ATTRIBUTE, as_candidate, decided
from clew.kernel.language.packs import language_of
from clew.kernel.read.utterance import sentences_of
from clew.model.decision import Worked
from clew.model.memory import Candidate, MemoryRecord
from clew.model.notes import DecidedNote, DecideNote
from clew.model.verdict import Reason
from clew.policy import Policy
from clew.ports.store import Session


def with_decisions(parts: Parts, turn: Turn, reply: str, worked: Worked) -> Turn:
    """An explicit record always counts; otherwise the frame, the tools and the words of the answer decide."""
    found: list[tuple[str, str]] = list(worked.recorded)
    reasons: list[Reason] = [Reason("decide.explicit", text) for text, _ in found]
    if not found and reply and not turn.unrecorded:
        text, why = decided(worked.frame, worked.tools, _sentences(reply, parts.policy), parts.policy)
        reasons.append(why)
        if text is not None:
            found.append((text, ""))
    if not reasons:
        return turn
    with parts.store.read() as session:
        held = held_decisions(session, turn.scope, parts.policy)
    made: list[Candidate] = []
    for text, outcome in found:
        candidate = as_candidate(text, outcome, held, turn.at, parts.policy)
        if candidate is not None:
            made.append(candidate)
    turn.notes.add(DecideNote(tuple(DecidedNote(c.key, c.value) for c in made), tuple(reasons)))
    return replace(turn, found=replace(turn.found, candidates=(*turn.found.candidates, *made)))


def held_decisions(session: Session, scope: tuple[str, str], policy: Policy) -> list[MemoryRecord]:
    return session.memories_by_attribute(*scope, [ATTRIBUTE], most=policy.remember.records.decisions_most)


def _sentences(reply: str, policy: Policy) -> Sequence[str]:
    return [s.text for s in sentences_of(reply[: policy.language.read_characters], language_of(reply, policy), policy)]
