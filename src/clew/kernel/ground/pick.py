"""A follow-up to a list that a conversation has shown: what the message does, and what with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from clew.kernel.ground.drive import drive
from clew.kernel.ground.hearing import hear
from clew.kernel.ground.options import OptionSet
from clew.kernel.ground.tiebreak import resolve
from clew.kernel.ground.turn import Turn
from clew.kernel.ground.verdict import Deed
from clew.kernel.read.meanings import Meanings
from clew.model.continuity import ContinuityState, Scope, option_set_id
from clew.model.evidence import Candidate, GroundOutcome
from clew.model.verdict import Reason
from clew.policy.ground import GroundPolicy

_HERE = Scope("chat", "list")


@dataclass(frozen=True, slots=True)
class Understood:
    """What a follow-up does, in order, and what is to be done now."""

    acts: tuple[Deed, ...]
    # To be acted on with `verb`, in this order; empty when nothing was clearly chosen.
    choice_ids: tuple[str, ...]
    verb: str | None
    # What to ask back, if anything.
    question: str | None
    outcome: GroundOutcome
    reasons: tuple[Reason, ...]
    # Those that may be meant, whether or not one was chosen.
    matches: tuple[str, ...] = ()
    # What the words leave out: "all but the first".
    excluded: tuple[str, ...] = ()


def understand(
    text: str,
    candidates: Sequence[Candidate],
    policy: GroundPolicy,
    *,
    last_assistant_text: str | None = None,
    offer: str | None = None,
    last: str | None = None,
    destructive: tuple[str, ...] | None = (),
    meanings: Meanings | None = None,
) -> Understood:
    """One message against one list, with no state to keep: the acts in order, each with its choices.

    `offer` is the candidate put forward in `last_assistant_text`; `last` the one acted on or asked about before.
    Verbs in `destructive` are asked about first, as are the policy's for several things at once; None asks nothing,
    for whoever can take back what was done.
    """
    options = OptionSet(tuple(candidates))
    shown = option_set_id(_HERE, options.ids)
    state = ContinuityState(last_accepted=last, option_set_id=shown, scope=_HERE)
    turn = Turn(
        text,
        options,
        state,
        _HERE,
        shown,
        offered=(offer,) if offer else (),
        last_assistant_text=last_assistant_text,
        nothing_offered=offer is None,
        destructive=destructive or (),
        undoable=destructive is None,
        meanings=meanings,
    )
    verdict = drive(turn, policy, lambda ask: None)
    return Understood(
        verdict.acts,
        verdict.choice_ids,
        verdict.verb,
        verdict.clarifier.text if verdict.clarifier else None,
        verdict.outcome,
        verdict.reasons,
        tuple(options.candidates[p].id for p in resolve(turn, policy).matches),
        tuple(options.candidates[p].id for p in hear(turn, policy).pointed.excluded),
    )
