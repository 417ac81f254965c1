"""The named similarity measures, exact: a score is a ratio of integers until it is shown.

token Jaccard      open loops            ruling T11
containment        episodes, decisions   rulings N7 N8
3-gram Jaccard     replies               ruling P56
overlap / larger   causal links          ruling C10
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from fractions import Fraction
from functools import lru_cache

ZERO = Fraction(0)
ONE = Fraction(1)


def jaccard(a: AbstractSet[object], b: AbstractSet[object]) -> Fraction:
    """|A ∩ B| / |A ∪ B|; nothing on either side is similar to nothing."""
    if not a or not b:
        return ZERO
    shared = len(a & b)
    return Fraction(shared, len(a) + len(b) - shared)


def containment(a: AbstractSet[object], b: AbstractSet[object]) -> Fraction:
    """|A ∩ B| / the smaller set."""
    if not a or not b:
        return ZERO
    return Fraction(len(a & b), min(len(a), len(b)))


def ngrams(tokens: Sequence[str], n: int) -> frozenset[tuple[str, ...]]:
    return _ngrams(tuple(tokens), n)


@lru_cache(maxsize=512)
def _ngrams(tokens: tuple[str, ...], n: int) -> frozenset[tuple[str, ...]]:
    """A draft is held against the same replies as the one before it."""
    return frozenset(zip(*(tokens[i:] for i in range(n)), strict=False))


def ngram_jaccard(a: Sequence[str], b: Sequence[str], n: int) -> Fraction:
    """Too short for one n-gram: only equality counts."""
    if len(a) < n or len(b) < n:
        return ONE if a and tuple(a) == tuple(b) else ZERO
    return jaccard(ngrams(a, n), ngrams(b, n))
