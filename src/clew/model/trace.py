"""What a turn told of itself, by room: the stored tree of plain values read into frozen fields.

A trace of an earlier version may lack a room or a field; it then reads as a room that said nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import Any

from clew.frozen import dataclass
from clew.model.verdict import Reason

Reasons = tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class TopicNote:
    topic: str
    confidence: float
    hits: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HeardNote:
    language: str = ""
    flags: tuple[str, ...] = ()
    valence: float = 0.0
    strong: bool = False
    safety: str = "none"
    topics: tuple[TopicNote, ...] = ()
    reasons: Reasons = ()


@dataclass(frozen=True, slots=True)
class RouteNote:
    pipeline: str | None = None
    safety: str | None = None
    memory_read: str | None = None
    memory_write: str | None = None
    vectors: str | None = None
    reasons: Reasons = ()


@dataclass(frozen=True, slots=True)
class CorrectionNote:
    command: str
    clarify: bool
    reasons: Reasons


@dataclass(frozen=True, slots=True)
class FindingNote:
    source: str
    told: str


@dataclass(frozen=True, slots=True)
class AnswerNote:
    """What the message asked for, as attributes, and what was found."""

    wanted: tuple[str, ...]
    findings: tuple[FindingNote, ...]


@dataclass(frozen=True, slots=True)
class HitNote:
    key: str
    score: float
    parts: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class RecallNote:
    """`hidden`: how many were kept back as sensitive."""

    considered: int = 0
    hits: tuple[HitNote, ...] = ()
    hidden: int = 0
    reasons: Reasons = ()


@dataclass(frozen=True, slots=True)
class LeftOutNote:
    what: str
    reason: str


@dataclass(frozen=True, slots=True)
class PlanNote:
    """`sections`: parts of the prompt and how many tokens each takes."""

    tone: str | None
    sentences: Any
    emoji: Any
    followup: str | None
    sections: tuple[tuple[str, int], ...]
    tokens: int | None
    left_out: tuple[LeftOutNote, ...]


@dataclass(frozen=True, slots=True)
class ViolationNote:
    code: str
    detail: str


@dataclass(frozen=True, slots=True)
class GateNote:
    """`path`: how the reply came to be, from the draft as it was to a safe one in its place."""

    path: str | None
    violations: tuple[ViolationNote, ...]
    surfaced: tuple[str, ...]
    reasons: Reasons


@dataclass(frozen=True, slots=True)
class MemoryNote:
    """One change of memory; `label` is its key and value, `words` how a person knows it."""

    kind: str
    reason: str
    label: str | None = None
    words: str | None = None


@dataclass(frozen=True, slots=True)
class ModelNote:
    """A model that was asked what the message tells: what it proposed, and what became of that.

    why: the rule that had it asked. changed: kept in other words or under another attribute; known: read already.
    failed: how the call ended, where no answer could be read.
    """

    by: str = ""
    why: str = ""
    proposed: int = 0
    kept: int = 0
    changed: int = 0
    refused: int = 0
    known: int = 0
    failed: str = ""
    reasons: Reasons = ()


@dataclass(frozen=True, slots=True)
class BondNote:
    delta: int
    score: int | None
    stage: str | None
    reasons: Reasons


@dataclass(frozen=True, slots=True)
class WeaveNote:
    opened: tuple[str, ...] = ()
    closed: tuple[str, ...] = ()
    resolved: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReachNote:
    """A message of the friend's own accord: the stage and the zone it was sent under."""

    stage: str
    zone: str


@dataclass(frozen=True, slots=True)
class TurnTrace:
    """None is a room that the turn did not enter. `told` is false where nothing was kept."""

    told: bool
    heard: HeardNote = HeardNote()
    route: RouteNote = RouteNote()
    correction: CorrectionNote | None = None
    answer: AnswerNote | None = None
    recall: RecallNote = RecallNote()
    plan: PlanNote | None = None
    writer: str | None = None
    gate: GateNote | None = None
    bond: BondNote | None = None
    memory: tuple[MemoryNote, ...] = ()
    # None where no model was asked what the message tells.
    extractor: ModelNote | None = None
    weave: WeaveNote = WeaveNote()
    reach: ReachNote | None = None
    # When a reminder that was asked for comes, as an ISO time.
    due: str | None = None
    timings_ms: Mapping[str, float] = field(default_factory=dict)
    policy: str = ""
    # The reasons of every room, also of those that have no fields here.
    rules: Mapping[str, Reasons] = field(default_factory=dict)

    @classmethod
    def of(cls, body: Mapping[str, Any]) -> TurnTrace:
        rooms = {name: room for name, room in body.items() if isinstance(room, Mapping) and room}
        rules = {name: _reasons(room) for name, room in rooms.items()}

        def room(name: str) -> Mapping[str, Any]:
            return rooms.get(name, {})

        reach, woven = room("reach"), room("weave")
        return cls(
            told=bool(body),
            heard=_heard(room("heard"), rules.get("heard", ())),
            route=_routed(room("route"), rules.get("route", ())),
            correction=_corrected(room("correction"), rules.get("correction", ())),
            answer=_answered(room("answer")),
            recall=_recalled(room("recall"), rules.get("recall", ())),
            plan=_planned(room("plan")),
            writer=room("draft").get("writer"),
            gate=_gated(room("gate"), rules.get("gate", ())),
            bond=_related(room("relate"), rules.get("relate", ())),
            memory=tuple(
                MemoryNote(e["kind"], e["reason"], e.get("label"), e.get("words"))
                for e in room("remember").get("events", ())
            ),
            extractor=_asked_model(room("extract"), rules.get("extract", ())),
            weave=WeaveNote(*(tuple(woven.get(name, ())) for name in ("opened", "closed", "resolved"))),
            reach=ReachNote(str(reach.get("stage", "")), str(reach.get("zone", ""))) if reach else None,
            due=room("arrange").get("due"),
            timings_ms=dict(body.get("timings_ms") or {}),
            policy=str(body.get("policy") or ""),
            rules=rules,
        )

    def reasons(self, rooms: Iterable[str]) -> Reasons:
        """The reasons of these rooms, in their order."""
        return tuple(reason for room in rooms for reason in self.rules.get(room, ()))


def _reasons(room: Mapping[str, Any]) -> Reasons:
    return tuple(Reason(r["rule"], r.get("detail") or "") for r in room.get("reasons", ()))


def _heard(room: Mapping[str, Any], reasons: Reasons) -> HeardNote:
    emotion, safety = room.get("emotion") or {}, room.get("safety") or {}
    return HeardNote(
        language=room.get("language") or "",
        flags=tuple(room.get("flags", ())),
        valence=float(emotion.get("valence") or 0),
        strong=bool(emotion.get("strong")),
        safety=safety.get("class", "none"),
        topics=tuple(
            TopicNote(t["topic"], float(t["confidence"]), tuple(t["hits"])) for t in room.get("topics", ())
        ),
        reasons=reasons,
    )


def _routed(room: Mapping[str, Any], reasons: Reasons) -> RouteNote:
    return RouteNote(
        pipeline=room.get("pipeline"),
        safety=room.get("safety_policy"),
        memory_read=room.get("memory_read_policy"),
        memory_write=room.get("memory_write_policy"),
        vectors=room.get("vector_search_policy"),
        reasons=reasons,
    )


def _corrected(room: Mapping[str, Any], reasons: Reasons) -> CorrectionNote | None:
    return CorrectionNote(room["command"], bool(room.get("clarify")), reasons) if room.get("command") else None


def _answered(room: Mapping[str, Any]) -> AnswerNote | None:
    if not room:
        return None
    return AnswerNote(
        wanted=tuple(dict.fromkeys(a["attribute"] for a in room.get("asks", ()))),
        findings=tuple(FindingNote(f["source"], f["told"]) for f in room.get("findings", ())),
    )


def _recalled(room: Mapping[str, Any], reasons: Reasons) -> RecallNote:
    return RecallNote(
        considered=int(room.get("considered") or 0),
        hits=tuple(
            HitNote(h["key"], float(h["score"]), {k: float(v) for k, v in h["parts"].items()})
            for h in room.get("hits", ())
        ),
        hidden=len(room.get("hidden") or ()),
        reasons=reasons,
    )


def _planned(room: Mapping[str, Any]) -> PlanNote | None:
    if not room:
        return None
    plan = room.get("plan") or {}
    limits = plan.get("constraints") or {}
    return PlanNote(
        tone=plan.get("tone"),
        sentences=limits.get("sentences"),
        emoji=limits.get("emoji"),
        followup=plan.get("followup"),
        sections=tuple((s["section"], s["tokens"]) for s in room.get("prompt", ())),
        tokens=room.get("tokens"),
        left_out=tuple(_left_out(x) for x in room.get("left_out", ())),
    )


def _left_out(item: Any) -> LeftOutNote:
    if isinstance(item, Mapping):
        return LeftOutNote(str(item.get("what", item)), str(item.get("reason", "")))
    return LeftOutNote(str(item), "")


def _gated(room: Mapping[str, Any], reasons: Reasons) -> GateNote | None:
    if not room:
        return None
    return GateNote(
        path=room.get("path"),
        violations=tuple(ViolationNote(v["code"], v["detail"]) for v in room.get("violations", ())),
        surfaced=tuple(room.get("surfaced") or ()),
        reasons=reasons,
    )


def _related(room: Mapping[str, Any], reasons: Reasons) -> BondNote | None:
    if not room:
        return None
    return BondNote(int(room.get("delta") or 0), room.get("score"), room.get("stage"), reasons)


def _asked_model(room: Mapping[str, Any], reasons: Reasons) -> ModelNote | None:
    noted = room.get("model")
    if not isinstance(noted, Mapping):
        return None
    counts = {name: int(noted.get(name) or 0) for name in ("proposed", "kept", "changed", "refused", "known")}
    why = reasons[0].rule if reasons else ""
    return ModelNote(str(noted.get("by", "")), why, **counts, failed=str(noted.get("failed", "")), reasons=reasons[1:])
