"""After the write-back: what was just said is made findable. Derived data, so a failure costs nothing but time."""

from __future__ import annotations

from contextlib import suppress

from clew.engine.histories import keep_up
from clew.engine.parts import Parts
from clew.errors import ClewError
from clew.model.account import Message
from clew.model.exchange import Outcome
from clew.model.transcript import Line
from clew.ports.index import StoredTurn


def findable(parts: Parts, done: Outcome) -> Outcome:
    """The outcome, unchanged: what is missing is made up for when the conversation is next asked."""
    if parts.index is not None and done.reply_id:
        with suppress(ClewError, RuntimeError):
            with parts.store.read() as session:
                said = [session.message(done.message_id), session.message(done.reply_id)]
            turns = [as_turn(message) for message in said if message is not None]
            keep_up(parts.index, done.conversation_id, turns, parts.policy, parts.embedder)
    return done


def as_turn(message: Message) -> StoredTurn:
    line = Line(message.position, message.role, message.text, message.at, message.message_id)
    return StoredTurn(message.position, line)
