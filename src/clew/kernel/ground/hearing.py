"""One message heard: what it does, what it points at, and what it was read by."""

from __future__ import annotations

from dataclasses import dataclass

from clew.kernel.ground.acts import read_act
from clew.kernel.ground.network import Weighed, weigh
from clew.kernel.ground.options import Positions
from clew.kernel.ground.point import point
from clew.kernel.ground.pointed import Pointed
from clew.kernel.ground.reader import ACTS, ActsRead, features, read_acts
from clew.kernel.ground.resolution import Resolution
from clew.kernel.ground.rules import by_rules
from clew.kernel.ground.turn import Focus, Turn, focus, open_question
from clew.model.evidence import Act, Said
from clew.policy.ground import GroundPolicy

TAKING = (Said.ACCEPT, Said.CHOOSE, Said.CORRECT)
# What the ladder calls an act that takes nothing.
LADDER = {
    Said.ASK: Act.QUESTION,
    Said.MORE: Act.ALTERNATIVES,
    Said.REJECT: Act.NEGATE,
    Said.NEW: Act.OTHER,
    Said.CLOSE: Act.OTHER,
    Said.UNCLEAR: Act.OTHER,
}


# The whole message is one of these: no reader is asked what it does.
_WHOLE = {
    "ground.label": Said.CHOOSE,
    "ground.stop": Said.REJECT,
    "ground.list_rejection": Said.REJECT,
    "ground.thanks": Said.CLOSE,
    "ground.hesitation": Said.UNCLEAR,
}
_NEVER = -1000


@dataclass(frozen=True, slots=True)
class Heard:
    """One message understood: what it does, and what it points at."""

    read: ActsRead
    pointed: Pointed
    focus: Focus
    # What its words alone say.
    found: Resolution
    # The features that it was read by.
    names: tuple[str, ...] = ()
    # What the network makes of it, where the encoder is at hand.
    weighed: Weighed | None = None

    @property
    def offered(self) -> int | None:
        return self.focus.position if self.focus.offered else None

    def taking(self, meant: Positions) -> int:
        """How far taking leads. "Better mum, dad never looks" refuses the offer, and so takes the other one."""
        beside = self.offered is not None and self.offered not in meant and bool(meant)
        # "not by the window": what is left over was not named.
        named = frozenset(meant) <= frozenset(self.pointed.positions) and self.pointed.how != "left"
        return self.read.lead(*TAKING, Said.REJECT) if beside and named else self.read.lead(*TAKING)


def hear(turn: Turn, policy: GroundPolicy) -> Heard:
    """Read once per turn: several steps of the ladder ask, for the whole message and for parts of it."""
    here = focus(turn, policy)
    asked = (
        turn.text, turn.last_assistant_text, here, open_question(turn), id(policy), turn.meanings is None,
        turn.continuity, turn.scope, turn.option_set_id,
    )  # fmt: skip
    known = turn.options.heard
    heard: Heard | None = next((understood for before, understood in known if before == asked), None)
    if heard is None:
        heard = _hear(turn, here, policy)
        known.append((asked, heard))
    return heard


def _settled(found: Resolution) -> Said | None:
    """What a message does that is nothing but a name, a stop, thanks or a hesitation."""
    if found.rule == "ground.label" and found.winner is None:
        return None
    return Said.MORE if found.rule == "ground.stop" and found.act is Act.ALTERNATIVES else _WHOLE.get(found.rule)


def _asked(turn: Turn, policy: GroundPolicy) -> str | None:
    said = turn.last_assistant_text or None
    return said and said[-policy.reader.characters :]


def _hear(turn: Turn, here: Focus, policy: GroundPolicy) -> Heard:
    offered = here.position if here.offered else None
    # A follow-up is short: of a wall of text the beginning is read closely.
    text, asked = turn.text[: policy.reader.characters], _asked(turn, policy)
    question = open_question(turn)
    among = tuple(turn.options.position[i] for i in question.shown if i in turn.options.position) if question else ()
    among = among if 1 < len(among) < len(turn.options.candidates) else ()
    pointed = point(text, turn.options, here.position, policy, asked, among)
    found = by_rules(turn, policy)
    if (act := _settled(found)) is not None:
        return Heard(ActsRead((act,), tuple(0 if a is act else _NEVER for a in ACTS)), pointed, here, found)
    if turn.meanings is not None and len(turn.options.candidates) <= policy.pointing.close_reading:
        with turn.meanings.one_thread():
            weighed = weigh(text, turn.options, offered, asked, pointed, found, turn.meanings, policy)
        if weighed is not None:
            return Heard(weighed.read, pointed, here, found, weighed=weighed)
    names = tuple(features(text, turn.options, offered, asked, pointed, read_act(text, policy), policy))
    return Heard(read_acts(names, policy.reader), pointed, here, found, names)
