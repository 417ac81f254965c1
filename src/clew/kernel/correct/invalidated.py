"""Memories that a message takes back: denied, or forgotten with all that tells the same (rulings P71, P72)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from clew.kernel.correct.commands import SpokenCommand
from clew.kernel.correct.spared import closed
from clew.kernel.keep.barred_values import with_barred_values
from clew.kernel.keep.keys import bare_value
from clew.kernel.keep.lifecycle import ACTIVE, move, with_suppression
from clew.kernel.text.normalize import normalize
from clew.model.memory import Command, Corrected, EventKind, MemoryEvent, MemoryRecord, MemoryType
from clew.model.profile import UserControls
from clew.model.verdict import Reason
from clew.policy import Policy


def invalidated(
    said: SpokenCommand,
    targets: Sequence[MemoryRecord],
    memories: Sequence[MemoryRecord],
    controls: UserControls,
    at: datetime,
    reason: str,
    policy: Policy,
) -> Corrected:
    rule = f"correct.{said.command}"
    if not targets:
        reasons = (Reason(rule, said.clause), Reason("correct.clarify", "no memory fits"))
        return Corrected(said.command, (), tuple(memories), controls, clarify=True, reasons=reasons)
    if said.command is not Command.DENY:
        targets = _with_retellings(targets, memories)
    chosen = {m.memory_id for m in targets}
    after = tuple(move(m, "invalidate", at, reason=reason) if m.memory_id in chosen else m for m in memories)
    events = [MemoryEvent(EventKind.INVALIDATED, m.memory_id, reason) for m in targets]
    if said.command is not Command.DENY:  # ruling P71: a denied key stays teachable
        keys = tuple(dict.fromkeys(m.memory_key for m in targets))
        fresh = [k for k in keys if k not in controls.suppressed_memory_keys]
        controls = with_barred_values(with_suppression(controls, fresh), targets, policy)
        events += [closed(key) for key in fresh]
    return Corrected(
        said.command, tuple(m.memory_id for m in targets), after, controls, tuple(events),
        reasons=(Reason(rule, said.clause),),
    )  # fmt: skip


def with_parts(meant: Sequence[MemoryRecord], along: Sequence[MemoryRecord]) -> list[MemoryRecord]:
    """With what goes along with it: parts of the same thing, told in other words."""
    return list({m.memory_id: m for m in (*meant, *along) if m.status is ACTIVE}.values())


def _with_retellings(
    targets: Sequence[MemoryRecord], memories: Sequence[MemoryRecord]
) -> list[MemoryRecord]:
    """With what the same sentence told of the same side of the same life, and every memory that says the value."""
    out = list(targets)
    for memory in memories:
        if memory.status is not ACTIVE or memory in out:
            continue
        for gone in targets:
            alike = (memory.subject, memory.attribute) == (gone.subject, gone.attribute)
            twin = alike and gone.statement and memory.statement == gone.statement
            if twin or _says_value(memory, gone):
                out.append(memory)
                break
    return out


def _says_value(memory: MemoryRecord, gone: MemoryRecord) -> bool:
    """The forgotten value stands word for word in what another memory of the same message says."""
    if not set(memory.source_message_ids) & set(gone.source_message_ids):
        return False
    if memory.type is gone.type is MemoryType.PREFERENCE:
        return False  # modern jazz is a thing of its own (ruling M8)
    value = f" {normalize(bare_value(gone.memory_value))} "
    return len(value) > 4 and value in f" {normalize(memory.memory_value)} "
