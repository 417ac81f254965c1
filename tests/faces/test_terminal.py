"""A newcomer at a real terminal: asked in plain words, answered within reason, wrapped, interrupted, gone."""

from __future__ import annotations

import codecs
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

WIDTH = 50
_CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b\][^\x07]*\x07|\r")


class Terminal:
    """A child on a terminal of its own, with what it has shown so far."""

    def __init__(self, *command: str, **env: str) -> None:
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, WIDTH, 0, 0))
        self.child = subprocess.Popen(
            [sys.executable, "-m", "clew", *command],
            stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True,
            env={**os.environ, "TERM": "xterm", "COLUMNS": str(WIDTH), **env},
        )  # fmt: skip
        os.close(theirs)
        self.seen = ""
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode

    def read(self) -> str:
        """What has come in the last moment; "" for nothing."""
        if not select.select([self._ours], [], [], 0.5)[0]:
            return ""
        try:
            return _CONTROL.sub("", self._decode(os.read(self._ours, 4096)))
        except OSError:
            raise AssertionError(f"the chat ended: {self.seen!r}") from None

    def until(self, word: str, seconds: int = 60) -> str:
        """Everything shown up to `word`, which is taken away."""
        end = time.monotonic() + seconds
        while word not in self.seen:
            assert time.monotonic() < end, f"never saw {word!r} in {self.seen!r}"
            self.seen += self.read()
        before, _, self.seen = self.seen.partition(word)
        return before + word

    def type(self, line: str, end: str = "\n") -> None:
        os.write(self._ours, f"{line}{end}".encode())

    def end(self) -> None:
        self.child.kill()
        self.child.wait()
        os.close(self._ours)


@pytest.fixture
def db(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/clew.db"


@pytest.fixture
def newcomer(db: str) -> Iterator[Terminal]:
    screen = Terminal("chat", "--db", db, "--no-embed", LANG="en_GB.UTF-8", TZ="Europe/Paris")
    yield screen
    screen.end()


def test_a_newcomer_answers_as_people_do_and_is_known_at_once(newcomer: Terminal) -> None:
    for answer in ("Dana", "30", "Germany", "skip", "sure", "skip", "skip", "skip"):
        shown = ""
        end = time.monotonic() + 60
        while "you ›" not in shown and not re.search(r"[?)] ?$", shown) and time.monotonic() < end:
            shown += newcomer.read()
        assert "Sorry" not in shown, shown
        if "you ›" in shown:
            break
        newcomer.type(answer)
    else:
        newcomer.until("you ›")
    newcomer.type("hello")
    began = time.monotonic()
    newcomer.until("clew ›")
    assert time.monotonic() - began < 10
    newcomer.until("you ›")
    newcomer.type("/settings")
    shown = newcomer.until("you ›")
    assert "Dana" in shown and "DE" in shown
    newcomer.type("/quit")
    assert newcomer.child.wait(30) == 0


def test_a_long_answer_is_wrapped_to_the_width_and_end_of_file_leaves(db: str) -> None:
    screen = Terminal("chat", "--db", db, "--no-embed", "--guest")
    try:
        screen.until("you ›")
        screen.type("what can you do")
        screen.until("clew ›")
        shown = screen.until("you ›")
        lines = [line.rstrip() for line in f"clew ›{shown}".splitlines() if line.strip()]
        assert len(lines) > 1 and all(len(line) <= WIDTH for line in lines), lines
        screen.type("\x04", end="")
        assert screen.child.wait(30) == 0
    finally:
        screen.end()
