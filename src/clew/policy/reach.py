"""Numbers and words for proactive messages (rulings P90–P100)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from clew.frozen import dataclass
from clew.model.outreach import Skip, WishKind
from clew.model.relationship import Stage
from clew.model.topic import TopicId
from clew.policy.rows import Pattern, Shape


@dataclass(frozen=True, slots=True)
class StageReach:
    """`cap` counts the local calendar day, or with `rolling_hours` a moving window instead (P91)."""

    cap: int
    inactivity_hours: int
    gap_hours: int
    rolling_hours: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Reshaped(Shape):
    """An ending of the thing to be reminded of, and what the friend says in its place."""

    becomes: str


@dataclass(frozen=True, slots=True, eq=False)
class ReachWords:
    """The words of one language, from data/<language>/reach.toml."""

    openers: tuple[str, ...]
    neutral_openers: tuple[str, ...]
    follow_up: tuple[str, ...]
    outcomes: tuple[str, ...]
    article: str
    owned: tuple[str, ...]
    # A pattern: plans that are never asked about.
    heavy: Pattern
    nudges: Mapping[str, tuple[str, ...]]
    check_ins: Mapping[Stage, tuple[str, ...]]
    not_sent: str
    # What stands before a day, or hangs behind it, where it tells when something is: on Friday, 금요일에.
    before_day: str
    behind_day: str
    # What was asked for: a reminder of something, or only a message.
    reminder: tuple[str, ...]
    asked_message: tuple[str, ...]
    skips: Mapping[Skip, str]
    # How people ask for it, by what they ask for; groups: what, rest.
    wishes: Mapping[WishKind, Mapping[str, Shape]]
    # Hours of the day by their words; a span of minutes or hours, with groups number and unit; numbers by word.
    day_parts: Mapping[str, int]
    spans: tuple[Pattern, ...]
    units: Mapping[str, int]
    # Hours as words, and where they stand: groups before and hour; {hours} is the list of them.
    hour_words: Mapping[str, int]
    hour_shape: Pattern
    hour_before: str
    # How long a mute lasts by its words, in hours; 0 is for ever.
    mutes: Mapping[str, int]
    # How a span of it begins behind its number, in hours; what may hang behind a time.
    mute_units: Mapping[str, int]
    after_time: tuple[str, ...]
    # What stands around the thing to be reminded of and is no part of it.
    around: tuple[Pattern, ...]
    # Endings of the thing and what they become; a pattern for what comes again and again.
    reshaped: Mapping[str, Reshaped]
    every: Pattern
    # What follows such a word is asked for, not promised, unless a moment is named.
    asks: tuple[str, ...]
    turned: Mapping[str, str]
    # How a day and a time are told, and what is answered.
    today: str
    tomorrow: str
    weekdays: tuple[str, ...]
    date: str
    clock: str
    says: Mapping[str, tuple[str, ...]]
    # Lines that are shown beside the talk.
    shown: Mapping[str, str]
    # What users of a simulation say: talk, and what they say to be left alone.
    simulated: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class ReachPolicy:
    stages: Mapping[Stage, StageReach]
    nudge_facts: tuple[str, ...]
    fact_topics: Mapping[str, TopicId]
    intents: Mapping[Stage, str]
    # Words that mean every one, in any language.
    all_words: tuple[str, ...]
    languages: Mapping[str, ReachWords]

    quiet_from: int = 0
    quiet_to: int = 8
    attempt_from: int = 10
    attempt_to: int = 21
    follow_up_hours: int = 24
    # A plan's outcome is asked for so many days after its day, not later.
    outcome_days: int = 7
    opener_window: int = 10
    opener_tries: int = 5
    ignored_hours: int = 24
    backoff_factor: int = 2
    backoff_max: int = 16
    max_questions: int = 1
    # A reminder for a day without an hour comes then; a mute without a length lasts so many hours.
    default_hour: int = 9
    mute_hours: int = 24
    # Today without an hour, when that hour has passed, is so many hours from now.
    today_hours: int = 2
    # A wish is a short sentence, and the thing to be reminded of a shorter one.
    wish_characters: int = 240
    what_characters: int = 160
    # What a writer other than the built-in one is told.
    instruction: str = ""

    def __post_init__(self) -> None:
        if not 0 <= self.quiet_from <= self.quiet_to <= 24:
            raise ValueError("quiet hours must lie within a day")
        if not 0 <= self.attempt_from <= self.attempt_to <= 24:
            raise ValueError("the attempt window must lie within a day")
