"""What the learned reader may change: it vetoes an execution, and lifts a clear acceptance or choice (ruling G24).

Rules and plain readings hold: a whole label, a stop word or a scope cue is never overturned here.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from clew.kernel.ground.acts import read_act
from clew.kernel.ground.options import Positions
from clew.kernel.ground.phrases import split
from clew.kernel.ground.point import Pointed, point
from clew.kernel.ground.reader import ActsRead, read_acts
from clew.kernel.ground.resolution import Resolution
from clew.kernel.ground.turn import Focus, Turn, after_failure, focus
from clew.model.evidence import Act, Said
from clew.policy.ground import GroundPolicy

TAKING = (Said.ACCEPT, Said.CHOOSE, Said.CORRECT)
# Named whole, or blocked by something that words cannot lift.
_FIRM = frozenset(
    {
        "ground.label",
        "ground.label_told_apart",
        "ground.label_not_rejected",
        "ground.stop",
        "ground.hesitation",
        "ground.list_rejection",
        "ground.scope_cue",
        "ground.noise",
        "ground.confirms_retry",
        "ground.too_many_candidates",
    }
)
_LEGACY = {
    Said.ASK: Act.QUESTION,
    Said.MORE: Act.ALTERNATIVES,
    Said.REJECT: Act.NEGATE,
    Said.NEW: Act.OTHER,
    Said.CLOSE: Act.OTHER,
    Said.UNCLEAR: Act.OTHER,
}


@dataclass(frozen=True, slots=True)
class Heard:
    """One message understood: what it does, and what it points at."""

    read: ActsRead
    pointed: Pointed
    focus: Focus

    @property
    def offered(self) -> int | None:
        return self.focus.position if self.focus.offered else None


def hear(turn: Turn, policy: GroundPolicy) -> Heard:
    here = focus(turn, policy)
    offered = here.position if here.offered else None
    pointed = point(turn.text, turn.options, here.position, policy)
    reading = read_act(turn.text, policy)
    read = read_acts(
        turn.text, turn.options, offered, turn.last_assistant_text, pointed, reading, policy
    )
    return Heard(read, pointed, here)


def advise(turn: Turn, found: Resolution, heard: Heard, policy: GroundPolicy) -> Resolution:
    if found.rule in _FIRM:
        return found
    if found.winner is not None:
        return _doubted(turn, found, heard, policy)
    return _lifted(turn, found, heard, policy)


def _doubted(turn: Turn, found: Resolution, heard: Heard, policy: GroundPolicy) -> Resolution:
    """An execution by rule stands unless the reader is sure that nothing was taken, or that another was."""
    read, pointed = heard.read, heard.pointed
    if heard.offered is not None and found.winner != heard.offered and _quantity(turn, found, policy):
        # "sure, I'll take two": how many, not which.
        if read.lead(Said.ACCEPT) < 0:
            both = tuple(p for p in (heard.offered, found.winner) if p is not None)
            return replace(found, winner=None, matches=both, blocked="ambiguous_number")
        return replace(found, winner=heard.offered, matches=(heard.offered,), rule="ground.quantity")
    if pointed.winner is not None and pointed.winner != found.winner and pointed.strength >= 3:
        if found.rule == "ground.ordinal" and pointed.how == "name":
            # "export first" names one; first is when.
            return replace(found, winner=pointed.winner, matches=pointed.positions, rule="ground.pointed.name")
        if found.rule in ("ground.acceptance", "ground.deictic_inside", "ground.transaction", "ground.presupposed"):
            both = tuple(p for p in (pointed.winner, found.winner) if p is not None)
            return replace(found, winner=None, matches=both, rule="ground.reader.veto", blocked="names_another")
    if read.lead(*TAKING) < -policy.reader.veto:
        return _vetoed(found, read)
    return found


def _quantity(turn: Turn, found: Resolution, policy: GroundPolicy) -> bool:
    """A plain number beside an offer counts pieces; "number two", 2번 and "the second" count along the list."""
    said = split(turn.text)
    ranks = {*policy.grammar["number_noun"], "the"}
    plain = any(t in policy.grammar["cardinal"] or t.isdigit() for t in said)
    return found.rule == "ground.ordinal" and plain and ranks.isdisjoint(said)


def _vetoed(found: Resolution, read: ActsRead) -> Resolution:
    act = read.acts[0]
    if act in TAKING:
        act = Said.UNCLEAR
    blocked = "nothing_offered" if act in (Said.CLOSE, Said.NEW) else "not_consent"
    matches = found.matches if act is Said.UNCLEAR else ()
    return Resolution(_LEGACY[act], "ground.reader.veto", None, matches, blocked, verb=found.verb)


def _lifted(turn: Turn, found: Resolution, heard: Heard, policy: GroundPolicy) -> Resolution:
    read, pointed = heard.read, heard.pointed
    if pointed.positions and _chosen(read, pointed, "?" in turn.text, policy):
        if pointed.winner is not None:
            gone = _gone(turn, pointed.excluded)
            return Resolution(
                Act.SELECT, f"ground.pointed.{pointed.how}", pointed.winner, pointed.positions,
                rejected=gone, verb=found.verb,
            )  # fmt: skip
        if pointed.several:
            return Resolution(
                Act.SELECT, f"ground.pointed.{pointed.how}", pointed.positions[0], pointed.positions,
                rejected=_gone(turn, pointed.excluded), verb=found.verb, several=True,
            )  # fmt: skip
    if _accepted(turn, heard, policy):
        return Resolution(
            Act.SELECT, "ground.reader.accepts", heard.offered, (heard.offered or 0,), verb=found.verb
        )
    return found


def _gone(turn: Turn, excluded: Positions) -> tuple[str, ...]:
    return tuple(turn.options.candidates[p].id for p in excluded)


def _chosen(read: ActsRead, pointed: Pointed, asked: bool, policy: GroundPolicy) -> bool:
    """The more words fit nothing on the list, the surer the reader must be."""
    need = policy.reader.lift_choice + policy.reader.per_foreign * len(pointed.foreign)
    if pointed.strength < 3:
        need += policy.reader.per_foreign
    if asked:
        need += policy.reader.asked
    if pointed.several:
        need += policy.reader.several
    return read.lead(*TAKING) >= need


def _accepted(turn: Turn, heard: Heard, policy: GroundPolicy) -> bool:
    read, pointed = heard.read, heard.pointed
    if heard.offered is None or read.acts[0] is not Said.ACCEPT or after_failure(turn, policy):
        return False
    if heard.offered in pointed.excluded or (pointed.positions and heard.offered not in pointed.positions):
        return False
    return read.lead(Said.ACCEPT) >= policy.reader.lift + policy.reader.per_foreign * len(pointed.foreign)
