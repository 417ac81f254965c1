"""Who the user is and what they allow."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from clew.frozen import dataclass
from clew.model.topic import TopicId


class UserState(StrEnum):
    CREATED = "CREATED"
    ONBOARDING = "ONBOARDING"
    ACTIVE = "ACTIVE"


class AgeBand(StrEnum):
    """Canonical with a hyphen; the specification's en dash is accepted (ruling P31)."""

    AGE_13_17 = "13-17"
    AGE_18_24 = "18-24"
    AGE_25_34 = "25-34"
    AGE_35_44 = "35-44"
    AGE_45_UP = "45+"

    @classmethod
    def _missing_(cls, value: object) -> AgeBand | None:
        text = str(value).replace("\u2013", "-")
        return next((m for m in cls if m.value == text), None) if text != value else None


class Occupation(StrEnum):
    STUDENT = "student"
    WORKING = "working"
    BETWEEN_JOBS = "between_jobs"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Answers:
    """The seven onboarding answers minus the two that are controls; None = not answered yet."""

    preferred_name: str | None = None
    age_band: AgeBand | None = None
    country_or_region: str | None = None
    occupation_category: Occupation | None = None
    client_timezone: str | None = None


@dataclass(frozen=True, slots=True)
class UserControls:
    proactive_messages_enabled: bool = True
    mute_until: datetime | None = None
    suppressed_topics: tuple[TopicId, ...] = ()
    suppressed_memory_keys: tuple[str, ...] = ()
    # SHA-256 of a forgotten key and value: that value stays barred when its key is free again (ruling M5).
    suppressed_values: tuple[str, ...] = ()
