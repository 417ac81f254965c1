"""A message that somebody else answers: heard, routed, learned from, stored; no reply is written.

The same walk as the turn, without the rooms that write. The bond stays as it is.
"""

from __future__ import annotations

from dataclasses import replace

from clew.engine.claim import claim, kept_on_failure
from clew.engine.correcting import heed
from clew.engine.keeping import gather
from clew.engine.looking import admit, look
from clew.engine.notes import Notes
from clew.engine.parts import Parts
from clew.engine.reading import listen, steer
from clew.engine.record import write_back
from clew.engine.writing import Words
from clew.errors import NotReady
from clew.model.exchange import Incoming, Outcome
from clew.model.turn import UpdatePolicy


def observe(parts: Parts, incoming: Incoming, reply: str = "") -> Outcome:
    at, notes = parts.clock.now(), Notes(parts.clock)
    scene = look(parts, admit(incoming, parts.policy), at)
    if scene.answered:
        return scene.answered
    if not scene.open:
        raise NotReady("onboarding is not finished", missing=scene.missing)
    lease = claim(parts, incoming, at)
    if isinstance(lease, Outcome):
        return lease
    with kept_on_failure(parts, lease):
        heard = listen(parts, scene, notes)
        route = replace(steer(parts, scene, heard, notes), relationship_update_policy=UpdatePolicy.OFF)
        asked = heed(parts, scene, route, notes)
        found = gather(parts, scene, heard, route, asked, notes)
        notes.room("gate", path="observed")
        return write_back(parts, scene, lease, heard, route, asked, Words(reply, "observed"), found, notes)
