"""`read` at the kernel door."""

from __future__ import annotations

from dataclasses import fields
from operator import attrgetter
from typing import Any

from clew.kernel.door import SENTENCES, TOKENS, Mode
from clew.kernel.read.utterance import read as read_message
from clew.model.fields import Fields
from clew.model.signals import Flags
from clew.model.utterance import TokenVectors, Utterance
from clew.policy import Policy

_FLAG_NAMES = tuple(f.name for f in fields(Flags))
_FLAG_VALUES = attrgetter(*_FLAG_NAMES)
_FLAG_RULES = tuple(f"listen.{name}" for name in _FLAG_NAMES)


def read_payload(payload: Fields, text: str, policy: Policy) -> Utterance:
    """The text of a door's object as an Utterance; doors that embed put the vectors beside it."""
    previous = payload.strings("previous", ()) if payload.has("previous") else ()
    vector = payload.numbers("vector", None) if payload.has("vector") else None
    tokens = payload.raw(TOKENS, None)
    return read_message(
        text,
        policy,
        previous=previous,
        vector=vector,
        tokens=tokens if isinstance(tokens, TokenVectors) else None,
        vectors=made if isinstance(made := payload.raw(SENTENCES, None), dict) else None,
    )


def read(payload: Fields, policy: Policy, mode: Mode) -> dict[str, Any]:
    message = read_payload(payload, payload.text("text"), policy)
    heard = message.signals
    raised = _FLAG_VALUES(heard.flags)
    feeling = heard.emotion
    # Plain rows at once: this is the inner loop of a whole archive read line by line.
    reasons = [
        {"rule": f"listen.topic.{m.topic.lower()}", "detail": ", ".join(m.hits)} for m in heard.topics
    ]
    reasons += [
        {"rule": rule, "detail": ""} for rule, up in zip(_FLAG_RULES, raised, strict=True) if up
    ]
    reasons += [r.as_dict() for r in dict.fromkeys((*feeling.reasons, *heard.safety.reasons, *heard.need_reasons))]
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
        "need": message.need.value,
        "asks": [{"subject": a.subject, "attribute": a.attribute} for a in message.asks],
        "safety": {"class": heard.safety.kind.value, "crisis": heard.safety.crisis},
        "reasons": reasons,
    }
