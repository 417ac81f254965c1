"""How old a thread is in pages, and which ones press."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from clew.model.thread import Thread
from clew.policy.weave import WeavePolicy


def older(threads: Iterable[Thread]) -> tuple[Thread, ...]:
    """Inherited threads are one page older; new ones start at 0."""
    return tuple(replace(t, age=t.age + 1) for t in threads)


def overdue_by(thread: Thread, policy: WeavePolicy) -> int:
    """Pages past the point where it presses, 0 on the point itself; negative while it may wait."""
    return thread.age - policy.overdue[thread.urgency]


def is_overdue(thread: Thread, policy: WeavePolicy) -> bool:
    return overdue_by(thread, policy) >= 0


def pressing(threads: Iterable[Thread], policy: WeavePolicy) -> tuple[Thread, ...]:
    """Overdue ones first, the longest overdue at the head; then by urgency, age and place."""
    return tuple(
        sorted(threads, key=lambda t: (-max(overdue_by(t, policy), -1), -t.urgency.rank, -t.age))
    )
