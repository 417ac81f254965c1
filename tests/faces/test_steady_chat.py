"""The chat goes on: no failure of ours, no word of a model's, no name ends it or takes over the terminal."""

from __future__ import annotations

import codecs
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from clew.engine import turn as turns
from clew.engine.composing import BuiltIn as Composer
from clew.faces.cli import out
from clew.faces.cli.main import cli
from clew.faces.cli.screen import Screen
from clew.kernel.ground import pick
from clew.ports.llm import WriterAnswer

LIVE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
EVIL = "\x1b]0;owned\x07 \x9b31m red \u202e drow \x7f\r\x00 end"


def clew(*args: str, stdin: str = "") -> Result:
    return CliRunner().invoke(cli, list(args), input=stdin.encode(), catch_exceptions=False, standalone_mode=False)


@pytest.fixture
def db(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/clew.db"


def chat(db: str, *lines: str) -> Result:
    return clew("chat", "--db", db, "--no-embed", stdin="".join(f"{line}\n" for line in lines))


def break_the_turn(patch: pytest.MonkeyPatch, word: str = "soup") -> None:
    """A bug that only one message meets."""
    real = turns.bring_to_mind

    def broken(parts: object, scene: object, *rest: object) -> object:
        if word in scene.incoming.text:  # type: ignore[attr-defined]
            raise IndexError("list index out of range")
        return real(parts, scene, *rest)  # type: ignore[arg-type]

    patch.setattr(turns, "bring_to_mind", broken)


def test_a_message_that_breaks_a_turn_does_not_end_the_chat(db: str, monkeypatch: pytest.MonkeyPatch) -> None:
    break_the_turn(monkeypatch)
    done = chat(db, "hello", "I had soup today", "still here?")
    assert done.output.count("clew ›") == 3
    assert "something on my side" in done.output.lower()
    assert "Traceback" not in done.output
    assert done.return_value == 1


def test_the_next_start_names_it_and_goes_on(db: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        break_the_turn(patch)
        chat(db, "I had soup today")
        later = chat(db, "hello")
        assert "Set aside after 3 attempts" in later.output
        assert later.output.count("clew ›") == 1 and later.return_value == 0
    assert chat(db, "/retry").output.count("clew ›") == 1
    assert "Set aside" not in chat(db, "hello").output


def test_failed_turns_are_listed_and_tried_again(db: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        break_the_turn(patch)
        chat(db, "I had soup today")
        told = clew("turns", "failed", "--db", db).output
        assert "I had soup today" in told and "IndexError: list index out of range" in told and "set aside" in told
        row = json.loads(clew("turns", "failed", "--db", db, "--json").output)
        still = clew("turns", "retry", "--db", db, "--no-embed", row["message_id"])
        assert json.loads(still.output)["set_aside"] and still.return_value == 1
    fine = clew("turns", "retry", "--db", db, "--no-embed", row["message_id"])
    assert json.loads(fine.output)["reply_id"] and fine.return_value == 0
    assert "every message was answered" in clew("turns", "failed", "--db", db).output


def test_a_command_that_breaks_is_told_in_one_line(db: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from clew.faces.cli import commands

    def broken(*given: object) -> None:
        raise KeyError("rows")

    monkeypatch.setitem(commands.COMMANDS, "memories", (broken, "", ""))
    done = chat(db, "/memories", "hello")
    assert "something of ours broke: KeyError: 'rows'" in done.output
    assert done.output.count("clew ›") == 1


def test_a_number_of_another_script_is_a_word(db: str) -> None:
    assert "Nothing remembered matches" in chat(db, "/forget ²").output


def test_a_line_that_breaks_the_pointing_is_still_a_message(db: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*given: object, **more: object) -> None:
        raise ValueError("odd")

    monkeypatch.setattr(pick, "understand", broken)
    done = chat(db, "I love ramen", "/memories", "the second one is nice")
    assert done.output.count("clew ›") == 2


def test_ctrl_c_in_mid_reply_keeps_the_message_and_the_chat(tmp_path: Path) -> None:
    """On a real terminal, against a writer that hangs."""
    hang = tmp_path / "hang.py"
    hang.write_text(
        "import signal, time\n"
        # A test run started in the background of a shell inherits an ignored Ctrl-C.
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from clew.engine.composing import BuiltIn as Composer\n"
        "real = Composer.write\n"
        "def write(self, request):\n"
        "    if 'soup' in request.messages[-1].content:\n"
        "        print('WRITING', flush=True)\n"
        "        time.sleep(60)\n"
        "    return real(self, request)\n"
        "Composer.write = write\n"
        "from clew.faces.cli.main import main\n"
        "main()\n"
    )
    db = f"sqlite:///{tmp_path}/clew.db"
    assert chat(db, "hello").return_value == 0
    ours, theirs = pty.openpty()
    child = subprocess.Popen(
        [sys.executable, str(hang), "chat", "--db", db, "--no-embed"],
        stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True,
        env={**os.environ, "TERM": "xterm"},
    )  # fmt: skip
    os.close(theirs)
    seen = ""
    # One read may end in the middle of a sign.
    decode = codecs.getincrementaldecoder("utf-8")("replace").decode

    def until(word: str) -> None:
        nonlocal seen
        end = time.monotonic() + 30
        while word not in seen:
            assert time.monotonic() < end, seen
            if not select.select([ours], [], [], 1)[0]:
                continue
            try:
                seen += decode(os.read(ours, 4096))
            except OSError:
                raise AssertionError(f"the chat ended: {seen}") from None

    try:
        until("you ›")
        os.write(ours, b"I had soup today\n")
        until("WRITING")
        os.kill(child.pid, signal.SIGINT)
        until("Interrupted")
        seen = ""
        os.write(ours, b"I live in Oslo\n")
        until("clew ›")
        os.write(ours, b"/quit\n")
        child.wait(30)
    finally:
        child.kill()
        child.wait()
        os.close(ours)
    (row,) = map(json.loads, clew("turns", "failed", "--db", db, "--json").output.splitlines())
    assert (row["code"], row["text"]) == ("interrupted", "I had soup today")


def test_nothing_a_model_writes_reaches_the_terminal_as_an_escape(
    db: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Composer, "write", lambda self, request: WriterAnswer(f"Hello there {EVIL}", "m"))
    done = chat(db, "hello", "/why", "/memories")
    assert "clew ›" in done.output
    assert LIVE.search(done.output) is None, repr(done.output)


def test_a_stored_reply_is_harmless_as_json_and_reads_back_the_same(db: str) -> None:
    text = out.to_json({"reply": EVIL})
    assert LIVE.search(text) is None
    assert json.loads(text)["reply"] == EVIL


def test_errors_and_tables_are_text(db: str, capsys: pytest.CaptureFixture[str]) -> None:
    from rich.table import Table

    out.echo(EVIL, err=True)
    table = Table("name")
    table.add_row(EVIL)
    Screen(width=200).print(table)
    Screen(width=200).print(EVIL, markup=False)
    seen = capsys.readouterr()
    assert LIVE.search(seen.err + seen.out) is None
    assert out.safe("한글 👩‍👩‍👧🏽 tab\there\nnew") == "한글 👩‍👩‍👧🏽 tab\there\nnew"


def test_a_transcript_reaches_the_terminal_as_text(tmp_path: Path) -> None:
    lines = [
        {"index": i, "speaker": f"Ann {EVIL}\n# Head", "text": f"I open the door {EVIL}\n\n# Title"} for i in range(4)
    ]
    file = tmp_path / "talk.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    for shape in ("--markdown", "--html", "--json"):
        done = clew("links", str(file), shape)
        assert LIVE.search(done.output) is None, shape
        if shape == "--markdown":
            assert "\n# Title" not in done.output and "\n# Head" not in done.output
    assert LIVE.search(clew("links", str(file)).output) is None
    assert LIVE.search(clew("links", "speakers", str(file)).output) is None


def test_every_command_prints_through_the_one_door() -> None:
    folder = Path(out.__file__).parent
    for file in sorted(folder.glob("*.py")):
        if file.name in ("out.py", "screen.py"):
            continue
        source = file.read_text(encoding="utf-8")
        assert "click.echo" not in source and not re.search(r"(?<!\.)\bprint\(|[^.\w]Console\(", source), file.name


