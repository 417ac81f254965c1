"""Which turns may be found at all: by speaker, by time, and without those that are named."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np
import numpy.typing as npt

from clew.kernel.recall.turns.speakers import role
from clew.model.transcript import Line
from clew.policy import Policy


@dataclass(frozen=True, slots=True)
class Only:
    """`speaker` is a role or a name; a turn without a time is in no span; `without` are ids of turns."""

    speaker: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    without: frozenset[str] = frozenset()

    @property
    def anything(self) -> bool:
        return not (self.speaker or self.since or self.until or self.without)


def allowed(lines: Sequence[Line], only: Only, policy: Policy) -> npt.NDArray[np.bool_]:
    return np.fromiter((admits(line, only, policy) for line in lines), np.bool_, len(lines))


def admits(line: Line, only: Only, policy: Policy) -> bool:
    if line.id is not None and line.id in only.without:
        return False
    if only.speaker is not None:
        wanted = only.speaker.strip().casefold()
        if wanted not in (line.speaker.strip().casefold(), role(line.speaker, policy)):
            return False
    if only.since is None and only.until is None:
        return True
    if line.at is None:
        return False
    return (only.since is None or line.at >= only.since) and (only.until is None or line.at <= only.until)
