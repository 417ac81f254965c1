"""The jobs table: taken by one worker at a time, held by a lease, outside the history."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import sqlalchemy as sa

from clew.adapters.store import tables as t
from clew.adapters.store.queries import insert_in
from clew.model.canonical import canonical_json, iso
from clew.model.job import Job, JobKind, JobStatus
from clew.model.rows import from_row

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)


class JobRows:
    """Part of a session. A job that is enqueued here stands or falls with the rest of the write."""

    connection: sa.Connection

    def add_jobs(self, jobs: Iterable[Job]) -> int:
        """How many were new; an id that is there already is left as it stands."""
        rows = [_row(job) for job in jobs]
        if not rows:
            return 0
        insert = insert_in(self.connection.dialect.name)
        statement = insert(t.JOBS).on_conflict_do_nothing(index_elements=["job_id"]).returning(t.JOBS.c.job_id)
        return sum(1 for row in rows if self.connection.execute(statement, row).first() is not None)

    def claim_job(self, now: datetime, expires: datetime, owner: str, kinds: Sequence[JobKind] = ()) -> Job | None:
        """The most overdue that nobody holds, now held by this owner. Workers never wait for one another."""
        j, at = t.JOBS, _number(now)
        free = sa.or_(
            sa.and_(j.c.status == JobStatus.QUEUED.value, j.c.due <= at),
            sa.and_(j.c.status == JobStatus.RUNNING.value, j.c.expires <= at),
        )
        query = sa.select(j).where(free)
        if kinds:
            query = query.where(j.c.kind.in_([k.value for k in kinds]))
        query = query.order_by(j.c.due, j.c.job_id).limit(1).with_for_update(skip_locked=True)
        row = self.connection.execute(query).first()
        if row is None:
            return None
        job = replace(
            _job(row._mapping), status=JobStatus.RUNNING, owner=owner, claimed_at=now, expires_at=expires,
            attempts=row.attempts + 1,
        )  # fmt: skip
        self.put_job(job)
        return job

    def keep_job(self, job: Job) -> bool:
        """Write a job that is held, to renew, end or put it back; False when another holds it by now."""
        j = t.JOBS
        held = self.connection.execute(
            sa.select(j.c.owner, j.c.claimed_at, j.c.status).where(j.c.job_id == job.job_id).with_for_update()
        ).first()
        mine = (job.owner, iso(job.claimed_at) if job.claimed_at else None, JobStatus.RUNNING.value)
        if held is None or tuple(held) != mine:
            return False
        self.put_job(job)
        return True

    def free_jobs(self, owners: Iterable[str]) -> int:
        """Jobs of these owners, who are gone, may be taken at once."""
        j = t.JOBS
        gone = sorted(set(owners))
        if not gone:
            return 0
        statement = sa.update(j).where(j.c.status == JobStatus.RUNNING.value, j.c.owner.in_(gone))
        return self.connection.execute(statement.values(expires=0)).rowcount

    def drop_jobs(self, before: datetime) -> int:
        """What was done before then is forgotten; what failed is kept to be looked at."""
        j = t.JOBS
        old = sa.delete(j).where(j.c.status == JobStatus.DONE.value, j.c.due < _number(before))
        return self.connection.execute(old).rowcount

    def cancel_jobs(self, job_ids: Iterable[str]) -> int:
        j = t.JOBS
        waiting = sa.delete(j).where(j.c.job_id.in_(sorted(set(job_ids))), j.c.status == JobStatus.QUEUED.value)
        return self.connection.execute(waiting).rowcount

    def job(self, job_id: str) -> Job | None:
        row = self.connection.execute(sa.select(t.JOBS).where(t.JOBS.c.job_id == job_id)).first()
        return None if row is None else _job(row._mapping)

    def jobs(self, statuses: Iterable[JobStatus] = (), kind: JobKind | None = None, most: int = 100) -> list[Job]:
        """The newest first."""
        j = t.JOBS
        query = sa.select(j)
        wanted = [s.value for s in statuses]
        if wanted:
            query = query.where(j.c.status.in_(wanted))
        if kind is not None:
            query = query.where(j.c.kind == kind.value)
        rows = self.connection.execute(query.order_by(j.c.due.desc(), j.c.job_id).limit(most))
        return [_job(row._mapping) for row in rows]

    def job_owners(self) -> list[str]:
        j = t.JOBS
        running = sa.select(j.c.owner).where(j.c.status == JobStatus.RUNNING.value, j.c.owner.is_not(None))
        return list(self.connection.execute(running.distinct()).scalars())

    def job_counts(self) -> dict[str, int]:
        j = t.JOBS
        rows = self.connection.execute(sa.select(j.c.status, sa.func.count()).group_by(j.c.status))
        return dict(Counter({status: int(count) for status, count in rows}))

    def next_due(self, user_id: str | None = None) -> datetime | None:
        j = t.JOBS
        query = sa.select(sa.func.min(j.c.due)).where(j.c.status == JobStatus.QUEUED.value)
        if user_id is not None:
            query = query.where(j.c.user_id == user_id)
        found = self.connection.execute(query).scalar()
        return None if found is None else _time(found)

    def put_job(self, job: Job) -> None:
        row = _row(job)
        self.connection.execute(sa.update(t.JOBS).where(t.JOBS.c.job_id == row.pop("job_id")).values(**row))


def _row(job: Job) -> dict[str, Any]:
    return {
        "job_id": job.job_id,
        "kind": job.kind.value,
        "user_id": job.user_id,
        "payload": canonical_json(dict(job.payload)),
        "status": job.status.value,
        "due": _number(job.due_at),
        "attempts": job.attempts,
        "owner": job.owner,
        "claimed_at": iso(job.claimed_at) if job.claimed_at else None,
        "expires": _number(job.expires_at) if job.expires_at else None,
        "error": job.error,
        "result": canonical_json(dict(job.result)),
        "created_at": iso(job.created_at),
        "finished_at": iso(job.finished_at) if job.finished_at else None,
    }


def _job(row: Mapping[Any, Any]) -> Job:
    moments = {"due_at": iso(_time(row["due"])), "expires_at": iso(_time(row["expires"])) if row["expires"] else None}
    return from_row(Job, {**row, **moments})


def _number(moment: datetime) -> int:
    return (moment - _EPOCH) // _MILLISECOND


def _time(number: int) -> datetime:
    return _EPOCH + number * _MILLISECOND
