"""`clew threads check`: the verdict for people and for programs, and its exit status."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from clew.faces.cli.main import main

EXAMPLES = Path(__file__).parents[2] / "examples" / "campaign"
REWORDED, PAGE = EXAMPLES / "reworded.json", EXAMPLES / "page.json"


def run(*args: str) -> int:
    with pytest.raises(SystemExit) as stop:
        main(["threads", *args])
    return int(stop.value.code or 0)


def write(folder: Path, document: Any) -> str:
    path = folder / "given.json"
    path.write_text(document if isinstance(document, str) else json.dumps(document), encoding="utf-8")
    return str(path)


def test_a_rejected_proposal_exits_with_one_and_shows_the_near_duplicate(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run("check", str(REWORDED)) == 1
    shown = capsys.readouterr().out
    for word in (
        "rejected",
        "THREAD_DUPLICATE_LIKE_ADD",
        "td-13",
        "similarity 0.786",
        "proposed RELATIONSHIP",
        "INVENTORY",
    ):
        assert word in shown


def test_the_same_proposal_is_repaired_on_request(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("check", str(REWORDED), "--mode", "repair", "--json") == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["accepted"] and [a["id"] for a in answer["added"]] == ["td-15", "td-16"]
    assert answer["added"][0]["supersedes"] == ["td-13"]


def test_a_whole_page_is_checked_by_the_narrators_reconciler(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("check", str(PAGE), "--json") == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["accepted"] and answer["removed"]["threats"] == ["th-2"]
    assert answer["state"]["location"] == "the old mill"
    assert answer["state"]["counters"]["inv"] == 6
    assert run("check", str(PAGE)) == 0
    assert "pr-1 is ageing" in capsys.readouterr().out


def test_the_state_of_an_answer_can_be_the_next_state(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run("check", str(PAGE), "--json")
    state = json.loads(capsys.readouterr().out)["state"]
    again = {
        "state": state,
        "proposal": {"inventory": {"remove": ["inv-5"]}, "threads": {"resolve": ["td-15"]}},
    }
    assert run("check", write(tmp_path, again), "--json") == 0
    assert [t["id"] for t in json.loads(capsys.readouterr().out)["threads"]] == ["td-14", "td-16"]


def test_an_object_of_the_kernel_is_taken_as_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = {"threads": [], "add": [{"type": "MYSTERY", "text": "Who came?"}]}
    assert run("check", write(tmp_path, given)) == 0
    assert "+ td-1 MYSTERY MEDIUM: Who came?" in capsys.readouterr().out


@pytest.mark.parametrize(
    "given", ["{", "[]", '{"proposal": 3}', '{"state": {"threads": 4}, "proposal": {"add": []}}']
)
def test_an_unreadable_file_is_one_clear_line_and_status_two(
    given: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("check", write(tmp_path, given)) == 2
    assert capsys.readouterr().err.startswith("clew: invalid_input at /")


def test_a_missing_file_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("check", "nowhere.json") == 2
    assert "nowhere.json" in capsys.readouterr().err


def test_the_rules_are_printed_for_both_kinds_of_page(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("prompt", "opening") == 0
    opening = capsys.readouterr().out
    assert run("prompt", "continuation") == 0
    assert "THREAD_NOOP_REPLACEMENT" in capsys.readouterr().out and "THREAD_NOOP_REPLACEMENT" not in opening


def test_it_reads_standard_input_as_a_program(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "clew", "threads", "check", "-", "--json"],
        input=REWORDED.read_bytes(),
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )
    assert done.returncode == 1 and json.loads(done.stdout)["accepted"] is False
