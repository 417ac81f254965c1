"""A fact denied by its own words: "I'm not a nurse", "you got my job wrong"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from clew.frozen import dataclass
from clew.kernel.keep.lifecycle import ACTIVE
from clew.kernel.keep.merge import same_value
from clew.kernel.keep.same_things import same_thing, same_things
from clew.kernel.statements.extract import extract
from clew.kernel.statements.items import to_gerund
from clew.kernel.statements.patterns import pattern
from clew.model.memory import Candidate, MemoryRecord, MemoryType
from clew.model.utterance import Wording
from clew.policy import Policy


@dataclass(frozen=True, slots=True)
class Denied:
    """`ended`: it was so once, and is no more."""

    memory: MemoryRecord
    clause: str
    ended: bool = False


def denied_fact(
    said: Wording,
    stated: Sequence[Candidate],
    memories: Sequence[MemoryRecord],
    surfaced: Sequence[str],
    at: datetime,
    zone: ZoneInfo,
    policy: Policy,
) -> Denied | None:
    """The held memory that a clause denies; what takes its place in the same breath is no denial.

    stated: what the same message states.
    """
    held = [m for m in memories if m.status is ACTIVE]
    if not held:
        return None
    told = [c.key for c in stated]
    if pattern("ended_still", policy).search(said.text):
        return None
    value = pattern("denied_value", policy).match(said.text)  # nothing else is said
    for clause in (c.text for c in said.clauses if not c.asks):
        if len(clause) > policy.remember.correct.clause_characters:
            continue
        # A field or a bare value could be an idiom ("that's not my job"): only what was just brought up is meant.
        key = _field(clause, policy)
        for memory in held:
            if memory.memory_id not in surfaced:
                continue
            if memory.memory_key == key or (value and _is_value(value["x"], memory, policy)):
                return Denied(memory, clause)
        for positive, ended in _affirmed(clause, policy):
            for fact in extract(positive, at, zone, policy):
                for memory in held:
                    same = same_thing(memory.memory_key, fact.key, policy) and same_value(
                        memory.memory_value, fact.value, fact.type, policy
                    )
                    if same and not same_things(fact.key, told, policy):
                        return Denied(memory, clause, ended)
    return None


def _is_value(said: str, memory: MemoryRecord, policy: Policy) -> bool:
    return memory.type is MemoryType.FACT and same_value(memory.memory_value, said, memory.type, policy)


def _field(clause: str, policy: Policy) -> str | None:
    match = pattern("denied_field", policy).match(clause)
    if match is None:
        return None
    named = match["a"] or match["b"] or match["c"]
    for field, names in policy.remember.correct.fact_names.items():
        if named in names:
            return f"fact:{field}"
    return None


def _affirmed(clause: str, policy: Policy) -> Iterator[tuple[str, bool]]:
    """The clause without its denial, if it has one, and whether it was true once."""
    over = pattern("ended_any_more", policy).search(clause) is not None
    for name, subject in policy.remember.said("denied_opening"):
        match = pattern(name, policy).match(clause)
        if match:
            verb = f"{match['verb']} " if "verb" in match.re.groupindex else ""
            yield f"{subject} {verb}{match['rest']}", over or name.startswith("ended")
    gave_up = pattern("ended_pastime", policy).match(clause)
    if gave_up:
        verb, rest = (
            next((g for g in gave_up.group(n, f"{n}2", f"{n}3") if g), "") for n in ("verb", "rest")
        )
        yield f"I like {to_gerund(verb, policy)} {rest}".strip(), True
    if over:
        for name, instead in policy.remember.said("over_inside"):
            without, times = pattern(name, policy).subn(instead, clause)
            if times:
                yield " ".join(pattern("ended_any_more", policy).sub(" ", without).split()), True
    for name, instead in policy.remember.said("denied_inside"):
        without, times = pattern(name, policy).subn(instead, clause)
        if times:
            yield without, over or name.startswith("ended")
