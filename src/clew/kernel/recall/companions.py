"""Whom the user lives with, and whom they are with: told of people in many ways, and asked for in one.

"My brother is on the sofa", "I share a flat with Kim" and "my flatmate" all answer "who do I live with?"; "my
girlfriend Lotte" and "met someone, Gary" answer "who am I seeing?".
"""

from __future__ import annotations

from collections.abc import Sequence

from clew.frozen import dataclass
from clew.kernel.keep.keys import attribute_for
from clew.kernel.read.change_words import says
from clew.kernel.recall.answers import tellable
from clew.model.memory import MemoryRecord
from clew.policy import Policy

_NAME = "name"


@dataclass(frozen=True, slots=True)
class Company:
    """asked, told: shapes of the checks.   whom: who is meant by the very word for them."""

    asked: str
    told: str
    whom: tuple[str, ...]


def company_asked(question: str, policy: Policy) -> Company | None:
    every = (
        Company("lives_with_asked", "lives_with_told", policy.recall.share_home),
        Company("love_asked", "love_told", policy.changes.lovers),
    )
    return next((c for c in every if says(question, c.asked, policy)), None)


def companions(company: Company, records: Sequence[MemoryRecord], policy: Policy) -> tuple[MemoryRecord, ...]:
    """What tells of them, one thing of each message, the last told first; a flatmate is one by the very word."""
    held = [r for r in records if tellable(r, past=False)]
    named = [r for r in held if by_the_word(company, r, policy)]
    told = [r for r in held if says(r.statement or r.memory_value, company.told, policy)]
    found: dict[str, MemoryRecord] = {}
    for record in (*named, *told):
        for message in record.source_message_ids[-1:]:
            found.setdefault(message, record)
    return tuple(sorted(found.values(), key=lambda r: (r.last_confirmed_at, r.memory_id), reverse=True))


def by_the_word(company: Company, record: MemoryRecord, policy: Policy) -> bool:
    """The name of a flatmate, or of a girlfriend."""
    return record.subject in company.whom and attribute_for(record, policy) == _NAME
