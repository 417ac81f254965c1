"""What was before: "where did I work before Costa?" and "where did I use to live?" ask for what gave way."""

from __future__ import annotations

from collections.abc import Sequence

from clew.kernel.correct.telling_words import told_words
from clew.kernel.keep.keys import attribute_for, bare_value
from clew.kernel.read.change_words import named_by, says
from clew.kernel.recall.answers import meant_by, tellable
from clew.model.key import Key
from clew.model.memory import MemoryRecord
from clew.model.utterance import Ask
from clew.policy import Policy


def before_that(
    question: str, asks: Sequence[Ask], records: Sequence[MemoryRecord], policy: Policy
) -> tuple[MemoryRecord, ...]:
    """What stood where something that the question names stands now, the last of it; or what stood where one thing
    stands at a time and is asked for by name.
    """
    named = named_by(question, "before_what", policy)
    if named:
        return _where(_holding(named[-1], records, policy), records, policy)
    if not says(question, "asks_once", policy):
        return ()
    sides = [a for a in asks if a.attribute in policy.checks.single]
    return next((gone for a in sides if (gone := _stood(a, records, policy))), ())


def _holding(name: str, records: Sequence[MemoryRecord], policy: Policy) -> list[MemoryRecord]:
    """What stands now and is called by the name, the newest first."""
    words = told_words(name, policy)
    held = [r for r in records if tellable(r, past=False) and r.attribute not in ("event", "note", "plan")]
    held = [r for r in held if words and words <= told_words(bare_value(r.memory_value), policy)]
    return sorted(held, key=lambda r: (r.last_confirmed_at, r.memory_id), reverse=True)


def _where(
    now: Sequence[MemoryRecord], records: Sequence[MemoryRecord], policy: Policy
) -> tuple[MemoryRecord, ...]:
    for one in now:
        gone = [r for r in records if r.superseded_by == one.memory_id] or [
            r for r in records if r.subject == one.subject and attribute_for(r, policy) == attribute_for(one, policy)
        ]
        if last := _last(gone):
            return last
    return ()


def _stood(ask: Ask, records: Sequence[MemoryRecord], policy: Policy) -> tuple[MemoryRecord, ...]:
    whose = meant_by(ask.subject, policy)
    same = [r for r in records if r.subject in whose and attribute_for(r, policy) == ask.attribute]
    if ask.name:
        same = [r for r in same if (key := Key.parse(r.memory_key)) and key.name == ask.name.lower()]
    return _last(same)


def _last(records: Sequence[MemoryRecord]) -> tuple[MemoryRecord, ...]:
    over = [r for r in records if tellable(r, past=True)]
    return tuple(sorted(over, key=lambda r: (r.last_confirmed_at, r.memory_id), reverse=True)[:1])
