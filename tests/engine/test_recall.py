"""Ingest and recall over both databases: stored once, found again, never across conversations."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from clew.adapters.index.sql import SqlTurnIndex
from clew.adapters.store.sql import SqlStore
from clew.engine.held_texts import let_go
from clew.engine.histories import Keeper, ingest, load, warm
from clew.errors import InvalidInput, NotFound
from clew.model.transcript import Line
from tests.kernel.recall.conversation import POLICY, Toy, line, said

LINES = said(
    ("Nora", "I adopted a puppy from the shelter."),
    ("Ben", "What is its name?"),
    ("Nora", "Biscuit. He chews everything."),
    ("Ben", "고양이도 키우고 싶어"),
)


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SqlStore]:
    if request.param == "sqlite":
        url = f"sqlite:///{tmp_path}/clew.db"
    else:
        make: Callable[[], str] = request.getfixturevalue("fresh_postgres")
        url = make()
    let_go()  # what another test has embedded is not at hand here
    opened = SqlStore(url)
    yield opened
    opened.close()


@pytest.fixture
def index(store: SqlStore) -> SqlTurnIndex:
    return SqlTurnIndex(store)


def ids(index: SqlTurnIndex, query: str, conversation: str = "c1", embedder: Toy | None = None) -> list[int]:
    return [h.line.index for h in load(index, conversation, POLICY, embedder).recall(query, 3)]


def test_what_was_ingested_is_found_with_and_without_an_embedder(index: SqlTurnIndex) -> None:
    done = ingest(index, "c1", LINES, POLICY, Toy())
    assert (done.turns, done.added, done.known) == (4, 4, 0)
    assert ids(index, "Who adopted a puppy?", embedder=Toy())[0] == 0
    assert ids(index, "고양이 키우고 싶은 사람은?")[0] == 3


def test_a_turn_sent_again_is_known_and_a_changed_one_replaces(index: SqlTurnIndex) -> None:
    ingest(index, "c1", LINES, POLICY, Toy())
    again = ingest(index, "c1", LINES, POLICY, Toy())
    assert (again.turns, again.added, again.known) == (4, 0, 4)
    changed = [*LINES[:2], line(2, "Nora", "Waffles. He sleeps all day."), line(4, "Ben", "Good night.")]
    done = ingest(index, "c1", changed, POLICY, Toy())
    assert (done.turns, done.added, done.changed) == (5, 1, 1)
    assert [t.line.text for t in index.turns("c1")][2] == "Waffles. He sleeps all day."
    assert ids(index, "Who is called Waffles?", embedder=Toy())[0] == 2


def test_loading_embeds_nothing_that_is_stored(index: SqlTurnIndex) -> None:
    ingest(index, "c1", LINES, POLICY, Toy())
    embedder = Toy()
    load(index, "c1", POLICY, embedder)
    assert embedder.seen == []


def test_a_missing_vector_is_made_again_from_the_turns(index: SqlTurnIndex, store: SqlStore) -> None:
    ingest(index, "c1", LINES, POLICY, None)
    embedder = Toy()
    first = load(index, "c1", POLICY, embedder).recall("puppy", 4)
    assert embedder.seen
    assert load(index, "c1", POLICY, Toy()).recall("puppy", 4) == first


def test_another_embedder_rebuilds_and_never_mixes_spaces(index: SqlTurnIndex) -> None:
    ingest(index, "c1", LINES, POLICY, Toy())
    other = Toy("toy/2", 13)
    load(index, "c1", POLICY, other)
    assert other.seen
    found = index.derived("c1")
    assert found is not None and found.space == "toy/2"
    (run,) = index.runs("c1", ["vectors"])
    assert len(run.columns["vectors"]) == 13 * len(LINES)


def test_what_was_read_in_another_way_is_read_again(index: SqlTurnIndex) -> None:
    ingest(index, "c1", LINES, POLICY, Toy())
    state = index.derived("c1")
    assert state is not None
    index.save("c1", derived=replace(state, stamp="an older layout"))
    assert ids(index, "Who adopted a puppy?", embedder=Toy())[0] == 0
    assert index.derived("c1") == state


def test_a_killed_backfill_goes_on_where_it_stopped(index: SqlTurnIndex) -> None:
    many = [line(i, "Ann", f"Thing number{i} is here.") for i in range(700)]
    ingest(index, "c1", many, POLICY, None)
    half = Toy()
    Keeper(index, "c1", POLICY, half).catch_up(300)
    rest, steps = Toy(), []
    recaller = load(index, "c1", POLICY, rest, progress=lambda done, there: steps.append((done, there)))
    assert set(half.seen).isdisjoint(t for t in rest.seen if t.startswith("Thing"))
    assert steps[-1] == (700, 700) and len(steps) > 1
    assert 650 in [hit.line.index for hit in recaller.recall("Where is number650?", 50)]


def test_adding_a_turn_reads_and_writes_the_same_at_any_length(index: SqlTurnIndex) -> None:
    """Counted, not timed: how many bytes the rows have that one more turn touches."""
    ingest(index, "c1", [line(i, "Ann", f"Thing number{i} is here.") for i in range(40)], POLICY, Toy())
    ingest(index, "c2", [line(i, "Ann", f"Thing number{i} is here.") for i in range(900)], POLICY, Toy())
    for name, size in (("c1", 40), ("c2", 900)):
        seen = Toy()
        text = f"A heron stood by {name}."  # another one each time: what was embedded lately is at hand
        ingest(index, name, [line(size, "Ann", text)], POLICY, seen)
        assert text in seen.seen and len(seen.seen) <= 4
        assert index.runs(name, ["heads"], after=size - 1)[0].first == size


def test_a_conversation_that_grows_by_single_turns_stays_whole(index: SqlTurnIndex) -> None:
    """Short runs are joined behind the back of who has the conversation open."""
    for i in range(200):
        ingest(index, "c1", [line(i, "Ann", f"Thing number{i} is here.")], POLICY, Toy())
        if i in (10, 70, 130):
            assert i in [h.line.index for h in warm(index, "c1", POLICY, Toy()).recall(f"number{i}", i + 1)]
    grown = warm(index, "c1", POLICY, Toy())
    whole = load(index, "c1", POLICY, Toy())
    assert len(index.runs("c1", ["heads"])) < 80
    for wanted in (0, 69, 128, 199):
        assert grown.recall(f"number{wanted}", 3) == whole.recall(f"number{wanted}", 3)


def test_turns_out_of_order_and_a_turn_of_a_million_characters(index: SqlTurnIndex) -> None:
    lines = [line(5, "Ann", "The heron came late.", 9), line(1, "Ann", "The tea was cold.", 2)]
    lines.append(line(2, "Ben", "word " * 200_000, 3))
    ingest(index, "c1", lines, POLICY, Toy())
    assert ids(index, "heron", embedder=Toy())[0] == 5
    assert len(ids(index, "word", embedder=Toy())) == 3


def test_common_words_are_kept_once_and_rare_ones_with_their_conversation(index: SqlTurnIndex) -> None:
    ingest(index, "c1", said(("Ann", "The garden has a zyxwort.")), POLICY, Toy())
    before = len(index.words(None, "toy/1", None))
    ingest(index, "c2", said(("Ben", "A garden with qqblume.")), POLICY, Toy())
    assert len(index.words(None, "toy/1", None)) == before == 1
    assert len(index.words("c1", "toy/1", None)) == len(index.words("c2", "toy/1", None)) == 1
    index.erase("c1")
    assert index.words("c1", "toy/1", None) == {}


def test_a_long_conversation_is_searched_by_its_promising_turns(index: SqlTurnIndex) -> None:
    few = replace(POLICY, recall=replace(POLICY.recall, whole_turns=50, close_turns=10))
    many = [line(i, "Ann", f"Thing number{i} is here.") for i in range(300)]
    many[250] = line(250, "Ann", "A heron stood in the pond.")
    ingest(index, "c1", many, few, Toy())
    assert load(index, "c1", few, Toy()).recall("Where did the heron stand?", 1)[0].line.index == 250
    assert load(index, "c1", few, None).recall("heron", 1)[0].line.index == 250


def test_a_new_speaker_changes_only_what_names_them(index: SqlTurnIndex) -> None:
    ingest(index, "c1", LINES, POLICY, Toy())
    embedder = Toy()
    ingest(index, "c1", [line(9, "Biscuit", "Woof woof friends.")], POLICY, embedder)
    assert "I adopted a puppy from the shelter." not in embedder.seen
    assert ". He chews everything." in embedder.seen


def test_conversations_never_see_each_other(index: SqlTurnIndex) -> None:
    ingest(index, "c1", LINES, POLICY, None)
    ingest(index, "c2", said(("Zoe", "My puppy is called Rex.")), POLICY, None)
    assert len(ids(index, "puppy", "c2")) == 1
    with pytest.raises(NotFound):
        load(index, "c3", POLICY, None)
    for nobody in ("", "  "):
        with pytest.raises(InvalidInput):
            load(index, nobody, POLICY, None)


def test_nothing_is_written_when_the_embedder_fails(index: SqlTurnIndex) -> None:
    class Broken(Toy):
        def embed(self, texts: object) -> list[list[float]]:
            raise RuntimeError("no weights")

    with pytest.raises(RuntimeError):
        ingest(index, "c1", LINES, POLICY, Broken())
    assert index.turns("c1") == []


def test_an_id_used_twice_for_different_words_is_refused(index: SqlTurnIndex) -> None:
    twice = [Line(0, "A", "one", id="x"), Line(1, "A", "two", id="x")]
    with pytest.raises(InvalidInput, match="'x' is used twice"):
        ingest(index, "c1", twice, POLICY, None)
    assert index.turns("c1") == []


def test_a_vector_of_another_dimension_is_an_error(index: SqlTurnIndex) -> None:
    class Wrong(Toy):
        def embed(self, texts: list[str]) -> list[list[float]]:
            return [[1.0, 2.0]] * len(texts)

    with pytest.raises(InvalidInput):
        ingest(index, "c9", LINES, POLICY, Wrong())


def test_erasing_leaves_no_trace_in_any_file(tmp_path: Path) -> None:
    canary = "zyxcanary"
    store = SqlStore(f"sqlite:///{tmp_path}/clew.db")
    index = SqlTurnIndex(store)
    ingest(index, "c1", said(("Nora", f"My secret word is {canary}.")), POLICY, Toy())
    ingest(index, "c2", LINES, POLICY, Toy())
    assert index.erase("c1") == {
        "recall_runs": 1,
        "recall_terms": 1,
        "recall_turns": 1,
        "recall_sources": 1,
    }
    store.vacuum()
    kept = tmp_path / "copy"
    kept.mkdir()
    for file in tmp_path.glob("clew.db*"):
        shutil.copy(file, kept)
        assert canary.encode() not in file.read_bytes()
    assert len(index.turns("c2")) == 4
    store.close()


def test_k_out_of_range_and_a_query_of_100_000_characters(index: SqlTurnIndex) -> None:
    ingest(index, "c1", LINES, POLICY, None)
    recaller = load(index, "c1", POLICY, None)
    for k in (0, -1, POLICY.recall.k_max + 1):
        with pytest.raises(InvalidInput):
            recaller.recall("puppy", k)
    assert recaller.recall("puppy " * 17_000, 1)[0].line.index == 0
