"""Exactly once: a message is answered by one holder of its lease (turn-pipeline §1.1, rulings P29, P36)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta

from clew.engine.failures import Failure, carried, recorded, under_way, unexpected
from clew.engine.parts import Parts
from clew.errors import MessageReused, TurnFailed, TurnInProgress
from clew.model.account import Lease, Message
from clew.model.exchange import Incoming, Outcome
from clew.model.profile import UserState
from clew.model.turn import Pipeline
from clew.ports.store import Session


def stored_outcome(session: Session, incoming: Incoming) -> Outcome | None:
    """The reply that was given to this message, unchanged."""
    message = session.message(incoming.message_id)
    if message is None:
        return None
    _same_message(message, incoming)
    reply = session.reply_to(incoming.message_id)
    trace = session.trace(incoming.message_id)
    body = trace.body if trace else {}
    return Outcome(
        message_id=message.message_id,
        conversation_id=message.conversation_id,
        reply_id=reply.message_id if reply else None,
        reply=reply.text if reply else None,
        pipeline=Pipeline(body.get("route", {}).get("pipeline", Pipeline.FRIEND_CHAT)),
        user_state=UserState.ACTIVE,
        replayed=True,
        surfaced_memory_ids=reply.surfaced_memory_ids if reply else (),
        trace=body,
    )


def claim(parts: Parts, incoming: Incoming, at: datetime) -> Lease | Outcome:
    """Take the lease, or give back what was already answered. Writes nothing but the lease."""
    with parts.store.write(incoming.conversation_id) as session:
        if done := stored_outcome(session, incoming):
            return done
        held = session.lease(incoming.message_id)
        if held is not None:
            _may_take_over(parts, held, incoming, at)
        lease = Lease(
            message_id=incoming.message_id,
            conversation_id=incoming.conversation_id,
            text=incoming.text,
            owner=parts.process.owner,
            claimed_at=at,
            expires_at=at + timedelta(seconds=parts.policy.engine.lease_seconds),
            failure=carried(held),
        )
        session.put_lease(lease)
        return lease


def confirm(session: Session, lease: Lease) -> None:
    """Inside the write-back: nobody else may have taken this message over meanwhile."""
    held = session.lease(lease.message_id)
    if held is None or (held.owner, held.claimed_at) != (lease.owner, lease.claimed_at):
        raise TurnInProgress(f"message {lease.message_id} was taken over by another worker")


@contextmanager
def kept_on_failure(parts: Parts, lease: Lease) -> Iterator[None]:
    """Whatever goes wrong, the user's words stay and the same id may run again."""
    try:
        yield
    except TurnInProgress:
        raise
    except BaseException as why:
        failure = recorded(why, lease, parts.clock.now())
        let_go(parts, lease, failure)
        if unexpected(why):
            raise TurnFailed.of(why, Failure.of(replace(lease, failure=failure)).attempts) from why
        raise


def let_go(parts: Parts, lease: Lease, failure: str) -> None:
    """The turn failed: keep the user's words, and let the same id run again at once."""
    with parts.store.write(lease.conversation_id) as session:
        held = session.lease(lease.message_id)
        if held is not None and held.owner == lease.owner and held.claimed_at == lease.claimed_at:
            session.put_lease(
                Lease(
                    message_id=lease.message_id,
                    conversation_id=lease.conversation_id,
                    text=lease.text,
                    owner=lease.owner,
                    claimed_at=lease.claimed_at,
                    expires_at=lease.claimed_at,
                    failure=failure,
                )
            )


def unanswered(parts: Parts, conversation_id: str) -> list[Lease]:
    """Messages that were taken in and never answered, whose holder is gone."""
    at = parts.clock.now()
    with parts.store.read() as session:
        return [x for x in session.leases(conversation_id) if not _is_held(parts, x, at)]


def _may_take_over(parts: Parts, held: Lease, incoming: Incoming, at: datetime) -> None:
    if held.text != incoming.text or held.conversation_id != incoming.conversation_id:
        raise MessageReused(
            f"message_id {held.message_id} was already sent with another text", pointer="/message_id"
        )
    if _is_held(parts, held, at):
        raise TurnInProgress(f"message {held.message_id} is being answered; ask again in a moment")


def _is_held(parts: Parts, lease: Lease, at: datetime) -> bool:
    return under_way(lease) and lease.expires_at > at and parts.process.alive(lease.owner)


def _same_message(message: Message, incoming: Incoming) -> None:
    if message.text != incoming.text or message.conversation_id != incoming.conversation_id:
        raise MessageReused(
            f"message_id {message.message_id} was already sent with another text", pointer="/message_id"
        )
