"""Sums over vectors are the exact ones, whoever adds them."""

from __future__ import annotations

from array import array
from math import fsum, inf, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.kernel.text.exact import on_grid, products

GRID = st.integers(-(1 << 14), 1 << 14).map(lambda n: n / (1 << 14))
ANY = st.floats(-1, 1, allow_nan=False)


@given(st.lists(st.tuples(GRID, GRID), min_size=1, max_size=64))
def test_numbers_on_the_grid_add_up_as_one_by_one(pairs: list[tuple[float, float]]) -> None:
    a, b = array("d", [x for x, _ in pairs]), array("d", [y for _, y in pairs])
    assert on_grid(a) is not None
    assert products(a, b)[0] == fsum(x * y for x, y in pairs)


@given(st.lists(st.tuples(ANY, ANY), min_size=1, max_size=64))
def test_other_numbers_add_up_as_one_by_one(pairs: list[tuple[float, float]]) -> None:
    a, b = [x for x, _ in pairs], [y for _, y in pairs]
    expected = (fsum(x * y for x, y in pairs), fsum(x * x for x in a), fsum(y * y for y in b))
    assert products(a, b) == expected


@pytest.mark.parametrize("odd", [0.1, inf, -inf, nan, 129.0])
def test_what_is_not_on_the_grid_is_not_taken_for_it(odd: float) -> None:
    assert on_grid([0.5, odd]) is None


def test_vectors_of_two_sizes_have_no_product() -> None:
    with pytest.raises(ValueError, match="1 and 2"):
        products([1.0], [1.0, 2.0])
