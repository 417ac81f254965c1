"""Near-duplicates leave the list, and the list fits its token budget."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet

from clew.kernel.text.guards import veto
from clew.kernel.text.normalize import normalize
from clew.kernel.text.tokens import token_estimate
from clew.policy import Policy


def distinct(
    ranked: Sequence[int],
    most: int,
    text_of: Callable[[int], str],
    terms_of: Callable[[int], AbstractSet[int]],
    policy: Policy,
) -> list[int]:
    """Places kept, at most so many: the first of each set of near-duplicates."""
    kept: list[int] = []
    sets: list[AbstractSet[int]] = []
    for place, turn in enumerate(ranked):
        if len(kept) == most:
            break
        held = terms_of(turn)
        if any(
            alike(a, held, policy) and veto(text_of(ranked[i]), text_of(turn), policy.text) is None
            for i, a in zip(kept, sets, strict=True)
        ):
            continue  # opposites are never merged: the guard keeps them apart
        kept.append(place)
        sets.append(held)
    return kept


def alike(a: AbstractSet[int], b: AbstractSet[int], policy: Policy) -> bool:
    """Jaccard at the policy's likeness, in integers; too few words are never alike."""
    small, large = sorted((len(a), len(b)))
    need = policy.recall.thin_likeness
    if small < policy.recall.thin_min_words or small * need.denominator < need.numerator * large:
        return False
    shared = len(a & b)
    return shared * need.denominator >= need.numerator * (small + large - shared)


def within(texts: Sequence[str], budget: int, policy: Policy) -> int:
    """How many of these, in order, fit into so many tokens."""
    spent = 0
    for count, text in enumerate(texts):
        spent += token_estimate(normalize(text), policy.text)
        if spent > budget:
            return count
    return len(texts)
