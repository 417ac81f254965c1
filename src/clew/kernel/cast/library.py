"""The templates, and what is derived from them (rulings P43, P45)."""

from __future__ import annotations

from functools import lru_cache

from clew.model.persona import Energy, Humor, PersonaTemplate
from clew.policy import Policy


@lru_cache(maxsize=8)
def _by_id(policy: Policy) -> dict[str, PersonaTemplate]:
    return {t.id: t for t in policy.cast.templates}


@lru_cache(maxsize=8)
def by_archetype(policy: Policy) -> dict[str, tuple[PersonaTemplate, ...]]:
    """In library order, so that a draw names the same archetype everywhere."""
    out: dict[str, tuple[PersonaTemplate, ...]] = {}
    for template in policy.cast.templates:
        out[template.core_archetype] = (*out.get(template.core_archetype, ()), template)
    return out


def template(template_id: str, policy: Policy) -> PersonaTemplate | None:
    return _by_id(policy).get(template_id)


def combo_key(archetype: str, humor: Humor, energy: Energy) -> str:
    name = archetype.replace(" ", "_").replace("-", "_")
    return f"{name}:{humor.value}:{energy.value}"


@lru_cache(maxsize=8)
def all_combos(policy: Policy) -> tuple[tuple[str, Humor, Energy], ...]:
    return tuple((a, h, e) for a in by_archetype(policy) for h in Humor for e in Energy)
