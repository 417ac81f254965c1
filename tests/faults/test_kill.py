"""The process dies in the middle of a reply; nothing is lost and nothing is doubled."""

from __future__ import annotations

import http.server
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from clew.adapters.store.sql import SqlStore
from clew.engine.replay import rebuild
from clew.faces.cli.options import user_id_of
from tests.forked import clew

CLEW = [sys.executable, "-m", "clew"]


class Hanging(http.server.BaseHTTPRequestHandler):
    """An endpoint that takes the request and never answers."""

    asked = threading.Event()
    release = threading.Event()

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        Hanging.asked.set()
        Hanging.release.wait(60)

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def hanging_endpoint() -> Iterator[str]:
    Hanging.asked.clear()
    Hanging.release.clear()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hanging)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    Hanging.release.set()
    server.shutdown()
    server.server_close()


def chat(db: str, lines: str, *more: str) -> subprocess.CompletedProcess[str]:
    """What stands before and after: only those that are killed are started from nothing."""
    done = clew("chat", "--db", db, "--no-embed", *more, stdin=lines)
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def test_a_killed_turn_is_answered_once_on_the_next_start(tmp_path: Path, hanging_endpoint: str) -> None:
    db = f"sqlite:///{tmp_path}/clew.db"
    assert chat(db, "hello\n").returncode == 0
    doomed = subprocess.Popen(
        [*CLEW, "chat", "--db", db, "--no-embed", "--writer", hanging_endpoint, "--model", "m"],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    assert doomed.stdin is not None
    doomed.stdin.write(b"I live in Trondheim\n")
    doomed.stdin.flush()
    assert Hanging.asked.wait(60), "the writer was never asked"
    os.kill(doomed.pid, signal.SIGKILL)
    doomed.wait()
    doomed.stdin.close()

    store = SqlStore(db)
    with store.read() as session:
        conversation = session.conversations_of(user_id_of("me"))[0].conversation_id
        assert len(session.recent(conversation, 10)) == 2, "a half turn must not be in the history"
        assert [x.text for x in session.leases(conversation)] == ["I live in Trondheim"]
    store.close()

    back = chat(db, "/memories\n")
    assert back.returncode == 0, back.stderr
    assert "Cut off last time" in back.stdout
    assert "Trondheim" in back.stdout
    again = chat(db, "/memories keys\n")
    assert "Cut off" not in again.stdout
    assert again.stdout.count("fact:current_city") == 1

    store = SqlStore(db)
    with store.read() as session:
        texts = [m.text for m in session.recent(conversation, 20)]
        assert texts.count("I live in Trondheim") == 1
        assert len(texts) == 4
        assert session.leases(conversation) == []
    store.close()
    replayed = clew("replay", "--db", db)
    assert replayed.returncode == 0, replayed.stdout + replayed.stderr
    assert b"is identical" in replayed.stdout


def test_killing_at_any_moment_leaves_a_state_the_journal_agrees_with(tmp_path: Path) -> None:
    db = f"sqlite:///{tmp_path}/clew.db"
    assert chat(db, "hello\n").returncode == 0
    for wait in (0.05, 0.2, 0.4, 0.6):
        busy = subprocess.Popen(
            [*CLEW, "chat", "--db", db, "--no-embed"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert busy.stdin is not None and busy.stdout is not None
        busy.stdin.write("".join(f"I like number {n}\n" for n in range(500)).encode())
        busy.stdin.flush()
        busy.stdout.read(1)
        time.sleep(wait)
        os.kill(busy.pid, signal.SIGKILL)
        busy.wait()
        busy.stdin.close()
        busy.stdout.close()
        assert chat(db, "hi again\n").returncode == 0
        store, fresh = SqlStore(db), SqlStore(f"sqlite:///{tmp_path}/after-{wait}.db")
        with store.read() as session:
            conversation = session.conversations_of(user_id_of("me"))[0].conversation_id
            said = session.recent(conversation, 5000)
            assert [m.position for m in said] == list(range(1, len(said) + 1))
            assert [m.role for m in said] == ["user", "assistant"] * (len(said) // 2)
            assert session.leases(conversation) == []
        assert rebuild(store, fresh).identical, wait
        store.close()
        fresh.close()


def test_a_message_that_still_fails_does_not_lock_the_chat(tmp_path: Path) -> None:
    db = f"sqlite:///{tmp_path}/clew.db"
    down = ("--writer", "http://127.0.0.1:1/v1", "--model", "m")
    assert chat(db, "I live in Trondheim\n", *down).returncode == 1
    still = chat(db, "/help\n/memories\n", *down)
    assert "Your message is kept" in still.stderr
    assert "Nothing is remembered yet." in still.stdout
    assert "Trondheim" in chat(db, "/memories\n").stdout
