"""Remembering switched off and on in words: "stop remembering for now", "you may remember again" (ruling M4)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from functools import lru_cache

from clew.kernel.keep.lifecycle import ACTIVE, move
from clew.kernel.text.canonical import derived_id
from clew.model.memory import EventKind, InvalidReason, MemoryEvent, MemoryRecord, MemoryType
from clew.model.utterance import Clause, Wording
from clew.policy import Policy
from clew.programs import program

# A rule of the user's like any other: seen among their memories, and gone when they say so.
KEY = "rule:remember_nothing"


class Recording(StrEnum):
    OFF = "off"
    ON = "on"


def recording_wish(words: Wording, policy: Policy) -> Recording | None:
    """What the message asks for, if it asks for nothing but that."""
    off, on = _shapes(policy)
    whole = Clause(words.norm.strip(" .!~…?"), words.asks)
    for clause, asks in ((c.text, c.asks) for c in (whole, *words.clauses)):
        if len(clause) > policy.remember.correct.clause_characters:
            continue
        if not asks and any(p.fullmatch(clause) for p in on):
            return Recording.ON
        if any(p.fullmatch(clause) for p in off):
            return Recording.OFF
    return None


def is_off(rules: Sequence[MemoryRecord]) -> bool:
    return any(r.memory_key == KEY and r.status is ACTIVE for r in rules)


def switched(
    wish: Recording, held: Sequence[MemoryRecord], said: str, message_id: str, at: datetime
) -> tuple[list[MemoryRecord], list[MemoryEvent]]:
    """The rule set or lifted; nothing where it stands so already."""
    active = [m for m in held if m.memory_key == KEY and m.status is ACTIVE]
    if wish is Recording.ON:
        ended = [move(m, "invalidate", at, reason=InvalidReason.ENDED) for m in active]
        return ended, [MemoryEvent(EventKind.INVALIDATED, m.memory_id, InvalidReason.ENDED) for m in ended]
    if active:
        return [], []
    record = MemoryRecord(
        memory_id=derived_id("memory", message_id, KEY, said),
        type=MemoryType.FACT,
        memory_key=KEY,
        memory_value=said.strip(),
        confidence=Decimal("1.00"),
        status=ACTIVE,
        created_at=at,
        last_confirmed_at=at,
        source_message_ids=(message_id,),
        attribute="rule",
        statement=said.strip(),
    )
    return [replace(record)], [MemoryEvent(EventKind.CREATED, record.memory_id, "remember.paused")]


@lru_cache(maxsize=8)
def _shapes(policy: Policy) -> tuple[tuple[re.Pattern[str], ...], tuple[re.Pattern[str], ...]]:
    words = policy.remember.correct
    return tuple(map(program, words.recording_off)), tuple(map(program, words.recording_on))
