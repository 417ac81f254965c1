"""When a model is asked what a message tells, and what it is asked: the attribute table is its schema (P82, M1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

from clew.kernel.statements.features import mentions
from clew.kernel.text.tokens import effective_count
from clew.model.utterance import Act, Status, Utterance
from clew.model.verdict import Reason
from clew.policy import Policy
from clew.policy.extractor import AskModel


def wants_model(
    text: str,
    policy: Policy,
    *,
    valence: float = 0.0,
    strong: bool = False,
    seen: Mapping[str, Sequence[datetime]] | None = None,
    at: datetime | None = None,
    read: Utterance | None = None,
    found: int = 0,
) -> Reason | None:
    """Why the model extractor may run, or None. `seen` is extraction events per key, from messages (P82).

    read, found: the message as it was read, and how many candidates that gave.
    """
    numbers, asking = policy.remember, policy.remember.extractor
    if asking.ask is AskModel.NEVER or (read is not None and not _states(read)):
        return None
    if asking.ask is AskModel.EVERY:
        return Reason("extract.every")
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
    if read is None:
        return None
    unsure = min((s.certainty for s in read.statements), default=1.0)
    if unsure < asking.unsure_below:
        return Reason("extract.unsure", f"{unsure:.2f}")
    if not found and _telling(read, policy):
        return Reason("extract.nothing_read")
    return None


def _states(read: Utterance) -> bool:
    """A message that only asks or wishes holds nothing that could be believed."""
    return any(s.act is Act.STATEMENT for s in read.sentences)


def _telling(read: Utterance, policy: Policy) -> bool:
    """It states something of some length, of the user or of one of theirs."""
    asking = policy.remember.extractor
    whole = [
        s.text
        for s in read.sentences
        if s.act is Act.STATEMENT and effective_count(s.text, policy.text) >= asking.telling_words
    ]
    if not whole:
        return False
    own = read.signals.flags.has_personal_pronoun or read.language in asking.unspoken_self
    return own or any(mentions(said, policy.reader) for said in whole)


@lru_cache(maxsize=8)
def schema(policy: Policy) -> Mapping[str, Any]:
    """What an answer looks like: every row of the attribute table, and nothing else, may be named."""
    asking = policy.remember.extractor
    fields: dict[str, Any] = {
        "subject": {"type": "string", "maxLength": 60},
        "name": {"type": "string", "maxLength": 60},
        "attribute": {"enum": list(policy.attributes.rows)},
        "value": {"type": "string", "maxLength": asking.value_characters},
        "status": {"enum": [status.value for status in Status]},
    }
    item = {"type": "object", "additionalProperties": False, "required": list(fields), "properties": fields}
    return {
        "type": "object",
        "additionalProperties": False,
        "required": ["candidates"],
        "properties": {"candidates": {"type": "array", "maxItems": asking.candidates, "items": item}},
    }


@lru_cache(maxsize=8)
def instruction(policy: Policy) -> str:
    """The request in words, with the attribute table behind it."""
    asking = policy.remember.extractor
    rows = [
        f"- {name}{' (several)' if row.many else ''}{': ' + asking.means[name] if name in asking.means else ''}"
        for name, row in policy.attributes.rows.items()
    ]
    return "\n".join((asking.instruction.strip(), *rows))
