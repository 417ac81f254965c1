"""What a question is about: resolved like the object of a request (ruling G27)."""

from __future__ import annotations

from typing import Any

from clew.kernel.ground.hearing import hear
from clew.kernel.ground.options import Positions
from clew.kernel.ground.turn import Turn, focus
from clew.policy.ground import GroundPolicy


def question(turn: Turn, policy: GroundPolicy) -> dict[str, Any]:
    """A plain question leaves with what it is about, when that is one thing."""
    named = _asked_about(turn, policy)
    about = named[0] if len(named) == 1 else focus(turn, policy).position if not named else None
    return {"intent": "question", "about": None if about is None else turn.options.candidates[about].id}


def _asked_about(turn: Turn, policy: GroundPolicy) -> Positions:
    """Labels named whole, else what the words point at."""
    named = tuple(
        dict.fromkeys(p for m in turn.options.mentions(turn.said.words, policy) for p in m.positions)
    )
    if named:
        return named
    pointed = hear(turn, policy).pointed
    return pointed.positions if pointed.how in ("name", "place", "measure") else ()


def unsure(turn: Turn, policy: GroundPolicy) -> Positions:
    """A question about one thing that could be several (ruling G27); a question about them all is no doubt."""
    named = _asked_about(turn, policy)
    plural = frozenset(policy.grammar["plural_asking"])
    if not plural.isdisjoint(turn.said.words) or hear(turn, policy).pointed.several:
        return ()
    if len(named) > 1 and len(named) <= policy.clarifier_candidates:
        return named
    pronoun = frozenset(policy.grammar["asked_pronoun"])
    few = 1 < len(turn.options.candidates) <= policy.clarifier_candidates
    if (
        not named
        and few
        and not pronoun.isdisjoint(turn.said.words)
        and focus(turn, policy).position is None
    ):
        return tuple(range(len(turn.options.candidates)))
    return ()
