"""The model extractor's gate and the reading of its answer (rulings P81, P82).

A model is asked only when the message is long, strongly felt, or comes back to a key; what it answers
is believed only where the message says it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from clew.kernel.keep.confidence import initial_confidence
from clew.kernel.keep.keys import attribute_of, bare_value, build, canonical, canonical_value
from clew.kernel.keep.values import is_sensitive, tells_something
from clew.kernel.statements.own_words import statements
from clew.kernel.text.normalize import normal
from clew.kernel.text.tokens import content_words
from clew.model.key import Key, KeyKind
from clew.model.memory import SELF, Candidate, MemoryType, Origin
from clew.model.verdict import Reason
from clew.policy import Policy

SCHEMA: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["candidates"],
    "properties": {
        "candidates": {
            "type": "array",
            "maxItems": 8,
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["type", "key", "value"],
                "properties": {
                    "type": {"enum": [t.value for t in MemoryType]},
                    "key": {"type": "string", "maxLength": 128},
                    "value": {"type": "string", "maxLength": 200},
                },
            },
        }
    },
}


def wants_model(
    text: str,
    policy: Policy,
    *,
    valence: float = 0.0,
    strong: bool = False,
    seen: Mapping[str, Sequence[datetime]] | None = None,
    at: datetime | None = None,
) -> Reason | None:
    """Why the model extractor may run, or None. `seen` is extraction events per key, from messages (P82)."""
    numbers = policy.remember
    if len(text) >= numbers.model_characters:
        return Reason("extract.long", str(len(text)))
    limit = numbers.model_valence
    if strong or abs(valence) * limit.denominator >= limit.numerator:
        return Reason("extract.strong_emotion")
    if seen and at is not None:
        since = at - timedelta(days=numbers.model_window_days)
        for key in sorted(seen):
            if sum(since <= moment <= at for moment in seen[key]) >= numbers.model_repeats:
                return Reason("extract.pattern", key)
    return None


def read_answer(
    answer: object, text: str, stated: Sequence[Candidate], policy: Policy
) -> tuple[tuple[Candidate, ...], tuple[Reason, ...]]:
    """Candidates of the model that have a key and whose value the message holds; a stated key is the user's."""
    items = answer.get("candidates") if isinstance(answer, Mapping) else None
    if not isinstance(items, list):
        return (), (Reason("extract.model.unreadable"),)
    taken = {c.key for c in stated}
    said = content_words(" ".join(statements(text, policy)))
    kept: list[Candidate] = []
    reasons: list[Reason] = []
    for item in items:
        candidate = _candidate(item, policy) or _note(item, said, policy)
        if candidate is None:
            reasons.append(Reason("extract.model.unmappable"))
        elif candidate.key in taken:
            reasons.append(Reason("extract.model.already_stated", candidate.key))
        elif not _grounded(candidate, said):
            reasons.append(Reason("extract.model.ungrounded", candidate.key))
        else:
            taken.add(candidate.key)
            kept.append(candidate)
            if candidate.type is MemoryType.NOTE:
                reasons.append(Reason("extract.model.note", candidate.key))
    return tuple(kept), tuple(reasons)


def _candidate(item: object, policy: Policy) -> Candidate | None:
    if not isinstance(item, Mapping):
        return None
    kind, key, value = item.get("type"), item.get("key"), item.get("value")
    if (
        not isinstance(kind, str)
        or kind not in MemoryType.__members__
        or not isinstance(key, str)
        or not isinstance(value, str)
    ):
        return None
    known = canonical(key, policy, value)
    clean = canonical_value(MemoryType(kind), value)
    if known is None or known[0] is not MemoryType(kind) or clean is None:
        return None
    parsed = Key.parse(known[1])
    if parsed and parsed.kind is KeyKind.PREF:  # one spelling of an item, however the model wrote the key
        built = build(MemoryType.PREFERENCE, parsed.field or "", bare_value(clean), policy=policy)
        known, parsed = (known[0], built or known[1]), Key.parse(built or known[1])
    attribute = attribute_of(parsed, policy) if parsed else None
    return Candidate(
        known[0],
        known[1],
        clean,
        initial_confidence(Origin.LLM, policy),
        Origin.LLM,
        subject=parsed.subject if parsed else SELF,
        attribute=attribute,
        sensitive=is_sensitive(attribute or "", clean, policy),
    )


def _note(item: object, said: frozenset[str], policy: Policy) -> Candidate | None:
    """What the message says and no attribute fits is a note (ruling M3)."""
    value = item.get("value") if isinstance(item, Mapping) else None
    clean = canonical_value(MemoryType.NOTE, bare_value(value)) if isinstance(value, str) else None
    key = build(MemoryType.NOTE, clean, policy=policy) if clean and tells_something(clean, policy) else None
    if clean is None or key is None:
        return None
    note = Candidate(MemoryType.NOTE, key, clean, initial_confidence(Origin.LLM, policy), Origin.LLM)
    note = replace(note, attribute="note", sensitive=is_sensitive("note", clean, policy))
    return note if _grounded(note, said) else None


def _grounded(candidate: Candidate, said: frozenset[str]) -> bool:
    """Habits are summaries; anything else must be in the user's own words."""
    if candidate.type is MemoryType.EMOTIONAL_PATTERN:
        return True
    value = content_words(normal(bare_value(candidate.value)).no_punct)
    return bool(value) and all(
        w in said or any(s.startswith(w) or (w.startswith(s) and len(s) > 2) for s in said) for w in value
    )
