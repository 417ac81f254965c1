"""Many senders of one id, and many users at once, in threads and in processes, on both databases."""

from __future__ import annotations

import multiprocessing
import sqlite3
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from clew.adapters.store.sql import SqlStore
from clew.adapters.system import SystemProcess
from clew.engine.parts import Parts
from clew.engine.replay import rebuild
from clew.errors import TurnInProgress
from clew.model.account import Conversation
from clew.testing.fakes import HeldProcess
from clew.testing.parts import make_parts, message_id, onboard, say

ROUNDS, SENDERS, WORKERS, USERS = 12, 8, 4, 32


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/clew.db"
    return str(request.getfixturevalue("fresh_postgres")())


@pytest.fixture
def parts(url: str) -> Iterator[Parts]:
    made = make_parts(url)
    yield made
    made.store.close()


def _until_answered(parts: Parts, conversation: Conversation, text: str, number: int) -> str:
    for _ in range(2000):
        try:
            return str(say(parts, conversation, text, number).reply)
        except TurnInProgress:
            time.sleep(0.005)
    raise AssertionError("in progress for ever")


def audit(parts: Parts, conversation: Conversation, ids: list[str], fresh: str) -> None:
    """Each id answered once, journalled once, and the state is what the journal says."""
    with parts.store.read() as session:
        said = session.recent(conversation.conversation_id, 10_000)
        entries = [e.event for e in session.journal(conversation.user_id)]
    assert sorted(m.message_id for m in said if m.role == "user") == sorted(ids)
    assert sorted(str(m.reply_to) for m in said if m.role == "assistant") == sorted(ids)
    assert [m.position for m in said] == list(range(1, 2 * len(ids) + 1))
    for kind in ("message.received", "reply.written", "trace.stored", "relationship.updated"):
        assert len([e for e in entries if e.kind == kind]) == len(ids), kind
    target = SqlStore(fresh)
    comparison = rebuild(parts.store, target)
    target.close()
    assert comparison.identical, (comparison.differing, comparison.chain_faults)


def test_eight_threads_with_one_id_store_one_turn_round_after_round(parts: Parts, tmp_path: Path) -> None:
    conversation = onboard(parts)
    for number in range(1, ROUNDS + 1):
        together = threading.Barrier(SENDERS)

        def send(worker: int, number: int = number, together: threading.Barrier = together) -> str:
            mine = replace(parts, process=HeldProcess(f"w{worker}|1|0"))
            together.wait()
            return _until_answered(mine, conversation, f"I like number {number}", number)

        with ThreadPoolExecutor(SENDERS) as pool:
            replies = set(pool.map(send, range(SENDERS)))
        assert len(replies) == 1, replies
    audit(
        parts, conversation, [message_id(n) for n in range(1, ROUNDS + 1)], f"sqlite:///{tmp_path}/again.db"
    )


def _send_all(url: str, conversation: Conversation, start: Any, answers: Any) -> None:
    parts = make_parts(url, process=SystemProcess())
    start.wait()
    answers.put([_until_answered(parts, conversation, f"I like number {n}", n) for n in range(1, ROUNDS + 1)])
    parts.store.close()


def test_processes_with_the_same_ids_give_the_same_replies(parts: Parts, url: str, tmp_path: Path) -> None:
    conversation = onboard(parts)
    parts.store.close()  # a connection must not cross a fork
    context = multiprocessing.get_context("fork")
    start, answers = context.Event(), context.Queue()
    workers = [
        context.Process(target=_send_all, args=(url, conversation, start, answers)) for _ in range(WORKERS)
    ]
    for worker in workers:
        worker.start()
    start.set()
    given = [answers.get(timeout=120) for _ in workers]
    for worker in workers:
        worker.join()
    assert len({tuple(replies) for replies in given}) == 1
    audit(
        parts, conversation, [message_id(n) for n in range(1, ROUNDS + 1)], f"sqlite:///{tmp_path}/again.db"
    )


def test_thirty_two_users_at_once_never_see_a_locked_database(parts: Parts) -> None:
    conversations = [onboard(parts, f"u{n}") for n in range(USERS)]
    together = threading.Barrier(USERS)

    def talk(n: int) -> str:
        mine = replace(parts, process=HeldProcess(f"w{n}|1|0"))
        together.wait()
        return "".join(
            str(say(mine, conversations[n], f"I live in town {k}", 100 * n + k).reply) for k in range(2)
        )

    with ThreadPoolExecutor(USERS) as pool:
        assert all(pool.map(talk, range(USERS)))


def _open(url: str, start: Any, answers: Any) -> None:
    start.wait()
    try:
        SqlStore(url).close()
        answers.put("")
    except BaseException as why:
        answers.put(repr(why))


def test_thirty_two_processes_may_start_on_an_empty_database_at_once(url: str) -> None:
    context = multiprocessing.get_context("fork")
    start, answers = context.Event(), context.Queue()
    workers = [context.Process(target=_open, args=(url, start, answers)) for _ in range(USERS)]
    for worker in workers:
        worker.start()
    start.set()
    failed = [said for said in (answers.get(timeout=120) for _ in workers) if said]
    for worker in workers:
        worker.join()
    assert failed == []


def test_a_writer_in_another_process_is_waited_for(tmp_path: Path) -> None:
    """The first writer holds the file for a while; ours waits inside its stated time and goes on."""
    url = f"sqlite:///{tmp_path}/clew.db"
    parts = make_parts(url)
    conversation = onboard(parts)
    other = sqlite3.connect(tmp_path / "clew.db", isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    threading.Timer(0.5, lambda: other.execute("COMMIT")).start()
    assert say(parts, conversation, "hello", 1).reply
    other.close()
    parts.store.close()
