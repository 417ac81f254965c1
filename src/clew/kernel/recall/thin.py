"""Near-duplicates leave the list, and the list fits its token budget."""

from __future__ import annotations

from collections.abc import Sequence

from clew.kernel.text.guards import veto
from clew.kernel.text.normalize import normalize
from clew.kernel.text.similarity import jaccard
from clew.kernel.text.tokens import content_words, token_estimate
from clew.policy import Policy


def distinct(texts: Sequence[str], policy: Policy) -> list[int]:
    """Positions kept: the first of each set of near-duplicates; opposites are never merged."""
    kept: list[int] = []
    seen = [content_words(text) for text in texts]
    for i, text in enumerate(texts):
        if not any(_same(texts[j], text, seen[j], seen[i], policy) for j in kept):
            kept.append(i)
    return kept


def _same(a: str, b: str, left: frozenset[str], right: frozenset[str], policy: Policy) -> bool:
    if min(len(left), len(right)) < policy.recall.thin_min_words:
        return False
    if normalize(a) == normalize(b):
        return True
    return jaccard(left, right) >= policy.recall.thin_likeness and veto(a, b, policy.text) is None


def within(texts: Sequence[str], budget: int, policy: Policy) -> int:
    """How many of these, in order, fit into so many tokens."""
    spent = 0
    for count, text in enumerate(texts):
        spent += token_estimate(normalize(text), policy.text)
        if spent > budget:
            return count
    return len(texts)
