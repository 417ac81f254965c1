"""The turn, from a message to a stored reply: one line per room, no rule inside.

The claim writes only a lease. Nothing is held open while the writer thinks.
Everything the turn changes is written together at the end, or not at all.
"""

from __future__ import annotations

from clew.engine.arranging import arrange
from clew.engine.claim import claim, kept_on_failure
from clew.engine.correcting import heed
from clew.engine.failures import steadily
from clew.engine.findable import findable
from clew.engine.keeping import gather
from clew.engine.looking import admit, look, stand
from clew.engine.parts import Parts, one_thread
from clew.engine.pointing import ground
from clew.engine.reading import hear, steer, turned_away
from clew.engine.recalling import bring_to_mind
from clew.engine.record import write_back
from clew.engine.writing import write_reply
from clew.model.exchange import Incoming, Outcome


def take_turn(parts: Parts, incoming: Incoming) -> Outcome:
    with one_thread(parts):
        return steadily(parts, incoming, walk)  # what fails unexpectedly is tried again, then set aside


def walk(parts: Parts, incoming: Incoming) -> Outcome:
    incoming = admit(incoming, parts.policy)  # a message that can be stored, its id in one spelling
    turn = look(parts, incoming, parts.clock.now())  # who speaks; answered already?
    if turn.answered:
        return turn.answered

    if not turn.open:
        return turned_away(parts, turn)  # before onboarding is done nothing is kept

    lease = claim(parts, incoming, turn.at)  # exactly once, and from here on never lost
    if isinstance(lease, Outcome):
        return lease

    with kept_on_failure(parts, lease):
        turn = stand(parts, turn)  # what stands, in one read
        turn = hear(parts, turn)  # the message, read once
        turn = steer(parts, turn)  # which pipeline, what may be read and written
        turn = arrange(parts, turn)  # a reminder, or a wish about who writes first
        turn = ground(parts, turn)  # what a follow-up to a shown list points at
        turn = heed(parts, turn)  # a correction in words, if it is one
        turn = bring_to_mind(parts, turn)  # what may be used, and what answers
        turn = gather(parts, turn)  # what may be remembered
        turn = write_reply(parts, turn)  # planned, written, gated
        done = write_back(parts, turn, lease)  # kept, related, woven, stored together
    return findable(parts, done)  # what was said can be found again; nothing here can fail the turn
