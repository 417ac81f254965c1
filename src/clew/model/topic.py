"""The nineteen topics (ruling P32)."""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction

from clew.frozen import dataclass


class TopicId(StrEnum):
    POLITICS = "POLITICS"
    RELIGION = "RELIGION"
    SEXUAL_CONTENT = "SEXUAL_CONTENT"
    SEXUAL_JOKES = "SEXUAL_JOKES"
    MENTAL_HEALTH = "MENTAL_HEALTH"
    SELF_HARM = "SELF_HARM"
    SUBSTANCES = "SUBSTANCES"
    GAMBLING = "GAMBLING"
    VIOLENCE = "VIOLENCE"
    ILLEGAL_ACTIVITY = "ILLEGAL_ACTIVITY"
    HATE_HARASSMENT = "HATE_HARASSMENT"
    MEDICAL_HEALTH = "MEDICAL_HEALTH"
    PERSONAL_FINANCE = "PERSONAL_FINANCE"
    RELATIONSHIPS = "RELATIONSHIPS"
    FAMILY = "FAMILY"
    WORK_SCHOOL = "WORK_SCHOOL"
    TRAVEL = "TRAVEL"
    ENTERTAINMENT = "ENTERTAINMENT"
    TECH_GAMING = "TECH_GAMING"


@dataclass(frozen=True, slots=True)
class TopicMatch:
    topic: TopicId
    confidence: Fraction
    hits: tuple[str, ...]
