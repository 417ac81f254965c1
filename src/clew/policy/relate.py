"""Numbers and words for sessions, score and stage."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction

from clew.frozen import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class RelateWords:
    """Words of a language that leaves out the speaker and puts the verb last.

    feelings: strong ones; mild ones count beside an intensifier. own_subjects, subject_particles: whose they are.
    preference_verbs: what stands before one is liked, and not where one of not_liked stands between.
    """

    disengaged: tuple[str, ...] = ()
    feelings: tuple[str, ...] = ()
    mild_feelings: tuple[str, ...] = ()
    denied_after: tuple[str, ...] = ()
    intensifiers: tuple[str, ...] = ()
    own_subjects: tuple[str, ...] = ()
    subject_particles: tuple[str, ...] = ()
    past_phrases: tuple[str, ...] = ()
    dislike_verbs: tuple[str, ...] = ()
    preference_verbs: tuple[str, ...] = ()
    preference_particles: tuple[str, ...] = ()
    preference_joins: tuple[str, ...] = ()
    preference_adverbs: tuple[str, ...] = ()
    not_preferred: tuple[str, ...] = ()
    not_liked: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class RelatePolicy:
    """Word lists come from data/<language>/shared/relate.toml and data/<language>/relate.toml."""

    disengaged: tuple[str, ...]
    greeting_words: tuple[str, ...]
    first_person: tuple[str, ...]
    feeling_cues: tuple[str, ...]
    deep_cues: tuple[str, ...]
    feelings: tuple[str, ...]
    mild_feelings: tuple[str, ...]
    intensifiers: tuple[str, ...]
    downtoners: tuple[str, ...]
    denials: tuple[str, ...]
    disclosures: tuple[str, ...]
    strong_emoji: tuple[str, ...]
    past_phrases: tuple[str, ...]
    past_never: tuple[str, ...]
    remember_words: tuple[str, ...]
    remember_tellers: tuple[str, ...]
    remember_scenes: tuple[str, ...]
    remember_when: tuple[str, ...]
    partner_words: tuple[str, ...]
    past_words: tuple[str, ...]
    past_ends: tuple[str, ...]
    not_past_ed: tuple[str, ...]
    preference_triggers: tuple[str, ...]
    dislike_triggers: tuple[str, ...]
    preference_adverbs: tuple[str, ...]
    preference_stops: tuple[str, ...]
    preference_leads: tuple[str, ...]
    # What stands between two things that are liked.
    preference_joins: tuple[str, ...]
    not_preferred: tuple[str, ...]
    detail: Mapping[str, str]
    languages: Mapping[str, RelateWords] = field(default_factory=dict)

    session_gap_hours: int = 4
    short_below: int = 4
    meaningful_from: int = 10
    disengaged_from: int = 3
    intense: Fraction = Fraction(6, 10)
    feeling_reach: int = 4

    preference_points: int = 1
    preferences_points: int = 2
    preferences_from: int = 2
    meaningful_points: int = 1
    disclosure_points: int = 4
    past_points: int = 4
    disengaged_points: int = -2
    delta_min: int = -2
    delta_max: int = 5
    score_min: int = 0
    score_max: int = 100

    # Acquaintance, friend, close friend.
    promote_at: tuple[int, int, int] = (15, 40, 75)
    floors: tuple[int, int, int, int] = (0, 15, 40, 75)
    promote_sessions: int = 3
    promote_cooldown_days: int = 7
    decay_days: int = 7
    decay_points: int = 1

    def __post_init__(self) -> None:
        if self.delta_min > self.delta_max or self.score_min > self.score_max:
            raise ValueError("a clamp needs its lower bound below its upper one")
        if list(self.floors) != sorted(self.floors) or list(self.promote_at) != sorted(self.promote_at):
            raise ValueError("floors and promote_at must not fall")
        if self.decay_days < 1 or self.session_gap_hours < 0:
            raise ValueError("decay_days needs at least one day, session_gap_hours at least zero")
