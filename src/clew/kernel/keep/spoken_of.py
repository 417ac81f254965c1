"""Of several things told in one sentence, that which a later message speaks of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from clew.kernel.keep.applied_changes import Change
from clew.kernel.keep.change_reader import UNDOES, Verdict
from clew.kernel.keep.change_signs import shared_words
from clew.kernel.keep.keys import bare_value, row_of
from clew.kernel.keep.successors import attribute_in
from clew.kernel.read.change_words import without_common
from clew.model.memory import SELF, MemoryRecord
from clew.policy import Policy

_NAME = "name"


def spoken_of(
    changes: Sequence[Change], records: Mapping[str, MemoryRecord], text: str, policy: Policy
) -> tuple[Change, ...]:
    """Of several things told in one sentence, or of several of a kind, only what the message speaks of is undone.

    "I run a pharmacy in Daejeon", "we're closing the pharmacy": the town stays.
    """

    def named(change: Change) -> bool:
        value = without_common(bare_value(records[change.memory_id].memory_value), policy.changes.common)
        return bool(shared_words(value, text, policy))

    people = Counter(r.subject for r in records.values() if _is_name(r, policy))
    out: list[Change] = []
    for change in changes:
        held = records[change.memory_id]
        if change.verdict in UNDOES and _is_name(held, policy) and people[held.subject] > 1 and not named(change):
            continue  # of three flatmates one leaves: nobody but whoever is named
        kind = _of_a_kind(change, changes, records, policy)
        if not named(change) and len(kind) > 1 and (any(map(named, kind)) or all(map(_replaces, kind))):
            continue  # "we use Python" is no news of the database and the host
        twins = [
            c
            for c in changes
            if c.verdict in UNDOES and held.statement and records[c.memory_id].statement == held.statement
        ]
        if change.verdict in UNDOES and len(twins) > 1:
            meant = [c for c in twins if named(c)] or [max(twins, key=lambda c: c.chance)]
            groups = {_group(records[c.memory_id], policy) for c in meant}
            if change not in meant and _group(held, policy) not in groups:
                continue
        out.append(change)
    return tuple(out)


def _of_a_kind(
    change: Change, changes: Sequence[Change], records: Mapping[str, MemoryRecord], policy: Policy
) -> list[Change]:
    """What is undone beside it of the same side of a life, where there may be many."""
    held = records[change.memory_id]
    attribute = attribute_in(held, policy)
    if change.verdict not in UNDOES or not row_of(attribute, policy).many:
        return []

    def alike(other: MemoryRecord) -> bool:
        return (other.subject, attribute_in(other, policy)) == (held.subject, attribute)

    return [c for c in changes if c.verdict in UNDOES and alike(records[c.memory_id])]


def _replaces(change: Change) -> bool:
    return change.verdict is Verdict.REPLACES


def _is_name(record: MemoryRecord, policy: Policy) -> bool:
    return record.subject != SELF and attribute_in(record, policy) == _NAME


def _group(record: MemoryRecord, policy: Policy) -> tuple[str, str]:
    return record.subject, row_of(attribute_in(record, policy), policy).group
