"""The promise of a store: everything of one write stands or nothing does.

A Session is one transaction. Reads see one moment; a write that ends without error is durable.
All state changes go through `append`, which journals each event and applies it in the same transaction.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from datetime import datetime
from typing import Any, Protocol

from clew.model.account import Conversation, Friend, Lease, Message, Trace, User
from clew.model.event import Entry, Event
from clew.model.memory import MemoryRecord, MemoryStatus
from clew.model.profile import UserControls
from clew.model.relationship import RelationshipState
from clew.model.shown import ShownList
from clew.model.thread import KeptThread, ThreadStatus
from clew.ports.jobs import JobSession
from clew.ports.reaching import ReachSession

# How long a write waits for others before it says that the database is locked.
WAIT_SECONDS = 30.0
# Whose rows a transaction may see, where the database can tell: one tenant's ("" is the one of a server that has
# none), or, with None, everybody's, for whoever runs this process. A door that takes requests sets it for each.
TENANT: ContextVar[str | None] = ContextVar("clew_tenant", default=None)


@contextmanager
def acting_for(tenant: str | None) -> Iterator[None]:
    before = TENANT.set(tenant)
    try:
        yield
    finally:
        TENANT.reset(before)


class Terms(Protocol):
    """The words by which a text leads to a memory; the store keeps them and knows nothing of language."""

    def of_text(self, text: str) -> Iterable[str]: ...
    def of_memory(self, key: str, value: str) -> Iterable[str]: ...


class Session(JobSession, ReachSession, Protocol):
    def user(self, user_id: str) -> User | None: ...
    def users(self) -> list[User]: ...
    def controls(self, user_id: str) -> UserControls: ...
    def friend(self, friend_id: str) -> Friend | None: ...
    def friends_of(self, user_id: str) -> list[Friend]: ...
    def assigned_since(self, moment: datetime) -> list[tuple[str, datetime]]: ...
    def conversation(self, conversation_id: str) -> Conversation | None: ...
    def conversations_of(self, user_id: str) -> list[Conversation]: ...
    def relationship(self, user_id: str, friend_id: str) -> RelationshipState: ...
    def memories(
        self, user_id: str, friend_id: str, statuses: Iterable[MemoryStatus] | None = None
    ) -> list[MemoryRecord]: ...
    def memories_about(
        self, user_id: str, friend_id: str, keys: Iterable[str] = (), ids: Iterable[str] = ()
    ) -> list[MemoryRecord]:
        """Every version, of any status, of these keys and ids."""
        ...

    def memories_by_attribute(
        self,
        user_id: str,
        friend_id: str,
        attributes: Iterable[str],
        *,
        statuses: Iterable[MemoryStatus] = (MemoryStatus.ACTIVE,),
        most: int = 400,
    ) -> list[MemoryRecord]:
        """The newest of these attributes, of any subject, oldest first."""
        ...

    def memories_beginning(
        self, user_id: str, friend_id: str, beginnings: Iterable[str], *, most: int = 400
    ) -> list[MemoryRecord]:
        """ACTIVE ones whose key begins with one of these; bounded for each."""
        ...

    def memories_matching(
        self, user_id: str, friend_id: str, text: str, *, ids: Iterable[str] = (), per_term: int, newest: int
    ) -> list[MemoryRecord]:
        """ACTIVE ones that share a word with the text, plus the named, pinned and newest; bounded."""
        ...

    def message(self, message_id: str) -> Message | None: ...
    def reply_to(self, message_id: str) -> Message | None: ...
    def recent(self, conversation_id: str, limit: int, role: str | None = None) -> list[Message]:
        """The last messages, oldest first."""
        ...

    def said(self, conversation_id: str, limit: int, role: str) -> list[str]:
        """The last texts of one side, oldest first."""
        ...

    def next_position(self, conversation_id: str) -> int: ...
    def threads(
        self, conversation_id: str, status: ThreadStatus | None = ThreadStatus.OPEN
    ) -> list[KeptThread]:
        """Oldest first; None for those of any status."""
        ...

    def shown(self, conversation_id: str) -> ShownList | None:
        """What was listed last in this conversation."""
        ...

    def trace(self, message_id: str) -> Trace | None: ...
    def traces(self, conversation_id: str) -> list[Trace]: ...
    def lease(self, message_id: str) -> Lease | None: ...
    def leases(self, conversation_id: str) -> list[Lease]: ...
    def put_lease(self, lease: Lease) -> None: ...
    def drop_lease(self, message_id: str) -> None: ...
    def append(self, events: Sequence[Event]) -> None: ...
    def journal(self, user_id: str | None = None) -> Iterator[Entry]: ...
    def chain_faults(self) -> list[str]:
        """Entries of the journal that were changed, added or taken out behind Clew's back."""
        ...

    def taken(self, table: str, rows: Iterable[Mapping[str, Any]]) -> Iterator[str]:
        """The keys of these rows that are there already, or are being answered."""
        ...

    def state_hash(self) -> dict[str, str]:
        """SHA-256 of every state table, rows in key order."""
        ...

    def export_rows(self, user_id: str) -> dict[str, list[dict[str, Any]]]:
        """Every state row of one user, by table."""
        ...

    def erase_user(self, user_id: str, tombstone: Event) -> dict[str, int]:
        """Remove every row and journal entry of the user, leaving only the tombstone."""
        ...

    def loose_texts(self, user_id: str) -> list[str]:
        """What the doors keep of a user beside the history: names and loose texts."""
        ...

    def erase_loose(self, user_id: str) -> dict[str, int]:
        """Remove that, for a user who has no history; `erase_user` does it too."""
        ...

    def erased_before(self, mark: str) -> bool:
        """A tombstone under this mark is in the journal."""
        ...

    def erase_memory(self, user_id: str, memory_id: str, tombstone: Event) -> dict[str, int]:
        """The record, its rows in the journal, and its value in every trace of the user."""
        ...


class Store(Protocol):
    @property
    def url(self) -> str: ...

    def read(self) -> AbstractContextManager[Session]: ...

    def write(self, *locks: str) -> AbstractContextManager[Session]:
        """One write transaction; writes that share a lock name never overlap. Locks are taken in the order given."""
        ...

    @property
    def kept_elsewhere(self) -> tuple[str, ...]:
        """Where bytes of an erased user may be that this store cannot reach, in sentences."""
        ...

    def vacuum(self) -> bool:
        """Give back and overwrite what was deleted; False where a reader kept some of it."""
        ...

    def find_words(self, words: Sequence[str]) -> dict[str, int]:
        """How often any of these texts still stands in each place where bytes are kept."""
        ...

    def close(self) -> None: ...
