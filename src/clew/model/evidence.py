"""What a follow-up is judged by: candidates, excerpts, model answers, and the words for outcomes."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from math import isfinite
from typing import Any

from clew.frozen import dataclass
from clew.model.continuity import Scope
from clew.model.fields import Fields, is_text


class GroundOutcome(StrEnum):
    EXECUTE = "execute"
    CLARIFY = "clarify"
    ANSWER = "answer"
    ESCAPE = "escape"


class Act(StrEnum):
    """What the follow-up does to the list on the table."""

    SELECT = "select"
    QUESTION = "question"
    ALTERNATIVES = "alternatives"
    NEGATE = "negate"
    OTHER = "other"


class Said(StrEnum):
    """What a part of a follow-up does, as the answer's `acts` name it (ruling G25)."""

    ACCEPT = "accept"
    CHOOSE = "choose"
    REJECT = "reject"
    ASK = "ask"
    MORE = "more"
    NEW = "new"
    CLOSE = "close"
    CORRECT = "correct"
    UNCLEAR = "unclear"


class Lane(StrEnum):
    SELECTION = "selection"
    SEMANTIC = "semantic"


class Fallback(StrEnum):
    """The canonical seven of the degradation matrix."""

    TIMEOUT = "timeout"
    RATE_LIMITED = "rate_limited"
    TRANSPORT_ERROR = "transport_error"
    ABSTAIN = "abstain"
    LOW_CONFIDENCE = "low_confidence"
    NO_NEW_EVIDENCE = "no_new_evidence"
    BUDGET_EXHAUSTED = "budget_exhausted"


class EvidenceType(StrEnum):
    """The canonical enrichment allowlist."""

    CHAT_ACTIVE = "chat_active_options"
    CHAT_RECOVERABLE = "chat_recoverable_options"
    WIDGET = "active_widget_items"
    DASHBOARD = "active_dashboard_items"
    WORKSPACE = "active_workspace_items"
    SCOPE_HINT = "scope_disambiguation_hint"


class Intent(StrEnum):
    """The semantic lane's questions."""

    EXPLAIN_LAST_ACTION = "explain_last_action"
    SUMMARIZE_RECENT_ACTIVITY = "summarize_recent_activity"
    EXPLAIN_ENTITY_MEANING = "explain_entity_meaning"
    REFLECTIVE_WHY_FOLLOWUP = "reflective_why_followup"


@dataclass(frozen=True, slots=True)
class Candidate:
    id: str
    label: str
    sublabel: str | None = None
    path: str | None = None
    type: str | None = None
    owner: str | None = None
    # What else is known of it, by name: ("price", "84"), ("colour", "blue").
    fields: tuple[tuple[str, str], ...] = ()

    def as_dict(self) -> dict[str, Any]:
        extra = {name: getattr(self, name) for name in DISAMBIGUATORS}
        known = {"fields": dict(self.fields)} if self.fields else {}
        return {"id": self.id, "label": self.label, **{k: v for k, v in extra.items() if v is not None}, **known}

    @staticmethod
    def read(fields: Fields) -> Candidate:
        return Candidate(
            fields.id("id"),
            fields.text("label"),
            **{name: fields.text(name, None) for name in DISAMBIGUATORS},
            fields=told_fields(_typed(fields)),
        )


def _typed(fields: Fields) -> Mapping[str, Any]:
    """What is known of a candidate by name; callers write it under either name."""
    known: dict[str, Any] = {}
    for name in TYPED:
        known = {**fields.child(name, Fields({})).data, **known}
    return known


def told_fields(given: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """The typed fields of a candidate as texts. Whatever is not text, number, yes or a list of these is left out."""
    out = ((name, _told(value)) for name, value in given.items() if isinstance(name, str) and is_text(name))
    return tuple((name, text) for name, text in out if text)


def _told(value: Any) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(text for text in map(_told, value) if text)
    if isinstance(value, bool):
        return "yes" if value else ""
    if isinstance(value, int) or (isinstance(value, float) and isfinite(value)):
        return str(int(value)) if value == int(value) else str(value)
    return value if isinstance(value, str) and is_text(value) else ""


# Under these names a candidate brings typed values; where both say something, the first is right.
TYPED = ("fields", "attributes")
DISAMBIGUATORS = ("sublabel", "path", "type", "owner")


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A scoped evidence candidate; its time is kept in the record and left out of hashes (ruling G4)."""

    source_type: str
    source_id: str
    scope: Scope | None
    excerpt_id: str | None = None
    excerpt_hash: str | None = None
    entity_keys: tuple[str, ...] = ()
    option_set_id: str | None = None
    at: datetime | None = None
    text: str | None = None

    def as_dict(self) -> dict[str, Any]:
        return {
            "sourceType": self.source_type,
            "sourceId": self.source_id,
            "scope": self.scope.as_dict() if self.scope else None,
            "excerptId": self.excerpt_id,
            "excerptHash": self.excerpt_hash,
            "entityKeys": list(self.entity_keys),
        }

    @staticmethod
    def read(fields: Fields) -> Excerpt:
        scope = fields.child("scope", None)
        return Excerpt(
            source_type=fields.id("sourceType"),
            source_id=fields.id("sourceId"),
            scope=Scope.read(scope) if scope is not None else None,
            excerpt_id=fields.id("excerptId", None),
            excerpt_hash=fields.id("excerptHash", None),
            entity_keys=fields.strings("entityKeys", ()),
            option_set_id=fields.id("optionSetId", None),
            at=fields.time("timestamp", None),
            text=fields.text("text", None),
        )


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """A model's bounded answer. `error` is a failure of the degradation matrix."""

    decision: str
    choice_id: str | None = None
    confidence: float = 0.0
    needed: tuple[str, ...] = ()
    error: Fallback | None = None
    contract_version: str | None = None
