"""After the write-back: what was said is made findable. Derived data, so a failure costs nothing but time.

A few lines wait for one another: whoever asks brings the conversation up to date first, so nobody misses them.
"""

from __future__ import annotations

from contextlib import suppress

from clew.engine.histories import Keeper
from clew.engine.parts import Parts
from clew.model.exchange import Outcome


def findable(parts: Parts, done: Outcome) -> Outcome:
    """The outcome, unchanged: what is missing is made up for when the conversation is next asked."""
    if parts.index is not None and done.reply_id:
        # Whatever goes wrong here, in the embedder or the database, the answer has been given.
        with suppress(Exception):
            keeper = Keeper(parts.index, done.conversation_id, parts.policy, parts.embedder)
            if keeper.waiting() >= parts.policy.recall.waiting_turns:
                keeper.catch_up(parts.policy.recall.catch_up_turns)
    return done
