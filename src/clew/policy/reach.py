"""Numbers and words for proactive messages (rulings P90–P100)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from clew.model.relationship import Stage
from clew.model.topic import TopicId


@dataclass(frozen=True, slots=True)
class StageReach:
    """`per_day` counts the local calendar day; `rolling_hours` a moving window instead (P91)."""

    cap: int
    inactivity_hours: int
    gap_hours: int
    rolling_hours: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class ReachPolicy:
    """Lines come from data/reach.toml."""

    stages: Mapping[Stage, StageReach]
    nudge_facts: tuple[str, ...]
    fact_topics: Mapping[str, TopicId]
    intents: Mapping[Stage, str]
    openers: Mapping[str, tuple[str, ...]]
    neutral_openers: Mapping[str, tuple[str, ...]]
    follow_up: Mapping[str, tuple[str, ...]]
    nudges: Mapping[str, Mapping[str, tuple[str, ...]]]
    check_ins: Mapping[str, Mapping[Stage, tuple[str, ...]]]

    quiet_from: int = 0
    quiet_to: int = 8
    attempt_from: int = 10
    attempt_to: int = 21
    follow_up_hours: int = 24
    opener_window: int = 10
    opener_tries: int = 5
    ignored_hours: int = 24
    backoff_factor: int = 2
    backoff_max: int = 16
    max_questions: int = 1

    def __post_init__(self) -> None:
        if not 0 <= self.quiet_from <= self.quiet_to <= 24:
            raise ValueError("quiet hours must lie within a day")
        if not 0 <= self.attempt_from <= self.attempt_to <= 24:
            raise ValueError("the attempt window must lie within a day")
