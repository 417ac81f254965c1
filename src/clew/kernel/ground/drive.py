"""The ladder walked to its end, each of its requests answered by the caller."""

from __future__ import annotations

from collections.abc import Callable

from clew.kernel.ground.ladder import walk
from clew.kernel.ground.loop import Ask, Reply
from clew.kernel.ground.turn import Turn
from clew.kernel.ground.verdict import Verdict
from clew.policy.ground import GroundPolicy


def drive(turn: Turn, policy: GroundPolicy, reply: Callable[[Ask], Reply]) -> Verdict:
    """Walk the ladder, answering each request with `reply`."""
    steps = walk(turn, policy)
    answer: Reply = None
    try:
        ask = next(steps)
        while True:
            answer = reply(ask)
            ask = steps.send(answer)
    except StopIteration as done:
        verdict: Verdict = done.value
        return verdict
