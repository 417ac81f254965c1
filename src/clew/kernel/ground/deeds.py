"""The acts of a message in order, each with what it is about, in line with what was decided (ruling G25)."""

from __future__ import annotations

from clew.kernel.ground.hearing import TAKING, Heard
from clew.kernel.ground.turn import Turn
from clew.kernel.ground.verdict import Deed, Verdict
from clew.model.evidence import Act, GroundOutcome, Said
from clew.policy.ground import GroundPolicy

_LEGACY = {Act.QUESTION: Said.ASK, Act.ALTERNATIVES: Said.MORE, Act.NEGATE: Said.REJECT}
_HINT = {Said.ASK, Said.REJECT, Said.UNCLEAR}


def deeds(turn: Turn, verdict: Verdict, heard: Heard | None, policy: GroundPolicy) -> tuple[Deed, ...]:
    """What was executed is accepted or chosen, with its id; what could mean several things is unclear."""
    if heard is None:
        return (Deed(_LEGACY.get(verdict.act, Said.UNCLEAR)),)
    read = list(heard.read.acts)
    if verdict.outcome is GroundOutcome.EXECUTE:
        taken = verdict.choice_ids or ((verdict.choice_id,) if verdict.choice_id else ())
        first = _taking(turn, taken, heard)
        rest = [a for a in read if a not in TAKING and a is not Said.UNCLEAR]
        if read[0] is Said.REJECT and (len(read) > 1 or first is not Said.ACCEPT):
            # "no the newest" refuses the offer, and takes another.
            offered = _ids(turn, heard.offered)
            return (Deed(Said.REJECT, offered), Deed(Said.CHOOSE if first is Said.CORRECT else first, taken))
        before = [Deed(a) for a in rest[:1] if read[0] is a and a is Said.CLOSE]
        after = [
            Deed(a, _about(a, turn, heard)) for a in rest if Deed(a) not in before and a is not Said.REJECT
        ]
        return (*before, Deed(first, taken), *after)
    out: list[Deed] = []
    several_meant = len(heard.pointed.positions) > 1 and not heard.pointed.several
    for act in read:
        said = Said.UNCLEAR if act in TAKING and several_meant else act
        if said not in [d.act for d in out]:
            out.append(Deed(said, _about(said, turn, heard)))
    return tuple(out)


def _taking(turn: Turn, taken: tuple[str, ...], heard: Heard) -> Said:
    if heard.offered is not None and taken == _ids(turn, heard.offered):
        return Said.ACCEPT
    return Said.CORRECT if heard.read.acts[0] is Said.CORRECT else Said.CHOOSE


def _about(act: Said, turn: Turn, heard: Heard) -> tuple[str, ...]:
    """A question is about what it names, or about what is on offer; a refusal about what it denies or the offer."""
    pointed = heard.pointed
    if act not in _HINT:
        return ()
    if act is Said.REJECT:
        named = pointed.excluded or ((heard.offered,) if heard.offered is not None else pointed.positions)
    else:
        named = pointed.positions or ((heard.offered,) if heard.offered is not None else ())
    return tuple(turn.options.candidates[p].id for p in named if p is not None)


def _ids(turn: Turn, position: int | None) -> tuple[str, ...]:
    return () if position is None else (turn.options.candidates[position].id,)
