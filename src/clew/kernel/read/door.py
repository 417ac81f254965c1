"""`read` at the kernel door."""

from __future__ import annotations

from dataclasses import fields
from operator import attrgetter
from typing import Any

from clew.kernel.door import Mode
from clew.kernel.read.signals import hear
from clew.model.fields import Fields
from clew.model.signals import Flags
from clew.policy import Policy

_FLAG_NAMES = tuple(f.name for f in fields(Flags))
_FLAG_VALUES = attrgetter(*_FLAG_NAMES)
_FLAG_RULES = tuple(f"listen.{name}" for name in _FLAG_NAMES)


def read(payload: Fields, policy: Policy, mode: Mode) -> dict[str, Any]:
    previous = payload.strings("previous", ()) if payload.has("previous") else ()
    vector = payload.numbers("vector", None) if payload.has("vector") else None
    heard = hear(payload.text("text"), policy, previous, vector)
    raised = _FLAG_VALUES(heard.flags)
    feeling = heard.emotion
    # Plain rows at once: this is the inner loop of a whole archive read line by line.
    reasons = [
        {"rule": f"listen.topic.{m.topic.lower()}", "detail": ", ".join(m.hits)} for m in heard.topics
    ]
    reasons += [
        {"rule": rule, "detail": ""} for rule, up in zip(_FLAG_RULES, raised, strict=True) if up
    ]
    reasons += [r.as_dict() for r in (*feeling.reasons, *heard.safety.reasons)]
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
        "flags": dict(zip(_FLAG_NAMES, raised, strict=True)),
        "emotion": {
            "valence": feeling.valence,
            "tags": list(feeling.tags),
            "strong": feeling.strong,
            "self_state": feeling.self_state,
        },
        "safety": {"class": heard.safety.kind.value, "crisis": heard.safety.crisis},
        "reasons": reasons,
    }
