"""When two remembered texts say the same (contracts: `similar` as memory)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from clew.kernel.text.guards import veto
from clew.kernel.text.similarity import containment
from clew.kernel.text.tokens import content_words
from clew.model.likeness import Likeness
from clew.policy import Policy


def cosine(a: Sequence[float], b: Sequence[float]) -> Fraction:
    """Correctly rounded sums, so that the order of machine instructions does not matter."""
    dot = math.fsum(x * y for x, y in zip(a, b, strict=True))
    size = math.sqrt(math.fsum(x * x for x in a)) * math.sqrt(math.fsum(y * y for y in b))
    return Fraction(dot / size) if size else Fraction(0)


def memory_likeness(
    a: str,
    b: str,
    policy: Policy,
    vector_a: Sequence[float] | None = None,
    vector_b: Sequence[float] | None = None,
) -> Likeness:
    score = containment(content_words(a), content_words(b))
    close = score >= Fraction(9, 10)
    return Likeness(score, close, veto(a, b, policy.text) if close else None, "similar.memory")
