"""A fact denied by its own words: "I'm not a nurse", "you got my job wrong" (turn-pipeline §12.4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from clew.kernel.remember.commands import clauses
from clew.kernel.remember.detect import extract
from clew.kernel.remember.lifecycle import ACTIVE
from clew.kernel.remember.merge import same_value
from clew.kernel.remember.patterns import pattern
from clew.model.memory import MemoryRecord, MemoryType
from clew.policy import Policy


def denied_fact(
    text: str,
    memories: Sequence[MemoryRecord],
    surfaced: Sequence[str],
    at: datetime,
    zone: ZoneInfo,
    policy: Policy,
) -> tuple[MemoryRecord, str] | None:
    """The held fact that a clause denies, with the clause; what takes its place is no denial."""
    held = [m for m in memories if m.status is ACTIVE and m.type is MemoryType.FACT]
    if not held:
        return None
    stated = {c.key for c in extract(text, at, zone, policy)}
    for clause, asked in clauses(text[: policy.remember.correct.reach]):
        if asked or len(clause) > policy.remember.correct.clause_characters:
            continue
        # A field alone could be an idiom ("that's not my job"): only what was just brought up is meant.
        key = _field(clause, policy)
        for memory in held:
            if memory.memory_key == key and memory.memory_id in surfaced:
                return memory, clause
        for positive in _affirmed(clause, policy):
            for fact in extract(positive, at, zone, policy):
                for memory in held:
                    same = memory.memory_key == fact.key and same_value(
                        memory.memory_value, fact.value, MemoryType.FACT, policy
                    )
                    if same and fact.key not in stated:
                        return memory, clause
    return None


def _field(clause: str, policy: Policy) -> str | None:
    match = pattern("denied_field", policy).match(clause)
    if match is None:
        return None
    named = match["a"] or match["b"] or match["c"]
    for field, names in policy.remember.correct.fact_names.items():
        if named in names:
            return f"fact:{field}"
    return None


def _affirmed(clause: str, policy: Policy) -> Iterator[str]:
    """The clause without its "not", if it has one."""
    for name, subject in (("denied_be", "I'm"), ("denied_do", "I")):
        match = pattern(name, policy).match(clause)
        if match:
            yield f"{subject} {match['rest']}"
    for name, instead in (("denied_ko_is", "이야"), ("denied_ko_not", ""), ("denied_ko_ends", "아")):
        without, times = pattern(name, policy).subn(instead, clause)
        if times:
            yield without
