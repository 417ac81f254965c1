"""The turn index keeps its promise on both databases."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from clew.adapters.index.sql import SqlTurnIndex
from clew.adapters.store.sql import SqlStore
from clew.model.rows import put_message
from clew.ports.index import TurnIndex
from clew.ports.store import acting_for
from clew.testing.index import DERIVED, TurnIndexContract, run, turn
from clew.testing.store import event, message


class _Sql(TurnIndexContract):
    @pytest.fixture
    def url(self, tmp_path: Path) -> str:
        raise NotImplementedError

    @pytest.fixture
    def make_index(self, url: str) -> Iterator[Callable[[], TurnIndex]]:
        opened: list[SqlStore] = []

        def make() -> TurnIndex:
            opened.append(SqlStore(url))
            return SqlTurnIndex(opened[-1])

        yield make
        for store in opened:
            store.close()

    def test_the_turns_of_a_chat_are_its_messages(self, url: str) -> None:
        store = SqlStore(url)
        with store.write("c1") as session:
            session.append([event("said", put_message(message(0)), put_message(message(1)))])
        index = SqlTurnIndex(store)
        assert [t.line.text for t in index.turns("c1")] == ["line 0", "line 1"] and index.last("c1") == 1
        assert index.places("c1", ["c1-m1"]) == [1]
        store.close()


class TestSqlite(_Sql):
    @pytest.fixture
    def url(self, tmp_path: Path) -> str:
        return f"sqlite:///{tmp_path}/clew.db"


class TestPostgres(_Sql):
    @pytest.fixture
    def url(self, fresh_postgres: Callable[[], str]) -> str:
        return fresh_postgres()

    def test_two_tenants_take_numbers_that_do_not_meet(self, index: TurnIndex) -> None:
        for name in ("north", "south"):
            with acting_for(name):
                index.save(name, turns=[turn(0)], derived=DERIVED, runs=[run(0, 0, name[0])], shared={1: b"x"})
        with acting_for("south"):
            assert index.runs("south", ["heads"])[0].columns["heads"] == b"s"
            assert index.words(None, "space-a", None) == {1: b"x"}
