"""A small head over the vectors of two statements: do they tell the same in other words? (ruling M8)

It only advises: what the guards keep apart stays apart, and without vectors of its own space it is silent.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from clew.kernel.compare.opposites import clash
from clew.kernel.read.comparable import saying
from clew.policy import Policy

# How a statement pair stands: told the same, told otherwise, or not known.
SAME, OTHER = True, False


def plain_features(
    a: str, b: str, near: float, worded: Sequence[Fraction], policy: Policy
) -> tuple[float, ...]:
    """Likeness of words and letters, cosine, once more where a language stands nearer; which guard speaks."""
    nearer = any(saying(text, policy).language in policy.remember.same.least_in for text in (a, b))
    guard = clash(a, b, policy)
    return (
        *(float(v) for v in worded),
        near,
        near if nearer else 0.0,
        float(nearer),
        float(guard == "polarity"),
        float(guard == "antonym"),
        float(guard == "entity"),
    )


def told_the_same(
    a: str,
    b: str,
    left: Sequence[float],
    right: Sequence[float],
    worded: Sequence[Fraction],
    policy: Policy,
) -> bool | None:
    """Do two statements tell the same? SAME, OTHER, or None when the weights are not sure.

    `worded` are the word and letter features of the pair."""
    head = policy.remember.same
    if len(left) != len(head.apart) or len(right) != len(left):
        return None
    one, other = saying(a, policy), saying(b, policy)
    if one.asks or other.asks:  # fitted on statements
        return None
    long, wide = math.sqrt(math.fsum(x * x for x in left)), math.sqrt(math.fsum(x * x for x in right))
    if not long or not wide:
        return None
    pairs = [(x / long, y / wide) for x, y in zip(left, right, strict=True)]
    near = math.fsum(x * y for x, y in pairs)
    plain = plain_features(a, b, near, worded, policy)
    score = math.fsum(
        (
            head.bias,
            *(w * v for w, v in zip(head.plain, plain, strict=True)),
            *(w * abs(x - y) for w, (x, y) in zip(head.apart, pairs, strict=True)),
            *(w * x * y for w, (x, y) in zip(head.together, pairs, strict=True)),
        )
    )
    if score >= max(head.least_in.get(said.language, head.least) for said in (one, other)):
        return SAME
    return OTHER if score < head.doubt else None
