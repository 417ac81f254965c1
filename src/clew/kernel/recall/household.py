"""Whom the user lives with: told of people in many ways, and asked for in one.

"My brother is on the sofa", "I share a flat with Kim" and "my flatmate" all answer "who do I live with?".
"""

from __future__ import annotations

from collections.abc import Sequence

from clew.kernel.keep.keys import attribute_for
from clew.kernel.read.change_words import says
from clew.kernel.recall.answers import tellable
from clew.model.memory import MemoryRecord
from clew.policy import Policy

_NAME = "name"


def asks_household(question: str, policy: Policy) -> bool:
    return says(question, "lives_with_asked", policy)


def household(records: Sequence[MemoryRecord], policy: Policy) -> tuple[MemoryRecord, ...]:
    """What tells it, one thing of each message, the last told first; a flatmate is one by the very word."""
    held = [r for r in records if tellable(r, past=False)]
    mates = [r for r in held if _shares_home(r, policy) and attribute_for(r, policy) == _NAME]
    told = [r for r in held if says(r.statement or r.memory_value, "lives_with_told", policy)]
    found: dict[str, MemoryRecord] = {}
    for record in (*mates, *told):
        for message in record.source_message_ids[-1:]:
            found.setdefault(message, record)
    return tuple(sorted(found.values(), key=lambda r: (r.last_confirmed_at, r.memory_id), reverse=True))


def _shares_home(record: MemoryRecord, policy: Policy) -> bool:
    return record.subject in policy.recall.share_home
