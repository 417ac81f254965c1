"""When two remembered texts say the same (`similar` as memory).

`similarity` is containment over content words. Whether they are one is decided by a weighted sum of word,
letter and vector likeness; the weights are policy, fitted by bench/train/memory_likeness.py. What forbids
it is in contrast.py.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction

from clew.kernel.compare.opposites import clash, ends_otherwise, exchanged, left_over
from clew.kernel.compare.same_statement import OTHER, SAME, told_the_same
from clew.kernel.compare.wording import Word
from clew.kernel.read.comparable import Saying, letter_triples, memory_words, saying
from clew.kernel.text.exact import products
from clew.kernel.text.normalize import normal
from clew.kernel.text.similarity import containment, jaccard
from clew.model.likeness import Likeness
from clew.policy import Policy

WHOLE = 100


def cosine(a: Sequence[float], b: Sequence[float]) -> Fraction:
    """Correctly rounded sums, so that the order of machine instructions does not matter."""
    dot, mine, theirs = products(a, b)
    size = math.sqrt(mine) * math.sqrt(theirs)
    return Fraction(dot / size) if size else Fraction(0)


def features(a: str, b: str, policy: Policy) -> tuple[Fraction, ...]:
    """Words found on the other side, as share of either text; letter triples contained and shared;
    and the share replaced on both sides. A common word counts less than a rare one.
    """
    one, other = saying(a, policy), saying(b, policy)
    mine, yours = left_over(one, other)
    ours, theirs = max(1, _weight(one.words, policy)), max(1, _weight(other.words, policy))
    alone, there = _weight(mine, policy), _weight(yours, policy)
    found = (1 - Fraction(alone, ours), 1 - Fraction(there, theirs))
    triples_a, triples_b = letter_triples(a), letter_triples(b)
    return (
        max(found),
        min(found),
        containment(triples_a, triples_b),
        jaccard(triples_a, triples_b),
        Fraction(min(alone, there), min(ours, theirs)),
    )


def shares_enough(a: str, b: str, values: Sequence[Fraction], policy: Policy) -> bool:
    """A common word that stands in a longer text is no sign of it (as in ruling N7)."""
    if values[4]:
        return True
    table = policy.remember.likeness
    one, other = saying(a, policy), saying(b, policy)
    mine, yours = left_over(one, other)
    shared = min(
        _weight(one.words, policy) - _weight(mine, policy),
        _weight(other.words, policy) - _weight(yours, policy),
    )
    return shared >= (table.shared_little if values[1] < table.shared_part else table.shared_least)


def _weight(among: Iterable[Word], policy: Policy) -> int:
    common = policy.remember.common
    return sum(common.get(w.bare, WHOLE) for w in among)


def memory_likeness(
    a: str,
    b: str,
    policy: Policy,
    vector_a: Sequence[float] | None = None,
    vector_b: Sequence[float] | None = None,
) -> Likeness:
    table = policy.remember.likeness
    score = containment(memory_words(a, policy), memory_words(b, policy))
    if normal(a).no_punct == normal(b).no_punct:
        return Likeness(score, bool(normal(a).no_punct), None, "similar.memory.exact")
    values, near = features(a, b, policy), None
    if vector_a and vector_b and len(vector_a) == len(vector_b):
        near = cosine(vector_a, vector_b)
        values = (*values, near)
        weights, least, strict = table.with_vectors, table.with_vectors_least, table.with_vectors_strict
        rule = "similar.memory.vectors"
    else:
        weights, least, strict = table.words_only, table.words_only_least, table.words_only_strict
        rule = "similar.memory.words"
    if values[4] and tells_of_others(saying(a, policy), saying(b, policy), policy):
        least = strict
    close = sum((w * v for w, v in zip(weights, values, strict=True)), Fraction(0)) >= least
    close = close and shares_enough(a, b, values, policy)
    close = close or (near is not None and values[4] == 1 and near >= table.vectors_alone)
    told = told_the_same(a, b, vector_a, vector_b, values[:5], policy) if vector_a and vector_b else None
    if told is SAME and not close:
        return Likeness(score, True, memory_veto(a, b, policy, near), "similar.memory.same")
    guard = memory_veto(a, b, policy, near) if close else None
    if close and guard is None and told is OTHER:
        guard = "meaning"
    return Likeness(score, close, guard, rule)


def tells_of_others(one: Saying, other: Saying, policy: Policy) -> bool:
    """Statements about somebody vary in the thing told, the speaker's own words in wording; so do questions in a
    language whose questions were among the pairs that fitted the weights.
    """
    vary = policy.remember.of(one.language).questions_vary or policy.remember.of(other.language).questions_vary
    asks = (one.asks or other.asks) and vary
    return not asks and (one.third or other.third)


def memory_veto(a: str, b: str, policy: Policy, near: Fraction | None = None) -> str | None:
    """What keeps the texts apart. `near` is their cosine: so near, the one word they differ in is a
    synonym. A cosine of one for different words only says that the vectors do not tell words apart.
    """
    guard = clash(a, b, policy)
    if guard:
        return guard
    table = policy.remember.likeness
    one, other = saying(a, policy), saying(b, policy)
    nearer = (table.synonym_near_in.get(said.language, table.synonym_near) for said in (one, other))
    least = max(nearer)
    if near is not None and least <= near <= table.synonym_far:
        return None
    if exchanged(one, other) or ((near is None or near < table.end_near) and ends_otherwise(one, other, policy)):
        return "entity"
    return None
