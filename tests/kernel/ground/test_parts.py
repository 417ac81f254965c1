"""One part of a message takes what the whole most likely means, if a choice comes last."""

from __future__ import annotations

import pytest

from clew.kernel.ground.hearing import hear
from clew.kernel.ground.network import Weighed
from clew.kernel.ground.networked import by_network
from clew.kernel.ground.options import OptionSet
from clew.kernel.ground.reader import ACTS, ActsRead
from clew.kernel.ground.resolution import Resolution
from clew.kernel.ground.turn import Turn
from clew.model.continuity import ContinuityState, Scope
from clew.model.evidence import Act, Candidate, Said
from clew.policy import default

SHEDS = OptionSet((Candidate("a", "Cedar shed"), Candidate("b", "Greenhouse"), Candidate("c", "Carport")))


@pytest.mark.parametrize(
    ("text", "chance", "taken"),
    [
        ("a carport in this wind, dear me", 0.4, False),
        ("a carport in this wind, dear me", 0.75, True),
        ("cedar is for the rich. carport", 0.4, True),
    ],
)
def test_what_is_named_first_and_then_remarked_on_needs_more(text: str, chance: float, taken: bool) -> None:
    policy, scope = default().ground, Scope("chat", "room-1")
    turn = Turn(text, SHEDS, ContinuityState(option_set_id="set", scope=scope), scope, "set", nothing_offered=True)
    acts = tuple(float(act is Said.UNCLEAR) for act in ACTS)
    weighed = Weighed((0, 1, 2), (0.05, 0.05, chance), (0.0, 0.0, 0.0), ActsRead((Said.UNCLEAR,), (0,) * len(ACTS)), acts)

    def alone(part: str) -> Resolution:
        named = "carport" in part
        return Resolution(Act.SELECT if named else Act.OTHER, "ground.described", 2 if named else None, (2,) if named else ())

    found = by_network(turn, hear(turn, policy), weighed, policy, alone)
    assert (found.winner == 2) is taken
