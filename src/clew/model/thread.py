"""Open loops and the narrator's state that lives beside them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class ThreadType(StrEnum):
    MYSTERY = "MYSTERY"
    QUEST = "QUEST"
    RELATIONSHIP = "RELATIONSHIP"
    DANGER = "DANGER"
    INFORMATION = "INFORMATION"
    RESOURCE = "RESOURCE"
    MORAL = "MORAL"


class Urgency(StrEnum):
    LOW = "LOW"
    MEDIUM = "MEDIUM"
    HIGH = "HIGH"


@dataclass(frozen=True, slots=True)
class Thread:
    id: str
    type: ThreadType
    text: str
    urgency: Urgency = Urgency.MEDIUM
