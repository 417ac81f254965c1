"""Workers are killed at every statement and before every commit; nothing that was to be sent is lost or doubled."""

from __future__ import annotations

import os
import signal
import threading
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from clew.adapters.system import SystemProcess
from clew.engine import inbox
from clew.engine.jobs import Worker, periodic
from clew.engine.parts import Parts
from clew.engine.replay import rebuild
from clew.model.account import Conversation
from clew.model.event import Event
from clew.model.job import JobKind, JobStatus
from clew.model.outreach import AttemptStatus, Channel, MessageKind, ReminderStatus
from clew.model.relationship import RelationshipState, Stage
from clew.model.rows import put_relationship
from clew.policy import from_tables
from clew.ports.delivery import Parcel
from clew.testing.fakes import HeldClock
from clew.testing.parts import make_parts, onboard, say

START = datetime(2026, 3, 2, 6, tzinfo=UTC)
USERS = 3
# A death costs an attempt, and these workers die more often than a job is tried in life.
POLICY = from_tables({"jobs": {"slices": 2, "page_users": 2, "attempts": 100_000}})
# The rest of the house's upkeep has its own tests.
KINDS = (JobKind.EVALUATE, JobKind.REMIND, JobKind.DELIVER)


class Post:
    """Keeps each parcel in a folder, as a process that outlives its sender would."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def send(self, channel: Channel, parcel: Parcel, timeout_seconds: float) -> None:
        with (self.folder / parcel.retention_id).open("a", encoding="utf-8") as out:
            out.write(parcel.text + "\n")


def parts_at(url: str, at: datetime, folder: Path) -> Parts:
    return make_parts(
        url, policy=POLICY, clock=HeldClock(at), process=SystemProcess(), senders={"webhook": Post(folder)}
    )


def prepared(url: str, folder: Path) -> tuple[list[Conversation], datetime]:
    """A few friends who were silent for a day, each with a reminder that is due; one has a webhook."""
    parts = parts_at(url, START, folder)
    talks = [onboard(parts, f"{n:x}0000000-user") for n in (1, 7, 13)[:USERS]]
    due = START + timedelta(hours=24)
    for number, talk in enumerate(talks):
        say(parts, talk, "good afternoon", 100 + number)
        state = RelationshipState(Stage.FRIEND, 50, last_interaction_at=START, sessions_count=5)
        with parts.store.write() as session:
            put = put_relationship(talk.user_id, talk.friend_id, state)
            session.append([Event("test", START, talk.user_id, "p", changes=(put,))])
        inbox.remind(parts, talk.user_id, talk.friend_id, talk.conversation_id, f"water plant {number}", due)
    inbox.add_channel(parts, talks[0].user_id, "webhook", "http://127.0.0.1/", "a secret of some length")
    parts.clock.at = due  # type: ignore[attr-defined]
    with parts.store.write() as session:
        session.add_jobs([j for j in periodic(parts, due) if j.kind in KINDS])
    parts.store.close()
    return talks, due


def doomed(url: str, at: datetime, folder: Path, step: int) -> bool:
    """A worker in a process of its own that dies at its n-th statement or commit; True when it lived to the end."""
    child = os.fork()
    if child == 0:
        try:
            parts = parts_at(url, at, folder)
            count = 0

            def tick(*_: Any) -> None:
                nonlocal count
                count += 1
                if count == step:
                    os.kill(os.getpid(), signal.SIGKILL)

            sa.event.listen(parts.store.engine, "before_cursor_execute", tick)  # type: ignore[attr-defined]
            sa.event.listen(parts.store.engine, "commit", tick)  # type: ignore[attr-defined]
            worker = Worker(parts, KINDS)
            with parts.store.read() as session:
                gone = [o for o in session.job_owners() if not parts.process.alive(o)]
            with parts.store.write() as session:
                session.free_jobs(gone)
            worker.drain()
            os._exit(0)
        except BaseException:
            os._exit(7)
    _, status = os.waitpid(child, 0)
    assert not os.WIFEXITED(status) or os.WEXITSTATUS(status) == 0, "the worker failed instead of dying"
    return os.WIFEXITED(status)


def audited(url: str, talks: list[Conversation], at: datetime, folder: Path, fresh: str) -> None:
    parts = parts_at(url, at, folder)
    for number, talk in enumerate(talks):
        kinds = Counter(m.kind is MessageKind.REMINDER for m in inbox.messages(parts, talk.user_id))
        assert kinds == {True: 1, False: 1}, f"user {number}: {kinds}"
        with parts.store.read() as session:
            said = [m for m in session.recent(talk.conversation_id, 100) if m.source == "retention"]
            kept = session.reminders_of(talk.user_id, None)
        assert len(said) == 2 and [r.status for r in kept] == [ReminderStatus.KEPT]
        assert all(m.status is AttemptStatus.DELIVERED for m in inbox.messages(parts, talk.user_id))
    with parts.store.read() as session:
        assert {j.status for j in session.jobs(most=1000)} == {JobStatus.DONE}
    assert len(list(folder.iterdir())) == 2, "one parcel for the message, one for the reminder, by their ids"
    other = make_parts(fresh)
    compared = rebuild(parts.store, other.store)
    other.store.close()
    parts.store.close()
    assert compared.identical, compared.differing


@pytest.mark.parametrize("store", ["sqlite", "postgres"])
def test_a_worker_may_die_at_any_step(store: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    make: Callable[[], str] = (
        (lambda: f"sqlite:///{tmp_path}/clew.db") if store == "sqlite" else request.getfixturevalue("fresh_postgres")
    )
    url, folder = make(), tmp_path / "post"
    folder.mkdir()
    talks, due = prepared(url, folder)
    assert threading.active_count() < 50
    step, deaths = 1, 0
    # Each one gets a little further than the one before, from wherever that one left off.
    while not doomed(url, due, folder, step):
        deaths += 1
        step += 3
        assert deaths < 400, "no worker ever came to the end"
    assert deaths >= 5
    audited(url, talks, due, folder, f"sqlite:///{tmp_path}/fresh.db")


@pytest.mark.parametrize("store", ["sqlite", "postgres"])
def test_many_workers_at_once_send_each_message_once(
    store: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    url = f"sqlite:///{tmp_path}/clew.db" if store == "sqlite" else request.getfixturevalue("fresh_postgres")()
    folder = tmp_path / "post"
    folder.mkdir()
    talks, due = prepared(url, folder)
    crowd = [parts_at(url, due, folder) for _ in range(4)]
    failed: list[BaseException] = []

    def work(parts: Parts) -> None:
        try:
            Worker(parts, KINDS).drain()
        except BaseException as why:
            failed.append(why)

    threads = [threading.Thread(target=work, args=(p,)) for p in crowd]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    # A job that was under way when another looked is done by now; nothing is left to do.
    work(crowd[0])
    for parts in crowd:
        parts.store.close()
    assert failed == []
    audited(url, talks, due, folder, f"sqlite:///{tmp_path}/fresh.db")
    assert all(len(f.read_text(encoding="utf-8").splitlines()) == 1 for f in folder.iterdir())
