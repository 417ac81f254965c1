"""The machine's own clock, process identity and chance."""

from __future__ import annotations

import os
import secrets
import socket
import time
import uuid
from datetime import UTC, datetime


class SystemClock:
    def now(self) -> datetime:
        return datetime.now(UTC)

    def stopwatch(self) -> float:
        return time.perf_counter()


class SystemProcess:
    def __init__(self) -> None:
        self._host = socket.gethostname()
        self.owner = f"{self._host}|{os.getpid()}|{_started(os.getpid())}"

    def alive(self, owner: str) -> bool:
        host, pid, started = owner.split("|")
        if host != self._host:
            return True
        try:
            os.kill(int(pid), 0)
        except ProcessLookupError:
            return False
        except PermissionError:
            return True
        # The number may have been given to another process since.
        return _started(int(pid)) == started

    def seed(self) -> int:
        return secrets.randbits(31)

    def fresh_id(self) -> str:
        return str(uuid.uuid4())


class SeededProcess(SystemProcess):
    """The same seeds and ids each time, for a run that must come out the same."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self._seed = seed
        self._ids = 0

    def seed(self) -> int:
        self._seed = (self._seed * 1_103_515_245 + 12_345) % (1 << 31)
        return self._seed

    def fresh_id(self) -> str:
        self._ids += 1
        return str(uuid.uuid5(uuid.NAMESPACE_OID, f"{self._seed} {self._ids}"))


def _started(pid: int) -> str:
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as stat:  # noqa: PTH123
            return stat.read().rsplit(")", 1)[1].split()[19]
    except (OSError, IndexError):
        return ""
