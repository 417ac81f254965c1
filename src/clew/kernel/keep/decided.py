"""An agent's decisions as memories: which words were decided, told once, with what came of it (N2–N4, N9, N13)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from clew.kernel.keep.confidence import initial_confidence
from clew.kernel.keep.decisions import decides_in_words, thin, worth_recording
from clew.kernel.keep.keys import build
from clew.model.decision import Decision
from clew.model.memory import Candidate, MemoryRecord, MemoryStatus, MemoryType, Origin
from clew.model.verdict import Reason
from clew.policy import Policy

ATTRIBUTE = "decision"
PENDING = "pending"
_CAME_OF_IT = " → "


def written(decision: str, outcome: str) -> str:
    """The decision and what came of it, as it is held."""
    came = " ".join(outcome.split())
    bare = " ".join(decision.split())
    return bare if came in ("", PENDING) else f"{bare}{_CAME_OF_IT}{came}"


def decision_of(record: MemoryRecord) -> Decision:
    text, arrow, outcome = record.memory_value.rpartition(_CAME_OF_IT)
    if not arrow:
        text, outcome = record.memory_value, PENDING
    return Decision(record.memory_id, text, record.created_at, outcome, record.confidence)


def decided(
    frame: str, tools: Sequence[str], sentences: Sequence[str], policy: Policy
) -> tuple[str | None, Reason]:
    """What an agent's answer decided, in its own words, or None."""
    worth, why = worth_recording(frame, tools, " ".join(sentences), policy)
    if not worth or not sentences:
        return None, why
    return next((s for s in sentences if decides_in_words(s, policy)), sentences[0]).strip(), why


def as_candidate(
    decision: str, outcome: str, held: Sequence[MemoryRecord], at: datetime, policy: Policy
) -> Candidate | None:
    """Under its own words; one that says the same as an earlier one with the same outcome confirms that one."""
    bare = " ".join(decision.split())[: policy.attributes.note_characters]
    key = build(MemoryType.FACT, ATTRIBUTE, bare, policy=policy)
    if key is None:
        return None
    value = written(bare, outcome)
    new = Decision("", bare, at, outcome.strip() or PENDING)
    for record in held:
        if record.memory_key != key and thin([decision_of(record), new], policy).dropped:
            key, value = record.memory_key, record.memory_value
            break
    sure = initial_confidence(Origin.HEURISTIC, policy)
    return Candidate(MemoryType.FACT, key, value, sure, attribute=ATTRIBUTE)


def without_repeats(records: Sequence[MemoryRecord], policy: Policy) -> list[MemoryRecord]:
    """Everything in its order, of near-identical decisions the newest alone."""
    decisions = [r for r in records if r.attribute == ATTRIBUTE and r.status is MemoryStatus.ACTIVE]
    kept = {r.memory_id for r in thinned(decisions, policy)} if len(decisions) > 1 else None
    dropped = {r.memory_id for r in decisions if kept is not None and r.memory_id not in kept}
    return [r for r in records if r.memory_id not in dropped]


def thinned(records: Sequence[MemoryRecord], policy: Policy) -> list[MemoryRecord]:
    """Decisions with near-identical ones left out, newest first; everything else is not asked here."""
    kept = {d.id: n for n, d in enumerate(thin([decision_of(r) for r in records], policy).kept)}
    return sorted((r for r in records if r.memory_id in kept), key=lambda r: kept[r.memory_id])
