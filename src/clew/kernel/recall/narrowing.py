"""Only what was asked: the words of a question beyond the name of what it asks for choose among what is known.

"Where is my interview?" asks for a place of the interview; where the user works answers another question.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from clew.frozen import dataclass
from clew.kernel.statements.features import mentions
from clew.kernel.text.terms import terms
from clew.model.memory import MemoryRecord
from clew.model.utterance import Ask
from clew.policy import Policy


@dataclass(frozen=True, slots=True)
class Wanted:
    """Terms of a question. `own`: without the names of the attributes it asks for; `all`: with them."""

    own: frozenset[str]
    all: frozenset[str]


def wanted(question: str, asks: Sequence[Ask], language: str, policy: Policy) -> Wanted:
    people = {t for m in mentions(question, policy.reader) for t in _terms(question[m.start : m.end], policy)}
    names = {t for a in asks if a.name for t in _terms(a.name, policy)}
    every = _terms(question, policy) - people - _talk(language, policy)
    called = frozenset(t for a in asks for t in _labels(a.attribute, language, policy))
    return Wanted(frozenset(every - called - names), frozenset(every - names))


def held(text: str, policy: Policy) -> frozenset[str]:
    return _terms(text, policy)


def words_of_record(record: MemoryRecord) -> str:
    return f"{record.memory_value.replace('_', ' ').replace('|', ' ')} {record.statement or ''}"


def narrowed(
    found: Sequence[tuple[MemoryRecord, float]], question: Wanted, policy: Policy
) -> tuple[tuple[MemoryRecord, float], ...]:
    """Those that hold most of the question's own words; all of them where none holds any."""
    for of in (question.own, question.all):
        shared = [len(of & held(words_of_record(r), policy)) for r, _ in found]
        most = max(shared, default=0)
        if most:
            return tuple(f for f, n in zip(found, shared, strict=True) if n == most)
    return tuple(found)


def strays(found: Sequence[tuple[MemoryRecord, float]], question: Wanted, policy: Policy) -> bool:
    """The question has words of its own, and nothing found holds one of them."""
    return bool(question.own) and not any(question.own & held(words_of_record(r), policy) for r, _ in found)


@lru_cache(maxsize=4096)
def _terms(text: str, policy: Policy) -> frozenset[str]:
    return frozenset(term for term, _ in terms(text, policy))


@lru_cache(maxsize=256)
def _labels(attribute: str, language: str, policy: Policy) -> frozenset[str]:
    """How the attribute and its neighbours are called when they are asked for."""
    words = policy.attributes.languages.get(language)
    near = policy.recall.near_attributes.get(attribute, ())
    listed = [w for a in (attribute, *near) for w in (words.asked.get(a, ()) if words else ())]
    return frozenset(t for w in (*listed, attribute) for t in _terms(w, policy))


@lru_cache(maxsize=8)
def _talk(language: str, policy: Policy) -> frozenset[str]:
    """Words with which a question is put, and that are about nothing."""
    words = policy.checks.languages.get(language)
    return frozenset(t for w in (words.asking if words else ()) for t in _terms(w, policy))
