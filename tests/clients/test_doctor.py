"""`clew doctor`, `clew keys` and `clew serve` from the command line."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import psycopg
import pytest
import sqlalchemy
from click.testing import CliRunner

from clew.errors import InvalidInput
from clew.faces.cli.doctor import CHECKS, doctor
from clew.faces.cli.serve import keys, serve


def test_the_doctor_names_each_thing_and_how_to_put_it_right(tmp_path: Path) -> None:
    bad = tmp_path / "bad.db"
    bad.write_bytes(b"this is no database at all, by any means" * 40)
    runner = CliRunner()
    done = runner.invoke(
        doctor,
        ["--db", f"sqlite:///{bad}", "--writer", "http://127.0.0.1:9/v1", "--policy", str(tmp_path / "none.toml")],
        standalone_mode=False,
    )
    lines = done.output.splitlines()
    assert done.return_value == 1
    assert [x.split()[1] for x in lines if x[:3] in ("ok ", "BAD")] == list(CHECKS)
    wrong = {x.split()[1] for x in lines if x.startswith("BAD")}
    assert wrong == {"policy", "database", "writer"}
    assert sum(x.strip().startswith("→") for x in lines) >= len(wrong)


def test_the_doctor_says_that_a_database_of_another_encoding_will_not_do(fresh_postgres: Callable[[], str]) -> None:
    url = sqlalchemy.make_url(fresh_postgres())
    with psycopg.connect(url.render_as_string(hide_password=False), autocommit=True) as owner:
        owner.execute("CREATE DATABASE plain ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0")
    plain = url.set(database="plain").render_as_string(hide_password=False)
    done = CliRunner().invoke(doctor, ["--db", plain], standalone_mode=False)
    with psycopg.connect(url.render_as_string(hide_password=False), autocommit=True) as owner:
        owner.execute("DROP DATABASE plain")
    assert done.return_value == 1 and done.exception is None
    assert "SQL_ASCII" in done.output and "ENCODING 'UTF8'" in done.output


def _index_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str) -> str:
    monkeypatch.setenv("CLEW_INDEX", kind)
    done = CliRunner().invoke(doctor, ["--db", f"sqlite:///{tmp_path / 'a.db'}"], standalone_mode=False)
    return next(line for line in done.output.splitlines() if line[5:].startswith("index"))


def test_the_doctor_puts_a_turn_into_the_search_index_and_finds_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert _index_line(tmp_path, monkeypatch, "database").startswith("ok ")
    if find_spec("qdrant_client"):
        assert _index_line(tmp_path, monkeypatch, f"qdrant:{tmp_path / 'qdrant'}").startswith("ok   index     Qdrant")
    assert "no extension 'vector'" in _index_line(tmp_path, monkeypatch, "pgvector")
    assert _index_line(tmp_path, monkeypatch, "elastic").startswith("BAD")


def test_a_key_is_made_listed_without_its_secret_and_revoked(tmp_path: Path) -> None:
    runner, db = CliRunner(), ["--db", f"sqlite:///{tmp_path / 'a.db'}"]
    secret = runner.invoke(keys, ["new", "laptop", "--tenant", "red", "--user", "ann", *db]).output.strip()
    assert secret.startswith("clew_")
    row = json.loads(runner.invoke(keys, ["list", *db]).output)
    assert (row["name"], row["tenant"], row["user"], row["revoked_at"]) == ("laptop", "red", "ann", None)
    assert secret.removeprefix("clew_") not in json.dumps(row)
    assert "Revoked" in runner.invoke(keys, ["revoke", row["id"], *db]).output
    assert json.loads(runner.invoke(keys, ["list", *db]).output)["revoked_at"]


def test_a_port_that_is_taken_is_told_in_one_line_and_no_address_before_it(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        told = CliRunner().invoke(serve, ["--port", port, "--db", f"sqlite:///{tmp_path / 'talk.db'}", "--no-embed"])
    assert isinstance(told.exception, InvalidInput)
    assert told.exception.pointer == "--port"
    assert "Clew on" not in told.output
