"""A change told in the words that made it, without the words for what it replaced."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from clew.kernel.keep.keys import bare_value
from clew.kernel.read.change_words import clauses
from clew.kernel.text.terms import terms
from clew.kernel.text.tokens import digits
from clew.model.memory import MemoryRecord, MemoryStatus
from clew.policy import Policy


def told_anew(records: Sequence[MemoryRecord], policy: Policy) -> list[MemoryRecord]:
    """Each current memory with only those clauses of its words that do not name what it took the place of."""
    olds: dict[str, list[str]] = {}
    for m in records:
        if m.status is MemoryStatus.SUPERSEDED and m.superseded_by:
            olds.setdefault(m.superseded_by, []).append(bare_value(m.memory_value))
    return [_anew(m, olds[m.memory_id], policy) if m.memory_id in olds else m for m in records]


def _anew(record: MemoryRecord, olds: Sequence[str], policy: Policy) -> MemoryRecord:
    said = record.statement
    named = [words for old in olds if (words := _terms(old, policy) - _terms(bare_value(record.memory_value), policy))]
    if record.memory_value == said:
        named = [words for old in olds if (words := _terms(old, policy))]
    if not said or not any(words & _terms(said, policy) for words in named):
        return record
    numbers = frozenset(n for old in olds for n in digits(old))

    def names_old(clause: str) -> bool:
        """ "Cuts are 15 dollars" does not name the 12 dollars of before."""
        return any(words & _terms(clause, policy) for words in named) and not (numbers and digits(clause) - numbers)

    kept = [c for c in clauses(said, policy) if not names_old(c)]
    told = ", ".join(c for c in kept if _terms(c, policy))
    return replace(record, statement=told or None)


@lru_cache(maxsize=2048)
def _terms(text: str, policy: Policy) -> frozenset[str]:
    return frozenset(term for term, _ in terms(text, policy))
