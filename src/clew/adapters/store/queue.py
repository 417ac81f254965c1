"""One writer at a time in this process, first come first served; SQLite itself knows no order."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

from clew.errors import StoreLocked


class WriterQueue:
    def __init__(self, name: str) -> None:
        self.name = name
        self._guard = threading.Lock()
        self._taken = False
        self._waiting: deque[threading.Event] = deque()

    @contextmanager
    def turn(self, seconds: float) -> Iterator[None]:
        self._wait(seconds)
        try:
            yield
        finally:
            self._pass_on()

    def _wait(self, seconds: float) -> None:
        with self._guard:
            if not self._taken:
                self._taken = True
                return
            mine = threading.Event()
            self._waiting.append(mine)
        try:
            if mine.wait(seconds):
                return
        except BaseException:
            if not self._leave(mine):
                self._pass_on()
            raise
        if self._leave(mine):
            raise StoreLocked(
                f"database {self.name} is locked: others of this process wrote for {seconds:g} s; try again"
            )

    def _leave(self, mine: threading.Event) -> bool:
        """Out of the line; False when the turn was given to us just now."""
        with self._guard:
            if mine in self._waiting:
                self._waiting.remove(mine)
                return True
        return False

    def _pass_on(self) -> None:
        with self._guard:
            if self._waiting:
                self._waiting.popleft().set()
            else:
                self._taken = False


_QUEUES: dict[str, WriterQueue] = {}
_QUEUES_GUARD = threading.Lock()


def queue_of(name: str) -> WriterQueue:
    """The same database, the same queue, however many stores are open on it."""
    with _QUEUES_GUARD:
        return _QUEUES.setdefault(name, WriterQueue(name))


def _forget() -> None:
    """A forked child has none of its parent's threads, so nobody would ever pass a turn on."""
    global _QUEUES_GUARD
    _QUEUES_GUARD = threading.Lock()
    for queue in _QUEUES.values():
        queue.__init__(queue.name)  # type: ignore[misc]


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
