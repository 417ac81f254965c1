"""Whether a statement tells to which time something was put: the change is over, that time lies ahead."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from clew.kernel.keep.times import resolve
from clew.kernel.statements.patterns import compiled
from clew.model.utterance import Statement
from clew.policy import Policy


def put_off(told: Statement, at: datetime, zone: ZoneInfo, policy: Policy) -> bool:
    """ "the exam got moved, 10 December now". Of "moved to Bristol in March" no time is all that it moved to."""
    around = " ,." + "".join(policy.remember.said("around_time"))
    for words in policy.checks.languages.values():
        rows = tuple(row for row in words.shifted.values() if row.moves)
        for _, match in compiled(rows).matches(told.sentence):
            when = resolve(match["new"], at, zone, policy, 1)
            if when is None or when.start is None or when.start < at:
                continue
            beside = match["new"].lower().replace(when.text.lower(), "").strip(around).split()
            if all(word in words.shift_talk for word in beside):
                return True
    return False
