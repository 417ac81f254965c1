"""The search contract: a new search index proves itself by subclassing `SearchIndexContract`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from clew.errors import ClewError
from clew.ports.search import Narrow, Near, Point, SearchIndex

MADE = "reading-1/space-a"


def point(position: int, *vectors: Sequence[float], terms: dict[int, float] | None = None, speaker: int = 0) -> Point:
    return Point(position, speaker, 100.0 * position, vectors, {} if terms is None else terms)


def places(found: Sequence[Near]) -> list[int]:
    return [near.position for near in found]


# Unit vectors, each further from the first axis than the one before it.
FAN = [(1.0, 0.0, 0.0), (0.8, 0.6, 0.0), (0.6, 0.8, 0.0), (0.0, 1.0, 0.0), (-1.0, 0.0, 0.0)]


class SearchIndexContract:
    @pytest.fixture
    def make_search(self) -> Callable[[], SearchIndex]:
        """Each call opens the same index again, as a later start would."""
        raise NotImplementedError("a subclass gives a search index")

    @pytest.fixture
    def search(self, make_search: Callable[[], SearchIndex]) -> SearchIndex:
        return make_search()

    def test_the_nearest_come_first_and_no_more_than_asked_for(self, search: SearchIndex) -> None:
        search.put("a", MADE, [point(n, FAN[n]) for n in (3, 0, 4, 2, 1)])
        assert places(search.nearest("a", (1.0, 0.0, 0.0), 3)) == [0, 1, 2]
        assert places(search.nearest("a", (0.0, 1.0, 0.0), 2)) == [3, 2]
        got = search.nearest("a", (1.0, 0.0, 0.0), 9)
        assert places(got) == [0, 1, 2, 3, 4]
        assert [n.score for n in got] == pytest.approx([1.0, 0.8, 0.6, 0.0, -1.0], abs=2e-3)
        assert search.nearest("a", (1.0, 0.0, 0.0), 0) == []

    def test_a_long_turn_is_found_once_by_its_best_passage(self, search: SearchIndex) -> None:
        search.put("a", MADE, [point(0, FAN[3], FAN[1], FAN[4]), point(1, FAN[2])])
        got = search.nearest("a", (1.0, 0.0, 0.0), 5)
        assert places(got) == [0, 1] and got[0].score == pytest.approx(0.8, abs=2e-3)

    def test_terms_count_by_weight_and_by_what_they_say(self, search: SearchIndex) -> None:
        held = [{7: 1.0}, {7: 0.5, 2**32 - 1: 2.0}, {9: 1.0}, {}]
        search.put("a", MADE, [point(n, FAN[n], terms=terms) for n, terms in enumerate(held)])
        got = search.holding("a", {7: 2.0, 2**32 - 1: 1.5, 11: 9.0}, 5)
        assert places(got) == [1, 0] and [n.score for n in got] == pytest.approx([4.0, 2.0])
        assert places(search.holding("a", {7: 2.0, 9: 0.5}, 1)) == [0]
        assert search.holding("a", {}, 5) == [] and search.holding("a", {8: 1.0}, 5) == []

    def test_frequencies_count_turns(self, search: SearchIndex) -> None:
        search.put("a", MADE, [point(n, FAN[0], FAN[1], terms={7: 0.5, 100 + n: 1.0}) for n in range(5)])
        got = search.frequencies("a", [7, 101, 8])
        assert (got[7], got[101], got.get(8, 0)) == (5, 1, 0) and search.frequencies("a", []) == {}

    def test_what_is_found_can_be_narrowed_by_speaker_and_time(self, search: SearchIndex) -> None:
        timeless = Point(5, 1, None, [FAN[0]], {7: 3.0})
        search.put("a", MADE, [point(n, FAN[n], terms={7: 1.0}, speaker=n % 2) for n in range(5)])
        search.put("a", MADE, [timeless])
        asked = (1.0, 0.0, 0.0)
        assert places(search.nearest("a", asked, 9, Narrow(speakers=frozenset({1})))) == [5, 1, 3]
        assert places(search.nearest("a", asked, 9, Narrow(since=100.0, until=300.0))) == [1, 2, 3]
        assert places(search.holding("a", {7: 1.0}, 1, Narrow(speakers=frozenset({1})))) == [5]
        assert sorted(places(search.holding("a", {7: 1.0}, 9, Narrow(until=150.0)))) == [0, 1]
        assert search.nearest("a", asked, 9, Narrow(speakers=frozenset())) == []

    def test_narrowing_finds_as_many_as_there_are_among_many_others(self, search: SearchIndex) -> None:
        """What may be found is chosen before the nearest are counted, not after."""
        crowd = [point(n, FAN[0], terms={7: 1.0}, speaker=0) for n in range(300)]
        few = [point(300 + n, FAN[4], terms={7: 0.1}, speaker=1) for n in range(3)]
        search.put("a", MADE, [*crowd, *few])
        only = Narrow(speakers=frozenset({1}))
        assert sorted(places(search.nearest("a", (1.0, 0.0, 0.0), 5, only))) == [300, 301, 302]
        assert sorted(places(search.holding("a", {7: 1.0}, 5, only))) == [300, 301, 302]

    def test_one_conversation_sees_nothing_of_another(self, search: SearchIndex) -> None:
        search.put("a", MADE, [point(0, FAN[0], terms={7: 1.0})])
        search.put("b", MADE, [point(3, FAN[1], terms={7: 1.0})])
        assert places(search.nearest("a", FAN[0], 9)) == [0] and places(search.holding("b", {7: 1.0}, 9)) == [3]
        assert search.frequencies("a", [7]) == {7: 1} and search.last("b", MADE) == 3
        assert search.nearest("c", FAN[0], 9) == [] and search.holding("c", {7: 1.0}, 9) == []
        assert search.drop("a") == 1 and places(search.nearest("b", FAN[0], 9)) == [3]

    def test_it_says_how_far_it_goes_so_that_a_stopped_backfill_goes_on(self, search: SearchIndex) -> None:
        assert search.last("a", MADE) == -1
        search.put("a", MADE, [point(0, FAN[0]), point(1)])  # a turn that says nothing has no vector
        search.put("a", MADE, [])
        assert search.last("a", MADE) == 1
        search.put("a", MADE, [point(2, FAN[1])])
        assert search.last("a", MADE) == 2 and places(search.nearest("a", FAN[0], 9)) == [0, 2]

    def test_a_turn_put_again_replaces_what_stood_there(self, search: SearchIndex) -> None:
        search.put("a", MADE, [point(0, FAN[0], FAN[1], terms={7: 1.0}), point(1, FAN[2], terms={7: 1.0})])
        search.put("a", MADE, [point(0, FAN[4], terms={9: 1.0})])
        assert places(search.nearest("a", FAN[0], 9)) == [1, 0]
        assert places(search.holding("a", {7: 1.0}, 9)) == [1] and search.frequencies("a", [7, 9]) == {7: 1, 9: 1}

    def test_what_was_made_in_another_way_goes_before_anything_new_stands(self, search: SearchIndex) -> None:
        search.put("a", MADE, [point(n, FAN[n], terms={7: 1.0}) for n in range(4)])
        search.put("b", MADE, [point(0, FAN[0])])
        assert search.last("a", "reading-2/space-a") == -1
        search.put("a", "reading-2/space-b", [Point(0, 0, None, [(0.6, 0.8)], {8: 1.0})])
        assert search.last("a", MADE) == -1 and search.last("a", "reading-2/space-b") == 0
        assert search.nearest("a", FAN[0], 9) == [] and places(search.nearest("a", (1.0, 0.0), 9)) == [0]
        assert search.holding("a", {7: 1.0}, 9) == [] and search.last("b", MADE) == 0

    def test_dropping_leaves_nothing_and_counts_the_turns(self, search: SearchIndex) -> None:
        search.put("a", MADE, [point(0, FAN[0], FAN[1], terms={7: 1.0}), point(1)])
        assert search.drop("a") == 2 and search.drop("a") == 0
        assert search.nearest("a", FAN[0], 9) == [] and search.holding("a", {7: 1.0}, 9) == []
        assert search.frequencies("a", [7]).get(7, 0) == 0 and search.last("a", MADE) == -1

    def test_what_was_put_is_there_after_a_new_start(self, make_search: Callable[[], SearchIndex]) -> None:
        make_search().put("a", MADE, [point(0, FAN[0], terms={7: 1.0})])
        again = make_search()
        assert again.last("a", MADE) == 0 and places(again.nearest("a", FAN[0], 9)) == [0]

    @pytest.mark.parametrize("name", ["", "  ", "\nspace-a"])
    def test_without_a_conversation_nothing_is_seen(self, search: SearchIndex, name: str) -> None:
        search.put("a", MADE, [point(0, FAN[0], terms={7: 1.0})])
        for ask in (
            lambda: search.nearest(name, FAN[0], 9),
            lambda: search.holding(name, {7: 1.0}, 9),
            lambda: search.drop(name),
            lambda: search.last(name, MADE),
        ):
            with pytest.raises(ClewError):
                ask()
