"""A statement that changes what an earlier one said."""

from __future__ import annotations

from datetime import datetime
from fractions import Fraction

from clew.frozen import dataclass
from clew.model.verdict import Reason


@dataclass(frozen=True, slots=True)
class DatedStatement:
    """What was said, when, and the vector of the whole text where there is one."""

    id: str
    text: str
    at: datetime
    vector: tuple[float, ...] | None = None


@dataclass(frozen=True, slots=True)
class Update:
    """`of` is the earlier statement meant most likely, also when it is not sure that anything changed."""

    is_update: bool
    of: str | None
    score: Fraction
    reasons: tuple[Reason, ...]
