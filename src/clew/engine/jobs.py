"""Jobs: enqueued with the state that needs them, taken by one worker, tried again, and never done twice.

A job's effects carry ids made from the job's own, so that a job that is done again after a death changes nothing.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import datetime, timedelta
from importlib import import_module
from typing import Any

from clew.engine.parts import Parts
from clew.errors import ClewError
from clew.frozen import dataclass
from clew.model.canonical import iso
from clew.model.job import Job, JobKind, JobStatus

Done = Mapping[str, Any]
Handler = Callable[[Parts, Job], Done]

# What does each kind of job; loaded when one is first run.
HANDLERS: dict[JobKind, str] = {
    JobKind.EVALUATE: "clew.engine.hourly:evaluate",
    JobKind.DECAY: "clew.engine.hourly:let_decay",
    JobKind.REMIND: "clew.engine.reminding:keep_promise",
    JobKind.DELIVER: "clew.engine.delivering:deliver",
    JobKind.RECOVER: "clew.engine.upkeep:recover",
    JobKind.INDEX: "clew.engine.upkeep:index",
    JobKind.TIDY: "clew.engine.upkeep:tidy",
}


# What a user asked for: done also where nobody runs a worker.
ASKED = (JobKind.REMIND, JobKind.DELIVER)


class Again(Exception):
    """The job could not be done yet; it is tried again later, and `why` is what `clew jobs` shows meanwhile."""

    def __init__(self, why: str, after: timedelta | None = None) -> None:
        super().__init__(why)
        self.after = after


@dataclass(frozen=True, slots=True)
class Ran:
    job: Job
    error: str | None = None


def slices(parts: Parts) -> list[tuple[str, str | None]]:
    """From here, up to but not with there: all user ids, cut where evenly spread ids are cut evenly."""
    most = parts.policy.jobs.slices
    cuts = [f"{256 * n // most:02x}" for n in range(1, most)]
    return list(zip(["", *cuts], [*cuts, None], strict=True))


def periodic(parts: Parts, now: datetime) -> list[Job]:
    """The jobs of this hour, this day and these minutes. Made by whoever comes first; hours that passed are past."""
    hour = now.replace(minute=0, second=0, microsecond=0)
    day = hour.replace(hour=0)
    minutes = parts.policy.jobs.recover_minutes
    step = hour + timedelta(minutes=now.minute // minutes * minutes)
    made = [
        Job(f"{kind}:{iso(at)}:{number:03d}", kind, at, now, payload={"from": first, "to": last, "at": iso(at)})
        for kind, at in ((JobKind.EVALUATE, hour), (JobKind.DECAY, day))
        for number, (first, last) in enumerate(slices(parts))
    ]
    made.append(Job(f"{JobKind.RECOVER}:{iso(step)}", JobKind.RECOVER, step, now))
    made += [Job(f"{kind}:{iso(day)}", kind, day, now) for kind in (JobKind.INDEX, JobKind.TIDY)]
    return made


class Worker:
    """Does due jobs one after the other. `kinds`: only these, and nothing periodic is made."""

    def __init__(self, parts: Parts, kinds: Sequence[JobKind] = ()) -> None:
        self.parts = parts
        self.kinds = tuple(kinds)
        self._made_for: datetime | None = None
        self.stop = threading.Event()

    def run_one(self) -> Ran | None:
        """One due job, done; None when nothing is due."""
        self._make_periodic()
        job = self._claim()
        if job is None:
            return None
        if job.attempts > self.parts.policy.jobs.attempts:
            return self._lost(job)
        return self._run(job)

    def drain(self, most: int | None = None) -> list[Ran]:
        """Everything that is due now."""
        done: list[Ran] = []
        while (most is None or len(done) < most) and not self.stop.is_set():
            ran = self.run_one()
            if ran is None:
                break
            done.append(ran)
        return done

    def forever(self, told: Callable[[Ran], None] | None = None) -> None:
        """Until `stop` is set; a database that is away for a while is waited for."""
        while not self.stop.is_set():
            try:
                ran = self.run_one()
            except ClewError:
                ran = None
            if ran is None:
                self.stop.wait(self.parts.policy.jobs.poll_seconds)
            elif told:
                told(ran)

    def _make_periodic(self) -> None:
        now = self.parts.clock.now()
        mark = now.replace(second=0, microsecond=0)
        if self.kinds or self._made_for == mark:
            return
        with self.parts.store.read() as session:
            missing = [j for j in periodic(self.parts, now) if session.job(j.job_id) is None]
            owners = session.job_owners()
        gone = [o for o in owners if not self.parts.process.alive(o)]
        if missing or gone:
            with self.parts.store.write() as session:
                session.add_jobs(missing)
                session.free_jobs(gone)
        self._made_for = mark

    def _claim(self) -> Job | None:
        parts = self.parts
        now = parts.clock.now()
        with parts.store.read() as session:
            due = session.next_due()
            running = bool(session.job_owners())
        if not running and (due is None or due > now):
            return None  # nothing to take, and no write lock was needed to see it
        with parts.store.write() as session:
            return session.claim_job(now, self._until(now), parts.process.owner, self.kinds)

    def _run(self, job: Job) -> Ran:
        parts, limits = self.parts, self.parts.policy.jobs
        error, after = None, None
        result: Done = {}
        with self._heart(job):
            try:
                result = handler(job.kind)(parts, job)
            except Again as why:
                error, after = str(why), why.after
            except ClewError as why:
                error = f"{why.code}: {why.message}"
            except Exception as why:
                error = f"{type(why).__name__}: {why}"[:500]
        now = parts.clock.now()
        if error is None:
            ended = replace(job, status=JobStatus.DONE, error=None, result=result, finished_at=now)
        elif job.attempts >= limits.attempts:
            ended = replace(job, status=JobStatus.FAILED, error=error, finished_at=now)
        else:
            wait = after or timedelta(seconds=limits.retry_seconds * limits.retry_factor ** (job.attempts - 1))
            ended = replace(job, status=JobStatus.QUEUED, error=error, due_at=now + wait)
        with parts.store.write() as session:
            session.keep_job(ended)
        return Ran(ended, error)

    def _lost(self, job: Job) -> Ran:
        """Whoever took it died, each time: it is not tried for ever."""
        error = job.error or "every worker that took it died"
        ended = replace(job, status=JobStatus.FAILED, error=error, finished_at=self.parts.clock.now())
        with self.parts.store.write() as session:
            session.keep_job(ended)
        return Ran(ended, error)

    @contextmanager
    def _heart(self, job: Job) -> Iterator[None]:
        """Says that the job is being done, for as long as it is."""
        done = threading.Event()

        def beat() -> None:
            while not done.wait(self.parts.policy.jobs.lease_seconds / 3):
                with suppress(ClewError), self.parts.store.write() as session:
                    if not session.keep_job(replace(job, expires_at=self._until(self.parts.clock.now()))):
                        return

        heart = threading.Thread(target=beat, daemon=True, name="clew-job")
        heart.start()
        try:
            yield
        finally:
            done.set()
            heart.join(1.0)

    def _until(self, now: datetime) -> datetime:
        return now + timedelta(seconds=self.parts.policy.jobs.lease_seconds)


def handler(kind: JobKind) -> Handler:
    module, _, name = HANDLERS[kind].partition(":")
    found: Handler = getattr(import_module(module), name)
    return found


def retry(parts: Parts, job_id: str) -> bool:
    """A job that failed is due again, with all its attempts before it."""
    now = parts.clock.now()
    with parts.store.write() as session:
        job = session.job(job_id)
        if job is None or job.status is not JobStatus.FAILED:
            return False
        session.put_job(replace(job, status=JobStatus.QUEUED, attempts=0, due_at=now, finished_at=None))
    return True
