"""Work that is done later, exactly once, whoever does it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import datetime
from enum import StrEnum
from typing import Any

from clew.frozen import dataclass


class JobStatus(StrEnum):
    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


class JobKind(StrEnum):
    EVALUATE = "evaluate"
    DECAY = "decay"
    REMIND = "remind"
    DELIVER = "deliver"
    RECOVER = "recover"
    INDEX = "index"
    TIDY = "tidy"


@dataclass(frozen=True, slots=True)
class Job:
    """Stands outside the history; the same id is enqueued once, however often it is asked for."""

    job_id: str
    kind: JobKind
    due_at: datetime
    created_at: datetime
    user_id: str | None = None
    payload: Mapping[str, Any] = field(default_factory=dict)
    status: JobStatus = JobStatus.QUEUED
    attempts: int = 0
    owner: str | None = None
    claimed_at: datetime | None = None
    expires_at: datetime | None = None
    error: str | None = None
    result: Mapping[str, Any] = field(default_factory=dict)
    finished_at: datetime | None = None
