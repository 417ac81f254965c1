"""Which memories a message brings to mind: filters first, then the ranking."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from math import fsum

from clew.errors import InvalidInput
from clew.frozen import dataclass
from clew.kernel.keep.keys import bare_value
from clew.kernel.read.questions import is_question
from clew.kernel.text.exact import products
from clew.kernel.text.match import Lexicon
from clew.kernel.text.normalize import normal
from clew.kernel.text.terms import terms
from clew.model.key import first_part
from clew.model.memory import MemoryRecord, MemoryStatus
from clew.policy import Policy

Vector = Sequence[float]


@dataclass(frozen=True, slots=True)
class MemoryHit:
    memory: MemoryRecord
    score: float
    parts: tuple[tuple[str, float], ...]


def eligible(
    records: Sequence[MemoryRecord],
    *,
    suppressed_keys: Collection[str] = (),
    exclude_ids: Collection[str] = (),
) -> tuple[MemoryRecord, ...]:
    """Superseded, invalid, paused, suppressed and excluded memories are never ranked at all."""
    return tuple(
        r
        for r in records
        if r.status is MemoryStatus.ACTIVE
        and r.ended_at is None
        and not r.paused
        and r.memory_key not in suppressed_keys
        and r.memory_id not in exclude_ids
    )


def memory_text(record: MemoryRecord) -> str:
    """A memory as a phrase to embed: `home city: Oslo`, `food: like pizza`."""
    about = first_part(record.memory_key) if ":" in record.memory_key else record.memory_key
    return f"{about.replace('_', ' ')}: {record.memory_value.replace('|', ' ')}"


def index_terms(key: str, value: str, policy: Policy) -> frozenset[str]:
    """Under which terms a store should file a memory, so that a message finds it by value or by kind."""
    named, kind = _memory_terms(key, value, policy)
    return named | kind


def rank_memories(
    query: str,
    records: Sequence[MemoryRecord],
    policy: Policy,
    *,
    suppressed_keys: Collection[str] = (),
    exclude_ids: Collection[str] = (),
    query_vector: Vector | None = None,
    vectors: Mapping[str, Vector] | None = None,
    limit: int | None = None,
) -> tuple[MemoryHit, ...]:
    """The few that fit, best first; ties by last confirmation, then id."""
    most = policy.recall.top_k if limit is None else limit
    wanted = frozenset(term for term, _ in terms(query[: policy.recall.query_max], policy))
    whole = ("whole", policy.recall.memory_whole) if asks_of_the_person(query, policy) else None
    hits: list[MemoryHit] = []
    for record in eligible(records, suppressed_keys=suppressed_keys, exclude_ids=exclude_ids):
        vector = (vectors or {}).get(record.memory_id)
        parts = _parts(wanted, record, query_vector, vector, policy)
        parts = (*parts, whole) if whole else parts
        score = round(fsum(value for _, value in parts), policy.recall.score_digits)
        if score >= policy.recall.memory_floor:
            hits.append(MemoryHit(record, score, parts))
    hits.sort(key=lambda h: h.memory.memory_id)
    hits.sort(key=lambda h: (h.score, h.memory.last_confirmed_at), reverse=True)
    return tuple(hits[:most])


def asks_of_the_person(query: str, policy: Policy) -> bool:
    """ "What do you remember about me?" names no memory and means them all."""
    return _whole(policy).any(query) and is_question(normal(query), policy)


@lru_cache(maxsize=4)
def _whole(policy: Policy) -> Lexicon:
    return Lexicon({"whole": policy.recall.said("whole_cues")}, policy.text)


def _parts(
    wanted: frozenset[str],
    record: MemoryRecord,
    query_vector: Vector | None,
    vector: Vector | None,
    policy: Policy,
) -> tuple[tuple[str, float], ...]:
    numbers = policy.recall
    value, kind = _memory_terms(record.memory_key, record.memory_value, policy)
    named = len(wanted & value) / min(len(value), numbers.memory_value_terms) if value else 0.0
    lexical = min(1.0, named)
    fitting = numbers.memory_kind if wanted & kind else 0.0
    parts = [("lexical", numbers.memory_lexical * lexical), ("kind", numbers.memory_lexical * fitting)]
    if query_vector is not None and vector is not None:
        parts.append(("vector", numbers.memory_vector * _closeness(query_vector, vector, policy)))
    if record.pinned and any(value for _, value in parts):
        parts.append(("pinned", numbers.memory_pinned))
    digits = numbers.score_digits
    return tuple((name, round(value, digits)) for name, value in parts if value)


@lru_cache(maxsize=4096)
def _memory_terms(key: str, value: str, policy: Policy) -> tuple[frozenset[str], frozenset[str]]:
    """Terms of what is remembered, and of what its kind is called."""
    part = first_part(key)
    kind = policy.recall.kinds.get(part, part.replace("_", " "))
    return (
        frozenset(term for term, _ in terms(bare_value(value), policy)),
        frozenset(term for term, _ in terms(kind, policy)),
    )


def _closeness(a: Vector, b: Vector, policy: Policy) -> float:
    if len(a) != len(b):
        raise InvalidInput(f"vectors of {len(a)} and {len(b)} dimensions", pointer="/vector")
    dot, mine, theirs = products(a, b)
    size = (mine * theirs) ** 0.5
    floor = policy.recall.memory_vector_floor
    return max(0.0, dot / size - floor) / (1 - floor) if size else 0.0
