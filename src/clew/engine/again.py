"""Another reply to a message that was answered: the newest is the current one.

What the message taught stays as it was, and the bond does not move twice.
"""

from __future__ import annotations

from dataclasses import replace

from clew.engine.histories import cool
from clew.engine.looking import look, stand
from clew.engine.parts import Parts, user_lock
from clew.engine.reading import hear, steer
from clew.engine.recalling import bring_to_mind
from clew.engine.writing import write_reply
from clew.errors import NotFound
from clew.model.account import Message
from clew.model.canonical import derived_id
from clew.model.event import Drop, Event, Put
from clew.model.exchange import Incoming, Outcome
from clew.model.rows import put_message


def regenerate(parts: Parts, message_id: str, generation: int) -> Outcome:
    """`generation` counts from one; the same one gives another seed to the writer than the one before."""
    with parts.store.read() as session:
        said, old = session.message(message_id), session.reply_to(message_id)
    if said is None or old is None:
        raise NotFound(f"no answered message {message_id!r}", pointer="/message_id")
    # A fresh id: the look must not find the old answer, and choices that follow the id come out anew.
    fresh = Incoming(derived_id("again", message_id, generation), said.conversation_id, said.text)
    turn = stand(parts, look(parts, fresh, parts.clock.now()))
    # The reply that is replaced must not be seen by the one who writes the next.
    turn = replace(
        turn,
        history=tuple(m for m in turn.history if m.position < said.position),
        replies=tuple(m for m in turn.replies if m.position < said.position),
    )
    turn = write_reply(parts, bring_to_mind(parts, steer(parts, hear(parts, turn))))
    words = turn.words
    assert words is not None
    reply = replace(
        old, text=words.text, surfaced_memory_ids=words.surfaced, generation=old.generation + 1
    )
    event = Event(
        kind="reply.written",
        at=parts.clock.now(),
        user_id=said.user_id,
        policy=parts.policy.fingerprint,
        message_id=message_id,
        changes=_instead(old, reply),
        note={**words.raw, "generation": generation},
    )
    _written(parts, said.user_id, said.conversation_id, event)
    return Outcome(
        message_id=message_id,
        conversation_id=said.conversation_id,
        reply_id=reply.message_id,
        reply=reply.text,
        pipeline=turn.route.pipeline,
        user_state=turn.user.state,
        surfaced_memory_ids=reply.surfaced_memory_ids,
        trace=turn.notes.body(parts.policy.fingerprint),
    )


def show_reply(parts: Parts, message_id: str, text: str) -> bool:
    """The reply that the user sees is this one, whoever wrote it; True when it was another before."""
    with parts.store.read() as session:
        said, old = session.message(message_id), session.reply_to(message_id)
    if said is None or old is None or " ".join(old.text.split()) == " ".join(text.split()):
        return False
    event = Event(
        kind="reply.shown",
        at=parts.clock.now(),
        user_id=said.user_id,
        policy=parts.policy.fingerprint,
        message_id=message_id,
        changes=_instead(old, replace(old, text=text, generation=old.generation + 1)),
    )
    _written(parts, said.user_id, said.conversation_id, event)
    return True


def _instead(old: Message, new: Message) -> tuple[Drop | Put, ...]:
    """The old reply leaves the conversation and stays in the journal: nobody who writes next sees it."""
    return Drop("messages", {"message_id": old.message_id}), put_message(new)


def _written(parts: Parts, user_id: str, conversation: str, event: Event) -> None:
    with parts.store.write(user_lock(user_id)) as session:
        session.append([event])
    if parts.index is not None:
        cool(parts.index, conversation)
