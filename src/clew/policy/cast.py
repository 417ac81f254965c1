"""Numbers and words for persona assignment."""

from __future__ import annotations

from fractions import Fraction

from clew.frozen import dataclass
from clew.model.persona import PersonaTemplate


@dataclass(frozen=True, slots=True, eq=False)
class CastPolicy:
    """The library comes from data/cast.toml."""

    templates: tuple[PersonaTemplate, ...]
    window_hours: int = 24
    cap: Fraction = Fraction(7, 100)
    cap_at_least: int = 1
    max_samples: int = 50
    mutations: int = 2
    emoji_mutation: Fraction = Fraction(1, 2)
    leaning: Fraction = Fraction(7, 10)
    blunt_archetypes: tuple[str, ...] = ("Blunt Honest", "Dry Humor")
    soft_archetypes: tuple[str, ...] = ("Calm Listener", "Warm Caregiver", "Gentle Coach")

    def __post_init__(self) -> None:
        ids = [t.id for t in self.templates]
        if not ids:
            raise ValueError("the persona library is empty")
        if len(set(ids)) != len(ids):
            raise ValueError(f"a template id is used twice: {sorted(i for i in ids if ids.count(i) > 1)[0]}")
        if not 0 < self.cap <= 1 or self.cap_at_least < 1 or self.max_samples < 1:
            raise ValueError("cap must lie in (0, 1]; cap_at_least and max_samples must be 1 or more")
        if not 0 <= self.mutations <= 3:
            raise ValueError("mutations must be 0 to 3")
