"""The turn, from a message to a stored reply: one line per room, no rule inside.

The claim writes only a lease. Nothing is held open while the writer thinks.
Everything the turn changes is written together at the end, or not at all.
"""

from __future__ import annotations

from clew.engine.claim import claim, kept_on_failure
from clew.engine.correction import heed
from clew.engine.failures import steadily
from clew.engine.learning import gather
from clew.engine.listening import listen, steer, turned_away
from clew.engine.notes import Notes
from clew.engine.parts import Parts
from clew.engine.recollection import bring_to_mind
from clew.engine.record import write_back
from clew.engine.remind import findable
from clew.engine.scene import admit, look
from clew.engine.writing import write_reply
from clew.model.exchange import Incoming, Outcome


def take_turn(parts: Parts, incoming: Incoming) -> Outcome:
    return steadily(parts, incoming, walk)  # what fails unexpectedly is tried again, then set aside


def walk(parts: Parts, incoming: Incoming) -> Outcome:
    at, notes = parts.clock.now(), Notes(parts.clock)

    incoming = admit(incoming, parts.policy)  # a message that can be stored, its id in one spelling
    scene = look(parts, incoming, at)  # who speaks, what stands
    if scene.answered:
        return scene.answered

    if not scene.open:
        return turned_away(parts, scene, notes)  # before onboarding is done nothing is kept

    lease = claim(parts, incoming, at)  # exactly once, and from here on never lost
    if isinstance(lease, Outcome):
        return lease

    with kept_on_failure(parts, lease):
        heard = listen(parts, scene, notes)  # what kind of message this is
        route = steer(parts, scene, heard, notes)  # which pipeline, what may be read and written
        asked = heed(parts, scene, route, notes)  # a correction in words, if it is one
        recalled = bring_to_mind(parts, scene, heard, route, notes)  # what may be used
        words = asked.reply or write_reply(
            parts, scene, heard, route, recalled, notes
        )  # planned, written, gated
        found = gather(parts, scene, heard, route, asked, notes)  # what may be remembered
        done = write_back(parts, scene, lease, heard, route, asked, words, found, notes)
    return findable(parts, done)  # what was said can be found again; nothing here can fail the turn
