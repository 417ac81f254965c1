"""The same question of the same things is answered once; anything else is asked anew."""

from __future__ import annotations

from clew.once import once


def test_the_same_objects_are_asked_once_and_equal_ones_again() -> None:
    asked: list[object] = []

    @once()
    def told(given: list[int]) -> int:
        asked.append(given)
        return sum(given)

    one, twin = [1, 2], [1, 2]
    assert told(one) == told(one) == 3 and len(asked) == 1
    assert told(twin) == 3 and len(asked) == 2
    one.append(4)
    assert told(one) == 3, "known by what it is, not by what it holds: only frozen things may be asked about"


def test_only_the_newest_answers_are_kept_and_an_erasure_empties_them() -> None:
    asked: list[object] = []

    @once(2)
    def told(given: object) -> object:
        asked.append(given)
        return given

    a, b, c = object(), object(), object()
    for one in (a, b, c, c, b, a):
        assert told(one) is one
    assert asked == [a, b, c, a]
    assert told.cache_info().currsize == 2  # type: ignore[attr-defined]
    told.cache_clear()  # type: ignore[attr-defined]
    assert told(a) is a and asked == [a, b, c, a, a]
