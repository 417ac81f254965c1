"""What a model may read in the semantic lane: the newest turns and excerpts, cut to the caps."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from clew.kernel.ground.turn import Turn
from clew.kernel.text.tokens import token_estimate
from clew.policy import Policy


def blend(turn: Turn, policy: Policy) -> dict[str, Any]:
    """Excerpts first, each cut; then as much history as still fits, newest kept."""
    ground = policy.ground
    left = ground.blended_context_max_tokens
    excerpts: list[dict[str, Any]] = []
    for excerpt in turn.excerpts[: ground.structured_keys_max]:
        text, cost = _cut(excerpt.text or "", min(left, ground.snapshot_excerpt_max_tokens), policy)
        left -= cost
        excerpts.append({**excerpt.as_dict(), "text": text})
    budget = min(left, ground.chat_history_max_tokens)
    history = _newest(turn.history[-ground.chat_history_max_turns :], budget, policy)
    return {"excerpts": excerpts, "history": history}


def _newest(history: Iterable[str], budget: int, policy: Policy) -> list[str]:
    kept: list[str] = []
    for text in reversed(list(history)):
        cost = token_estimate(text, policy.text)
        if cost > budget:
            break
        budget -= cost
        kept.append(text)
    return kept[::-1]


def _cut(text: str, budget: int, policy: Policy) -> tuple[str, int]:
    """Whole words up to the cap."""
    words = text.split()
    low, high = 0, len(words)
    while low < high:
        middle = (low + high + 1) // 2
        if token_estimate(" ".join(words[:middle]), policy.text) <= budget:
            low = middle
        else:
            high = middle - 1
    kept = " ".join(words[:low])
    return kept, token_estimate(kept, policy.text)
