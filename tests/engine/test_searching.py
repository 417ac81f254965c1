"""A conversation too long to be opened is asked through a search index, and answers as if it had been opened."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from clew.adapters.index.sql import SqlTurnIndex
from clew.adapters.search.pgvector import PgvectorSearch, available
from clew.adapters.search.sql import SqlSearch
from clew.adapters.store.sql import SqlStore
from clew.engine import histories
from clew.engine.histories import Keeper, ingest, load, ready, searched, warm
from clew.engine.recaller import Recaller
from clew.engine.searching import Searched
from clew.errors import StoreFailure
from clew.kernel.recall.turns.only import Only
from clew.model.transcript import Line
from clew.ports.search import EVERYTHING, Narrow, Near, Point, SearchIndex
from tests.kernel.recall.conversation import POLICY, START, Toy

LONG = replace(POLICY, recall=replace(POLICY.recall, searched_turns=50, excerpt_turns=6, search_most=6, leaf_turns=4))
HOBBIES = "chess tennis pottery sailing baking archery knitting fencing judo origami".split()
FILLER = "It rained all morning.", "The bus was late again.", "I slept badly.", "See you at the meeting."


def lines(count: int = 200) -> list[Line]:
    """Every twentieth turn tells something; the days go on, two people speak."""
    out = []
    for n in range(count):
        told = n % 20 == 7
        text = f"I started {HOBBIES[n // 20 % 10]} lessons this week." if told else FILLER[n % 4]
        at = START + timedelta(hours=6 * n)
        out.append(Line(n, "Nora" if n % 3 else "Ben", text, at, f"t{n}"))
    return out


@pytest.fixture(params=["sqlite", "postgresql", "pgvector", "qdrant"])
def index(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SqlTurnIndex]:
    if request.param in ("sqlite", "qdrant"):
        store = SqlStore(f"sqlite:///{tmp_path}/clew.db", durable=False)
    else:
        make: Callable[[], str] = request.getfixturevalue("fresh_postgres")
        store = SqlStore(make())
    closing: list[Callable[[], None]] = [store.close]
    if request.param == "qdrant":
        qdrant = pytest.importorskip("clew.adapters.search.qdrant", reason="Qdrant comes with clew[qdrant]")
        search: SearchIndex = qdrant.QdrantSearch.at(":memory:", store.identity)
        closing.append(search.close)
    elif request.param == "pgvector":
        with store.read() as session:
            if not available(session.connection):
                pytest.skip("this PostgreSQL has no pgvector (the extension 'vector')")
        search = PgvectorSearch(store)
    else:
        search = SqlSearch(store)
    yield SqlTurnIndex(store, search)
    for close in closing:
        close()


def found(asked: Searched | Recaller, query: str, k: int = 3, **more: object) -> list[str | None]:
    return [hit.line.id for hit in asked.recall(query, k, **more)]


def open_search(index: SqlTurnIndex, embedder: Toy | None = None) -> Searched:
    got = searched(index, "c1", LONG, embedder)
    assert got is not None
    return got


def test_it_finds_what_an_opened_conversation_finds_with_and_without_an_embedder(index: SqlTurnIndex) -> None:
    ingest(index, "c1", lines(), LONG, Toy())
    asked, opened = open_search(index, Toy()), load(index, "c1", LONG, Toy())
    for hobby, place in (("chess", 7), ("judo", 167), ("origami", 187)):
        query = f"Who started {hobby} lessons?"
        assert found(asked, query, 1) == found(opened, query, 1) == [f"t{place}"]
    assert found(open_search(index), "sailing lessons", 1) == ["t67"]


def test_few_turns_are_read_for_a_question(index: SqlTurnIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    ingest(index, "c1", lines(), LONG, Toy())
    asked = open_search(index, Toy())
    read: list[int] = []
    whole = index.runs_at

    def counted(name: str, columns: Sequence[str], positions: Sequence[int]) -> object:
        got = whole(name, columns, positions)
        read.append(sum(run.last - run.first + 1 for run in got))
        return got

    monkeypatch.setattr(index, "runs_at", counted)
    monkeypatch.setattr(index, "runs", None)  # the whole is never read
    assert found(asked, "Who started archery lessons?", 1) == ["t107"]
    around = 6 * (len(LONG.recall.wide_previous) + 1 + len(LONG.recall.wide_next))
    assert read and max(read) <= around + 2 * 6 * LONG.recall.leaf_turns < 200


def test_rarity_is_that_of_the_whole_conversation(index: SqlTurnIndex) -> None:
    ingest(index, "c1", lines(), LONG, Toy())
    scores = {}
    for name, asked in (("searched", open_search(index)), ("opened", load(index, "c1", LONG, None))):
        hit = asked.recall("fencing lessons", 1)[0]
        scores[name] = (hit.line.id, round(hit.fit, 3))
    assert scores["searched"] == scores["opened"]


def test_what_may_be_found_is_narrowed_before_turns_are_chosen(index: SqlTurnIndex) -> None:
    ingest(index, "c1", lines(), LONG, Toy())
    asked = open_search(index, Toy())
    late = START + timedelta(hours=6 * 150)
    got = asked.recall("lessons", 10, only=Only(since=late))
    assert {h.line.id for h in got} >= {"t167", "t187"} and all(h.line.at >= late for h in got)
    only = asked.recall("lessons", 10, only=Only(speaker="ben", without=frozenset({"t27"})))
    assert only and all(h.line.speaker == "Ben" for h in only) and "t27" not in {h.line.id for h in only}


def test_a_day_named_in_the_question_brings_its_turns_into_view(index: SqlTurnIndex) -> None:
    ingest(index, "c1", lines(), LONG, Toy())
    day = START + timedelta(hours=6 * 120)
    got = open_search(index, Toy()).recall(f"What happened on {day:%B} {day.day}?", 5)
    assert any(h.line.at.date() == day.date() for h in got)


def test_turns_that_come_in_one_by_one_are_found_at_once(index: SqlTurnIndex) -> None:
    ingest(index, "c1", lines(), LONG, Toy())
    for n in range(200, 203):
        ingest(index, "c1", [Line(n, "Ben", f"I bought a zither number {n}.", None, f"t{n}")], LONG, Toy())
    assert set(found(open_search(index, Toy()), "Who bought a zither?", 3)) == {"t200", "t201", "t202"}


def test_a_changed_turn_is_found_by_its_new_words_only(index: SqlTurnIndex) -> None:
    said = lines()
    ingest(index, "c1", said, LONG, Toy())
    ingest(index, "c1", [replace(said[7], text="I bought a zither today.")], LONG, Toy())
    assert found(open_search(index), "zither", 1) == ["t7"]
    assert "t7" not in found(open_search(index), "chess lessons", 1)


def test_a_search_index_turned_on_later_is_filled_from_what_stands_and_embeds_nothing(index: SqlTurnIndex) -> None:
    search, index.search = index.search, None
    ingest(index, "c1", lines(), LONG, Toy())
    index.search = search
    watching = Toy()
    assert found(open_search(index, watching), "origami lessons", 1) == ["t187"]
    assert not [text for text in watching.seen if "rained" in text]


def test_a_filling_that_is_killed_goes_on_where_it_stopped(
    index: SqlTurnIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    search, index.search = index.search, None
    ingest(index, "c1", lines(), replace(LONG, recall=replace(LONG.recall, batch_turns=16)), Toy())
    index.search = search
    assert search is not None
    put, calls = search.put, []

    def dies(*given: object) -> None:
        calls.append(given)
        if len(calls) == 4:
            raise KeyboardInterrupt
        put(*given)

    monkeypatch.setattr(search, "put", dies)
    with pytest.raises(KeyboardInterrupt):
        searched(index, "c1", LONG, Toy())
    keeper = Keeper(index, "c1", LONG, Toy())
    reached = search.last("c1", histories.searching.made(keeper.state))
    assert 0 < reached < 199
    first: list[int] = []
    monkeypatch.setattr(search, "put", lambda c, m, points: (first.append(points[0].position), put(c, m, points)))
    assert found(open_search(index, Toy()), "judo lessons", 1) == ["t167"]
    assert first[0] == reached + 1


def test_what_was_read_in_another_way_is_made_again(index: SqlTurnIndex) -> None:
    ingest(index, "c1", lines(), LONG, Toy())
    other = Toy(space="toy/2")
    for _ in range(3):  # made up for in parts, a few hundred turns at a time
        got = searched(index, "c1", LONG, other)
    assert got is not None and found(got, "pottery lessons", 1) == ["t47"]


def test_erasing_takes_the_points_with_it(index: SqlTurnIndex) -> None:
    ingest(index, "c1", lines(60), LONG, Toy())
    assert index.search is not None
    assert index.erase("c1")["points"] == 60
    assert index.search.holding("c1", dict.fromkeys(range(10), 1.0), 5) == [] and index.search.drop("c1") == 0


def test_a_search_index_that_lacks_much_is_told_in_parts_and_not_asked_before(index: SqlTurnIndex) -> None:
    search, index.search = index.search, None
    ingest(index, "c1", lines(), replace(LONG, recall=replace(LONG.recall, batch_turns=16)), Toy())
    index.search = search
    slow = replace(LONG, recall=replace(LONG.recall, search_fill=90))
    assert searched(index, "c1", slow, Toy()) is None
    assert found(ready(index, "c1", slow, Toy()), "judo lessons", 1) == ["t167"]  # opened meanwhile
    assert isinstance(ready(index, "c1", slow, Toy()), Searched)


def test_a_short_conversation_is_opened_as_ever_and_nothing_of_it_goes_to_the_search_index(index: SqlTurnIndex) -> None:
    ingest(index, "c1", lines(20), LONG, Toy())
    assert searched(index, "c1", LONG, Toy()) is None
    assert index.search is not None and index.search.drop("c1") == 0
    assert isinstance(ready(index, "c1", LONG, Toy()), Recaller)


class Broken:
    """A server that went away."""

    name = "broken"
    kept_elsewhere = ()

    def last(self, conversation: str, made: str) -> int:
        raise StoreFailure("gone")

    def put(self, conversation: str, made: str, points: Sequence[Point]) -> None:
        raise StoreFailure("gone")

    def nearest(self, *_: object, only: Narrow = EVERYTHING) -> list[Near]:
        raise StoreFailure("gone")

    def holding(self, conversation: str, terms: Mapping[int, float], *_: object) -> list[Near]:
        raise StoreFailure("gone")

    def frequencies(self, *_: object) -> dict[int, int]:
        raise StoreFailure("gone")

    def drop(self, conversation: str) -> int:
        raise StoreFailure("gone")


def test_when_the_search_index_cannot_serve_the_conversation_is_opened(tmp_path: Path) -> None:
    store = SqlStore(f"sqlite:///{tmp_path}/clew.db")
    index = SqlTurnIndex(store, Broken())
    ingest(index, "c1", lines(), LONG, Toy())
    got = ready(index, "c1", LONG, Toy())
    assert isinstance(got, Recaller) and found(got, "tennis lessons", 1) == ["t27"]
    with pytest.raises(StoreFailure):  # but an erasure that cannot reach it is not called done
        index.erase("c1")
    assert index.turns("c1")
    store.close()


def test_a_server_that_goes_away_in_mid_question_costs_only_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = SqlStore(f"sqlite:///{tmp_path}/clew.db")
    index = SqlTurnIndex(store, SqlSearch(store))
    ingest(index, "c1", lines(), LONG, Toy())
    asked = ready(index, "c1", LONG, Toy())
    assert isinstance(asked, Searched)
    for name in ("nearest", "holding", "frequencies"):
        monkeypatch.setattr(index.search, name, getattr(Broken(), name))
    assert found(asked, "tennis lessons", 1) == found(warm(index, "c1", LONG, Toy()), "tennis lessons", 1) == ["t27"]
    store.close()


def test_times_are_compared_with_their_zone(index: SqlTurnIndex) -> None:
    ingest(index, "c1", lines(), LONG, Toy())
    moment = datetime(2023, 5, 3, tzinfo=UTC)
    got = open_search(index, Toy()).recall("lessons", 20, only=Only(until=moment))
    assert got and all(h.line.at <= moment for h in got)
