from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from clew.engine.parts import Parts
from clew.testing.parts import make_parts


@pytest.fixture(params=["sqlite", "postgres"])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[..., Parts]]:
    """Opens engines on a fresh database of each kind; the second call of one test shares the first's database."""
    made: list[Parts] = []
    url = (
        f"sqlite:///{tmp_path}/clew.db"
        if request.param == "sqlite"
        else request.getfixturevalue("fresh_postgres")()
    )

    def open_engine(**more: Any) -> Parts:
        made.append(make_parts(more.pop("url", url), **more))
        return made[-1]

    yield open_engine
    for parts in made:
        parts.store.close()


@pytest.fixture
def fresh_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/fresh.db"
