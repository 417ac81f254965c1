"""A message that somebody else answers: read, routed, learned from, stored; no reply is written.

The same walk as the turn, without the rooms that write. The bond stays as it is.
"""

from __future__ import annotations

from dataclasses import replace

from clew.engine.claim import claim, kept_on_failure
from clew.engine.correcting import heed
from clew.engine.deciding import with_decisions
from clew.engine.failures import steadily
from clew.engine.findable import findable
from clew.engine.keeping import gather
from clew.engine.looking import admit, look, stand
from clew.engine.parts import Parts
from clew.engine.reading import hear, steer
from clew.engine.record import write_back
from clew.engine.turn_state import Words
from clew.errors import NotReady
from clew.model.decision import Worked
from clew.model.exchange import Incoming, Outcome
from clew.model.notes import GateNote
from clew.model.turn import UpdatePolicy


def observe(parts: Parts, incoming: Incoming, reply: str = "", worked: Worked | None = None) -> Outcome:
    """`worked`: how an agent came to the reply; what it decided is kept beside what the message tells."""
    return steadily(parts, incoming, lambda p, i: _walk(p, i, reply, worked or Worked()))


def _walk(parts: Parts, incoming: Incoming, reply: str, worked: Worked) -> Outcome:
    incoming = admit(incoming, parts.policy)
    turn = look(parts, incoming, parts.clock.now())
    if turn.answered:
        return turn.answered
    if not turn.open:
        raise NotReady("onboarding is not finished", missing=turn.missing)
    lease = claim(parts, incoming, turn.at)
    if isinstance(lease, Outcome):
        return lease
    with kept_on_failure(parts, lease):
        turn = steer(parts, hear(parts, stand(parts, turn)))
        turn = replace(turn, decision=replace(turn.route, relationship_update_policy=UpdatePolicy.OFF))
        turn = with_decisions(parts, gather(parts, heed(parts, turn)), reply, worked)
        turn.notes.add(GateNote("observed"))
        done = write_back(parts, replace(turn, words=Words(reply, "observed")), lease)
    return findable(parts, done)
