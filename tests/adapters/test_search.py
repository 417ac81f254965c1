"""The search index keeps its promise in SQLite, in PostgreSQL with and without pgvector, and in Qdrant."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from clew.adapters.search.pgvector import PgvectorSearch, available
from clew.adapters.search.sql import SqlSearch
from clew.adapters.store.sql import SqlStore
from clew.errors import StoreFailure
from clew.ports.search import SearchIndex
from clew.ports.store import acting_for
from clew.testing.search import FAN, MADE, SearchIndexContract, places, point


class _Sql(SearchIndexContract):
    kind: type[SqlSearch] = SqlSearch

    @pytest.fixture
    def url(self, tmp_path: Path) -> str:
        raise NotImplementedError

    @pytest.fixture
    def make_search(self, url: str) -> Iterator[Callable[[], SearchIndex]]:
        opened: list[SqlStore] = []

        def make() -> SearchIndex:
            opened.append(SqlStore(url))
            if self.kind is PgvectorSearch:
                with opened[-1].read() as session:
                    if not available(session.connection):
                        pytest.skip("this PostgreSQL has no pgvector (the extension 'vector')")
            return self.kind(opened[-1])

        yield make
        for store in opened:
            store.close()


class TestSqlite(_Sql):
    @pytest.fixture
    def url(self, tmp_path: Path) -> str:
        return f"sqlite:///{tmp_path}/clew.db"


class TestPostgres(_Sql):
    @pytest.fixture
    def url(self, fresh_postgres: Callable[[], str]) -> str:
        return fresh_postgres()

    def test_a_tenant_finds_nothing_of_another(self, search: SearchIndex, url: str) -> None:
        for name in ("north", "south"):
            with acting_for(name):
                search.put(name, MADE, [point(0, FAN[0], terms={7: 1.0})])
        with acting_for("south"):
            assert places(search.nearest("south", FAN[0], 5)) == [0]
        store = SqlStore(url)
        with store.read() as session:
            held = session.connection.exec_driver_sql("SELECT DISTINCT tenant FROM recall_postings").scalars().all()
        store.close()
        assert sorted(held) == ["north", "south"]


class TestPgvector(TestPostgres):
    kind = PgvectorSearch

    def test_a_long_conversation_is_searched_by_an_index(self, search: SearchIndex, url: str) -> None:
        search.put("a", MADE, [point(n, FAN[n % 5]) for n in range(400)])
        store = SqlStore(url)
        with store.read() as session:
            query = "SELECT indexdef FROM pg_indexes WHERE tablename = 'recall_points_pgvector'"
            made = " ".join(session.connection.exec_driver_sql(query).scalars())
        store.close()
        assert "hnsw" in made and "halfvec(3)" in made


def test_a_database_without_the_extension_is_refused_in_plain_words(tmp_path: Path) -> None:
    store = SqlStore(f"sqlite:///{tmp_path}/clew.db")
    with pytest.raises(StoreFailure, match="no extension 'vector'"):
        PgvectorSearch(store)
    store.close()


class TestQdrant(SearchIndexContract):
    """In a folder of this process: the same client, the same calls, no server."""

    @pytest.fixture
    def make_search(self, tmp_path: Path) -> Iterator[Callable[[], SearchIndex]]:
        qdrant = pytest.importorskip("clew.adapters.search.qdrant", reason="Qdrant comes with clew[qdrant]")
        opened: list[object] = []

        def make() -> SearchIndex:
            for earlier in opened:
                earlier.close()  # a folder has one holder at a time
            opened.append(qdrant.QdrantSearch.at(str(tmp_path / "qdrant"), "sqlite:///here.db"))
            return opened[-1]

        yield make
        for earlier in opened:
            earlier.close()

    def test_two_databases_that_share_one_qdrant_do_not_meet(self) -> None:
        qdrant = pytest.importorskip("clew.adapters.search.qdrant", reason="Qdrant comes with clew[qdrant]")
        one = qdrant.QdrantSearch.at(":memory:", "postgresql://north/clew")
        other = qdrant.QdrantSearch(one._client, "postgresql://south/clew")
        one.put("a", MADE, [point(0, FAN[0], terms={7: 1.0})])
        assert other.nearest("a", FAN[0], 5) == [] and other.drop("a") == 0
        assert places(one.nearest("a", FAN[0], 5)) == [0]
        one.close()

    def test_no_text_goes_there_and_a_server_that_is_not_there_is_told(self) -> None:
        qdrant = pytest.importorskip("clew.adapters.search.qdrant", reason="Qdrant comes with clew[qdrant]")
        away = qdrant.QdrantSearch.at("http://127.0.0.1:9", "here", timeout=1)
        with pytest.raises(StoreFailure, match="Qdrant cannot serve"):
            away.nearest("a", FAN[0], 5)
        away.close()
