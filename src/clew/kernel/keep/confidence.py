"""How far a new memory is trusted (ruling P84)."""

from __future__ import annotations

from decimal import Decimal

from clew.model.memory import Origin
from clew.policy import Policy
from clew.policy.remember import hundredths


def initial_confidence(origin: Origin, policy: Policy) -> Decimal:
    return hundredths(policy.remember.model if origin is Origin.LLM else policy.remember.heuristic)
