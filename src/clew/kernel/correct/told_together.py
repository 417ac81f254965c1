"""What goes with a memory that is forgotten: the same words under another key, and what the same clause told."""

from __future__ import annotations

from collections.abc import Sequence

from clew.kernel.correct.telling_words import told_words
from clew.kernel.keep.keys import bare_value
from clew.kernel.keep.lifecycle import ACTIVE
from clew.kernel.keep.values import affirmed
from clew.kernel.read.change_words import clauses
from clew.kernel.recall.very_thing import BARE_NAMES
from clew.model.memory import SELF, MemoryRecord
from clew.policy import Policy


def with_clause(
    found: Sequence[MemoryRecord], memories: Sequence[MemoryRecord], policy: Policy
) -> list[MemoryRecord]:
    """ "Forget the betting": what was lost on it, told in the same clause, goes too.

    Asked for by the name of one side of a life ("my age"), the others stay.
    """
    told = {(i, c) for m in found if m.statement for i in m.source_message_ids for c in _clauses_of(m, policy)}

    def beside(memory: MemoryRecord) -> bool:
        if memory.attribute in BARE_NAMES and memory.subject != SELF:
            return False  # who somebody is is no part of what was told of them
        if memory.attribute in policy.checks.single and all(m.attribute != memory.attribute for m in found):
            return False  # where one lives now is no part of where one came from
        return memory.status is ACTIVE and any(
            (i, clause) in told for i in memory.source_message_ids for clause in _clauses_of(memory, policy)
        )

    return list({m.memory_id: m for m in (*found, *(m for m in memories if beside(m)))}.values())


def _clauses_of(memory: MemoryRecord, policy: Policy) -> tuple[str, ...]:
    """The clauses of its sentence that hold its value."""
    value = told_words(bare_value(memory.memory_value), policy)
    parts = clauses(memory.statement or "", policy)
    return tuple(c for c in parts if len(parts) == 1 or value & told_words(c, policy))


def with_twins(
    found: Sequence[MemoryRecord], memories: Sequence[MemoryRecord], policy: Policy
) -> tuple[MemoryRecord, ...]:
    """The same words kept under two keys are one thing to the user: shrimp disliked, and shrimp not eaten."""

    def thing(memory: MemoryRecord) -> str:
        return affirmed(memory.attribute, bare_value(memory.memory_value), policy)[0]

    named = [(m.subject, m.statement, thing(m)) for m in found if m.statement]

    def twin(memory: MemoryRecord) -> bool:
        value = thing(memory)
        return memory.status is ACTIVE and any(
            memory.subject == whose and memory.statement == said and value == other
            for whose, said, other in named
        )

    return tuple({m.memory_id: m for m in (*found, *(m for m in memories if twin(m)))}.values())
