"""What happened long before a plan was made says nothing of the plan: last year's interview is not next Tuesday's."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from clew.kernel.keep.changeable import attribute_in
from clew.kernel.keep.times import resolve
from clew.model.memory import MemoryRecord
from clew.model.utterance import Status, Utterance
from clew.policy import Policy


def long_before(message: Utterance, record: MemoryRecord, at: datetime, zone: ZoneInfo, policy: Policy) -> bool:
    """All that the message tells has happened, at a time that was over before the plan was told of."""
    if attribute_in(record, policy) != "plan":
        return False
    if any(s.status is not Status.PAST for s in message.statements):
        return False
    when = resolve(message.text, at, zone, policy, -1)
    return when is not None and when.end is not None and when.end <= record.created_at
