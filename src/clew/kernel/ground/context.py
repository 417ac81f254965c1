"""What a model may read in the semantic lane: the newest turns and excerpts, cut to the caps."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from clew.kernel.ground.turn import Turn
from clew.kernel.text.tokens import first_words, token_estimate
from clew.policy import Policy


def blend(turn: Turn, policy: Policy) -> dict[str, Any]:
    """Excerpts first, each cut; then as much history as still fits, newest kept."""
    ground = policy.ground
    left = ground.blended_context_max_tokens
    excerpts: list[dict[str, Any]] = []
    for excerpt in turn.excerpts[: ground.structured_keys_max]:
        budget = min(left, ground.snapshot_excerpt_max_tokens)
        text = first_words(excerpt.text or "", budget, policy.text)
        left -= token_estimate(text, policy.text)
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
