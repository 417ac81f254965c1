"""`clew replay`: the journal agrees, a changed row does not, and another policy shows what flips."""

from __future__ import annotations

import json
import sqlite3
import subprocess
from pathlib import Path

import pytest

from tests import forked


def clew(*args: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    done = forked.clew(*args, stdin=stdin)
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


@pytest.fixture
def db(tmp_path: Path) -> str:
    url = f"sqlite:///{tmp_path}/clew.db"
    done = clew("chat", "--db", url, "--no-embed", stdin="I live in Oslo\nI love ramen\nmy mom is visiting\n")
    assert done.returncode == 0, done.stderr
    return url


def test_the_rebuilt_state_is_identical(db: str) -> None:
    told = json.loads(clew("replay", "--db", db, "--json").stdout)
    assert told["identical"] and told["entries"] > 10


def test_a_row_changed_by_hand_is_found(db: str, tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "clew.db") as raw:
        raw.execute("UPDATE memories SET memory_value = 'Paris' WHERE memory_key = 'fact:current_city'")
    done = clew("replay", "--db", db)
    assert done.returncode == 1
    assert "memories" in done.stdout and "DIFFERS" in done.stdout


def test_another_policy_shows_which_verdicts_flip(db: str, tmp_path: Path) -> None:
    other = tmp_path / "other.toml"
    other.write_text('[listen.topics]\nFAMILY = ["cousin"]\n')
    done = clew("replay", "--db", db, "--against", str(other))
    assert "topics: FAMILY -> none" in done.stdout
    assert "3 turns asked again; 1 verdicts flip" in done.stdout
    same = tmp_path / "same.toml"
    same.write_text("")
    assert "0 verdicts flip" in clew("replay", "--db", db, "--against", str(same)).stdout


def test_nothing_is_rebuilt_over_a_database_that_holds_something(db: str) -> None:
    before = clew("replay", "--db", db).stdout
    done = clew("replay", "--db", db, "--into", db)
    assert done.returncode == 2
    assert "--into" in done.stderr and "not empty" in done.stderr
    assert clew("replay", "--db", db).stdout == before
