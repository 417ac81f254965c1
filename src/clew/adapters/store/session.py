"""One transaction over the tables: reads by scope, writes only through the journal."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any, TypeVar

import sqlalchemy as sa

from clew.adapters.store import door_tables, quick
from clew.adapters.store import queries as q
from clew.adapters.store import tables as t
from clew.adapters.store.chain import ERASED, Head, faults, forged
from clew.adapters.store.erasure import hollow_journal, redact_memory
from clew.adapters.store.jobs import JobRows
from clew.adapters.store.journal import as_entry, journal_row
from clew.adapters.store.reaching import KEPT, ReachingRows, noun, same_row
from clew.errors import StoreCorrupt
from clew.model.account import Conversation, Friend, Lease, Message, Trace, User
from clew.model.canonical import canonical_json, iso, sha256
from clew.model.event import Add, Drop, Entry, Event, Put
from clew.model.memory import MemoryRecord, MemoryStatus
from clew.model.profile import UserControls
from clew.model.relationship import RelationshipState
from clew.model.rows import lease_row
from clew.model.shown import ShownList, shown_of
from clew.model.thread import KeptThread, ThreadStatus
from clew.ports.store import Terms

T = TypeVar("T")


_CHUNK = 500
# Sorts behind every character of a key.
_LAST = "\U0010ffff"


_UNREADABLE = (ValueError, TypeError, KeyError, ArithmeticError, AttributeError)


@contextmanager
def _readable(what: str) -> Iterator[None]:
    """A row that SQLite hands out and nobody wrote: a damaged page is not always seen below us."""
    try:
        yield
    except _UNREADABLE as why:
        raise _damaged(what, why) from why


def _damaged(what: str, why: Exception) -> StoreCorrupt:
    return StoreCorrupt(f"the database is damaged: a stored {what} cannot be read: {why}")


def _noun(kind: type[T], row: Any) -> T:
    try:
        return noun(kind, row)
    except _UNREADABLE as why:
        raise _damaged(kind.__name__.lower(), why) from why


class SqlSession(ReachingRows, JobRows):
    """`terms` gives the words a memory is found by; without it memories are found by id and key only."""

    def __init__(self, connection: sa.Connection, terms: Terms | None = None) -> None:
        self.connection = connection
        self._terms = terms

    # -- who ---------------------------------------------------------------------------------

    def user(self, user_id: str) -> User | None:
        return self._one(User, t.USERS, user_id=user_id)

    def users(self) -> list[User]:
        return self._all(User, sa.select(t.USERS).order_by(t.USERS.c.created_at, t.USERS.c.user_id))

    def controls(self, user_id: str) -> UserControls:
        return self._one(UserControls, t.CONTROLS, user_id=user_id) or UserControls()

    def friend(self, friend_id: str) -> Friend | None:
        return self._one(Friend, t.FRIENDS, friend_id=friend_id)

    def friends_of(self, user_id: str) -> list[Friend]:
        query = sa.select(t.FRIENDS).where(t.FRIENDS.c.user_id == user_id).order_by(t.FRIENDS.c.friend_id)
        return self._all(Friend, query)

    def assigned_since(self, moment: datetime) -> list[tuple[str, datetime]]:
        query = (
            sa.select(t.FRIENDS.c.combo_key, t.FRIENDS.c.assigned_at)
            .where(t.FRIENDS.c.assigned_at >= iso(moment))
            .order_by(t.FRIENDS.c.assigned_at, t.FRIENDS.c.friend_id)
        )
        with _readable("friend"):
            return [(key, datetime.fromisoformat(at)) for key, at in self.connection.execute(query)]

    def conversation(self, conversation_id: str) -> Conversation | None:
        return self._one(Conversation, t.CONVERSATIONS, conversation_id=conversation_id)

    def conversations_of(self, user_id: str) -> list[Conversation]:
        rows = quick.rows(self.connection, q.by(t.CONVERSATIONS, ("user_id",)), {"user_id": user_id})
        return sorted((_noun(Conversation, row) for row in rows), key=lambda c: c.conversation_id)

    def relationship(self, user_id: str, friend_id: str) -> RelationshipState:
        found = self._one(RelationshipState, t.RELATIONSHIPS, user_id=user_id, friend_id=friend_id)
        return found or RelationshipState()

    # -- what --------------------------------------------------------------------------------

    def memories(
        self, user_id: str, friend_id: str, statuses: Iterable[MemoryStatus] | None = None
    ) -> list[MemoryRecord]:
        scope = {"user": user_id, "friend": friend_id}
        if statuses is None:
            return self._all(MemoryRecord, q.MEMORIES_ALL, scope)
        return self._all(MemoryRecord, q.MEMORIES_WITH, {**scope, "statuses": [s.value for s in statuses]})

    def memories_about(
        self, user_id: str, friend_id: str, keys: Iterable[str] = (), ids: Iterable[str] = ()
    ) -> list[MemoryRecord]:
        """By key and by id apart, each by its index; together, or with an order, the planner walks the whole scope."""
        named, known = sorted(set(keys)), sorted(set(ids))
        found: dict[str, MemoryRecord] = {}
        asked = {"user": user_id, "friend": friend_id, "statuses": [status.value for status in MemoryStatus]}
        for start in range(0, len(named), _CHUNK):
            some = self._all(MemoryRecord, q.MEMORIES_BY_KEY, {**asked, "keys": named[start : start + _CHUNK]})
            found.update((r.memory_id, r) for r in some)
        found.update((r.memory_id, r) for r in self._of(known, user_id, friend_id))
        return sorted(found.values(), key=lambda r: (r.created_at, r.memory_id))

    def _of(self, ids: list[str], user_id: str, friend_id: str) -> Iterator[MemoryRecord]:
        """By id alone, else the planner walks the whole scope; the scope is held here instead."""
        for start in range(0, len(ids), _CHUNK):
            for row in quick.rows(self.connection, q.MEMORIES_BY_ID, {"ids": ids[start : start + _CHUNK]}):
                if (row.user_id, row.friend_id) == (user_id, friend_id):
                    yield _noun(MemoryRecord, row)

    def memories_by_attribute(
        self,
        user_id: str,
        friend_id: str,
        attributes: Iterable[str],
        *,
        statuses: Iterable[MemoryStatus] = (MemoryStatus.ACTIVE,),
        most: int = 400,
    ) -> list[MemoryRecord]:
        named = sorted(set(attributes))
        if not named:
            return []
        asked = {
            "user": user_id,
            "friend": friend_id,
            "attributes": named,
            "statuses": [s.value for s in statuses],
            "most": most,
        }
        found = self._all(MemoryRecord, q.MEMORIES_BY_ATTRIBUTE, asked)
        return sorted(found, key=lambda r: (r.created_at, r.memory_id))

    def memories_beginning(
        self, user_id: str, friend_id: str, beginnings: Iterable[str], *, most: int = 400
    ) -> list[MemoryRecord]:
        query = q.memories_beginning(self.connection.dialect.name)
        scope = {"user": user_id, "friend": friend_id, "most": most}
        found: dict[str, MemoryRecord] = {}
        for start in sorted({b for b in beginnings if b}):
            some = self._all(MemoryRecord, query, {**scope, "start": start, "end": start + _LAST})
            found.update((r.memory_id, r) for r in some)
        return sorted(found.values(), key=lambda r: (r.created_at, r.memory_id))

    def memories_matching(
        self, user_id: str, friend_id: str, text: str, *, ids: Iterable[str] = (), per_term: int, newest: int
    ) -> list[MemoryRecord]:
        """ACTIVE memories that share a word with the text, the named ones, the pinned and the newest.

        Every part is bounded and indexed, so the cost does not grow with what is remembered.
        """
        scope = {"user": user_id, "friend": friend_id}
        if newest:
            few = self._all(MemoryRecord, q.MEMORIES_NEWEST, {**scope, "most": newest + 1})
            if len(few) <= newest:  # that is all there is
                return sorted(few, key=lambda r: (r.created_at, r.memory_id))
            held = {r.memory_id: r for r in few}
            found = set(held) | set(ids)
            pinned = quick.rows(self.connection, q.MEMORIES_PINNED, {**scope, "most": per_term})
            found.update(row[0] for row in pinned)
        else:
            held = {}
            found = set(ids)
        postings = [
            [r[0] for r in quick.rows(self.connection, q.MEMORIES_LED_TO, {**scope, "most": per_term, "term": term})]
            for term in (sorted(set(self._terms.of_text(text))) if self._terms else ())
        ]
        # The rarest words say most; what a common word leads to comes last and only while there is room.
        room = len(found) + per_term
        for posted in sorted(postings, key=len):
            found.update(posted[: max(0, room - len(found))])
        others = self._of(sorted(found - held.keys()), user_id, friend_id)
        active = [*held.values(), *(r for r in others if r.status is MemoryStatus.ACTIVE)]
        return sorted(active, key=lambda r: (r.created_at, r.memory_id))

    def message(self, message_id: str) -> Message | None:
        return self._one(Message, t.MESSAGES, message_id=message_id)

    def reply_to(self, message_id: str) -> Message | None:
        """The reply of the last generation."""
        row = quick.first(self.connection, q.LAST_REPLY_TO, {"reply_to": message_id})
        return None if row is None else _noun(Message, row)

    def recent(self, conversation_id: str, limit: int, role: str | None = None) -> list[Message]:
        asked = {"conversation": conversation_id, "most": limit} | (
            {"role": role} if role is not None else {}
        )
        return self._all(Message, q.last(t.MESSAGES, role is not None), asked)[::-1]

    def said(self, conversation_id: str, limit: int, role: str) -> list[str]:
        asked = {"conversation": conversation_id, "most": limit, "role": role}
        rows = quick.rows(self.connection, q.LAST_TEXTS, asked, plain=True)
        return [row[0] for row in rows][::-1]

    def next_position(self, conversation_id: str) -> int:
        last = quick.scalar(self.connection, q.LAST_POSITION, {"conversation": conversation_id})
        return int(last or 0) + 1

    def threads(
        self, conversation_id: str, status: ThreadStatus | None = ThreadStatus.OPEN
    ) -> list[KeptThread]:
        asked = {"conversation_id": conversation_id} | ({"status": status.value} if status is not None else {})
        rows = quick.rows(self.connection, q.by(t.THREADS, tuple(asked)), asked)
        with _readable("thread"):
            found = [_noun(KeptThread, row) for row in rows]
            return sorted(found, key=lambda thread: (thread.opened_turn, thread.number))

    def shown(self, conversation_id: str) -> ShownList | None:
        body = quick.scalar(self.connection, q.SHOWN, {"conversation": conversation_id})
        with _readable("continuity"):
            return shown_of(json.loads(body)) if body else None

    def trace(self, message_id: str) -> Trace | None:
        return self._one(Trace, t.TRACES, message_id=message_id)

    def traces(self, conversation_id: str) -> list[Trace]:
        table = t.TRACES
        query = sa.select(table).where(table.c.conversation_id == conversation_id)
        return self._all(Trace, query.order_by(table.c.at, table.c.message_id))

    # -- leases: outside the history -----------------------------------------------------------

    def lease(self, message_id: str) -> Lease | None:
        return self._one(Lease, t.LEASES, message_id=message_id)

    def leases(self, conversation_id: str) -> list[Lease]:
        table = t.LEASES
        query = sa.select(table).where(table.c.conversation_id == conversation_id)
        return self._all(Lease, query.order_by(table.c.claimed_at, table.c.message_id))

    def put_lease(self, lease: Lease) -> None:
        self._put(t.LEASES, lease_row(lease))

    def drop_lease(self, message_id: str) -> None:
        quick.delete(self.connection, q.LEASE_GONE, {"message": message_id})

    # -- journal -------------------------------------------------------------------------------

    def append(self, events: Sequence[Event]) -> None:
        """The entries of one write go in together; each chain's end is read once and written once."""
        rows: list[dict[str, Any]] = []
        heads: dict[str, Head] = {}
        for event in events:
            before = heads.get(event.user_id) or self._head(event.user_id)
            row, heads[event.user_id] = forged(journal_row(event), before)
            rows.append(row)
        if rows:
            quick.write(self.connection, q.insert(t.JOURNAL), rows)
        for user_id, head in heads.items():
            self._put(t.JOURNAL_HEADS, {"user_id": user_id, "number": head.number, "link": head.link})
        for event in events:
            self.apply(event)

    def apply(self, event: Event) -> None:
        for change in event.changes:
            table = t.STATE[change.table]
            if isinstance(change, Put):
                if isinstance(change, Add):
                    quick.write(self.connection, q.insert(table), [change.row])
                else:
                    self._put(table, change.row)
                if table is t.MEMORIES:
                    self._index(change.row)
            elif isinstance(change, Drop):
                where = [table.c[name] == value for name, value in sorted(change.match.items())]
                self.connection.execute(sa.delete(table).where(*where))

    def journal(self, user_id: str | None = None) -> Iterator[Entry]:
        """What was erased with its user left nothing to tell."""
        query = sa.select(t.JOURNAL).where(t.JOURNAL.c.kind != ERASED).order_by(t.JOURNAL.c.seq)
        if user_id is not None:
            query = query.where(t.JOURNAL.c.user_id == user_id)
        for row in self.connection.execute(query.execution_options(yield_per=500)):
            with _readable("journal entry"):
                entry = as_entry(dict(row._mapping))
            yield entry

    def chain_faults(self) -> list[str]:
        """Entries of the journal that were changed, added or taken out behind Clew's back."""
        heads = {
            row.user_id: Head(row.number, row.link)
            for row in self.connection.execute(sa.select(t.JOURNAL_HEADS))
        }
        rows = self.connection.execute(
            sa.select(t.JOURNAL).order_by(t.JOURNAL.c.seq).execution_options(yield_per=500)
        )
        with _readable("journal entry"):
            return list(faults((dict(row._mapping) for row in rows), heads))

    def taken(self, table: str, rows: Iterable[Mapping[str, Any]]) -> Iterator[str]:
        """The keys of these rows that are there already, or are being answered."""
        held = t.STATE[table]
        names = [c.name for c in held.primary_key]
        for row in rows:
            key = {name: row[name] for name in names}
            if quick.first(self.connection, q.by(held, tuple(names)), key) is not None:
                yield " ".join(f"{name} {row[name]}" for name in names)
            elif table == "messages" and self.lease(row["message_id"]) is not None:
                yield f"message_id {row['message_id']}"

    def state_hash(self) -> dict[str, str]:
        out = {}
        for name, table in sorted(t.STATE.items()):
            rows = self.connection.execute(sa.select(table))
            out[name] = sha256("\n".join(sorted(canonical_json(dict(r._mapping)) for r in rows)))
        return out

    def export_rows(self, user_id: str) -> dict[str, list[dict[str, Any]]]:
        return {
            name: [
                dict(r._mapping)
                for r in self.connection.execute(sa.select(table).where(table.c.user_id == user_id))
            ]
            for name, table in sorted(t.STATE.items())
        }

    # -- erasure -------------------------------------------------------------------------------

    def erase_user(self, user_id: str, tombstone: Event) -> dict[str, int]:
        conversations = [c.conversation_id for c in self.conversations_of(user_id)]
        removed = {
            name: self._delete(table, table.c.user_id == user_id) for name, table in sorted(t.STATE.items())
        }
        removed["memory_terms"] = self._delete(t.MEMORY_TERMS, t.MEMORY_TERMS.c.user_id == user_id)
        removed["jobs"] = self._delete(t.JOBS, t.JOBS.c.user_id == user_id)
        removed["leases"] = self._delete(t.LEASES, t.LEASES.c.conversation_id.in_(conversations))
        removed |= self.erase_loose(user_id)
        tombstone, removed["journal"] = hollow_journal(self.connection, user_id, tombstone)
        self.append([tombstone])
        return removed

    def loose_texts(self, user_id: str) -> list[str]:
        return door_tables.texts_of(self.connection, user_id)

    def erase_loose(self, user_id: str) -> dict[str, int]:
        return door_tables.erase(self.connection, user_id)

    def erased_before(self, mark: str) -> bool:
        """A tombstone under this mark is in the journal."""
        query = sa.select(t.JOURNAL_HEADS.c.user_id).where(t.JOURNAL_HEADS.c.user_id == mark)
        return self.connection.execute(query).first() is not None

    def erase_memory(self, user_id: str, memory_id: str, tombstone: Event) -> dict[str, int]:
        """The record, its rows in the journal, and its value in every trace of the user."""
        mine = (t.MEMORIES.c.memory_id == memory_id, t.MEMORIES.c.user_id == user_id)
        row = self.connection.execute(sa.select(t.MEMORIES).where(*mine)).first()
        if row is None:
            return {"memories": 0}
        self._delete(t.MEMORY_TERMS, t.MEMORY_TERMS.c.memory_id == memory_id)
        removed = {"memories": self._delete(t.MEMORIES, *mine)}
        tombstone, more = redact_memory(self.connection, user_id, dict(row._mapping), tombstone)
        self.append([tombstone])
        return {**removed, **more}

    def _head(self, user_id: str) -> Head:
        row = quick.first(self.connection, q.HEAD, {"user_id": user_id})
        return Head() if row is None else Head(row.number, row.link)

    # -- plumbing ------------------------------------------------------------------------------

    def _put(self, table: sa.Table, row: Mapping[str, Any]) -> None:
        quick.write(self.connection, q.upsert(self.connection.dialect.name, table), [row])

    def _index(self, row: Mapping[str, Any]) -> None:
        """Only ACTIVE memories can be found by their words."""
        if self._terms is None:
            return
        table = t.MEMORY_TERMS
        quick.delete(self.connection, q.TERMS_OF_MEMORY_GONE, {"memory": row["memory_id"]})
        if row["status"] != MemoryStatus.ACTIVE.value:
            return
        scope = {"user_id": row["user_id"], "friend_id": row["friend_id"], "memory_id": row["memory_id"]}
        found = sorted(set(self._terms.of_memory(row["memory_key"], row["memory_value"])))
        if found:
            quick.write(self.connection, q.insert(table), [{**scope, "term": term} for term in found])

    def _delete(self, table: sa.Table, *where: Any) -> int:
        return self.connection.execute(sa.delete(table).where(*where)).rowcount

    def _one(self, kind: type[T], table: sa.Table, **match: str) -> T | None:
        row = quick.first(self.connection, q.by(table, tuple(match)), match)
        return None if row is None else _noun(kind, row)

    def _all(self, kind: type[T], query: Any, asked: Mapping[str, Any] | None = None) -> list[T]:
        """With `asked`, the statement is one of those that are built once."""
        if asked is None:
            return [_noun(kind, row) for row in self.connection.execute(query)]
        if kind not in KEPT:
            return [_noun(kind, row) for row in quick.rows(self.connection, query, asked)]
        # The most of what a turn reads: most of it was read before, and is known again by its values alone.
        names = quick.columns_of(query)
        found = quick.rows(self.connection, query, asked, plain=True)
        try:
            return [same_row(kind, names, tuple(row)) for row in found]  # type: ignore[arg-type]
        except _UNREADABLE as why:
            raise _damaged(kind.__name__.lower(), why) from why
