"""Which turns may be found at all: by speaker, by time, and without those that are named."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

import numpy as np
import numpy.typing as npt

from clew.frozen import dataclass
from clew.kernel.recall.turns.index import Index
from clew.kernel.recall.turns.speakers import role
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


def allowed(
    index: Index, only: Only, without: Collection[int], policy: Policy
) -> npt.NDArray[np.bool_] | None:
    """`without` are the positions of the turns that `only.without` names. None: every turn may be found."""
    if only.anything:
        return None
    heads = index.heads
    out = ~np.isin(heads["position"], sorted(without)) if without else np.ones(len(heads), np.bool_)
    if only.speaker is not None:
        wanted = only.speaker.strip().casefold()
        fits = [wanted in (s.strip().casefold(), role(s, policy)) for s in index.speakers]
        out &= np.array(fits, np.bool_)[heads["speaker"]]
    if only.since is not None:
        out &= heads["at"] >= only.since.timestamp()
    if only.until is not None:
        out &= heads["at"] <= only.until.timestamp()
    return out
