"""The network of drafts: what a draft looks like beside what is known and the message that it answers."""

from __future__ import annotations

from collections.abc import Sequence

from clew.kernel.read.crossing import RowsOf, crossed, sums
from clew.kernel.read.exact import loaded
from clew.policy.gate import DraftNetwork


def odds(
    draft: str,
    known: Sequence[str],
    user: str,
    numbers: Sequence[float],
    gists: tuple[Sequence[float], Sequence[float]],
    rows_of: RowsOf,
    policy: DraftNetwork,
) -> tuple[float, ...]:
    """For each name the log-odds against a good reply; empty where there are no weights or nothing to read."""
    w = loaded(policy.file, policy.sha256)
    seen = crossed(draft, known, user, rows_of) if w is not None else None
    if w is None or seen is None:
        return ()
    made = sums(w, seen, numbers, gists)
    return tuple((made[1:] - made[0]).tolist())
