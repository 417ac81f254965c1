"""Matrices in short floats give the same whole numbers as in long ones, however large the numbers are."""

from __future__ import annotations

import numpy as np
import pytest

from clew.kernel.read.exact import _product, _sliced


@pytest.mark.parametrize("size", [3, 900, 20_000, 65_536])
@pytest.mark.parametrize("shape", [(192, 64), (576, 100), (1280, 256)])
@pytest.mark.parametrize("count", [1, 7, 60, 300])
def test_a_product_in_slices_is_the_product(size: int, shape: tuple[int, int], count: int) -> None:
    chance = np.random.default_rng(size + shape[0])
    matrix = chance.integers(-127, 128, shape).astype(np.int8)
    rows = chance.integers(-size, size + 1, (count, shape[0])).astype(np.float64)
    assert (_product(rows, _sliced(matrix)) == rows @ matrix.astype(np.float64)).all()
    assert (_product(rows[0], _sliced(matrix)) == rows[0] @ matrix.astype(np.float64)).all()


def test_the_largest_numbers_there_can_be_add_up_too() -> None:
    matrix = np.full((1280, 4), 127, dtype=np.int8)
    rows = np.full((2, 1280), 65_536.0)
    assert (_product(rows, _sliced(matrix)) == 127 * 65_536 * 1280).all()


def test_a_matrix_is_laid_out_column_by_column_however_it_was_stored() -> None:
    for order in ("C", "F"):
        columns = _sliced(np.ones((256, 192), dtype=np.int8, order=order)).columns
        assert columns.shape == (192, 256)
        assert columns.flags.c_contiguous
