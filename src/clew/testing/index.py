"""The index contract: a new turn index proves itself by subclassing `TurnIndexContract`."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest

from clew.errors import ClewError
from clew.model.transcript import Line
from clew.ports.index import Derived, StoredRun, StoredTurn, TurnIndex

AT = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
COLUMNS = ("heads", "sizes", "hashes", "counts", "scales", "coarse", "vectors")
DERIVED = Derived("made-by-1", "space-a", ("Kai", "미나"), -1)


def turn(position: int, text: str = "", speaker: str = "Kai") -> StoredTurn:
    said, at = text or f"line {position} ☃ 서울", AT + timedelta(minutes=position)
    return StoredTurn(position, Line(position, speaker, said, at, f"id-{position}"))


def run(first: int, last: int, mark: str = "") -> StoredRun:
    """One byte a turn in every column, so that joined runs can be told apart again."""
    body = bytes((ord(mark) if mark else n) % 256 for n in range(first, last + 1))
    return StoredRun(first, last, dict.fromkeys(COLUMNS, body))


class TurnIndexContract:
    @pytest.fixture
    def make_index(self) -> Callable[[], TurnIndex]:
        """Each call opens the same index again, as another process would."""
        raise NotImplementedError("a subclass gives an index")

    @pytest.fixture
    def index(self, make_index: Callable[[], TurnIndex]) -> TurnIndex:
        return make_index()

    def test_turns_come_back_as_they_were_in_order_of_position(self, index: TurnIndex) -> None:
        index.save("a", turns=[turn(2), turn(0), turn(1)])
        assert index.turns("a") == [turn(0), turn(1), turn(2)]
        assert index.last("a") == 2 and index.last("b") == -1 and index.turns("b") == []

    def test_turns_are_asked_for_by_place_number_and_word(self, index: TurnIndex) -> None:
        index.save("a", turns=[turn(n, f"word{n} and 100%_sure") for n in range(10)])
        assert [t.position for t in index.turns("a", positions=[7, 3, 99])] == [3, 7]
        assert [t.position for t in index.turns("a", after=6)] == [7, 8, 9]
        assert [t.position for t in index.turns("a", after=2, most=2)] == [3, 4]
        assert [t.position for t in index.turns("a", holding=["WORD4".lower(), "word5"])] == [4, 5]
        assert len(index.turns("a", holding=["100%_"])) == 10 and index.turns("a", holding=["100x_"]) == []
        assert index.turns("a", positions=[]) == []

    def test_a_turn_at_a_place_that_is_taken_replaces_it(self, index: TurnIndex) -> None:
        index.save("a", turns=[turn(0), turn(1)])
        index.save("a", turns=[turn(1, "said otherwise")])
        assert [t.line.text for t in index.turns("a")] == [turn(0).line.text, "said otherwise"]

    def test_lines_are_known_by_their_id_or_else_by_their_index(self, index: TurnIndex) -> None:
        index.save("a", turns=[turn(0), turn(1), turn(2)])
        asked = [Line(9, "x", "y", id="id-1"), Line(2, "x", "y"), Line(7, "x", "y", id="id-9")]
        assert sorted(t.position for t in index.known("a", asked)) == [1, 2]
        assert index.known("b", asked) == []
        assert sorted(index.places("a", ["id-2", "id-0", "nobody"])) == [0, 2] and index.places("b", ["id-0"]) == []

    def test_one_conversation_sees_nothing_of_another(self, index: TurnIndex) -> None:
        for name in ("a", "b"):
            words = {1: name.encode()}
            index.save(name, turns=[turn(0, f"of {name}")], derived=DERIVED, runs=[run(0, 0, name)], words=words)
        assert [t.line.text for t in index.turns("b")] == ["of b"]
        assert index.runs("b", ["heads"])[0].columns == {"heads": b"b"}
        assert index.words("a", "space-a", None) == {1: b"a"}
        index.erase("a")
        assert index.turns("b") and index.runs("b", ["heads"]) and index.words("b", "space-a", None) == {1: b"b"}

    def test_transcripts_of_an_owner_are_listed_by_name(self, index: TurnIndex) -> None:
        index.save("b", turns=[turn(0)], owner="u1")
        index.save("a", turns=[turn(0)], owner="u1")
        index.save("c", turns=[turn(0)], owner="u2")
        index.save("a", turns=[turn(1)])  # whose it is stays
        assert index.owned("u1") == ["a", "b"] and index.owned("u2") == ["c"] and index.owned("u3") == []
        assert not index.is_chat("a")

    def test_what_is_derived_says_how_it_was_made_and_how_far_it_goes(self, index: TurnIndex) -> None:
        assert index.derived("a") is None
        index.save("a", turns=[turn(0)])
        assert index.derived("a") is None
        index.save("a", derived=DERIVED, runs=[run(0, 4)])
        assert index.derived("a") == Derived("made-by-1", "space-a", ("Kai", "미나"), 4)

    def test_runs_are_read_by_span_and_only_the_columns_asked_for(self, index: TurnIndex) -> None:
        index.save("a", derived=DERIVED, runs=[run(0, 2), run(3, 5), run(6, 6)])
        got = index.runs("a", ["vectors", "heads"])
        assert b"".join(r.columns["vectors"] for r in got) == bytes(range(7))
        assert all(set(r.columns) == {"vectors", "heads"} for r in got)
        assert (got[0].first, got[-1].last) == (0, 6)
        assert all(r.last > 2 for r in index.runs("a", ["heads"], after=2))
        assert all(r.first <= 2 for r in index.runs("a", ["heads"], upto=2))
        assert index.runs("b", ["heads"]) == []

    def test_runs_are_read_by_the_positions_they_hold_and_so_many_at_a_time(self, index: TurnIndex) -> None:
        index.save("a", derived=DERIVED, runs=[run(0, 2), run(3, 5), run(9, 9)])
        got = index.runs_at("a", ["heads"], [4, 9, 3, 7, 99])  # nothing stands at 7, nor at 99
        assert [(r.first, r.last, r.columns["heads"]) for r in got] == [(3, 5, bytes([3, 4, 5])), (9, 9, bytes([9]))]
        assert index.runs_at("a", ["heads"], []) == [] and index.runs_at("b", ["heads"], [0]) == []
        assert [r.first for r in index.runs("a", ["heads"], most=2)] == [0, 3]
        assert [r.first for r in index.runs("a", ["heads"], after=2, most=1)] == [3]

    def test_a_run_made_again_replaces_the_one_that_begins_there_and_another_is_left(self, index: TurnIndex) -> None:
        index.save("a", derived=DERIVED, runs=[run(0, 2), run(3, 5)])
        index.save("a", derived=DERIVED, runs=[run(3, 5, "x")])
        index.save("a", derived=DERIVED, runs=[run(1, 3, "y")])  # another writer was first
        assert b"".join(r.columns["heads"] for r in index.runs("a", ["heads"])) == bytes([0, 1, 2]) + b"xxx"

    def test_many_small_runs_stay_in_order_and_lose_nothing(self, index: TurnIndex) -> None:
        for n in range(200):
            index.save("a", derived=DERIVED, runs=[run(n, n)])
        got = index.runs("a", ["coarse"])
        assert b"".join(r.columns["coarse"] for r in got) == bytes(n % 256 for n in range(200))
        assert all(a.last + 1 == b.first for a, b in pairwise(got))
        assert index.derived("a") == Derived("made-by-1", "space-a", ("Kai", "미나"), 199)

    def test_words_of_a_conversation_are_its_own_and_shared_ones_are_everybodys(self, index: TurnIndex) -> None:
        index.save("a", derived=DERIVED, words={5: b"five", -(2**40): b"far"}, shared={7: b"seven"})
        assert index.words("a", "space-a", None) == {5: b"five", -(2**40): b"far"}
        assert index.words("a", "space-a", [5, 6]) == {5: b"five"} and index.words("a", "space-a", []) == {}
        assert index.words(None, "space-a", None) == {7: b"seven"} and index.words(None, "space-b", None) == {}
        index.save("b", derived=DERIVED, shared={7: b"other", 8: b"eight"})
        assert index.words(None, "space-a", None) == {7: b"seven", 8: b"eight"}

    def test_forgetting_what_is_derived_leaves_the_turns(self, index: TurnIndex) -> None:
        index.save("a", turns=[turn(0)], derived=DERIVED, runs=[run(0, 0)], words={1: b"x"}, owner="u1")
        index.forget_derived("a")
        assert index.derived("a") is None and index.runs("a", ["heads"]) == [] and index.turns("a") == [turn(0)]
        assert index.owned("u1") == ["a"]
        index.save("a", derived=DERIVED, runs=[run(0, 0, "z")])
        assert index.runs("a", ["heads"])[0].columns["heads"] == b"z"

    def test_erasing_leaves_nothing_and_counts_what_it_took(self, index: TurnIndex) -> None:
        index.save("a", turns=[turn(0), turn(1)], derived=DERIVED, runs=[run(0, 1)], words={1: b"x"}, owner="u1")
        assert sum(index.erase("a").values()) >= 4
        assert index.turns("a") == [] and index.runs("a", ["heads"]) == [] and index.derived("a") is None
        assert index.owned("u1") == [] and index.words("a", "space-a", None) == {}
        assert not any(index.erase("a").values())

    def test_all_of_a_save_stands_or_nothing_does(self, index: TurnIndex) -> None:
        broken = StoredRun(0, 0, {"heads": b"x"})  # columns are missing
        with pytest.raises(Exception):  # noqa: B017  which error is the adapter's own
            index.save("a", turns=[turn(0)], derived=DERIVED, runs=[broken])
        assert index.turns("a") == [] and index.derived("a") is None

    def test_another_process_sees_what_was_saved(self, make_index: Callable[[], TurnIndex]) -> None:
        one, two = make_index(), make_index()
        assert one.place == two.place
        one.save("a", turns=[turn(0)], derived=DERIVED, runs=[run(0, 0)])
        assert two.turns("a") == [turn(0)] and two.derived("a") is not None

    @pytest.mark.parametrize("name", ["", "  ", "\nspace-a"])
    def test_without_a_conversation_nothing_is_seen(self, index: TurnIndex, name: str) -> None:
        index.save("a", turns=[turn(0)], derived=DERIVED, shared={1: b"x"})
        for ask in (index.turns, index.last, index.derived, index.erase):
            with pytest.raises(ClewError):
                ask(name)
