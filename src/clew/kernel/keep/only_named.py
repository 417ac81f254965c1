"""A message that undoes something names it, and does not tell it anew."""

from __future__ import annotations

from clew.kernel.keep.change_reader import UNDOES, Verdict
from clew.kernel.keep.change_signs import words_within
from clew.kernel.keep.keys import attribute_for, bare_value
from clew.kernel.keep.lifecycle import ACTIVE
from clew.model.memory import Candidate, MemoryRecord
from clew.policy import Policy


def only_named(
    candidate: Candidate, held: MemoryRecord, verdict: Verdict, chance: float, policy: Policy
) -> bool:
    """The candidate is the held thing over again, or a part of it, and the message surely undoes that."""
    if held.status is not ACTIVE or verdict not in UNDOES or chance < policy.changes.undone_at_named:
        return False
    if candidate.subject != held.subject or candidate.attribute != attribute_for(held, policy):
        return False
    said, had = (bare_value(v).replace("_", " ") for v in (candidate.value, held.memory_value))
    return words_within(said, had, policy)
