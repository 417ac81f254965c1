"""The terminal chat, driven as a person or a pipe would."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.forked import clew

CLEW = [sys.executable, "-m", "clew"]


@pytest.fixture
def db(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/clew.db"


def test_piped_lines_are_messages_and_the_end_of_input_ends_it(db: str) -> None:
    command = [*CLEW, "chat", "--db", db, "--no-embed"]
    lines = b"hi, I live in Oslo\nI love ramen\n/memories\n"
    done = subprocess.run(command, input=lines, capture_output=True, timeout=120)  # started from nothing
    out = done.stdout.decode()
    assert done.returncode == 0, done.stderr.decode()
    assert out.count("clew ›") == 2
    assert "remembered: you live in Oslo" in out
    assert "  1. You live in Oslo" in out and "fact:current_city" not in out


def test_keys_and_rules_are_shown_on_request_and_nothing_when_quiet(db: str) -> None:
    lines = "I live in Oslo\n/memories keys\n"
    loud = clew("chat", "--db", db, "--no-embed", "--verbose", stdin=lines).stdout.decode()
    assert "created fact:current_city = Oslo" in loud and "[fact:current_city = Oslo" in loud
    still = clew("chat", "--db", db, "--no-embed", "--quiet", stdin="I love tea\n").stdout.decode()
    assert still.count("\n") == 1 and still.startswith("clew ›")


def test_a_pipe_asks_nothing_and_assumes_nothing(db: str) -> None:
    out = clew("chat", "--db", db, "--no-embed", stdin="hello\n/settings\n").stdout.decode()
    for name in ("name", "age", "country", "zone", "work"):
        assert re.search(rf"^{name} +not told$", out, re.M)
    assert re.search(r"^first +no$", out, re.M), "writing first is off until it is agreed to"


def test_settings_take_plain_words_and_are_unknown_again_on_skip(db: str) -> None:
    lines = "/settings zone Berlin\n/settings age 스물다섯\n/settings\n"
    lines += "/settings age skip\n/settings\n/settings age soon\n"
    out = clew("chat", "--db", db, "--no-embed", stdin=lines).stdout.decode()
    assert "Europe/Berlin" in out and "country  DE" in out and "age      25-34" in out
    assert out.count("age      not told") == 1 and "I didn't get that" in out


def test_the_friend_is_seen_tried_chosen_drawn_anew_and_named(db: str) -> None:
    lines = "/persona\n/persona try 3\n/persona 3\n/persona\n"
    lines += "/persona name Nova\nwhat's your name?\n/persona again\n/persona 99\n"
    done = clew("chat", "--db", db, "--no-embed", stdin=lines)
    out = done.stdout.decode()
    assert "→  3. Blunt Honest" in out and "Chosen: Blunt Honest" in out and "Drawn anew:" in out
    assert re.search(r"^clew › .*Nova", out, re.M)
    assert "no persona '99'" in done.stderr.decode()


def test_everything_is_found_again_on_the_next_start(db: str) -> None:
    clew("chat", "--db", db, "--no-embed", stdin="I live in Oslo\n")
    out = clew("chat", "--db", db, "--no-embed", stdin="/memories\n/quit\n").stdout.decode()
    assert "1. You live in Oslo" in out
    assert "you: I live in Oslo" in out


def test_a_memory_is_corrected_and_forgotten_in_words(db: str) -> None:
    lines = "I live in Oslo\nactually I live in Bergen\n/memories\nforget where I live\n/memories\n"
    out = clew("chat", "--db", db, "--no-embed", stdin=lines).stdout.decode()
    listed = [line for line in out.splitlines() if line.startswith("  1. ")]
    assert len(listed) == 1 and "You live in Bergen" in listed[0]
    assert "Nothing is remembered yet." in out


def test_a_memory_is_put_right_pinned_paused_and_brought_back_by_number_or_words(db: str) -> None:
    lines = (
        "I live in Oslo\nI love ramen\n/memories\n/edit 1 = Bergen\n/pin ramen\n/pause ramen\n/memories\n"
        "/forget ramen\n/restore\n/restore ramen\n/memories ramen\n/edit 7 = x\n/forget soup\n"
    )
    out = clew("chat", "--db", db, "--no-embed", stdin=lines).stdout.decode()
    assert "Now: you live in Bergen" in out
    assert "You like ramen (paused) (pinned)" in out
    assert "Forgotten: you like ramen" in out and "Remembered again: you like ramen" in out
    assert "no number 7" in out and "Nothing remembered matches 'soup'" in out


def test_a_message_is_taken_back_with_what_it_taught(db: str) -> None:
    lines = "I live in Oslo\nI love ramen\n/unsay\n/memories\n/unsay\n/unsay\n"
    out = clew("chat", "--db", db, "--no-embed", stdin=lines).stdout.decode()
    assert "Taken back: I love ramen (and with it: you like ramen)" in out
    listed = [line for line in out.splitlines() if re.match(r"  \d+\. ", line)]
    assert listed == ["  1. You live in Oslo"]
    assert "There is nothing to take back." in out


def test_the_commands_work(db: str, tmp_path: Path) -> None:
    target = tmp_path / "mine.zip"
    lines = (
        "I love ramen\n/why\n/why all\n/memories\n/forget ramen\n/memories\n/undo\n/memories\n/threads\n"
        f"/export {target}\n/help\n/nonsense\n/quit\nnever sent\n"
    )
    done = clew("chat", "--db", db, "--no-embed", stdin=lines)
    out = done.stdout.decode()
    assert done.returncode == 0, done.stderr.decode()
    assert "I read it as" in out and "/why all shows every rule." in out
    assert "Route:" in out and "Policy " in out
    assert "Forgotten: you like ramen" in out
    assert "Undone; back: you like ramen" in out
    assert target.exists()
    assert "No command /nonsense" in out
    assert "never sent" not in out


def test_the_demo_plays_through_the_real_engine_and_touches_no_database(tmp_path: Path) -> None:
    done = subprocess.run(
        [*CLEW, "chat", "--demo", "--no-embed"],
        capture_output=True,
        timeout=120,
        env={"HOME": str(tmp_path), "PATH": "/usr/bin:/bin", "PYTHONUTF8": "1"},
    )
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout.decode().count("clew ›") == 7
    assert list(tmp_path.rglob("*.db")) == []


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("x" * 1_000_000, "1,000,000 characters"),
        (b"caf\xe9 time", "not UTF-8 at byte 3"),
        ("bell \x07 here", "U+0007 at position 5"),
    ],
)
def test_a_bad_line_is_named_and_the_others_are_answered(db: str, line: str | bytes, said: str) -> None:
    raw = line.encode() if isinstance(line, str) else line
    done = clew("chat", "--db", db, "--no-embed", stdin=b"hello\n" + raw + b"\nstill here\n")
    assert done.returncode == 1
    assert said in done.stderr.decode()
    assert done.stdout.decode().count("clew ›") == 2


def test_a_bad_policy_file_is_named(db: str, tmp_path: Path) -> None:
    bad = tmp_path / "policy.toml"
    bad.write_text("[relate]\nthreshold_of_nothing = 3\n")
    done = clew("chat", "--db", db, "--policy", str(bad), stdin="hi\n")
    assert done.returncode == 2
    assert "/relate/threshold_of_nothing" in done.stderr.decode()
    missing = clew("chat", "--db", db, "--policy", str(tmp_path / "none.toml"), stdin="hi\n")
    assert missing.returncode == 2
    assert "none.toml" in missing.stderr.decode()


def test_a_turn_for_programs_is_idempotent(db: str) -> None:
    import json

    clew("chat", "--db", db, "--no-embed", stdin="hello\n")
    name = "00000000-0000-0000-0000-00000000000a"
    first = json.loads(clew("turn", "--db", db, "--no-embed", "--message-id", name, "I love tea").stdout)
    again = json.loads(clew("turn", "--db", db, "--no-embed", "--message-id", name, "I love tea").stdout)
    assert (again["reply"], again["replayed"], first["replayed"]) == (first["reply"], True, False)
    other = clew("turn", "--db", db, "--no-embed", "--message-id", name, "I love coffee")
    assert other.returncode == 2 and b"message_reused" in other.stderr
    empty = clew("turn", "--db", db, "--no-embed", stdin="   \n")
    assert empty.returncode == 2 and b"text is empty" in empty.stderr
    story = clew("why", "--db", db, name).stdout.decode()
    assert "You said: I love tea" in story


def test_the_prompt_can_be_seen_without_asking_anyone(db: str) -> None:
    clew("chat", "--db", db, "--no-embed", stdin="I love ramen\n")
    shown = clew(
        "turn", "--db", db, "--no-embed", "--show-prompt", "remember what food I like?"
    ).stdout.decode()
    assert "--- system" in shown
    assert "ramen" in shown
    assert "left out" in shown
    after = clew("memories", "list", "--keys", "--db", db).stdout.decode()
    assert after.count("pref:food:ramen") == 1


@pytest.mark.parametrize(
    "command",
    [["turn", "hi"], ["why", "x"], ["memories", "list"], ["replay"], ["export", "x.zip"], ["erase", "--yes"]],
    ids=lambda c: c[0],
)
def test_a_command_that_needs_a_database_makes_none(command: list[str], tmp_path: Path) -> None:
    done = clew(*command, "--db", f"sqlite:///{tmp_path}/typo/clew.db")
    assert done.returncode == 2
    assert "no database at" in done.stderr.decode() and "typo" in done.stderr.decode()
    assert not (tmp_path / "typo").exists()
