"""The short form of `make torture`: the same supervisor and auditor, for seconds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.faults.torture import torture

KILLS = 30


@pytest.mark.parametrize("store", ["sqlite", "postgres"])
def test_killed_at_any_step_nothing_is_lost_and_nothing_doubled(
    store: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    numbers = iter(range(1000))
    make: Callable[[], str] = (
        (lambda: f"sqlite:///{tmp_path}/{next(numbers)}.db")
        if store == "sqlite"
        else request.getfixturevalue("empty_postgres")
    )
    summary = torture(make, KILLS)
    assert summary.faults == []
    assert summary.killed >= KILLS and summary.replays
