"""What a door may ask of the engine: who speaks where, take a turn, and everything a user may do with memories.

Every door goes through here, so that a change inside the engine touches one file.
Users, friends and conversations go by name; the names become ids, and the same names always give the same place.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

from clew.engine import archive, friends, lookup, rights, spans
from clew.engine.again import regenerate, show_reply
from clew.engine.deciding import held_decisions
from clew.engine.episodes import episodes, find_episodes, past_episodes
from clew.engine.lookup import Found
from clew.engine.observe import observe
from clew.engine.parts import Parts, user_lock
from clew.engine.rights import Scope
from clew.engine.story import story
from clew.engine.turn import take_turn
from clew.engine.withdraw import withdraw
from clew.errors import InvalidInput, NotFound
from clew.frozen import dataclass
from clew.kernel.cast.assign import assign
from clew.kernel.keep.decided import as_candidate, thinned, without_repeats
from clew.kernel.keep.keys import attribute_of, canonical
from clew.kernel.keep.merge import remember
from clew.kernel.text.normalize import normalize
from clew.kernel.text.terms import stop_words
from clew.kernel.text.tokens import content_words, holds_piece
from clew.model.account import Conversation, Friend, Message, Trace, User
from clew.model.canonical import derived_id, plain
from clew.model.decision import Worked
from clew.model.event import Event, Put
from clew.model.exchange import Incoming, Outcome
from clew.model.key import Key
from clew.model.memory import Candidate, InvalidReason, MemoryEvent, MemoryRecord, MemoryStatus
from clew.model.persona import Assignment, Placed
from clew.model.profile import Answers, UserState
from clew.model.relationship import RelationshipState
from clew.model.rows import put_controls, put_conversation, put_friend, put_memory, put_relationship, put_user
from clew.ports.store import Session

__all__ = [
    "Found",
    "Place",
    "episodes",
    "find",
    "find_episodes",
    "observe",
    "regenerate",
    "show_reply",
    "withdraw",
]

MAIN = archive.MAIN
_ALL = 1_000_000
_NAME_LENGTH = 200
# A memory that somebody wrote down on purpose is as sure as one can be of words.
_TOLD = "0.90"


@dataclass(frozen=True, slots=True)
class Place:
    """Who speaks with whom, and where: what every call is about."""

    user: User
    friend: Friend
    conversation: Conversation

    @property
    def scope(self) -> Scope:
        return Scope.of(self.conversation)


def user_id(name: str, tenant: str | None = None) -> str:
    """The same id as the terminal gives this name; a tenant's users are its own."""
    _named(name, "user")
    return derived_id("user", name) if tenant is None else derived_id("user", tenant, name)


def conversation_id(user: str, friend: str, name: str) -> str:
    return derived_id("conversation", user, friend, name)


def personas(parts: Parts) -> tuple[str, ...]:
    return tuple(t.id for t in parts.policy.cast.templates)


def arrive(
    parts: Parts,
    user: str,
    *,
    tenant: str | None = None,
    friend: str | None = None,
    conversation: str = MAIN,
    persona: str | None = None,
    create: bool = True,
) -> Place:
    """The place of these names; what is missing is made, without any onboarding."""
    _named(conversation, "conversation")
    who = user_id(user, tenant)
    with parts.store.read() as session:
        found = _place(parts, session, who, friend, conversation)
    if found is not None:
        return found
    if not create:
        raise NotFound(f"no conversation {conversation!r} of user {user!r}", pointer="/conversation")
    # Casting counts who was assigned lately, so it has one lock for all.
    with parts.store.write("cast") as session:
        return _place(parts, session, who, friend, conversation) or _settle(
            parts, session, who, friend, conversation, persona
        )


def known(parts: Parts, user: str, *, tenant: str | None = None) -> User:
    with parts.store.read() as session:
        found = session.user(user_id(user, tenant))
    if found is None:
        raise NotFound(f"no user {user!r}", pointer="/user")
    return found


def place_of(parts: Parts, conversation: str, *, owner: str | None = None) -> Place:
    """A conversation by its id; one of somebody else is not there."""
    with parts.store.read() as session:
        found = session.conversation(conversation)
        user = session.user(found.user_id) if found else None
        friend = session.friend(found.friend_id) if found else None
    if found is None or user is None or friend is None or owner not in (None, found.user_id):
        raise NotFound(f"no conversation {conversation!r}", pointer="/conversation_id")
    return Place(user, friend, found)


def _place(
    parts: Parts, session: Session, who: str, friend: str | None, conversation: str
) -> Place | None:
    user = session.user(who)
    mine = _friend(session, who, friend) if user is not None else None
    if user is None or mine is None:
        return None
    found = session.conversation(conversation_id(who, mine.friend_id, conversation))
    if found is None and conversation == MAIN:
        # Somebody who came by the terminal talks on where they stood.
        found = session.conversation(_onboarded_id(mine))
    return Place(user, mine, found) if found is not None else None


def _friend(session: Session, who: str, name: str | None) -> Friend | None:
    """The friend of this name, or the one who was there without a name."""
    friends = {f.friend_id: f for f in session.friends_of(who)}
    if name is not None:
        return friends.get(_friend_id(who, name))
    met = (f for f in friends.values() if session.conversation(_onboarded_id(f)) is not None)
    return friends.get(_friend_id(who, MAIN)) or next(met, None)


def _onboarded_id(friend: Friend) -> str:
    """The conversation that an onboarding opens."""
    return derived_id("conversation", friend.user_id, friend.friend_id)


def _friend_id(who: str, name: str) -> str:
    return derived_id("friend", who, name)


def _settle(
    parts: Parts, session: Session, who: str, friend: str | None, name: str, persona: str | None
) -> Place:
    at = parts.clock.now()
    puts: list[Put] = []
    user = session.user(who)
    if user is None or user.state is not UserState.ACTIVE:
        answers = user.answers if user else Answers()
        user = User(who, UserState.ACTIVE, answers, user.created_at if user else at)
        # Nobody who was not asked is written to first.
        quiet = replace(session.controls(who), proactive_messages_enabled=False)
        puts += [put_user(user), put_controls(who, quiet)]
    mine = _friend(session, who, friend)
    note: dict[str, Any] = {}
    if mine is None:
        given = friend or MAIN
        assignment, note = _assignment(parts, session, at, persona)
        mine = Friend(_friend_id(who, given), who, assignment)
        puts += [put_friend(mine), put_relationship(who, mine.friend_id, RelationshipState())]
    conversation = Conversation(conversation_id(who, mine.friend_id, name), who, mine.friend_id, at)
    puts.append(put_conversation(conversation))
    event = Event(
        kind="guest.arrived",
        at=at,
        user_id=who,
        policy=parts.policy.fingerprint,
        changes=tuple(puts),
        note=note,
    )
    session.append([event])
    return Place(user, mine, conversation)


def _assignment(
    parts: Parts, session: Session, at: datetime, persona: str | None
) -> tuple[Assignment, dict[str, Any]]:
    from datetime import timedelta

    seed = parts.process.seed()
    if persona is None:
        window = [Placed(key, when) for key, when in session.assigned_since(at - timedelta(hours=24))]
        casting = assign(seed, window, at, parts.policy)
        return casting.assignment, {"seed": seed, "reasons": [r.as_dict() for r in casting.reasons]}
    made = friends.of_persona(parts, persona, seed, at)
    return made, {"seed": seed, "persona": made.template_id}


def _named(name: str, what: str) -> None:
    if not isinstance(name, str) or not name.strip() or len(name) > _NAME_LENGTH or not name.isprintable():
        raise InvalidInput(f"{what} needs 1 to {_NAME_LENGTH} printable characters", pointer=f"/{what}")
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        raise InvalidInput(f"{what} is not valid Unicode", pointer=f"/{what}") from None


# -- talking --------------------------------------------------------------------------------------


def say(parts: Parts, place: Place, text: str, message_id: str | None = None) -> Outcome:
    outcome = take_turn(
        parts, Incoming(message_id or str(uuid.uuid4()), place.conversation.conversation_id, text)
    )
    spans.told(outcome, place.friend.assignment.template_id, time.time_ns(), said=text)
    return outcome


def learn(
    parts: Parts,
    place: Place,
    text: str,
    *,
    reply: str = "",
    message_id: str | None = None,
    at: datetime | None = None,
    worked: Worked | None = None,
) -> Outcome:
    """Take a message in and keep what it tells, without answering it; `reply` is what somebody else answered.

    `worked` says how an agent came to that answer: what it decided is kept too.
    """
    incoming = Incoming(message_id or str(uuid.uuid4()), place.conversation.conversation_id, text)
    return observe(parts if at is None else replace(parts, clock=_At(at, parts)), incoming, reply, worked)


@dataclass(frozen=True)
class _At:
    """The moment at which something was said that is only told now."""

    at: datetime
    parts: Parts

    def now(self) -> datetime:
        return self.at

    def stopwatch(self) -> float:
        return self.parts.clock.stopwatch()


def messages(parts: Parts, place: Place) -> list[Message]:
    """What was said here, oldest first; a message that nobody answered has no reply."""
    with parts.store.read() as session:
        return [m for m in session.recent(place.conversation.conversation_id, _ALL) if m.text]


def conversations(parts: Parts, user: str) -> list[Conversation]:
    with parts.store.read() as session:
        return session.conversations_of(user)


def trace(parts: Parts, message_id: str, owner: str | None = None) -> Trace:
    with parts.store.read() as session:
        found = session.trace(message_id)
        message = session.message(message_id)
        if found is None and message is not None and message.reply_to:
            found = session.trace(message.reply_to)
    if found is None or owner not in (None, found.user_id):
        raise NotFound(f"no turn {message_id!r}", pointer="/message_id")
    return found


def why(parts: Parts, message_id: str, owner: str | None = None) -> list[str]:
    found = trace(parts, message_id, owner)
    with parts.store.read() as session:
        said, reply = session.message(found.message_id), session.reply_to(found.message_id)
    return story(found.told, said.text if said else "", reply.text if reply else "")


# -- memories -------------------------------------------------------------------------------------


def memories(
    parts: Parts,
    place: Place,
    *,
    status: MemoryStatus | None = MemoryStatus.ACTIVE,
    as_of: datetime | None = None,
    search: str = "",
) -> list[MemoryRecord]:
    return rights.memories(parts, place.scope, search=search, status=status, at=as_of)


def memory(parts: Parts, place: Place, memory_id: str) -> MemoryRecord:
    with parts.store.read() as session:
        found = session.memories_about(*_scope(place), ids=[memory_id])
    if not found:
        raise NotFound(f"no memory {memory_id!r}", pointer="/memory_id")
    return found[0]


def history(parts: Parts, place: Place, key: str) -> list[MemoryRecord]:
    """Every version of what stands under a key, oldest first."""
    with parts.store.read() as session:
        return session.memories_about(*_scope(place), keys=[key])


def source_texts(parts: Parts, records: Sequence[MemoryRecord]) -> dict[str, str]:
    """The user's own words by message id, where they still stand."""
    ids = {i for m in records for i in m.source_message_ids}
    with parts.store.read() as session:
        found = {i: session.message(i) for i in sorted(ids)}
    return {i: m.text for i, m in found.items() if m is not None}


def put(parts: Parts, place: Place, key: str, value: str, *, source: str | None = None) -> list[MemoryEvent]:
    """Write one memory by key and value, under the same rules of merging and superseding as any other."""
    known_key = canonical(key, parts.policy)
    if known_key is None:
        raise InvalidInput(f"{key!r} is no memory key", pointer="/key")
    if not normalize(value):
        raise InvalidInput("value is empty", pointer="/value")
    parsed = Key.parse(key)
    attribute = attribute_of(parsed, parts.policy) if parsed else None
    return _keep(parts, place, Candidate(known_key[0], key, value, Decimal(_TOLD), attribute=attribute), source)


def record_decision(parts: Parts, place: Place, text: str, outcome: str = "") -> list[MemoryEvent]:
    """What an agent decided, and later what came of it; the same decision told again is one (rulings N2, N13)."""
    if not normalize(text):
        raise InvalidInput("the decision is empty", pointer="/decision")
    with parts.store.read() as session:
        held = held_decisions(session, _scope(place), parts.policy)
    candidate = as_candidate(text, outcome, held, parts.clock.now(), parts.policy)
    if candidate is None:
        raise InvalidInput(f"{text!r} names nothing", pointer="/decision")
    return _keep(parts, place, candidate)


def decisions(parts: Parts, place: Place, query: str = "") -> list[MemoryRecord]:
    """Those that stand, newest first, without near-identical ones; with a query those that share its words."""
    with parts.store.read() as session:
        held = held_decisions(session, _scope(place), parts.policy)
    wanted = content_words(query)
    held = [m for m in held if not wanted or wanted & content_words(m.memory_value)]
    return thinned([m for m in held if m.status is MemoryStatus.ACTIVE and not m.paused], parts.policy)


def _keep(parts: Parts, place: Place, candidate: Candidate, source: str | None = None) -> list[MemoryEvent]:
    at, key = parts.clock.now(), candidate.key
    message_id = source or derived_id("told", place.conversation.conversation_id, key, candidate.value, at)
    with parts.store.write(user_lock(place.user.user_id)) as session:
        before = session.memories_about(*_scope(place), keys=[key])
        controls = session.controls(place.user.user_id)
        done = remember(
            before,
            [candidate],
            controls,
            message_id=message_id,
            at=at,
            policy=parts.policy,
            crisis=False,
            explicit=True,
        )
        old = {m.memory_id: m for m in before}
        changed = [m for m in done.memories if old.get(m.memory_id) != m]
        ordered = sorted(changed, key=lambda m: (m.status is MemoryStatus.ACTIVE, m.memory_id))
        puts = [put_memory(*_scope(place), m) for m in ordered]
        if done.controls != controls:
            puts.append(put_controls(place.user.user_id, done.controls))
        if puts:
            session.append([_event(parts, place, "memory.changed", puts, events=plain(list(done.events)))])
    return list(done.events)


def forget(parts: Parts, place: Place, what: str) -> list[MemoryEvent]:
    """By id, by key, or by words; turns that only words lead to are withdrawn."""
    if not isinstance(what, str) or not normalize(what):
        raise InvalidInput("what is empty: give an id, a key or words", pointer="/what")
    held, wanted = memories(parts, place), content_words(what)
    named = [m for m in held if what in (m.memory_id, m.memory_key)]
    # Words that name nothing ("in", "the") lead nowhere, though half of all messages hold them.
    if not named and wanted - stop_words(parts.policy):
        named = [m for m in held if wanted <= content_words(f"{m.memory_key} {m.memory_value}".replace("_", " "))]
        # What stands inside longer words: ramen in "ramens", never "it" in "city".
        named = named or [m for m in held if holds_piece(f"{m.memory_key} {m.memory_value}", what)]
    if named or not wanted - stop_words(parts.policy):
        return [e for m in named for e in rights.forget(parts, place.scope, m.memory_id)]
    said = [
        m
        for c in conversations(parts, place.user.user_id)
        if c.friend_id == place.friend.friend_id
        for m in messages(parts, replace(place, conversation=c))
        if m.role == "user" and wanted <= content_words(m.text)
    ]
    return [e for m in said for e in withdraw(parts, place.scope, [m.message_id], reason=InvalidReason.FORGOT)]


def find(parts: Parts, place: Place, query: str, *, k: int = 8, **only: Any) -> list[Found]:
    """Memories, turns and transcripts in one ranking; `only` as in `lookup.find`."""
    return lookup.find(parts, place.scope, query, k=k, **only)


def context(
    parts: Parts, place: Place, query: str, *, tokens: int, k: int | None = None, **only: Any
) -> tuple[str, list[Found]]:
    """What is known, as one block of quoted data that fits the budget, best first; `only` as in `lookup.find`."""
    from clew.engine.quoting import block

    k = parts.policy.recall.context_k if k is None else k
    found = find(parts, place, query, k=k, **only) if query.strip() else _newest(parts, place, k)
    before = past_episodes(parts, place, parts.policy.remember.records.context_episodes)
    return block([*found, *before], tokens, parts.policy)


def _newest(parts: Parts, place: Place, k: int) -> list[Found]:
    held = without_repeats(memories(parts, place)[::-1], parts.policy)[:k]
    return [Found.of_memory(m, 0.0, {"rule": "recall.newest"}) for m in held]


def labels(parts: Parts, place: Place, events: Sequence[MemoryEvent]) -> dict[str, MemoryRecord]:
    ids = [e.memory_id for e in events if e.memory_id]
    with parts.store.read() as session:
        return {m.memory_id: m for m in session.memories_about(*_scope(place), ids=ids)}


# -- everything of one user -----------------------------------------------------------------------


def export(parts: Parts, user: str, target: Path) -> int:
    return archive.export_user(parts, user, target)


def export_bytes(parts: Parts, user: str) -> bytes:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "export.zip"
        archive.export_user(parts, user, target)
        return target.read_bytes()


def take_in(parts: Parts, source: Path, *, into: str | None = None) -> dict[str, int]:
    return archive.import_bundle(parts, source, into=into)


def erase(parts: Parts, user: str) -> archive.Receipt:
    return archive.erase_user(parts, user)


def _scope(place: Place) -> tuple[str, str]:
    return place.user.user_id, place.friend.friend_id


def _event(parts: Parts, place: Place, kind: str, puts: Sequence[Put], **note: Any) -> Event:
    return Event(
        kind=kind,
        at=parts.clock.now(),
        user_id=place.user.user_id,
        policy=parts.policy.fingerprint,
        changes=tuple(puts),
        note=note,
    )
