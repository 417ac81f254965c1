"""Exactly once: a message is answered by one holder of its lease (rulings P29, P36).

Claim and write-back wait for the same lock, the user's, and none is held while the writer thinks. In between the
lease says who is at work; a heartbeat keeps it fresh for as long as that is true.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from clew.engine.failures import Failure, carried, recorded, under_way, unexpected
from clew.engine.heartbeat import Heart
from clew.engine.parts import Parts, user_lock
from clew.errors import ClewError, MessageReused, TurnFailed, TurnInProgress
from clew.model.account import Lease, Message
from clew.model.exchange import Incoming, Outcome
from clew.model.profile import UserState
from clew.model.turn import Pipeline
from clew.ports.store import Session

# The turns this process is at: a lease of ours that is not among them has nobody working on it.
_RUNNING: set[tuple[str, str, datetime]] = set()


def stored_outcome(session: Session, incoming: Incoming) -> Outcome | None:
    """The reply that was given to this message, unchanged."""
    message = session.message(incoming.message_id)
    if message is None:
        return None
    _same_message(message, incoming)
    reply = session.reply_to(incoming.message_id)
    trace = session.trace(incoming.message_id)
    return Outcome(
        message_id=message.message_id,
        conversation_id=message.conversation_id,
        reply_id=reply.message_id if reply else None,
        reply=reply.text if reply else None,
        pipeline=Pipeline((trace.told.route.pipeline if trace else None) or Pipeline.FRIEND_CHAT),
        user_state=UserState.ACTIVE,
        replayed=True,
        surfaced_memory_ids=reply.surfaced_memory_ids if reply else (),
        trace=trace.body if trace else {},
    )


def claim(parts: Parts, incoming: Incoming, at: datetime) -> Lease | Outcome:
    """Take the lease, or give back what was already answered. Writes nothing but the lease."""
    lock = _lock_of(parts, incoming.conversation_id)
    with parts.store.write(lock) as session:
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
            expires_at=_until(parts, at),
            failure=carried(held),
        )
        session.put_lease(lease)
        _RUNNING.add(_mark(lease))
        return lease


def confirm(session: Session, lease: Lease) -> None:
    """Inside the write-back: the message is not answered yet, and nobody else has taken it over meanwhile."""
    if session.message(lease.message_id) is not None:
        raise TurnInProgress(f"message {lease.message_id} was answered by another worker; ask again")
    if not _is_mine(session, lease):
        raise TurnInProgress(f"message {lease.message_id} was taken over by another worker")


@contextmanager
def kept_on_failure(parts: Parts, lease: Lease) -> Iterator[None]:
    """Whatever goes wrong, the user's words stay and the same id may run again."""
    beat = _HEART.hold(parts, lease)
    try:
        yield
    except TurnInProgress:
        raise
    except BaseException as why:
        failure = recorded(why, lease, parts.clock.now())
        # Where even this cannot be written, the lease still counts as free: it is not among the running.
        with suppress(ClewError):
            let_go(parts, lease, failure)
        if unexpected(why):
            raise TurnFailed.of(why, Failure.of(replace(lease, failure=failure)).attempts) from why
        raise
    finally:
        _HEART.let_go(beat)
        _RUNNING.discard(_mark(lease))


def renew(parts: Parts, lease: Lease) -> bool:
    """Push the end of the lease on; False when it is not ours any more."""
    with parts.store.write(_lock_of(parts, lease.conversation_id)) as session:
        if not _is_mine(session, lease):
            return False
        session.put_lease(replace(lease, expires_at=_until(parts, parts.clock.now())))
        return True


def let_go(parts: Parts, lease: Lease, failure: str) -> None:
    """The turn failed: keep the user's words, and let the same id run again at once."""
    with parts.store.write(_lock_of(parts, lease.conversation_id)) as session:
        if _is_mine(session, lease):
            session.put_lease(replace(lease, expires_at=lease.claimed_at, failure=failure))


def unanswered(parts: Parts, conversation_id: str) -> list[Lease]:
    """Messages that were taken in and never answered, whose holder is gone."""
    at = parts.clock.now()
    with parts.store.read() as session:
        return [x for x in session.leases(conversation_id) if not _is_held(parts, x, at)]


_HEART = Heart(renew)


def _lock_of(parts: Parts, conversation_id: str) -> str:
    """The lock of the user whose conversation this is; a conversation never changes hands."""
    with parts.store.read() as session:
        conversation = session.conversation(conversation_id)
    return user_lock(conversation.user_id) if conversation else conversation_id


def _until(parts: Parts, at: datetime) -> datetime:
    """The end of a lease; time itself ends with the year 9999."""
    span = timedelta(seconds=parts.policy.engine.lease_seconds)
    last = datetime.max.replace(tzinfo=UTC)
    return at + span if last - at > span else last


def _mark(lease: Lease) -> tuple[str, str, datetime]:
    return (lease.owner, lease.message_id, lease.claimed_at)


def _is_mine(session: Session, lease: Lease) -> bool:
    held = session.lease(lease.message_id)
    return (
        held is not None
        and _mark(held) == _mark(lease)
        and held.conversation_id == lease.conversation_id
        and under_way(held)
    )


def _may_take_over(parts: Parts, held: Lease, incoming: Incoming, at: datetime) -> None:
    if held.text != incoming.text or held.conversation_id != incoming.conversation_id:
        raise MessageReused(
            f"message_id {held.message_id} was already sent with another text", pointer="/message_id"
        )
    if _is_held(parts, held, at):
        raise TurnInProgress(f"message {held.message_id} is being answered; ask again in a moment")


def _is_held(parts: Parts, lease: Lease, at: datetime) -> bool:
    if not under_way(lease) or lease.expires_at <= at or not parts.process.alive(lease.owner):
        return False
    if lease.owner == parts.process.owner and _mark(lease) not in _RUNNING:
        return False
    # An end further off than any holder could have set it comes from a clock that ran ahead.
    span = timedelta(seconds=parts.policy.engine.lease_seconds)
    return lease.expires_at - at <= 2 * span


def _same_message(message: Message, incoming: Incoming) -> None:
    if message.role != "user":
        raise MessageReused(f"message_id {message.message_id} is the id of a reply", pointer="/message_id")
    if message.text != incoming.text or message.conversation_id != incoming.conversation_id:
        raise MessageReused(
            f"message_id {message.message_id} was already sent with another text", pointer="/message_id"
        )
