"""A turn that fails in a way nobody planned for: recorded, tried again, then set aside.

The record stands in the lease row as JSON. Model and store failures have their own words and are
not counted here; a bug, a part that raises, an interruption and a process that died are.
"""

from __future__ import annotations

import json
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, replace
from datetime import datetime, timedelta
from typing import Any

from clew.engine.parts import Parts
from clew.engine.texts import say
from clew.errors import ClewError, ModelFailure, StoreFailure, TurnFailed, TurnInProgress
from clew.frozen import dataclass
from clew.kernel.care.crisis import Call, crisis_reply
from clew.kernel.language.packs import language_of
from clew.kernel.read.signals import hear
from clew.model.account import Lease
from clew.model.canonical import iso
from clew.model.exchange import Incoming, Outcome
from clew.model.language import HOUSE
from clew.model.profile import UserState
from clew.model.turn import Pipeline

_FRAMES = 6
_WORDS = 300
# A text that cannot be read whole is read in pieces of this length.
_PIECE = 200
_INTERRUPTED, _DIED, _UNEXPECTED = "interrupted", "died", "unexpected"
_COUNTED = frozenset({_INTERRUPTED, _DIED, _UNEXPECTED})

Walk = Callable[[Parts, Incoming], Outcome]


@dataclass(frozen=True, slots=True)
class Failure:
    """`attempts` counts what is counted here; no code means that a further attempt is under way."""

    attempts: int = 0
    code: str = ""
    error: str = ""
    where: tuple[str, ...] = ()
    at: str = ""

    def text(self) -> str:
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    def of(cls, lease: Lease) -> Failure:
        raw = lease.failure
        if not raw:
            return cls()
        if not raw.startswith("{"):
            return cls(code=raw)
        try:
            kept = json.loads(raw)
            return cls(
                int(kept["attempts"]),
                str(kept["code"]),
                str(kept["error"]),
                tuple(map(str, kept["where"])),
                str(kept["at"]),
            )
        except (ValueError, KeyError, TypeError):
            return cls(code=raw[:_WORDS])


def under_way(lease: Lease) -> bool:
    """No failure is recorded: somebody is answering, or died while answering."""
    return not Failure.of(lease).code


def carried(held: Lease | None) -> str | None:
    """What a new claim keeps of the attempts before it. A holder that vanished was one."""
    if held is None:
        return None
    before = Failure.of(held)
    if before.code:
        return replace(before, code="").text() if before.attempts else None
    return Failure(before.attempts + 1, error="the process ended in mid turn", at=iso(held.claimed_at)).text()


def recorded(why: BaseException, lease: Lease, at: datetime) -> str:
    """The record of this failure, with the attempts before it."""
    before = Failure.of(lease)
    if isinstance(why, (ModelFailure, StoreFailure)):
        return replace(before, code=why.code, error=why.message[:_WORDS], at=iso(at)).text()
    code = _UNEXPECTED if isinstance(why, Exception) else _INTERRUPTED
    return Failure(before.attempts + 1, code, _told(why), _where(why), iso(at)).text()


def unexpected(why: BaseException) -> bool:
    """A failure without a name of its own; what the caller got wrong is refused before the claim."""
    return isinstance(why, Exception) and not isinstance(why, (ModelFailure, StoreFailure, TurnInProgress))


def set_aside(lease: Lease, most: int) -> bool:
    """Tried often enough: nobody takes it up again unasked."""
    failure = Failure.of(lease)
    # Without a code the last attempt ended with its process, and nobody was left to count it.
    attempts = failure.attempts if failure.code else failure.attempts + 1
    return attempts >= most and (not failure.code or failure.code in _COUNTED)


def steadily(parts: Parts, incoming: Incoming, walk: Walk) -> Outcome:
    """Walk the turn; a walk that fails unexpectedly is walked again, and in the end set aside."""
    while True:
        try:
            return walk(parts, incoming)
        except TurnFailed as why:
            tried = why.attempts
        except ClewError:
            raise
        except Exception as why:
            tried = _keep(parts, incoming, why)
        if tried >= parts.policy.engine.turn_attempts:
            return _outcome(parts, incoming)


def crisis_help(parts: Parts, incoming: Incoming) -> str | None:
    """The crisis text, if the words ask for it; also when the rest of the turn failed."""
    spoken, crisis = _heard(parts, incoming.text)
    if not crisis:
        return None
    policy = parts.policy
    text = say("crisis_help", spoken, incoming.message_id, policy, heard=incoming.text)
    country: str | None = None
    replies: tuple[str, ...] = ()
    with suppress(Exception), parts.store.read() as session:
        conversation = session.conversation(incoming.conversation_id)
        user = session.user(conversation.user_id if conversation else incoming.user_id or "")
        country = user.answers.country_or_region if user else None
        said = session.recent(incoming.conversation_id, policy.engine.history_replies, "assistant")
        replies = tuple(m.text for m in said)
    with suppress(Exception):
        text = crisis_reply(
            Call(incoming.text, spoken, incoming.message_id, replies, country), policy
        ).text
    return text


def _outcome(parts: Parts, incoming: Incoming) -> Outcome:
    """A plain sentence and nothing stored; the same id may be sent again."""
    spoken, _ = _heard(parts, incoming.text)
    reply = say("set_aside", spoken, incoming.message_id, parts.policy, heard=incoming.text)
    if help_ := crisis_help(parts, incoming):
        reply = f"{help_} {reply}"
    return Outcome(
        message_id=incoming.message_id,
        conversation_id=incoming.conversation_id,
        reply_id=None,
        reply=reply,
        pipeline=Pipeline.FRIEND_CHAT,
        user_state=UserState.ACTIVE,
        persisted=False,
        set_aside=True,
    )


def _heard(parts: Parts, text: str) -> tuple[str, bool]:
    """Language, and whether someone is in danger. What cannot be read whole is read piece by piece."""
    spoken = HOUSE
    with suppress(Exception):
        spoken = language_of(text, parts.policy)
    try:
        return spoken, hear(text, parts.policy).safety.crisis
    except Exception:
        pieces = [text[i : i + 2 * _PIECE] for i in range(0, len(text), _PIECE)]
    unread = 0
    for piece in pieces:
        try:
            if hear(piece, parts.policy).safety.crisis:
                return spoken, True
        except Exception:
            unread += 1
    # Words that nothing can read may be words of danger: help is named rather than missed.
    return spoken, unread == len(pieces)


def _keep(parts: Parts, incoming: Incoming, why: Exception) -> int:
    """A failure before there was a lease: the words are kept all the same, where they can be."""
    most = parts.policy.engine.turn_attempts
    at = parts.clock.now()
    try:
        with parts.store.write(incoming.conversation_id) as session:
            if session.conversation(incoming.conversation_id) is None:
                return most
            if session.message(incoming.message_id) is not None:
                return most
            held = session.lease(incoming.message_id)
            if held is None:
                lease = Lease(
                    incoming.message_id, incoming.conversation_id, incoming.text, parts.process.owner, at, at
                )
            elif held.text == incoming.text and not under_way(held):
                lease = held
            else:
                return most
            kept = recorded(why, lease, at)
            session.put_lease(replace(lease, expires_at=at - timedelta(seconds=1), failure=kept))
    except Exception:
        return most
    return Failure.of(replace(lease, failure=kept)).attempts


def unplanned(why: BaseException) -> str:
    """One line for a failure that has no words of its own."""
    where = _where(why)
    return f"something of ours broke: {_told(why)}" + (f" ({where[-1]})" if where else "")


def _told(why: BaseException) -> str:
    said = " ".join(str(why).split())[:_WORDS]
    return f"{type(why).__name__}: {said}" if said else type(why).__name__


def _where(why: BaseException) -> tuple[str, ...]:
    """The last calls, by file within the package: no path of this machine."""
    out = []
    for frame in traceback.extract_tb(why.__traceback__)[-_FRAMES:]:
        name = frame.filename.replace("\\", "/")
        short = name.rpartition("/src/")[2] if "/src/" in name else name.rpartition("site-packages/")[2]
        if short == name:
            short = name.rpartition("/")[2]
        out.append(f"{short}:{frame.lineno} {frame.name}")
    return tuple(out)


def as_dict(lease: Lease, most: int) -> dict[str, Any]:
    """An unanswered message for a developer: what failed, where, how often."""
    failure = Failure.of(lease)
    return {
        "message_id": lease.message_id,
        "conversation_id": lease.conversation_id,
        "text": lease.text,
        "code": failure.code or _DIED,
        "attempts": failure.attempts if failure.code else failure.attempts + 1,
        "set_aside": set_aside(lease, most),
        "error": failure.error if failure.code else "the process ended in mid turn",
        "where": list(failure.where),
        "at": failure.at if failure.code else iso(lease.claimed_at),
    }
