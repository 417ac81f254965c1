"""The turn index over a SQL store: every read and write names its conversation, or there is none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

import sqlalchemy as sa

from clew.adapters.store import turns_index as t
from clew.errors import InvalidInput
from clew.ports.index import StoredTurn, TurnVectors


class _Session(Protocol):
    @property
    def connection(self) -> sa.Connection: ...


class _Store(Protocol):
    @property
    def url(self) -> str: ...

    def read(self) -> AbstractContextManager[_Session]: ...

    def write(self, lock: str) -> AbstractContextManager[_Session]: ...


class SqlTurnIndex:
    """Satisfies ports.index.TurnIndex."""

    def __init__(self, store: _Store) -> None:
        self._store = store
        with store.read() as session:
            there = set(sa.inspect(session.connection).get_table_names())
        if not there.issuperset(t.INDEX_METADATA.tables):
            with store.write("recall:tables") as session:
                t.create(session.connection)

    @property
    def place(self) -> str:
        return self._store.url

    def is_chat(self, conversation: str) -> bool:
        with self._store.read() as session:
            return t.is_chat(session.connection, _scope(conversation))

    def owned(self, owner: str) -> list[str]:
        with self._store.read() as session:
            return t.owned(session.connection, owner)

    def size(self, conversation: str) -> int:
        with self._store.read() as session:
            return t.size(session.connection, _scope(conversation))

    def turns(self, conversation: str) -> list[StoredTurn]:
        with self._store.read() as session:
            return t.read_turns(session.connection, _scope(conversation))

    def vectors(self, conversation: str, space: str, dimensions: int) -> dict[int, TurnVectors]:
        with self._store.read() as session:
            return t.read_vectors(session.connection, _scope(conversation), space, dimensions)

    def words(self, conversation: str, space: str, dimensions: int) -> dict[str, Any]:
        with self._store.read() as session:
            return t.read_words(session.connection, _scope(conversation), space, dimensions)

    def save(
        self,
        conversation: str,
        *,
        turns: Sequence[StoredTurn] = (),
        space: str | None = None,
        vectors: Mapping[int, TurnVectors] | None = None,
        words: Mapping[str, Any] | None = None,
        owner: str | None = None,
    ) -> None:
        with self._store.write(f"recall:{_scope(conversation)}") as session:
            if owner is not None:
                t.write_owner(session.connection, conversation, owner)
            t.write_turns(session.connection, conversation, turns)
            if space is not None:
                t.forget_other_spaces(session.connection, conversation, space)
                t.write_vectors(session.connection, conversation, space, vectors or {})
                t.write_words(session.connection, conversation, space, words or {})

    def erase(self, conversation: str) -> dict[str, int]:
        with self._store.write(f"recall:{_scope(conversation)}") as session:
            return t.erase(session.connection, conversation)


def _scope(conversation: str) -> str:
    """No conversation named means nothing may be seen."""
    if not isinstance(conversation, str) or not conversation.strip():
        raise InvalidInput("conversation must not be empty", pointer="/conversation")
    return conversation
