"""A policy from the cache folder is the shipped one, and a file that is anything else is not used."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from clew import policy as policies
from clew.adapters import cache
from clew.engine import prepared
from clew.model.canonical import canonical_json
from clew.policy.rows import rows

SHIPPED = policies.default().fingerprint


@pytest.fixture
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A process that has loaded no policy yet, with a cache of its own."""
    monkeypatch.setenv("CLEW_CACHE", str(tmp_path))
    monkeypatch.setattr(policies, "_shipped", [])
    return tmp_path


def test_what_comes_back_is_the_shipped_policy_row_by_row() -> None:
    ours = policies.default()
    again = prepared.unpacked(prepared.packed(ours))
    assert again is not None and again is not ours
    assert canonical_json(again) == canonical_json(ours)
    assert again.fingerprint == ours.fingerprint
    for room in policies.ROOMS:
        there = [(p, str(r), getattr(r, "says", ())) for p, r in rows(getattr(ours, room), room)]
        assert [(p, str(r), getattr(r, "says", ())) for p, r in rows(getattr(again, room), room)] == there


def test_it_is_made_once_and_then_taken_as_it_is(fresh: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = prepared.policy()
    assert [p.name for p in fresh.iterdir()] == [f"policy-{prepared.made_from()}"]
    monkeypatch.setattr(policies, "_shipped", [])
    monkeypatch.setattr(policies, "from_tables", lambda *_: pytest.fail("the tables were read again"))
    again = prepared.policy()
    assert again is not made and again.fingerprint == made.fingerprint
    assert policies.default() is again


@pytest.mark.parametrize("bad", [b"", b"nothing", pickle.dumps("a text"), pickle.dumps(Path("x"))])
def test_a_file_that_is_no_policy_is_not_used(fresh: Path, bad: bytes) -> None:
    cache.keep("policy", prepared.made_from(), [bad])
    assert prepared.policy().fingerprint == SHIPPED


def test_nothing_but_nouns_and_tables_is_taken_out_of_the_file(capsys: pytest.CaptureFixture[str]) -> None:
    class Trap:
        def __reduce__(self) -> object:
            return print, ("sprung",)

    assert prepared.unpacked(pickle.dumps(Trap())) is None
    assert capsys.readouterr().out == ""


def test_a_users_own_file_is_read_and_checked_each_time(fresh: Path, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("[engine]\nlist_minutes = 7\n", encoding="utf-8")
    assert prepared.policy(file).engine.list_minutes == 7
    assert list(fresh.glob("policy-*")) == []
