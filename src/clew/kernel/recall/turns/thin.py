"""Near-duplicates leave the list, and the list fits its token budget."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
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
            veto(text_of(ranked[kept[i]]), text_of(turn), policy.text) is None for i in alike(held, sets, policy)
        ):
            continue  # opposites are never merged: the guard keeps them apart
        kept.append(place)
        sets.append(held)
    return kept


def alike(one: AbstractSet[int], others: Sequence[AbstractSet[int]], policy: Policy) -> Iterator[int]:
    """Which of the others: Jaccard at the policy's likeness, in integers; too few words are never alike."""
    least = policy.recall.thin_min_words
    much, of = policy.recall.thin_likeness.as_integer_ratio()
    size = len(one)
    for place, other in enumerate(others):
        small, large = (size, len(other)) if size < len(other) else (len(other), size)
        if small < least or small * of < much * large:
            continue
        shared = len(one & other)
        if shared * of >= much * (small + large - shared):
            yield place


def within(texts: Sequence[str], budget: int, policy: Policy) -> int:
    """How many of these, in order, fit into so many tokens."""
    spent = 0
    for count, text in enumerate(texts):
        spent += token_estimate(normalize(text), policy.text)
        if spent > budget:
            return count
    return len(texts)
