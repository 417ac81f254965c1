"""`cast` at the kernel door."""

from __future__ import annotations

from typing import Any

from clew.errors import InvalidInput
from clew.kernel.cast.assign import assign
from clew.kernel.cast.library import template
from clew.kernel.door import Mode
from clew.model.canonical import plain
from clew.model.fields import Fields
from clew.model.persona import Placed
from clew.policy import Policy

_LOWEST, _HIGHEST = -(1 << 31), (1 << 32) - 1


def cast(payload: Fields, policy: Policy, mode: Mode) -> dict[str, Any]:
    seed: int = payload.integer("seed")
    if not _LOWEST <= seed <= _HIGHEST:
        raise InvalidInput(f"seed must fit 32 bits, got {seed}", pointer=payload.at("seed"))
    window = payload.each("window", lambda item: Placed(item.text("combo_key"), item.time("assigned_at")))
    result = assign(seed, window, payload.time("now"), policy)
    chosen = result.assignment
    known = template(chosen.template_id, policy)
    return {
        "template_id": chosen.template_id,
        "core_archetype": known.core_archetype if known else "",
        "combo_key": chosen.combo_key,
        "friend_energy": chosen.friend_energy.value,
        "stable_style_params": plain(chosen.stable_style_params),
        "taboo_soft_bounds": [t.value for t in chosen.taboo_soft_bounds],
        "attempts": result.attempts,
        "fallback": result.fallback,
        "reasons": [r.as_dict() for r in result.reasons],
    }
