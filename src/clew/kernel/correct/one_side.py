"""A wish to forget one side of somebody: "where Fergus is" and "Piet's studies" are not all that is known of them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from clew.kernel.keep.keys import attribute_for
from clew.kernel.keep.lifecycle import ACTIVE
from clew.kernel.recall.very_thing import BARE_NAMES
from clew.kernel.statements.patterns import pattern
from clew.kernel.text.normalize import normal
from clew.model.key import Key
from clew.model.memory import MemoryRecord
from clew.policy import Policy


def side_named(said: str, policy: Policy) -> str:
    """The words that name the side, as a question names it; empty where none do."""
    found = pattern("forget_side", policy).search(said)
    return found["side"].strip(" .!?") if found else ""


def asked_of_them(
    question: str, chances: Mapping[str, float], held: Sequence[MemoryRecord], policy: Policy
) -> list[MemoryRecord]:
    """What is held of somebody whom the question names on the side that it most likely asks for."""
    said = normal(question).no_punct.split()
    said += [word.removesuffix("'s") for word in said]
    own = [m for m in held if m.status is ACTIVE and (_called(m) or "").replace("_", " ") in said]
    own = [m for m in own if attribute_for(m, policy) not in BARE_NAMES]
    if says_where(question, policy):
        return [m for m in own if attribute_for(m, policy) in policy.changes.places]
    sides = {side: chances.get(side, 0.0) for m in own if (side := attribute_for(m, policy))}
    best = max(sides, key=lambda side: (sides[side], side), default="")
    if sides.get(best, 0.0) < policy.changes.forget_side:
        return []
    return [m for m in own if attribute_for(m, policy) == best]


def says_where(question: str, policy: Policy) -> bool:
    """It asks for a place."""
    shapes = (words.question_kinds.get("where") for words in policy.checks.languages.values())
    return any(re.search(shape.pattern, question, re.I) for shape in shapes if shape is not None)


def _called(record: MemoryRecord) -> str | None:
    key = Key.parse(record.memory_key)
    return key.name if key else None
