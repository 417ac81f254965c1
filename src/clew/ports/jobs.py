"""The promise of a queue: what is enqueued with a write stands with it, and one worker at a time holds a job.

It is part of a store's session, because the state that needs a job and the job itself are one write.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Protocol

from clew.model.job import Job, JobKind, JobStatus


class JobSession(Protocol):
    def add_jobs(self, jobs: Iterable[Job]) -> int:
        """How many were new; an id that is there already is left as it stands."""
        ...

    def claim_job(self, now: datetime, expires: datetime, owner: str, kinds: Sequence[JobKind] = ()) -> Job | None:
        """The most overdue that nobody holds, now held by this owner until it expires."""
        ...

    def keep_job(self, job: Job) -> bool:
        """Write a job that is held, to renew, end or put it back; False when another holds it by now."""
        ...

    def put_job(self, job: Job) -> None:
        """Write a job over itself, whoever holds it."""
        ...

    def free_jobs(self, owners: Iterable[str]) -> int:
        """Jobs of these owners, who are gone, may be taken at once."""
        ...

    def drop_jobs(self, before: datetime) -> int: ...
    def cancel_jobs(self, job_ids: Iterable[str]) -> int: ...
    def job(self, job_id: str) -> Job | None: ...
    def jobs(
        self, statuses: Iterable[JobStatus] = (), kind: JobKind | None = None, most: int = 100
    ) -> list[Job]: ...
    def job_owners(self) -> list[str]: ...
    def job_counts(self) -> dict[str, int]: ...
    def next_due(self, user_id: str | None = None) -> datetime | None: ...
