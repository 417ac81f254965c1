"""`extract`, `remember` and `correct` at the kernel door."""

from __future__ import annotations

from typing import Any

from clew.errors import InvalidInput
from clew.kernel.correct.apply import correct as correct_memories
from clew.kernel.door import Mode
from clew.kernel.keep.memory_fields import (
    read_candidate,
    read_controls,
    read_ending,
    read_memories,
    write_candidate,
    write_controls,
    write_ending,
    write_event,
    write_memories,
)
from clew.kernel.keep.merge import remember as remember_candidates
from clew.kernel.read.read_door import read_payload
from clew.kernel.statements.extract import extracted as extract_all
from clew.model.fields import Fields
from clew.model.memory import Candidate, EventKind, MemoryEvent
from clew.model.verdict import Reason
from clew.policy import Policy


def extract(payload: Fields, policy: Policy, mode: Mode) -> dict[str, Any]:
    message = read_payload(payload, payload.text("text"), policy)
    found = extract_all(
        message.text,
        payload.time("at"),
        payload.zone("timezone"),
        policy,
        message.vector,
        statements=message.statements,
        learned=message.tokens is not None,
    )
    return {
        "candidates": [write_candidate(c) for c in found.candidates],
        "endings": [write_ending(e) for e in found.endings],
        "reasons": [
            *(Reason(f"extract.{c.type.lower()}", c.key).as_dict() for c in found.candidates),
            *(Reason("extract.ending", e.key or e.attribute).as_dict() for e in found.endings),
        ],
    }


def remember(payload: Fields, policy: Policy, mode: Mode) -> dict[str, Any]:
    """A bad candidate is skipped with an event; a bad record is an error, because it is the caller's truth."""
    good: list[Candidate] = []
    skipped: list[MemoryEvent] = []
    for number, raw in enumerate(payload.items("candidates", [])):
        try:
            good.append(read_candidate(Fields(raw, f"/candidates/{number}"), policy))
        except InvalidInput as why:
            skipped.append(MemoryEvent(EventKind.SKIPPED, None, f"remember.bad_candidate {why}"))
    done = remember_candidates(
        read_memories(payload),
        good,
        read_controls(payload),
        message_id=payload.id("message_id"),
        at=payload.time("at"),
        policy=policy,
        crisis=payload.flag("crisis", False),
        explicit=payload.flag("explicit", False),
        endings=payload.each("endings", read_ending) if payload.has("endings") else (),
    )
    events = [*done.events, *skipped]
    return {
        "memories": write_memories(done.memories, payload),
        "controls": write_controls(done.controls, payload),
        "events": [write_event(e) for e in events],
        "reasons": [Reason(e.reason.split(" ")[0], e.kind.value).as_dict() for e in events],
    }


def correct(payload: Fields, policy: Policy, mode: Mode) -> dict[str, Any]:
    done = correct_memories(
        payload.text("text"),
        read_memories(payload),
        read_controls(payload),
        payload.strings("surfaced_memory_ids", ()),
        message_id=payload.id("message_id"),
        at=payload.time("at"),
        zone=payload.zone("timezone"),
        policy=policy,
        last_assistant_text=payload.text("last_assistant_text", ""),
        previous=payload.strings("previous", ()),
    )
    return {
        "command": done.command.value,
        "targets": list(done.targets),
        "memories": write_memories(done.memories, payload),
        "controls": write_controls(done.controls, payload),
        "events": [write_event(e) for e in done.events],
        "clarify": done.clarify,
        "reasons": [r.as_dict() for r in done.reasons],
    }
