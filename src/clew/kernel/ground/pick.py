"""Follow-ups to a list that a conversation has shown: what is picked, and what a message does with it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from clew.kernel.ground.drive import drive
from clew.kernel.ground.options import OptionSet
from clew.kernel.ground.tiebreak import resolve
from clew.kernel.ground.turn import Turn
from clew.kernel.ground.verdict import Deed
from clew.model.continuity import ContinuityState, Scope, option_set_id
from clew.model.evidence import Act, Candidate, Outcome
from clew.model.verdict import Reason
from clew.policy.ground import GroundPolicy

_HERE = Scope("chat", "list")


@dataclass(frozen=True, slots=True)
class Pick:
    """`choice_id` is None unless exactly one was meant; `matches` are those that may be meant."""

    choice_id: str | None
    # What to do with it, as said: "forget", "open"; None when only the choice was named.
    verb: str | None
    act: Act
    reason: str
    matches: tuple[str, ...] = ()


def pick(
    text: str,
    candidates: Sequence[Candidate],
    policy: GroundPolicy,
    *,
    offered: str | None = None,
    last: str | None = None,
    rejected: Iterable[str] = (),
) -> Pick:
    """The item of a listed set that a follow-up means, and the verb that goes with it.

    `offered` was put forward by the assistant and waits for a yes; `last` is the one acted on
    before, which "it" and "the other one" point at but "great, thanks" does not.
    """
    options = OptionSet(tuple(candidates))
    shown = option_set_id(_HERE, options.ids)
    state = ContinuityState(last_accepted=last, rejected=tuple(rejected), option_set_id=shown, scope=_HERE)
    turn = Turn(text, options, state, _HERE, shown, offered=(offered,) if offered else ())
    found = resolve(turn, policy)
    ids = tuple(options.candidates[p].id for p in found.matches)
    chosen = options.candidates[found.winner].id if found.winner is not None else None
    reason = found.rule if found.blocked is None else f"{found.rule}: {found.blocked}"
    return Pick(chosen, found.verb, found.act, reason, ids)


@dataclass(frozen=True, slots=True)
class Understood:
    """What a follow-up does, in order, and what is to be done now."""

    acts: tuple[Deed, ...]
    # To be acted on with `verb`, in this order; empty when nothing was clearly chosen.
    choice_ids: tuple[str, ...]
    verb: str | None
    # What to ask back, if anything.
    question: str | None
    outcome: Outcome
    reasons: tuple[Reason, ...]


def understand(
    text: str,
    candidates: Sequence[Candidate],
    policy: GroundPolicy,
    *,
    last_assistant_text: str | None = None,
    offer: str | None = None,
    last: str | None = None,
    destructive: tuple[str, ...] = (),
) -> Understood:
    """One message against one list, with no state to keep: the acts in order, each with its choices.

    `offer` is the candidate put forward in `last_assistant_text`; `last` the one acted on or asked about before.
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
        destructive=destructive,
    )
    verdict = drive(turn, policy, lambda ask: None)
    return Understood(
        verdict.acts,
        verdict.choice_ids,
        verdict.verb,
        verdict.clarifier.text if verdict.clarifier else None,
        verdict.outcome,
        verdict.reasons,
    )
