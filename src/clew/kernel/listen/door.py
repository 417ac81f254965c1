"""`read` at the kernel door."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from clew.kernel.door import Mode
from clew.kernel.listen.signals import hear
from clew.model.fields import Fields
from clew.model.signals import Flags
from clew.model.verdict import Reason
from clew.policy import Policy

_FLAG_NAMES = tuple(f.name for f in fields(Flags))


def read(payload: Fields, policy: Policy, mode: Mode) -> dict[str, Any]:
    heard = hear(
        payload.text("text"), policy, payload.strings("previous", ()), payload.numbers("vector", None)
    )
    flags = {name: getattr(heard.flags, name) for name in _FLAG_NAMES}
    reasons = [Reason(f"listen.topic.{m.topic.lower()}", ", ".join(m.hits)) for m in heard.topics]
    reasons += [Reason(f"listen.{name}") for name, raised in flags.items() if raised]
    reasons += [*heard.emotion.reasons, *heard.safety.reasons]
    return {
        "norm": heard.norm,
        "no_punct": heard.no_punct,
        "tokens": list(heard.tokens),
        "token_estimate": heard.token_estimate,
        "language": heard.language,
        "topics": [
            {"topic": m.topic.value, "confidence": float(m.confidence), "hits": list(m.hits)}
            for m in heard.topics
        ],
        "initiated": [t.value for t in heard.initiated],
        "mentioned": [t.value for t in heard.mentioned],
        "flags": flags,
        "emotion": {
            "valence": heard.emotion.valence,
            "tags": list(heard.emotion.tags),
            "strong": heard.emotion.strong,
            "self_state": heard.emotion.self_state,
        },
        "safety": {"class": heard.safety.kind.value, "crisis": heard.safety.crisis},
        "reasons": [r.as_dict() for r in reasons],
    }
