"""The turn index over a SQL store: every read and write names its conversation, or there is none."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from itertools import count
from typing import Protocol

import sqlalchemy as sa

from clew.adapters.store import turns_index as t
from clew.adapters.store.private import file_of
from clew.errors import InvalidInput
from clew.model.transcript import Line
from clew.ports.index import Derived, StoredRun, StoredTurn
from clew.ports.search import SearchIndex


class _Session(Protocol):
    @property
    def connection(self) -> sa.Connection: ...


class _Store(Protocol):
    @property
    def url(self) -> str: ...

    def read(self) -> AbstractContextManager[_Session]: ...

    def write(self, lock: str) -> AbstractContextManager[_Session]: ...


_memories = count()


def _place(url: str) -> str:
    """Two databases in memory are two, and so is a file that took the place of a deleted one."""
    parsed = sa.make_url(url)
    if parsed.get_backend_name() != "sqlite":
        return url
    file = file_of(parsed)
    return f"{url}#{file.stat().st_ino if file and file.exists() else f'in memory {next(_memories)}'}"


class SqlTurnIndex:
    """Satisfies ports.index.TurnIndex."""

    def __init__(self, store: _Store, search: SearchIndex | None = None) -> None:
        self._store = store
        self.search = search
        self._place = _place(store.url)
        with store.read() as session:
            ready = t.ready(session.connection)
        if not ready:
            with store.write("recall:tables") as session:
                t.create(session.connection)

    @property
    def place(self) -> str:
        return self._place

    def is_chat(self, conversation: str) -> bool:
        with self._store.read() as session:
            return t.is_chat(session.connection, _scope(conversation))

    def owned(self, owner: str) -> list[str]:
        with self._store.read() as session:
            return t.owned(session.connection, owner)

    def last(self, conversation: str) -> int:
        with self._store.read() as session:
            return t.last(session.connection, _scope(conversation))

    def turns(
        self,
        conversation: str,
        *,
        positions: Collection[int] | None = None,
        after: int | None = None,
        most: int | None = None,
        holding: Collection[str] = (),
    ) -> list[StoredTurn]:
        with self._store.read() as session:
            return t.read_turns(
                session.connection,
                _scope(conversation),
                positions=positions,
                after=after,
                most=most,
                holding=holding,
            )

    def known(self, conversation: str, lines: Iterable[Line]) -> list[StoredTurn]:
        with self._store.read() as session:
            return t.known(session.connection, _scope(conversation), lines)

    def places(self, conversation: str, ids: Collection[str]) -> list[int]:
        with self._store.read() as session:
            return t.places(session.connection, _scope(conversation), ids)

    def derived(self, conversation: str) -> Derived | None:
        with self._store.read() as session:
            return t.read_derived(session.connection, _scope(conversation))

    def runs(
        self,
        conversation: str,
        columns: Sequence[str],
        *,
        after: int = -1,
        upto: int | None = None,
        most: int | None = None,
    ) -> list[StoredRun]:
        with self._store.read() as session:
            return t.read_runs(
                session.connection, _scope(conversation), columns, after=after, upto=upto, most=most
            )

    def runs_at(self, conversation: str, columns: Sequence[str], positions: Collection[int]) -> list[StoredRun]:
        with self._store.read() as session:
            return t.read_runs_at(session.connection, _scope(conversation), columns, positions)

    def words(
        self, conversation: str | None, space: str, numbers: Collection[int] | None
    ) -> dict[int, bytes]:
        name = t.shared_name(space) if conversation is None else _scope(conversation)
        with self._store.read() as session:
            return t.read_words(session.connection, name, numbers)

    def save(
        self,
        conversation: str,
        *,
        turns: Sequence[StoredTurn] = (),
        owner: str | None = None,
        derived: Derived | None = None,
        runs: Sequence[StoredRun] = (),
        words: Mapping[int, bytes] | None = None,
        shared: Mapping[int, bytes] | None = None,
    ) -> None:
        # One lock for all: numbers are given out here, and common words are everybody's.
        with self._store.write("recall:save") as session:
            connection = session.connection
            t.write_turns(connection, _scope(conversation), turns)
            values = {} if owner is None else {"owner": owner}
            if derived is not None:
                speakers = t.dump_speakers(derived.speakers)
                values |= {"stamp": derived.stamp, "space": derived.space, "speakers": speakers}
            number = t.enter(connection, conversation, **values)
            # Long runs are read quickly as a whole; where turns are searched for, few are read at a time.
            t.write_runs(connection, number, runs, t.JOINED if self.search is None else ())
            if words:
                t.write_words(connection, number, words)
            if shared and derived is not None:
                t.write_words(connection, t.enter(connection, t.shared_name(derived.space)), shared)

    def forget_derived(self, conversation: str) -> None:
        if self.search is not None:
            self.search.drop(_scope(conversation))
        with self._store.write("recall:save") as session:
            t.forget_derived(session.connection, _scope(conversation))

    def erase(self, conversation: str) -> dict[str, int]:
        # First there: when it cannot be reached nothing is erased, and the erasure can be asked for again.
        points = {} if self.search is None else {"points": self.search.drop(_scope(conversation))}
        with self._store.write("recall:save") as session:
            return {**t.erase(session.connection, _scope(conversation)), **points}


def _scope(conversation: str) -> str:
    """No conversation named means nothing may be seen."""
    if not isinstance(conversation, str) or not conversation.strip() or conversation.startswith("\n"):
        raise InvalidInput(
            "conversation must not be empty, nor begin with a line break", pointer="/conversation"
        )
    return conversation
