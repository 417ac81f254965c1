"""What a turn told of itself: the notes of its rooms, written once as a tree of plain values and read back as fields.

A trace of an earlier version may lack a room or a field; it then reads as a room that said nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, fields
from functools import cache
from typing import Any

from clew.frozen import dataclass
from clew.model.canonical import plain
from clew.model.notes import (
    UNSAID,
    AnswerNote,
    ArrangeNote,
    BondNote,
    CorrectionNote,
    DecideNote,
    DraftNote,
    ExtractNote,
    GateNote,
    GroundNote,
    HeardNote,
    MemoryNote,
    ModelNote,
    Note,
    PlanNote,
    ReachNote,
    Reasons,
    RecallNote,
    RememberNote,
    RouteNote,
    WeaveNote,
    WeighNote,
)
from clew.model.typed import from_row
from clew.model.verdict import Reason

TIMINGS, POLICY = "timings_ms", "policy"
_NOTES = HeardNote.__module__


@dataclass(frozen=True, slots=True)
class TurnTrace:
    """None is a room that the turn did not enter. `told` is false where nothing was kept."""

    told: bool
    heard: HeardNote = HeardNote()
    route: RouteNote = RouteNote()
    arrange: ArrangeNote | None = None
    ground: GroundNote | None = None
    correction: CorrectionNote | None = None
    answer: AnswerNote | None = None
    weigh: WeighNote | None = None
    recall: RecallNote = RecallNote()
    decide: DecideNote | None = None
    extract: ExtractNote | None = None
    plan: PlanNote | None = None
    draft: DraftNote | None = None
    gate: GateNote | None = None
    remember: RememberNote = RememberNote()
    bond: BondNote | None = None
    weave: WeaveNote = WeaveNote()
    reach: ReachNote | None = None
    timings_ms: Mapping[str, float] = field(default_factory=dict)
    policy: str = ""
    # The reasons of every room, also of those that have no fields here.
    rules: Mapping[str, Reasons] = field(default_factory=dict)

    @classmethod
    def of(cls, body: Mapping[str, Any]) -> TurnTrace:
        rooms = {name: room for name, room in body.items() if isinstance(room, Mapping) and room}
        entered = {place: _read(kind, rooms[kind.room]) for place, kind in _ROOMS.items() if kind.room in rooms}
        return cls(
            told=bool(body),
            timings_ms=dict(body.get(TIMINGS) or {}),
            policy=str(body.get(POLICY) or ""),
            rules={name: _reasons(room) for name, room in rooms.items()},
            **entered,
        )

    def reasons(self, rooms: Iterable[str]) -> Reasons:
        """The reasons of these rooms, in their order."""
        return tuple(reason for room in rooms for reason in self.rules.get(room, ()))

    @property
    def memory(self) -> tuple[MemoryNote, ...]:
        return self.remember.events

    @property
    def writer(self) -> str | None:
        return self.draft.writer if self.draft else None

    @property
    def due(self) -> str | None:
        """When a reminder that was asked for comes, as an ISO time."""
        return self.arrange.due if self.arrange else None

    @property
    def extractor(self) -> ModelNote | None:
        """The model that was asked what the message tells; None where none was."""
        return self.extract.model if self.extract else None


_ROOMS: dict[str, type[Any]] = {
    "heard": HeardNote,
    "route": RouteNote,
    "arrange": ArrangeNote,
    "ground": GroundNote,
    "correction": CorrectionNote,
    "answer": AnswerNote,
    "weigh": WeighNote,
    "recall": RecallNote,
    "decide": DecideNote,
    "extract": ExtractNote,
    "plan": PlanNote,
    "draft": DraftNote,
    "gate": GateNote,
    "remember": RememberNote,
    "bond": BondNote,
    "weave": WeaveNote,
    "reach": ReachNote,
}


def section(note: Note) -> dict[str, Any]:
    """A note as it is stored."""
    out: dict[str, Any] = _written(note)
    return out


def _written(value: Any) -> Any:
    if isinstance(value, Reason):
        return value.as_dict()
    if isinstance(value, (list, tuple)):
        return [_written(v) for v in value]
    if type(value).__module__ != _NOTES:
        return plain(value)
    out: dict[str, Any] = {}
    for name, key, unsaid in _columns(value.__class__):
        held = getattr(value, name)
        if held is not None or not unsaid:
            out[key] = _written(held)
    return out


@cache
def _columns(kind: type[Any]) -> tuple[tuple[str, str, bool], ...]:
    """Of each field its name, the key that it is stored under, and whether it is left out where it holds nothing."""
    return tuple((f.name, f.metadata.get("key", f.name), UNSAID in f.metadata) for f in fields(kind))


def _read(kind: type[Any], room: Mapping[str, Any]) -> Any:
    return from_row(kind, {name: value for name, value in room.items() if value is not None})


def _reasons(room: Mapping[str, Any]) -> Reasons:
    return tuple(Reason(r["rule"], r.get("detail") or "") for r in room.get("reasons", ()))
