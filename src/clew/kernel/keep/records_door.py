"""`learn`, `episode`, `decide_record` and `thin` at the kernel door."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from clew.errors import InvalidInput
from clew.kernel.door import Mode
from clew.kernel.keep.decisions import thin as thin_decisions
from clew.kernel.keep.decisions import worth_recording
from clew.kernel.keep.episodes import reuse
from clew.kernel.keep.memory_fields import confidence
from clew.kernel.keep.slots import learn as learn_fact
from clew.kernel.keep.slots import likely_update
from clew.model.canonical import iso
from clew.model.decision import Decision
from clew.model.episode import Episode
from clew.model.fact import Fact, FactEvent, FactOrigin, NewFact, Supersede
from clew.model.fields import Fields
from clew.model.verdict import Reason
from clew.policy import Policy


def _fact(item: Fields) -> Fact:
    return Fact(
        id=item.id("id"),
        subject=item.text("subject", ""),
        attribute=item.text("attribute", None),
        content=item.text("content"),
        confidence=confidence(item, "confidence"),
        active=item.flag("active"),
        learned_at=item.time("learned_at"),
        origin=item.enum("origin", FactOrigin, FactOrigin.STATED),
        superseded_by=item.id("superseded_by", None),
        contradiction_of=item.id("contradiction_of", None),
        last_confirmed_at=item.time("last_confirmed_at", None),
        vector=item.numbers("vector", None),
    )


def _write_fact(fact: Fact) -> dict[str, Any]:
    return {
        "id": fact.id,
        "subject": fact.subject,
        "attribute": fact.attribute,
        "content": fact.content,
        "confidence": float(fact.confidence),
        "active": fact.active,
        "learned_at": iso(fact.learned_at),
        "origin": fact.origin.value,
        "superseded_by": fact.superseded_by,
        "contradiction_of": fact.contradiction_of,
        "last_confirmed_at": iso(fact.last_confirmed_at) if fact.last_confirmed_at else None,
    }


def _event(event: FactEvent) -> dict[str, Any]:
    out: dict[str, Any] = {"kind": event.kind.value, "fact_id": event.fact_id, "reason": event.reason}
    return out if event.by is None else {**out, "by": event.by}


def _once(ids: Sequence[str], name: str) -> None:
    seen: set[str] = set()
    for number, given in enumerate(ids):
        if given in seen:
            raise InvalidInput(f"id {given!r} is used twice", pointer=f"/{name}/{number}/id")
        seen.add(given)


def _with_vectors(facts: tuple[Fact, ...], payload: Fields) -> tuple[Fact, ...]:
    """`fact_vectors` is a vector by fact id, beside the facts, so that the answer need not repeat them."""
    beside = payload.child("fact_vectors", None)
    if beside is None:
        return facts
    return tuple(
        fact if fact.vector else replace(fact, vector=beside.numbers(fact.id, None)) for fact in facts
    )


def learn(payload: Fields, policy: Policy, mode: Mode) -> dict[str, Any]:
    facts: tuple[Fact, ...] = payload.each("facts", _fact)
    _once([f.id for f in facts], "facts")
    facts = _with_vectors(facts, payload)
    new = payload.child("new")
    fresh = NewFact(
        subject=new.text("subject", ""),
        attribute=new.text("attribute", None),
        content=new.text("content"),
        confidence=confidence(new, "confidence"),
        origin=new.enum("origin", FactOrigin, FactOrigin.STATED),
        vector=new.numbers("vector", None) or payload.numbers("vector", None),
    )
    for number, fact in enumerate(facts):
        if fact.vector and fresh.vector and len(fact.vector) != len(fresh.vector):
            raise InvalidInput(
                f"vector must have {len(fresh.vector)} numbers like the new fact's, has {len(fact.vector)}",
                pointer=f"/facts/{number}/vector",
            )
    at = payload.time("at")
    done = learn_fact(
        facts,
        fresh,
        at=at,
        policy=policy,
        supersede=payload.enum("supersede", Supersede, Supersede.SLOT),
    )
    update = likely_update(facts, fresh, at=at, policy=policy)
    given = {item.data["id"]: item.data for item in payload.children("facts", [])}
    return {
        "facts": [{**given.get(f.id, {}), **_write_fact(f)} for f in done.facts],
        "events": [_event(e) for e in done.events],
        "updates": {
            "is_update": update.is_update,
            "of": update.of,
            "score": float(update.score),
            "reasons": [r.as_dict() for r in update.reasons],
        },
        "reasons": [Reason(e.reason, e.fact_id).as_dict() for e in done.events],
    }


def _episode(item: Fields) -> Episode:
    """An episode is ongoing while it has no end; a `status` of another design is heeded (ruling N14)."""
    started = item.time("started_at")
    ended = item.time("ended_at", None)
    if ended is None and item.text("status", "ongoing").lower() not in ("ongoing", "active", "open"):
        ended = started
    return Episode(
        id=item.id("id"),
        user_id=item.id("user_id"),
        summary=item.text("summary", ""),
        started_at=started,
        ended_at=ended,
        agent_id=item.id("agent_id", None),
    )


def episode(payload: Fields, policy: Policy, mode: Mode) -> dict[str, Any]:
    new = payload.child("new")
    found = reuse(
        payload.each("ongoing", _episode),
        new.id("user_id"),
        new.text("summary", ""),
        payload.time("at"),
        policy,
        new.id("agent_id", None),
    )
    return {
        "reuse": found.episode_id,
        "reused": found.episode_id is not None,
        "similarity": float(found.similarity),
        "reasons": [found.reason.as_dict()],
    }


def decide_record(payload: Fields, policy: Policy, mode: Mode) -> dict[str, Any]:
    record, reason = worth_recording(
        payload.text("frame"), payload.strings("tools", ()), payload.text("response_text"), policy
    )
    return {"record": record, "reasons": [reason.as_dict()]}


def _decision(item: Fields) -> Decision:
    """The text under any of its names (ruling N14)."""
    name = next((n for n in ("text", "decision", "description") if item.has(n)), "text")
    return Decision(
        id=item.id("id"),
        text=item.text(name),
        outcome=item.text("outcome", "pending"),
        created_at=item.time("created_at"),
        confidence=confidence(item, "confidence") if item.has("confidence") else None,
    )


def thin(payload: Fields, policy: Policy, mode: Mode) -> dict[str, Any]:
    decisions: tuple[Decision, ...] = payload.each("decisions", _decision)
    _once([d.id for d in decisions], "decisions")
    done = thin_decisions(decisions, policy)
    return {
        "kept": [d.id for d in done.kept],
        "dropped": [
            {"id": d.id, "duplicate_of": d.duplicate_of, "similarity": float(d.similarity)}
            for d in done.dropped
        ],
        "reasons": [Reason("thin.duplicate", f"{d.id} of {d.duplicate_of}").as_dict() for d in done.dropped],
    }
