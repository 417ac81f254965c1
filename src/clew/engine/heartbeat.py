"""The heartbeat of the turns under way: a lease is renewed for as long as somebody works on its message."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from contextlib import suppress

from clew.engine.parts import Parts
from clew.model.account import Lease

_LAST_BEAT_SECONDS = 1.0


class Beat:
    """A lease that is kept fresh, and when it is renewed next."""

    def __init__(self, parts: Parts, lease: Lease) -> None:
        self.parts, self.lease = parts, lease
        self.seconds = parts.policy.engine.lease_seconds / 3
        self.due = time.monotonic() + self.seconds
        self.held = True
        self.beating = threading.Lock()


class Heart:
    """Renews the leases of all turns of this process from one thread, which most turns end before it looks at them.

    It looks twice in the time between two beats, so that one comes well before its lease runs out, and ends when
    there is nothing to look after.
    """

    def __init__(self, renew: Callable[[Parts, Lease], bool]) -> None:
        self._renew = renew
        self._changed = threading.Condition()
        self._beats: list[Beat] = []
        self._thread: threading.Thread | None = None
        self._pause = 0.0

    def hold(self, parts: Parts, lease: Lease) -> Beat:
        beat = Beat(parts, lease)
        with self._changed:
            self._beats.append(beat)
            if self._thread is None or not self._thread.is_alive():
                self._pause = beat.seconds / 2
                self._thread = threading.Thread(target=self._run, daemon=True, name="clew-lease")
                self._thread.start()
            elif beat.seconds / 2 < self._pause:
                self._pause = beat.seconds / 2
                self._changed.notify()
        return beat

    def let_go(self, beat: Beat) -> None:
        """No beat comes after this, so that the store may be closed; one under way is waited for, not for long."""
        beat.held = False
        with self._changed:
            if beat in self._beats:
                self._beats.remove(beat)
        if beat.beating.acquire(timeout=_LAST_BEAT_SECONDS):
            beat.beating.release()

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait(self._pause)
                if not self._beats:
                    self._thread = None
                    return
                due = [b for b in self._beats if b.due <= time.monotonic()]
            for beat in due:
                with beat.beating:
                    self._renewed(beat)

    def _renewed(self, beat: Beat) -> None:
        beat.due = time.monotonic() + beat.seconds
        with suppress(Exception):  # the next beat may get through, and others' leases are not lost with this one
            if beat.held and not self._renew(beat.parts, beat.lease):
                beat.due = math.inf  # taken over by another
