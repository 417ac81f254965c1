"""`clew …` in a process of its own that is forked from the test's: all that a start does is done there already.

What the start itself does is proved where commands are started from nothing (tests/house, tests/doors, tests/faults,
and one test here and there that says so).
"""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tempfile
import time
import traceback
from contextlib import suppress
from functools import cache
from importlib import import_module
from signal import SIGKILL
from typing import BinaryIO

from clew.engine.bootstrap import make_embedder
from clew.faces.cli.main import COMMANDS, main
from clew.testing.parts import make_parts, onboard, say

SECONDS = 120


def clew(*args: str, stdin: str | bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """What `subprocess.run([sys.executable, "-m", "clew", *args])` gives."""
    _warm()
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        given.write(stdin.encode() if isinstance(stdin, str) else stdin)
        given.seek(0)
        child = os.fork()
        if not child:
            _run(args, (given, out, err))
        status = _ended(child)
        out.seek(0)
        err.seek(0)
        return subprocess.CompletedProcess(args, os.waitstatus_to_exitcode(status), out.read(), err.read())


@cache
def _warm() -> None:
    """What the first turns of a process make of the policy is made here, once for all children."""
    for module, _ in COMMANDS.values():
        with suppress(ModuleNotFoundError):
            import_module(module.partition(":")[0])
    with tempfile.TemporaryDirectory() as folder:
        parts = make_parts(f"sqlite:///{folder}/warm.db", embedder=make_embedder())
        talk = onboard(parts)
        for number, said in enumerate(("I live in Oslo", "actually, in Bergen", "forget that", "나 대전 살아"), 1):
            say(parts, talk, said, number)
        parts.store.close()


def _run(args: tuple[str, ...], streams: tuple[BinaryIO, ...]) -> None:
    """The child's whole life; nothing of the test runner is run on the way out."""
    status = 70
    try:
        for number, stream in enumerate(streams):
            os.dup2(stream.fileno(), number)
        sys.stdin = io.TextIOWrapper(io.FileIO(0, closefd=False), encoding="utf-8")
        sys.stdout, sys.stderr = (
            io.TextIOWrapper(io.BufferedWriter(io.FileIO(n, "w", closefd=False)), encoding="utf-8") for n in (1, 2)
        )
        main(list(args))
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def _ended(child: int) -> int:
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return status
        time.sleep(0.005)
    os.kill(child, SIGKILL)
    os.waitpid(child, 0)
    raise subprocess.TimeoutExpired("clew", SECONDS)
