"""What a conversation remembers about the last choices.

Field names at the door are those of the specification; inside they are plain.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Any

from clew.errors import InvalidInput
from clew.frozen import dataclass
from clew.model.canonical import derived_id, iso
from clew.model.fields import Fields

# The outcome of a trace entry that was put forward and not acted on.
OFFERED = "offered"
# The type of a trace entry that was only asked about.
ASKED = "ask"


class PendingClarifier(StrEnum):
    NONE = "none"
    SELECTION = "selection_disambiguation"
    SCOPE = "scope_disambiguation"
    MISSING_SLOT = "missing_slot"
    CONFIRMATION = "confirmation"
    REPAIR = "repair"


@dataclass(frozen=True, slots=True)
class Scope:
    """Where the options stand. The kinds with scope cues are chat, widget, dashboard, workspace."""

    kind: str = "none"
    instance_id: str | None = None

    def same(self, other: Scope | None) -> bool:
        """Unknown instances are never the same one (ruling G18)."""
        return (
            other is not None
            and self.instance_id is not None
            and (self.kind, self.instance_id) == (other.kind, other.instance_id)
        )

    def covers(self, other: Scope) -> bool:
        """For records that keep only the kind: the kind decides."""
        return self.kind == other.kind and self.instance_id in (None, other.instance_id)

    def as_dict(self) -> dict[str, Any]:
        return {"kind": self.kind, "instance_id": self.instance_id}

    @staticmethod
    def read(fields: Fields) -> Scope:
        return Scope(fields.id("kind", "none"), fields.id("instance_id", None))


@dataclass(frozen=True, slots=True)
class Action:
    """One entry of the trace: what was done to which target."""

    type: str
    target: str | None
    scope: Scope | None = None
    option_set_id: str | None = None
    at: datetime | None = None
    outcome: str | None = None
    turn: int | None = None

    def as_dict(self) -> dict[str, Any]:
        out: dict[str, Any] = {
            "type": self.type,
            "targetRef": self.target,
            "sourceScope": self.scope.as_dict() if self.scope else None,
            "optionSetId": self.option_set_id,
            "timestamp": iso(self.at) if self.at else None,
            "outcome": self.outcome,
        }
        return out if self.turn is None else {**out, "turn": self.turn}

    @staticmethod
    def read(fields: Fields) -> Action:
        return Action(
            type=fields.text("type", ""),
            target=_target(fields),
            scope=_scope(fields, "sourceScope"),
            option_set_id=fields.id("optionSetId", None),
            at=fields.time("timestamp", None),
            outcome=fields.text("outcome", None),
            turn=fields.integer("turn", None),
        )


@dataclass(frozen=True, slots=True)
class ContinuityState:
    """The shared sidecar of both lanes. Windows are newest first and bounded by policy."""

    last_action: Action | None = None
    trace: tuple[Action, ...] = ()
    last_accepted: str | None = None
    accepted: tuple[str, ...] = ()
    rejected: tuple[str, ...] = ()
    option_set_id: str | None = None
    scope: Scope | None = None
    pending: PendingClarifier = PendingClarifier.NONE

    def as_dict(self) -> dict[str, Any]:
        return {
            "lastResolvedAction": self.last_action.as_dict() if self.last_action else None,
            "recentActionTrace": [a.as_dict() for a in self.trace],
            "lastAcceptedChoiceId": self.last_accepted,
            "recentAcceptedChoiceIds": list(self.accepted),
            "recentRejectedChoiceIds": list(self.rejected),
            "activeOptionSetId": self.option_set_id,
            "activeScope": self.scope.as_dict() if self.scope else None,
            "pendingClarifierType": self.pending.value,
        }

    @staticmethod
    def read(fields: Fields, *, window: int, trace: int) -> ContinuityState:
        last = fields.raw("lastResolvedAction", None)
        return ContinuityState(
            last_action=Action.read(fields.child("lastResolvedAction")) if last is not None else None,
            trace=tuple(Action.read(a) for a in fields.children("recentActionTrace", [])[:trace]),
            last_accepted=fields.id("lastAcceptedChoiceId", None),
            accepted=fields.strings("recentAcceptedChoiceIds", ())[:window],
            rejected=fields.strings("recentRejectedChoiceIds", ())[:window],
            option_set_id=fields.id("activeOptionSetId", None),
            scope=_scope(fields, "activeScope"),
            pending=fields.enum("pendingClarifierType", PendingClarifier, PendingClarifier.NONE),
        )


def option_set_id(scope: Scope, candidate_ids: tuple[str, ...]) -> str:
    """Made from the scope and what is listed, never from the time (ruling G3)."""
    return derived_id("option_set", scope.kind, scope.instance_id, sorted(candidate_ids))


def _scope(fields: Fields, name: str) -> Scope | None:
    value = fields.raw(name, None)
    if value is None:
        return None
    if isinstance(value, str):
        return Scope(value)
    return Scope.read(fields.child(name))


def _target(fields: Fields) -> str | None:
    """`targetRef` is an id, or an object that carries one."""
    value = fields.raw("targetRef", None)
    if value is None or isinstance(value, str):
        return value or None
    if isinstance(value, dict):
        found: str | None = Fields(value, fields.at("targetRef")).id("id", None)
        return found
    raise InvalidInput("targetRef must be a string or an object with id", pointer=fields.at("targetRef"))
