"""Numbers for work that is done later: how it is held, tried again, spread and forgotten."""

from __future__ import annotations

from clew.frozen import dataclass


@dataclass(frozen=True, slots=True)
class JobsPolicy:
    # A worker that says nothing for so long has lost its job.
    lease_seconds: int = 60
    # A job that fails is tried so often in all, first after some seconds, then so many times longer each time.
    attempts: int = 6
    retry_seconds: int = 30
    retry_factor: int = 4
    # An idle worker looks again after so long.
    poll_seconds: float = 2.0
    # The hourly look and the daily decay are so many jobs, one for each slice of the users, read by the page.
    slices: int = 16
    page_users: int = 1000
    # What was sent before that says nothing about now.
    history_days: int = 120
    # Minutes between looks for messages whose holder died.
    recover_minutes: int = 5
    # Done jobs are forgotten after so many days.
    keep_days: int = 14
    # A webhook or push service has so long to answer.
    delivery_seconds: float = 10.0
    # A message that could not be delivered within so many hours is not sent any more.
    stale_hours: int = 6
    # The open chat does at most so many due jobs between two messages.
    chat_jobs: int = 20

    def __post_init__(self) -> None:
        if self.lease_seconds < 3 or self.attempts < 1 or self.page_users < 1 or self.retry_seconds < 1:
            raise ValueError("jobs need a lease of 3 seconds, one attempt, one second and one user to a page at least")
        if not 1 <= self.slices <= 256:
            raise ValueError("slices must be 1 to 256")
