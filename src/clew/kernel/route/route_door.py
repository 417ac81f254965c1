"""`route` at the kernel door."""

from __future__ import annotations

from typing import Any

from clew.kernel.correct.commands import is_explicit
from clew.kernel.door import Mode
from clew.kernel.read.read_door import read_payload
from clew.kernel.route.decide import decide
from clew.model.fields import Fields
from clew.model.profile import AgeBand, UserState
from clew.model.turn import Source
from clew.policy import Policy


def route(payload: Fields, policy: Policy, mode: Mode) -> dict[str, Any]:
    text = payload.text("text")
    state = payload.enum("user_state", UserState)
    age_band = payload.enum("age_band", AgeBand, None)
    source = payload.enum("source", Source, Source.CHAT)
    message = read_payload(payload, text, policy)
    heard = message.signals
    tells = bool(message.statements) or is_explicit(message.wording, policy)
    decision = decide(heard, state, age_band, source, policy, asks_memory=bool(message.asks), tells=tells)
    answer: dict[str, Any] = {
        "pipeline": decision.pipeline.value,
        "safety_policy": decision.safety_policy.value,
        "memory_read_policy": decision.memory_read_policy.value,
        "vector_search_policy": decision.vector_search_policy.value,
        "memory_write_policy": decision.memory_write_policy.value,
        "relationship_update_policy": decision.relationship_update_policy.value,
        "crisis": decision.crisis,
        "safety_class": heard.safety.kind.value,
    }
    if decision.retention_policy is not None:
        answer["retention_policy"] = decision.retention_policy
    answer["reasons"] = [r.as_dict() for r in (*heard.safety.reasons, *decision.reasons)]
    return answer
