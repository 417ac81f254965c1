"""Tables for access, safety and intent (rulings P20–P36, data/route.toml)."""

from __future__ import annotations

from collections.abc import Mapping

from clew.frozen import dataclass
from clew.model.profile import AgeBand
from clew.model.signals import SafetyClass
from clew.model.turn import Pipeline, ReadPolicy, SafetyPolicy, UpdatePolicy, VectorPolicy, WritePolicy


@dataclass(frozen=True, slots=True, eq=False)
class Reach:
    """What one pipeline may touch."""

    memory_read: ReadPolicy
    memory_write: WritePolicy
    vector_search: VectorPolicy
    relationship: UpdatePolicy


@dataclass(frozen=True, slots=True, eq=False)
class ClassRow:
    """What one safety class asks for."""

    adult: SafetyPolicy
    minor: SafetyPolicy
    pipeline: Pipeline | None = None
    over_onboarding: bool = False
    remember: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class RoutePolicy:
    pipelines: Mapping[Pipeline, Reach]
    classes: Mapping[SafetyClass, ClassRow]
    minors: tuple[AgeBand, ...] = (AgeBand.AGE_13_17,)

    def __post_init__(self) -> None:
        if missing := [p.value for p in Pipeline if p not in self.pipelines]:
            raise ValueError(f"pipelines without a row: {', '.join(missing)}")
        if missing := [c.value for c in SafetyClass if c not in self.classes]:
            raise ValueError(f"classes without a row: {', '.join(missing)}")
