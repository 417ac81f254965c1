"""Numbers and words for sessions, score and stage."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from clew.frozen import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class RelatePolicy:
    """Word lists come from data/relate.toml."""

    disengaged: tuple[str, ...]
    disengaged_ko: tuple[str, ...]
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
    feelings_ko: tuple[str, ...]
    mild_feelings_ko: tuple[str, ...]
    intensifiers_ko: tuple[str, ...]
    denied_after_ko: tuple[str, ...]
    own_subjects_ko: tuple[str, ...]
    subject_particles_ko: tuple[str, ...]
    strong_emoji: tuple[str, ...]
    past_phrases: tuple[str, ...]
    past_phrases_ko: tuple[str, ...]
    past_never: tuple[str, ...]
    remember_words: tuple[str, ...]
    remember_tellers: tuple[str, ...]
    remember_scenes: tuple[str, ...]
    remember_when: tuple[str, ...]
    partner_words: tuple[str, ...]
    past_words: tuple[str, ...]
    not_past_ed: tuple[str, ...]
    preference_triggers: tuple[str, ...]
    dislike_triggers: tuple[str, ...]
    dislike_verbs_ko: tuple[str, ...]
    preference_adverbs: tuple[str, ...]
    preference_stops: tuple[str, ...]
    preference_leads: tuple[str, ...]
    not_preferred: tuple[str, ...]
    preference_verbs_ko: tuple[str, ...]
    preference_particles_ko: tuple[str, ...]
    preference_joins_ko: tuple[str, ...]
    preference_adverbs_ko: tuple[str, ...]
    not_preferred_ko: tuple[str, ...]
    detail: Mapping[str, str]

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
