"""The deterministic resolver: a winner when every gate is open, otherwise the reason it is not (Step 3)."""

from __future__ import annotations

from dataclasses import replace

from clew.kernel.ground.acts import read_act
from clew.kernel.ground.advise import advise
from clew.kernel.ground.canonical import canonical
from clew.kernel.ground.hearing import hear
from clew.kernel.ground.holding import held_open
from clew.kernel.ground.mixed import beside_questions
from clew.kernel.ground.resolution import Resolution
from clew.kernel.ground.turn import Turn, open_question, stale
from clew.model.evidence import Act
from clew.policy.ground import GroundPolicy

_ASKS = frozenset({"ground.act.asks", "ground.act.praises_and_asks", "ground.chooser.veto"})
# One thing is named, counted or measured.
_NAMING = ("ground.pointed.", "ground.label", "ground.ordinal", "ground.described")


def resolve(turn: Turn, policy: GroundPolicy) -> Resolution:
    heard = hear(turn, policy)
    found = _gated(advise(turn, heard, policy), turn)
    if heard.names:
        found = _read_in_parts(turn, found, policy)
    verb = found.verb or canonical(turn.text, policy).verb or _kept_verb(found, turn)
    return replace(found, verb=verb)


def _read_in_parts(turn: Turn, found: Resolution, policy: GroundPolicy) -> Resolution:
    """Without the encoder a message is read again without what is asked or said beside the choice."""
    if found.winner is None and found.act is Act.QUESTION and found.rule in _ASKS:
        found = _chosen_beside(turn, policy) or found
    heard = hear(turn, policy)
    if found.winner is None and (chosen := heard.pointed.chosen) and not held_open(turn, heard, policy):
        # "the blue one pls, it's for camping": what is left without the reason names one thing.
        found = _named_in(turn, chosen, policy) or found
    return found


def _chosen_beside(turn: Turn, policy: GroundPolicy) -> Resolution | None:
    """What is chosen beside a question is chosen (ruling G25); praise is no choice unless it has the last word."""
    beside = beside_questions(read_act(turn.text, policy), policy)
    if beside is None:
        return None
    return _named_in(turn, beside.text, policy, praise=beside.last)


def _named_in(turn: Turn, text: str, policy: GroundPolicy, praise: bool = False) -> Resolution | None:
    """What a part of the message takes when it is all that was said."""
    alone = replace(turn, text=text)
    found = _gated(advise(alone, hear(alone, policy), policy), alone)
    return found if found.winner is not None and (praise or found.rule.startswith(_NAMING)) else None


def _kept_verb(found: Resolution, turn: Turn) -> str | None:
    """The answer to "which one?" keeps the verb of the request it answers."""
    question = open_question(turn)
    return question.verb if question is not None and found.winner is not None else None


def _gated(found: Resolution, turn: Turn) -> Resolution:
    """Safe = all gates true (ruling G15)."""
    if found.winner is None:
        return found
    candidate = turn.options.candidates[found.winner]
    why = stale(turn)
    if candidate.id in turn.options.blocked:
        why = "candidate_not_executable"
    elif why is None and turn.guard is not None and turn.guard.target == candidate.id:
        why = "loop_guard_same_cycle"
    if why is None:
        return found
    return replace(found, winner=None, matches=(found.winner,), blocked=why)
